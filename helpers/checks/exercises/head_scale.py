"""Notebook 03: the factor for the scores of one head."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.roots import root

_HEAD = (
    "What is summed up in a score are the numbers of *one* head's query and"
    " key. The heads share out the width of the model evenly."
)
_FACTOR = (
    "The scores are multiplied by it. Where you would divide by 8, the factor"
    " is 0.125."
)
_WHOLE = f"{_HEAD} The whole width of a head stands under the root."


def _probe(d_model, num_heads):
    words = f"d_model {d_model} in {num_heads} heads"
    return Probe(words, (d_model, num_heads))


def _of(function):
    return lambda c: function(c.d_model, c.num_heads)


def _instead(function):
    """Put a function of both numbers in the place of width and root."""
    return {"d_k": lambda c: c.d_model, "root": _of(function)}


_d_k = Step(
    "d_k",
    _of(lambda d, h: d / h),
    Mistake(
        "the whole width is taken for a head's", _HEAD, _of(lambda d, h: d)
    ),
    Mistake(
        "the number of heads is taken for the width of a head",
        _HEAD,
        _of(lambda d, h: h),
    ),
    Mistake(
        "the width is multiplied by the number of heads",
        _HEAD,
        _of(lambda d, h: d * h),
    ),
    Mistake(
        "the number of heads is subtracted from the width, or added",
        f"{_HEAD} That is a division.",
        _of(lambda d, h: d - h),
        _of(lambda d, h: max(d - h, 1)),
        _of(lambda d, h: d + h),
    ),
    Mistake(
        "% gives the rest of a division",
        f"{_HEAD} That is a division: / is its operator.",
        _of(lambda d, h: d % h),
    ),
    Mistake(
        "a fixed number takes the place of num_heads",
        f"{_HEAD} Their number differs from input to input.",
        *(_of(lambda d, h, n=n: d / n) for n in (4, 2, 8, 12)),
    ),
    Mistake(
        "the scale of the whole model is divided by the number of heads",
        f"It is the width that the heads share. {_WHOLE}",
        _instead(lambda d, h: np.sqrt(d) * h),
    ),
    Mistake(
        "only one of the two numbers stands under the root",
        _WHOLE,
        _instead(lambda d, h: np.sqrt(d) / h),
        _instead(lambda d, h: d / np.sqrt(h)),
        _instead(lambda d, h: np.sqrt(d) // h),
    ),
    Mistake(
        "the power holds for num_heads only",
        "** comes before /: the whole quotient needs parentheses.",
        _instead(lambda d, h: 1 / (d * np.sqrt(h))),
    ),
)
_root = root(lambda c: c.d_k).but(
    without=(
        "the scale is missing",
        "the root of another width is taken",
        "another width is taken, and its root is missing",
        "the root stands on the wrong side of the fraction",
        "d_k stands where its root belongs, and on the wrong side",
        "the scale is rounded",
    ),
    also=(
        Mistake(
            "the factor is 1, which scales nothing",
            "Is there a // in it? 1 // 2 is 0, and any number to the power 0"
            " is 1.",
            {"d_k": lambda c: c.d_model, "root": lambda c: 1.0},
        ),
        Mistake(
            "a logarithm takes the place of the root",
            "Of a width of 16 the root must make 4.",
            lambda c: np.log(c.d_k),
            lambda c: np.log2(c.d_k),
            lambda c: np.log(c.d_k + 1),
            lambda c: np.log2(c.d_k + 1),
        ),
    ),
)
_scale = Step(
    "scale",
    lambda c: 1 / c.root,
    Mistake("this is what to divide by", _FACTOR, lambda c: c.root),
    Mistake(
        "this is the width of a head, not its scale",
        f"The scale is one over its root. {_FACTOR}",
        {"root": lambda c: c.d_k, "scale": lambda c: c.d_k},
    ),
    Mistake(
        "the division leaves whole numbers only",
        "The factor is smaller than 1 for every wide head. // and int cut the"
        " rest away.",
        lambda c: 1 // c.root,
        {
            "d_k": lambda c: c.d_model,
            "scale": lambda c: 1 / c.root // c.num_heads,
        },
    ),
    Mistake(
        "it returns several numbers",
        "Asked for is one number for all heads: they are equally wide.",
        lambda c: np.full(c.num_heads, 1 / c.root),
    ),
)

head_scale = Exercise(
    name="head_scale",
    call="head_scale(d_model, num_heads)",
    results=("scale",),
    shape="no list, no array",
    steps=(_d_k, _root, _scale),
    probes=(
        _probe(64, 4),
        _probe(60, 3),
        _probe(80, 8),
        _probe(512, 4),
        _probe(36, 12),
        _probe(30, 2),
        _probe(768, 12),
        Probe("one head", (24, 1), "edge"),
        Probe("as many heads as numbers", (8, 8), "edge"),
    ),
    praise="The scale belongs to a head, not to the model.",
)
