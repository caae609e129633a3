"""What can be predicted of a text without a network: counts, compressors."""

import bz2
import lzma

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from helpers import validation
from helpers.attention import softmax
from helpers.experiments.text_passages import Passages
from helpers.tasks import running_text

COMPRESSORS = {
    "bz2": lambda data: len(bz2.compress(data, 9)),
    "xz": lambda data: len(lzma.compress(data, preset=9)),
}


def counting_losses(train, test, num_characters, *, longest=6):
    """Return the loss of `WittenBell` with 0 to `longest` characters.

    As `surprises`, but the mean over all places: (longest + 1,).
    """
    counter = WittenBell(train, num_characters, longest=longest)
    return counter.surprises(test).mean(axis=1)


class Counter:
    """Predicts the next character from what followed the last ones.

    The probability after a context is mixed with that after the context that
    is one character shorter. Below all contexts, each character is equally
    likely.

    Parameters
    ----------
    train : array (N,) of int
        The text that is counted.
    num_characters : int
    longest : int
        The longest context.

    `name` is that of the method in figures.
    """

    name = "counting"

    def __init__(self, train, num_characters, *, longest=6):
        self.longest = validation.integer("longest", longest, least=0)
        self.num_characters = num_characters
        self.passages = Passages(train, self.longest + 1)
        self.mixtures = [*map(self.mixed, self.passages.known)]

    def mixed(self, known):
        """Return what `chances` needs of the passages of one length."""
        raise NotImplementedError

    def surprises(self, test):
        """Return the surprise of a text's characters, by length of context.

        test (M,) -> (longest + 1, M - longest), in nats. The first `longest`
        characters are not predicted, so that all lengths have the same ones.
        """
        windows = sliding_window_view(test, self.longest + 1)
        return -np.log(self.chances(windows))

    def next_chances(self, before):
        """Return the probability of each next character (num_characters,).

        before: the numbers of at least `longest` characters.
        """
        every = np.arange(self.num_characters)[:, None]
        last = np.asarray(before)[len(before) - self.longest :]
        last = np.tile(last, (self.num_characters, 1))
        return self.chances(np.hstack([last, every]))[-1]

    def chances(self, windows):
        """Return the probability of the last character of each window.

        windows (n, longest + 1) -> (longest + 1, n), by length of context.
        """
        raise NotImplementedError


class WittenBell(Counter):
    """(count + kinds * shorter) / (total + kinds).

    kinds is how many different characters came after the context. Witten and
    Bell (1991), *The Zero-Frequency Problem*, method C.
    """

    name = "Witten–Bell"

    def mixed(self, known):
        """Return one Mixture."""
        kinds = np.bincount(known.contexts, minlength=known.num_contexts)
        return Mixture(known, known.counts, kinds)

    def chances(self, windows):
        """Return probabilities, as `Counter` says."""
        shorter, found = np.full(len(windows), 1 / self.num_characters), []
        for mixture, asked in zip(
            self.mixtures, self.passages.find(windows), strict=True
        ):
            shorter = mixture.chances(*asked, shorter)
            found.append(shorter)
        return np.array(found)


class KneserNey(Counter):
    """(count - discount) / total, and all that was taken off for `shorter`.

    A shorter context does not count how often a character came after it, but
    after how many different characters the two came. Chen and Goodman (1999),
    *An Empirical Study of Smoothing Techniques for Language Modeling*:
    modified Kneser-Ney smoothing, interpolated.
    """

    name = "Kneser–Ney"

    def mixed(self, known):
        """Return a Mixture for the longest context, and one for others."""
        return [_discounted(known, n) for n in (known.counts, known.before)]

    def chances(self, windows):
        """Return probabilities, as `Counter` says."""
        shorter, found = np.full(len(windows), 1 / self.num_characters), []
        for (longest, other), asked in zip(
            self.mixtures, self.passages.find(windows), strict=True
        ):
            found.append(longest.chances(*asked, shorter))
            shorter = other.chances(*asked, shorter)
        return np.array(found)


def _discounted(known, counts):
    taken = discounts(counts)[np.minimum(counts, 3)]
    left = np.bincount(known.contexts, taken, known.num_contexts)
    return Mixture(known, counts - taken, left)


class Mixture:
    """(own + left * shorter) / (sum of own and left in the context).

    own: of each passage; left: of each context. Where a context never came,
    the probability is that of the shorter one.
    """

    def __init__(self, known, own, left):
        total = np.bincount(known.contexts, own, known.num_contexts) + left
        # one more at the end, for what never came: its number is -1
        self.own, self.left, self.total = (
            np.append(each, 0.0) for each in (own, left, total)
        )

    def chances(self, passage, context, shorter):
        """Return the probability of each passage after its context (n,)."""
        total = self.total[context]
        mixed = self.own[passage] + self.left[context] * shorter
        return np.where(total > 0, mixed / np.maximum(total, 1e-300), shorter)


def discounts(counts):
    """Return what is taken off a count of 0, 1, 2, and 3 or more.

    Estimated from how many counts are 1, 2, 3 and 4; one half where the text
    is too short for that. Chen and Goodman (1999), equation 26.
    """
    ones, twos, threes, fours = np.bincount(counts, minlength=5)[1:5]
    if not min(ones, twos, threes):
        return np.array([0, 0.5, 0.5, 0.5])
    share = ones / (ones + 2 * twos)
    taken = [
        0,
        1 - 2 * share * twos / ones,
        2 - 3 * share * threes / twos,
        3 - 4 * share * fours / threes,
    ]
    return np.clip(taken, 0, range(4))


def write_by_counting(counter, prompt, length, *, temperature, seed=0):
    """Continue a prompt with what a `Counter` predicts.

    prompt: the numbers of at least its `longest` characters. Returns
    `length` further numbers.
    """
    rng, written = validation.seeded("seed", seed), [*prompt]
    for _ in range(validation.positive_integer("length", length)):
        logits = np.log(counter.next_chances(written)) / temperature
        chances = softmax(logits)
        written.append(int(rng.choice(len(chances), p=chances)))
    return written[len(prompt) :]


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


def rivals(text):
    """Return what a network has to beat: {name: nats per character}.

    Both predict the last tenth of a text. Counting is `KneserNey`; its length
    of context is the best for the first half of that tenth.
    """
    characters = running_text.Characters(text)
    ids, held_out = running_text.split(characters.ids(text))
    surprises = KneserNey(ids, len(characters)).surprises(held_out)
    half = surprises.shape[1] // 2
    best = surprises[:, :half].mean(axis=1).argmin()
    parts = text[: len(ids)], text[len(ids) :]
    return {
        "counting": surprises[best].mean(),
        "bz2": compressed_loss(*parts, "bz2"),
    }
