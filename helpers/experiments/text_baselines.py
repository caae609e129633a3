"""What can be predicted of a text without a network: counts, compressors."""

import bz2
import lzma

import numpy as np

from helpers import validation

COMPRESSORS = {
    "bz2": lambda data: len(bz2.compress(data, 9)),
    "xz": lambda data: len(lzma.compress(data, preset=9)),
}


def context_numbers(ids, k, num_characters):
    """Return one number for the k characters before each place from k on.

    ids (N,) -> (N - k,) of int64: equal numbers, equal characters.
    """
    numbers = np.zeros(len(ids) - k, dtype=np.int64)
    for i in range(k):
        numbers = numbers * num_characters + ids[i : len(ids) - k + i]
    return numbers


def counting_losses(train, test, num_characters, *, longest=6):
    """Return the loss of counting with 0 to `longest` characters of context.

    The probability of a character after a context is interpolated with that
    after the context that is one character shorter: (count + kinds * shorter)
    / (total + kinds), where kinds is how many different characters came after
    the context. Witten and Bell (1991), *The Zero-Frequency Problem*, method
    C. Below all contexts, each character is equally likely.

    Parameters
    ----------
    train, test : arrays (N,) of int
        The text that is counted, and the text that is predicted. The first
        `longest` characters of the second are not predicted.
    num_characters : int

    Returns
    -------
    losses : array (longest + 1,)
        In nats per character.
    """
    longest = validation.integer("longest", longest, least=0)
    chances = np.full(len(test) - longest, 1 / num_characters)
    losses = []
    for k in range(longest + 1):
        counts, totals, kinds = _lookup(train, test, num_characters, k)
        skip = slice(longest - k, None)  # the same places for each k
        top = counts[skip] + kinds[skip] * chances
        bottom = totals[skip] + kinds[skip]
        seen = bottom > 0
        chances[seen] = top[seen] / bottom[seen]
        losses.append(-np.log(chances).mean())
    return np.array(losses)


def _lookup(train, test, num_characters, k):
    """Return for each place of `test` from k on what `train` has counted.

    The count of its character after its context, and of the context how
    often it came and how many kinds of characters came after it.
    """
    before = context_numbers(train, k, num_characters)
    pairs, counts = np.unique(
        before * num_characters + train[k:], return_counts=True
    )
    contexts, start = np.unique(pairs // num_characters, return_index=True)
    totals = np.add.reduceat(counts, start)
    kinds = np.diff(np.append(start, len(pairs)))
    asked = context_numbers(test, k, num_characters)
    count = _found(pairs, counts, asked * num_characters + test[k:])
    return (
        count,
        _found(contexts, totals, asked),
        _found(contexts, kinds, asked),
    )


def _found(keys, values, asked):
    """Return the value of each asked key, 0 for one that is not there."""
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.where(keys[place] == asked, values[place], 0)


def compressed_loss(train, test, compressor):
    """Return the nats per character that a compressor needs for `test`.

    The bytes that the text `test` adds to the compressed text `train`, times
    8 ln 2, divided by its length. compressor: one of `COMPRESSORS`.
    """
    size = COMPRESSORS[
        validation.choice("compressor", compressor, COMPRESSORS)
    ]
    added = size((train + test).encode()) - size(train.encode())
    return added * 8 * np.log(2) / len(test)
