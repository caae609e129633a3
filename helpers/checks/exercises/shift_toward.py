"""Notebook 01: how far attention moves a word toward another one."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import softmax, t, table

_CHANGE = "Asked is a change: after attention minus before it."
_COSINE = (
    "A dot product also changes with the length, and contexts are shorter than"
    " words: only the cosine asks for the direction alone."
)
_WEIGHTS = "The context of a word is the mix of all rows with its weights."


def _cosine(a, b):
    return a @ b / np.sqrt((a @ a) * (b @ b))


def _both(measure):
    """Use another measure than the cosine, before and after."""
    return {
        "before": lambda c: measure(c.word, c.landmark),
        "after": lambda c: measure(c.context, c.landmark),
    }


def _distance(a, b):
    return np.sqrt(((a - b) ** 2).sum())


def _angle(a, b):
    return np.arccos(np.clip(_cosine(a, b), -1, 1))


def _between_units(a, b):
    return np.sqrt(2 - 2 * np.clip(_cosine(a, b), -1, 1))


def _contexts(c):
    return softmax(c.x @ t(c.x)) @ c.x


_word = Step(
    "word",
    lambda c: c.x[c.position],
    Mistake(
        "another word is looked at",
        "`position` counts from 0, like every index in Python.",
        lambda c: c.x[c.position - 1],
        lambda c: c.x[0],
        lambda c: c.x[1],
    ),
    Mistake(
        "the position is not used",
        "Asked is one word of the sentence, the one at `position`.",
        lambda c: c.x.mean(axis=0),
    ),
)
_scores = Step(
    "scores",
    lambda c: c.x @ c.word,
    Mistake(
        "the landmark asks, not the word",
        "Attention happens inside the sentence; the landmark stands outside.",
        lambda c: c.x @ c.landmark,
    ),
)
_weights = Step(
    "weights",
    lambda c: softmax(c.scores),
    Mistake(
        "the softmax is missing",
        f"The scores are mixed, not the weights. {_WEIGHTS}",
        lambda c: c.scores,
    ),
    Mistake(
        "all words get the same weight",
        f"That is the plain mean of the sentence. {_WEIGHTS}",
        lambda c: np.ones(len(c.x)) / len(c.x),
    ),
    Mistake(
        "the softmax runs over the queries, not over the keys",
        "The weights of *one* query, the word, sum to 1: take the softmax of"
        " its row of scores.",
        lambda c: softmax(c.x @ t(c.x), axis=0)[c.position],
    ),
    Mistake(
        "the word does not see itself",
        "Here it looks at all words of the sentence, itself among them. Hiding"
        " comes in exercise 4.",
        lambda c: softmax(
            np.where(np.arange(len(c.x)) == c.position, -np.inf, c.scores)
        ),
    ),
    Mistake(
        "the scores are divided by the root of the width",
        "That is the subject of notebook 03; here the scores are used as they"
        " are.",
        lambda c: softmax(c.scores / np.sqrt(c.x.shape[1])),
    ),
)
_context = Step(
    "context",
    lambda c: c.weights @ c.x,
    Mistake(
        "the context is added to the word",
        "Here the context takes the place of the word.",
        lambda c: c.weights @ c.x + c.word,
    ),
)
_before = Step(
    "before",
    lambda c: _cosine(c.word, c.landmark),
    Mistake("the dot product is compared", _COSINE, _both(np.dot)),
    Mistake(
        "only one length is divided away",
        _COSINE,
        _both(lambda a, b: a @ b / np.sqrt(b @ b)),
        _both(lambda a, b: a @ b / np.sqrt(a @ a)),
    ),
    Mistake(
        "distances are compared",
        f"A distance falls when words come closer, and it sees lengths."
        f" {_COSINE}",
        _both(_distance),
        _both(lambda a, b: -_distance(a, b)),
    ),
    Mistake(
        "sound, but the measure is not the cosine",
        "Angles, and distances between vectors of length 1, see the direction"
        " alone, too. Asked is the cosine, so that all of us get the same"
        " number.",
        *(
            _both(lambda a, b, f=f, sign=sign: sign * f(a, b))
            for f in (_angle, lambda a, b: np.rad2deg(_angle(a, b)))
            for sign in (1, -1)
        ),
        *(
            _both(
                lambda a, b, n=n, sign=sign: sign * _between_units(a, b) ** n
            )
            for n in (1, 2)
            for sign in (1, -1)
        ),
    ),
    Mistake(
        "the mean of the sentence stands for the word before attention",
        "Before attention the word is a row of `x`.",
        lambda c: _cosine(c.x.mean(axis=0), c.landmark),
    ),
)
_after = Step("after", lambda c: _cosine(c.context, c.landmark))
_shift = Step(
    "shift",
    lambda c: c.after - c.before,
    Mistake(
        "before minus after",
        "A word that comes closer should get a positive number.",
        lambda c: c.before - c.after,
    ),
    Mistake(
        "only the state after attention is returned",
        _CHANGE,
        lambda c: c.after,
    ),
    Mistake(
        "only the state after attention is returned, as a dot product",
        f"{_CHANGE} {_COSINE}",
        _both(np.dot) | {"shift": lambda c: c.after},
    ),
    Mistake(
        "only the state before attention is returned",
        _CHANGE,
        lambda c: c.before,
    ),
    Mistake(
        "a quotient is returned, not a difference",
        f"A cosine may be 0 or negative. {_CHANGE}",
        lambda c: c.after / c.before,
    ),
    Mistake(
        "the context is compared with the word, not with the landmark",
        f"Asked is whether it comes nearer to the landmark. {_CHANGE}",
        lambda c: _cosine(c.context, c.word),
    ),
    Mistake(
        "only the sign is returned",
        "Whether it comes nearer is half of the answer. How far?",
        lambda c: np.sign(c.after - c.before),
    ),
    Mistake(
        "the step from the word to its context is compared with the landmark",
        f"Compare twice with the landmark, then subtract. {_CHANGE}",
        lambda c: _cosine(c.context - c.word, c.landmark),
    ),
    Mistake(
        "there is a number for every word",
        "One number is asked for: that of the word at `position`.",
        lambda c: np.array(
            [
                _cosine(after, c.landmark) - _cosine(before, c.landmark)
                for after, before in zip(_contexts(c), c.x, strict=True)
            ]
        ),
    ),
)


def _probe(words, seed, length, width, position, level="basic"):
    x = table(seed, length, width, step=8)
    return Probe(words, (x, position, table(seed + 1, width)), level)


shift_toward = Exercise(
    name="shift_toward",
    call="shift_toward(x, position, landmark)",
    results=("shift",),
    shape="one number",
    steps=(_word, _scores, _weights, _context, _before, _after, _shift),
    probes=(
        _probe("3 words of width 4", 61, 3, 4, 2),
        _probe("4 words of width 2", 63, 4, 2, 3),
        _probe("3 words of width 3", 65, 3, 3, 0),
        _probe("5 words of width 3", 67, 5, 3, 2),
        _probe("one word only", 69, 1, 3, 0, "edge"),
    ),
    praise="Its direction, after minus before.",
)
