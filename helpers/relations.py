"""Tasks of two questions at once, for notebook 04.

All words enter with their positions (`positions`), because two of the
questions are about order.
"""

from functools import lru_cache

import numpy as np

from helpers.embeddings import WordTable
from helpers.grammars import (
    CATEGORIES,
    COLORS,
    subject_and_previous,
    two_hop,
    who_whom,
)
from helpers.positions import sinusoidal_positions
from helpers.tasks import Examples, Task, load_lexicon

CLASSES = {  # how many classes each of the two answers has
    "who_whom": (len(CATEGORIES), len(CATEGORIES)),
    "subject_and_previous": (2, 2),
    "two_hop": (2, len(COLORS)),
}
# `who_whom` asks what a noun is: no answer if one vector has two meanings.
LEFT_OUT = {"who_whom": ("bat", "calf", "mouse", "seal", "tank")}
POSITIONS = 1.5  # size of a position beside a word of variance 1
BASE = 100.0  # of the sinusoids; no sentence is longer than 20 words
GRAMMARS = {
    grammar.__name__: grammar
    for grammar in (who_whom, subject_and_previous, two_hop)
}


@lru_cache(maxsize=8)
def load_relations(
    name, seed, *, train_count=4000, test_count=1000, positions=POSITIONS
):
    """Return a task of this module for one seed, ready to train on.

    Parameters
    ----------
    name : "who_whom", "subject_and_previous" or "two_hop"
    seed : int
        The same seed gives the same task; do not change its arrays.
    train_count, test_count : int
    positions : float
        Factor of the sinusoidal positions that are added to the words; 0
        leaves them out.

    Returns
    -------
    Task
        The test half has nouns that the training half does not have.
    """
    if name not in GRAMMARS:
        raise ValueError(f"name: expected one of {[*GRAMMARS]}, got {name!r}")
    train, test, table = _drawn(name, seed, train_count, test_count)
    return Task(
        _examples(train, table, positions),
        _examples(test, table, positions),
        table,
    )


@lru_cache(maxsize=8)
def _drawn(name, seed, *counts):
    """Return the sentences of both halves and the table of their words."""
    halves = load_lexicon().without(LEFT_OUT.get(name, ())).split(seed)
    rng = np.random.default_rng([seed, 2 + [*GRAMMARS].index(name)])
    sentences = [
        GRAMMARS[name](half, count, rng)
        for half, count in zip(halves, counts, strict=True)
    ]
    return *sentences, WordTable(_all_words(halves[0]))


def _all_words(lexicon):
    return [
        *lexicon.words(),
        *lexicon.adjectives,
        *lexicon.transitive_verbs,
        *COLORS,
    ]


def _examples(sentences, table, positions):
    x, mask = table.batch(sentences.words)  # (B, T, d_model)
    where = sinusoidal_positions(x.shape[1], x.shape[2], base=BASE)
    x += positions * where * mask[..., None]
    return Examples(sentences, x, mask)
