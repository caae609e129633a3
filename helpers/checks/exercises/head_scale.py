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


def _probe(d_model, num_heads):
    words = f"d_model {d_model} in {num_heads} heads"
    return Probe(words, (d_model, num_heads))


_d_k = Step(
    "d_k",
    lambda c: c.d_model / c.num_heads,
    Mistake(
        "the whole width is taken for a head's",
        _HEAD,
        lambda c: c.d_model,
    ),
    Mistake(
        "the number of heads is taken for the width of a head",
        _HEAD,
        lambda c: c.num_heads,
    ),
    Mistake(
        "the width is multiplied by the number of heads",
        _HEAD,
        lambda c: c.d_model * c.num_heads,
    ),
    Mistake(
        "the width of a head is not d_model / num_heads",
        _HEAD,
        lambda c: c.d_model - c.num_heads,
        lambda c: c.d_model + c.num_heads,
        lambda c: c.d_model / (c.num_heads + 1),
        lambda c: c.d_model % c.num_heads,
        lambda c: c.d_model / 2,
        lambda c: c.d_model / 4,
        lambda c: c.d_model / 8,
    ),
    Mistake(
        "only one of the two numbers stands under the root",
        f"{_HEAD} The whole width of a head stands under the root.",
        *(
            {"d_k": lambda c: c.d_model, "root": lambda c, f=f: f(c)}
            for f in (
                lambda c: np.sqrt(c.d_model) / c.num_heads,
                lambda c: np.sqrt(c.d_model) * c.num_heads,
                lambda c: c.d_model / np.sqrt(c.num_heads),
                lambda c: c.d_model * np.sqrt(c.num_heads),
                lambda c: np.sqrt(c.d_model) - np.sqrt(c.num_heads),
                lambda c: np.sqrt(c.d_model) // c.num_heads,
            )
        ),
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
            f"The factor depends on the width of a head. {_HEAD}",
            {"d_k": lambda c: c.d_model, "root": lambda c: 1.0},
        ),
    ),
)
_scale = Step(
    "scale",
    lambda c: 1 / c.root,
    Mistake(
        "this is what to divide by",
        _FACTOR,
        lambda c: c.root,
    ),
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
        "divided by the number of heads once more",
        f"{_HEAD} Their number is in the width of a head already.",
        lambda c: c.num_heads / c.root,
    ),
    Mistake(
        "subtracted from 1, or another number too many",
        "The factor is one over the root of a head's width.",
        lambda c: 1 - 1 / c.root,
        lambda c: 2 / c.root,
        lambda c: 1 / (2 * c.root),
        lambda c: 1 / c.root + 1,
        lambda c: 1 / np.sqrt(c.d_k + 1e-3),
        lambda c: np.exp(-c.root),
    ),
    Mistake(
        "there is one number too many",
        "Asked for is one number for all heads: they are equally wide.",
        lambda c: np.full(c.num_heads, 1 / c.root),
        lambda c: np.full(int(c.d_model // c.num_heads), 1 / c.root),
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
