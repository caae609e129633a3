"""Notebook 04: two layers of attention, each with its sum."""

import re

from helpers.attention import multi_head_attention
from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import table

_SUM = "Each layer adds its output to what entered it: x' = x + attention(x)."
_NEXT = "The second layer works on what the first one hands on, its sum."


def _attend(x, matrices, heads):
    return multi_head_attention(x, *matrices, int(heads))[0]


_found = Step(
    "found",
    lambda c: _attend(c.x, c.first, c.num_heads),
    Mistake(
        "the first layer uses the matrices of the second",
        "Every layer has four matrices of its own.",
        lambda c: _attend(c.x, c.second, c.num_heads),
    ),
)
_middle = Step(
    "middle",
    lambda c: c.x + c.found,
    Mistake(
        "the first sum is missing",
        f"{_SUM} Without it the word is gone before the second layer.",
        lambda c: c.found,
    ),
    Mistake(
        "the first layer is missing",
        _NEXT,
        lambda c: c.x,
    ),
    Mistake(
        "a mean is taken in place of a sum",
        _SUM,
        lambda c: (c.x + c.found) / 2,
    ),
)
_entering = Step(
    "entering",
    lambda c: c.middle,
    Mistake(
        "the second layer reads the original words",
        _NEXT,
        lambda c: c.x,
    ),
    Mistake(
        "the second layer reads the first layer's output without its sum",
        f"{_NEXT} The output alone has lost the word.",
        lambda c: c.found,
    ),
)
_added = Step(
    "added",
    lambda c: _attend(c.entering, c.second, c.num_heads),
    Mistake(
        "the second layer uses the matrices of the first",
        "Every layer has four matrices of its own.",
        lambda c: _attend(c.entering, c.first, c.num_heads),
    ),
)
_result = Step(
    "result",
    lambda c: c.middle + c.added,
    Mistake(
        "the second sum is missing",
        _SUM,
        lambda c: c.added,
    ),
    Mistake(
        "the second layer adds to the original words",
        f"{_SUM} What entered the second layer is no longer x alone.",
        lambda c: c.x + c.added,
    ),
    Mistake(
        "the original words are added once more",
        "They are in the first sum already.",
        lambda c: c.x + c.middle + c.added,
    ),
    Mistake(
        "the second layer is missing",
        "The result of the first layer is what the second one starts from.",
        lambda c: c.middle,
    ),
)


def _probe(words, seed, heads, length, width, level="basic"):
    first, second = (table(seed + i, 4, width, width, step=8) for i in (1, 2))
    return Probe(
        words, (table(seed, length, width), first, second, heads), level
    )


def _forgotten(exercise, trials):
    """Recognize that num_heads or the star is missing."""
    got = trials[0].got
    if "multi_head_attention" not in got.error:
        return None
    if "missing 1 " in got.error and "num_heads" not in got.line:
        return (
            "num_heads is missing.",
            "multi_head_attention takes x, four matrices and, as its last"
            " argument, num_heads. Both layers need it.",
        )
    if re.search(r"missing [34] ", got.error):
        return (
            "the four matrices arrive as one argument.",
            "The star hands them over one by one: *first, *second.",
        )
    return None


two_layers = Exercise(
    name="two_layers",
    call="two_layers(x, first, second, num_heads)",
    results=("x after two layers",),
    shape="one row per word, d_model columns, as x",
    steps=(_found, _middle, _entering, _added, _result),
    probes=(
        _probe("3 words of width 4, 2 heads", 501, 2, 3, 4),
        _probe("4 words of width 6, 3 heads", 507, 3, 4, 6),
        _probe("5 words of width 6, 2 heads", 513, 2, 5, 6),
        _probe("4 words of width 4, 2 heads", 519, 2, 4, 4),
        _probe("one head", 525, 1, 3, 3, "edge"),
        _probe("one word", 531, 2, 1, 4, "edge"),
    ),
    recognize=_forgotten,
    praise="A word goes through both layers and stays itself.",
)
