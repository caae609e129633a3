"""Notebook 06: put the four parts of a Transformer block together."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import Part, table

_STREAM = (
    "The stream itself is never normed: what a part adds is added to the"
    " stream."
)
_READS = "A part reads a normed copy of the stream as it is *now*."
_OWN = "Each part has a norm of its own: norm_1 for attend, norm_2 for the"
_OWN += " feed-forward layer."
_FEED_FIRST = {
    "attended": lambda c: c.feed_forward(c.entering),
    "fed": lambda c: c.attend(c.reading),
}
_NORMED_OUT = {
    "entering": lambda c: c.x + 0.0,
    "middle": lambda c: c.x + c.norm_1(c.attended),
}


def _norm(name, gain):
    return Part(
        name,
        lambda x: (
            gain
            * (x - x.mean(axis=-1, keepdims=True))
            / (x.std(axis=-1, keepdims=True) + 0.01)
        ),
    )


def _probe(words, seed, length, width, level="basic"):
    mix = np.abs(table(seed, length, length)) + 0.1
    w_1, w_2 = (table(seed + i, width, width) for i in (1, 2))
    parts = (
        _norm("norm_1", 1.5),
        Part("attend", lambda x: mix @ x @ w_1),
        _norm("norm_2", 0.75),
        Part("feed_forward", lambda x: np.maximum(x @ w_2 + 0.3, 0)),
    )
    return Probe(words, (table(seed + 3, length, width), *parts), level)


_entering = Step(
    "entering",
    lambda c: c.norm_1(c.x),
    Mistake("attention reads x without its norm", _READS, lambda c: c.x + 0.0),
    Mistake(
        "the feed-forward layer comes first",
        "First the words look at each other, then each is changed.",
        _FEED_FIRST
        | {
            "entering": lambda c: c.norm_2(c.x),
            "reading": lambda c: c.norm_1(c.middle),
        },
        _FEED_FIRST,
    ),
    Mistake("norm_2 stands before attention", _OWN, lambda c: c.norm_2(c.x)),
)
_attended = Step("attended", lambda c: c.attend(c.entering))
_middle = Step(
    "middle",
    lambda c: c.x + c.attended,
    Mistake(
        "the first sum is missing",
        f"The stream is lost without it. {_STREAM}",
        lambda c: c.attended,
    ),
    Mistake(
        "attention's output is added to the normed words",
        _STREAM,
        lambda c: c.entering + c.attended,
    ),
    Mistake(
        "a part's output is normed before it is added",
        f"The norm stands before its part, not behind it. {_STREAM}",
        _NORMED_OUT,
        _NORMED_OUT
        | {
            "reading": lambda c: c.middle,
            "result": lambda c: c.middle + c.norm_2(c.fed),
        },
    ),
    Mistake(
        "the norms stand behind the sums",
        "That is the block of 2017, *post-norm*. Here each norm stands"
        f" before its part. {_STREAM}",
        {
            "entering": lambda c: c.x + 0.0,
            "middle": lambda c: c.norm_1(c.x + c.attended),
            "reading": lambda c: c.middle,
            "result": lambda c: c.norm_2(c.middle + c.fed),
        },
    ),
)
_reading = Step(
    "reading",
    lambda c: c.norm_2(c.middle),
    Mistake(
        "the feed-forward layer reads the stream without its norm",
        _READS,
        lambda c: c.middle,
    ),
    Mistake(
        "the feed-forward layer reads the words of the start",
        f"What attention has added must be there. {_READS}",
        lambda c: c.norm_2(c.x),
    ),
    Mistake(
        "the feed-forward layer reads attention's output without the stream",
        _READS,
        lambda c: c.norm_2(c.attended),
        lambda c: c.attended,
    ),
    Mistake(
        "norm_1 stands before both parts", _OWN, lambda c: c.norm_1(c.middle)
    ),
)
_fed = Step("fed", lambda c: c.feed_forward(c.reading))
_result = Step(
    "result",
    lambda c: c.middle + c.fed,
    Mistake(
        "the second sum is missing",
        f"The stream is lost without it. {_STREAM}",
        lambda c: c.fed,
    ),
    Mistake(
        "the second sum starts from x",
        "Attention's output is in the stream already, and has to stay.",
        lambda c: c.x + c.fed,
    ),
    Mistake(
        "the feed-forward output is added to the normed words",
        _STREAM,
        lambda c: c.reading + c.fed,
    ),
    Mistake(
        "the stream is normed at the end",
        "A model does that once, after its last block. Inside the block the"
        " norms stand before the parts.",
        lambda c: c.norm_2(c.middle + c.fed),
        lambda c: c.norm_1(c.middle + c.fed),
    ),
    Mistake(
        "x is added a second time",
        "It is in the stream already.",
        lambda c: c.x + c.middle + c.fed,
    ),
    Mistake(
        "the feed-forward layer is missing",
        "The block has two parts, each with its norm and its sum.",
        lambda c: c.middle,
    ),
)

block = Exercise(
    name="block",
    call="block(x, norm_1, attend, norm_2, feed_forward)",
    results=("x after the block",),
    shape="one row per word, as x",
    steps=(_entering, _attended, _middle, _reading, _fed, _result),
    probes=(
        _probe("3 words of width 4", 621, 3, 4),
        _probe("4 words of width 3", 627, 4, 3),
        _probe("4 words of width 4", 633, 4, 4),
        _probe("one word", 639, 1, 4, "edge"),
    ),
    praise="Four parts, two sums, one stream.",
)
