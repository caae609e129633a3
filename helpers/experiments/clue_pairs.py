"""Pairs of sentences for an interchange: which row carries the meaning?

Geiger et al. (2021), *Causal Abstractions of Neural Networks*: a row of one
run is put into another run, which then goes on.
"""

from typing import NamedTuple

import numpy as np

from helpers import tasks
from helpers.experiments.encoder_measures import (
    nearest_sense,
    word_places,
    word_rows,
)
from helpers.models import load_encoder


class CluePairs(NamedTuple):
    """B pairs of sentences that differ in the clue, read by the encoder.

    first and donor (7, B, T, 384): the rows of both sentences, before the
    first block and after each. at_word, at_clue (B,): the positions of the
    word with two meanings, and of the clue. words (B,); senses (B,): that of
    the word in the donor. known: what `nearest_sense` compares with.
    """

    first: np.ndarray
    donor: np.ndarray
    at_word: np.ndarray
    at_clue: np.ndarray
    words: tuple
    senses: np.ndarray
    known: tuple

    @property
    def at_cls(self):
        """The position of [CLS] in each sentence, (B,): 0."""
        return np.zeros(len(self.at_word), int)

    def won_by_donor(self, x):
        """How often the word ends with the donor's sense: a fraction.

        x (B, T, 384): rows after the last block.
        """
        rows = x[np.arange(len(x)), self.at_word]  # (B, 384)
        found = nearest_sense(rows, self.words, self.known)
        return np.mean(found == self.senses)


def read_clue_pairs(known):
    """Read all `tasks.clue_pairs()`: each sentence is a donor, too.

    known: the encoder's output for the sentences of `tasks.senses()`.
    """
    words, clues, sentences, donors, senses = zip(
        *tasks.clue_pairs(), strict=True
    )
    first = load_encoder().read(sentences)
    donor = [sentences.index(each) for each in donors]
    known_words, known_senses, _ = zip(*tasks.senses(), strict=True)
    known_rows = word_rows(known, known_words)[-1]
    return CluePairs(
        first.hidden,
        first.hidden[:, donor],
        word_places(first, words),
        word_places(first, clues),
        words,
        np.array(senses),
        (known_rows, known_words, known_senses),
    )
