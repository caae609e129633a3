"""Notebook 06: one new word looks back, with keys and values that are kept."""

import numpy as np

from helpers.checks.engine import Exercise, Mistake, Probe, Step
from helpers.checks.steps.tools import softmax, table

_ITSELF = "A word sees all words before it, and itself: first append."
_BEHIND = "The new word comes last: its row stands below the others."
_OLD = "Nothing that is kept may be lost: later words look at it as well."
_SCALE = "Scores are divided by the root of the width d of a key."


def _append(rows, row):
    return np.concatenate([rows, np.asarray(row)[None]])


def _place(step, rows, row):
    """Make the step that appends, with the ways to append wrongly."""

    def wrong(function):
        return lambda c: function(getattr(c, rows), getattr(c, row)[None])

    return Step(
        step,
        lambda c: _append(getattr(c, rows), getattr(c, row)),
        Mistake(
            f"the new {row} is put in front",
            _BEHIND,
            wrong(lambda old, new: np.concatenate([new, old])),
        ),
        Mistake(
            f"the new {row} is not appended",
            f"The next word will need it. {_ITSELF}",
            wrong(lambda old, new: old + 0.0),
        ),
        Mistake(
            f"the new {row} replaces an old one",
            _OLD,
            wrong(lambda old, new: np.concatenate([old[:-1], new])),
            wrong(lambda old, new: np.concatenate([old[1:], new])),
            wrong(lambda old, new: new),
        ),
    )


_all_keys = _place("all_keys", "keys", "key")
_all_values = _place("all_values", "values", "value")
_seen = Step(
    "seen",
    lambda c: (c.all_keys, c.all_values),
    Mistake(
        "the new word does not look at itself",
        _ITSELF,
        lambda c: (c.keys, c.values),
    ),
    Mistake(
        "keys and values have changed places",
        "Keys make the scores, values are mixed.",
        lambda c: (c.all_values, c.all_keys),
    ),
)
_scores = Step(
    "scores",
    lambda c: c.seen[0] @ c.query / np.sqrt(len(c.query)),
    Mistake(
        "the scores are not scaled", _SCALE, lambda c: c.seen[0] @ c.query
    ),
    Mistake(
        "the scores are divided by d, or by the root of another length",
        _SCALE,
        lambda c: c.seen[0] @ c.query / len(c.query),
        lambda c: c.seen[0] @ c.query / np.sqrt(len(c.seen[0])),
        lambda c: c.seen[0] @ c.query / np.sqrt(c.seen[1].shape[-1]),
    ),
    Mistake(
        "the new key asks, not the query",
        "The query asks; keys answer.",
        lambda c: c.seen[0] @ c.key / np.sqrt(len(c.query)),
    ),
)
_weights = Step(
    "weights",
    lambda c: softmax(c.scores),
    Mistake(
        "the softmax is missing",
        "Scores become weights that sum to 1.",
        lambda c: c.scores,
    ),
    Mistake(
        "large scores overflow",
        "exp of a large number is infinity. Subtract the largest first, or"
        " take attention.softmax.",
        lambda c: np.exp(c.scores) / np.exp(c.scores).sum(),
    ),
    Mistake(
        "a causal mask for the first word hides all others",
        "The query is the *last* word: nothing that it meets lies ahead of"
        " it, and no mask is needed.",
        lambda c: (np.arange(len(c.scores)) == 0) * 1.0,
    ),
)
_context = Step("context", lambda c: c.weights @ c.seen[1])
_result = Step("result", lambda c: (c.context, c.all_keys, c.all_values))


def _probe(words, seed, count, d_k, d_v, level="basic", times=1):
    query, key = times * table(seed, d_k), table(seed + 1, d_k)
    keys, values = table(seed + 3, count, d_k), table(seed + 4, count, d_v)
    return Probe(
        words, (query, key, table(seed + 2, d_v), keys, values), level
    )


attend_with_cache = Exercise(
    name="attend_with_cache",
    call="attend_with_cache(query, key, value, keys, values)",
    results=("context", "all_keys", "all_values"),
    shape="context (d_v,), all_keys (t + 1, d), all_values (t + 1, d_v)",
    steps=(
        _all_keys, _all_values, _seen, _scores, _weights, _context, _result
    ),
    probes=(
        _probe("2 kept words, d = 3, d_v = 4", 661, 2, 3, 4),
        _probe("4 kept words, d = 3, d_v = 2", 667, 4, 3, 2),
        _probe("3 kept words, d = d_v = 4", 673, 3, 4, 4),
        _probe("an empty cache", 679, 0, 3, 2, "edge"),
        _probe("large scores", 685, 3, 4, 2, "edge", times=600),
    ),
    praise="Nothing is computed twice.",
)  # fmt: skip
