"""What a task is made of: sentences, their arrays, and two halves."""

from dataclasses import dataclass, fields
from itertools import zip_longest

import numpy as np

from helpers.embeddings import WordTable


@dataclass(frozen=True)
class Sentences:
    """B sentences with their G questions, the answers, and the evidence.

    words: B lists of words. position (B,): where the word stands whose
    query is read. evidence (B, G): where the words stand that decide the
    answers; labels (B, G): the answers. nouns (B, N): positions of all
    nouns, in order, -1 where there are fewer. numbers (B, N): 0 singular,
    1 plural, -1 where there is no noun.
    """

    words: list
    position: np.ndarray
    evidence: np.ndarray
    labels: np.ndarray
    nouns: np.ndarray
    numbers: np.ndarray

    def __len__(self):
        return len(self.words)

    def __getitem__(self, rows):
        """Return the sentences of a slice, a boolean or an index array."""
        rows = np.arange(len(self))[rows]
        if rows.ndim != 1:
            raise TypeError("rows: give a slice or an array, such as [3:4]")
        arrays = {
            field.name: getattr(self, field.name)[rows]
            for field in fields(self)
            if field.name != "words"
        }
        return Sentences(words=[self.words[i] for i in rows], **arrays)


def padded(rows):
    """Stack rows of different lengths, filled up with -1: (B, N)."""
    columns = zip_longest(*rows, fillvalue=-1)
    return np.array([*zip(*columns, strict=True)])


@dataclass(frozen=True)
class Examples:
    """Sentences as arrays: x (B, T, d_model), mask (B, T) True = a word."""

    sentences: Sentences
    x: np.ndarray
    mask: np.ndarray


@dataclass(frozen=True)
class Task:
    """Examples to train on and to test on, and the table of their words.

    test: `Examples`; of a distance task {phrases between: Examples}.
    """

    train: Examples
    test: Examples | dict
    table: WordTable
