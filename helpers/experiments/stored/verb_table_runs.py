"""Facts by rote: every noun has a verb of its own, drawn at random.

Trial room 06b asks which part of a block holds them, and which moves them.
Some minutes.
"""

from copy import copy

import numpy as np

from helpers.experiments.language import next_word_logits, train_on
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import by_measure
from helpers.models.block import Block
from helpers.tasks import agreement

TRAINED_ON, MEASURED_ON = 8000, 900  # sentences
ROWS = {  # options of `train_on`
    "both": {},
    "both, 16 epochs": dict(epochs=16),
    "both, hidden 128": dict(hidden=128),
    "both, hidden 256": dict(hidden=256),
    "no feed-forward": dict(feed_forward=False),
    "no feed-forward, 16 epochs": dict(feed_forward=False, epochs=16),
    "no feed-forward, 2 layers": dict(feed_forward=False, layers=2),
    "no attention": dict(attention=False),
    "no attention, 16 epochs": dict(attention=False, epochs=16),
    "neither": dict(attention=False, feed_forward=False),
}


class OwnWordBlock(Block):
    """Each word attends to itself only: no mixing, with all matrices."""

    def attend(self, query, key, value, mask, is_causal):
        """As in `Block`: the context is the word's own value."""
        return value, np.eye(value.shape[-2])  # (..., T, d_k), (T, T)


class EvenFeedBlock(Block):
    """The feed-forward layer adds the same to the words of all texts."""

    def _feed(self, x):
        added = super()._feed(x)  # (N texts, T, d)
        return np.broadcast_to(added.mean(axis=0), added.shape)


PARTS = {  # what is done: parameters that become 0; the blocks
    "attention off": (("w_o", "b_o"), Block),
    "mixing off": ((), OwnWordBlock),
    "feed-forward off": (("w_2", "b_2"), Block),
    "feed-forward averaged": ((), EvenFeedBlock),
}


def verb_table(seed):
    """Return {noun: verb}: every noun form of the grammar, at random."""
    grammar = agreement.whole()
    nouns = [n for ps in grammar.nouns.values() for p in ps for n in p]
    verbs = [plural for ps in grammar.verbs.values() for _, plural in ps]
    rng = np.random.default_rng((seed, 3))
    drawn = rng.permutation(np.resize(verbs, len(nouns))).tolist()
    return dict(zip(nouns, drawn, strict=True))


def sentences(table, count, seed):
    """Draw "the NOUN (PREP the NOUN){0–2} VERB .": the first noun's verb."""
    rng = np.random.default_rng(seed)
    nouns, prepositions = [*table], agreement.whole().prepositions
    drawn = []
    for _ in range(count):
        first, *others = rng.choice(nouns, 1 + rng.integers(3)).tolist()
        words = ["the", first]
        for noun in others:
            words += [str(rng.choice(prepositions)), "the", noun]
        drawn.append([*words, table[first], agreement.START])
    return drawn


def train(kind, seed):
    """Train one of `ROWS`; return the model."""
    drawn = sentences(verb_table(seed), TRAINED_ON, (seed, 0))
    return train_on(
        drawn, agreement.whole(), seed, noise_std=0.1, **ROWS[kind]
    )


def right(model, seed):
    """Return how often the right verb is the best of all verbs.

    Three numbers: with 0, 1 and 2 phrases between the noun and its verb.
    """
    table = verb_table(seed)
    drawn = sentences(table, MEASURED_ON, (seed, 1))
    ids = model.ids(sorted(set(table.values())))
    accuracy = []
    for length in (4, 7, 10):
        same = [words for words in drawn if len(words) == length]
        logits = next_word_logits(model, [words[:-2] for words in same])
        best = ids[logits[:, ids].argmax(axis=1)]
        verbs = model.ids([words[-2] for words in same])
        accuracy.append(round(float((best == verbs).mean()), 4))
    return accuracy


def without(model, part, seed):
    """Return `right` of a trained model after one of `PARTS`.

    "mixing off": each word attends to itself only, see `OwnWordBlock`.
    "feed-forward averaged": at each position, the layer adds the mean of
    what it adds in all texts, so it cannot tell one noun from another.
    """
    names, block_class = PARTS[part]
    zeros = {
        name: np.zeros_like(model.parameters[name])
        for name in (f"block0.{name}" for name in names)
    }
    changed = copy(model)
    changed.parameters = model.parameters | zeros
    changed.block_class = block_class
    return right(changed, seed)


def run(kind, seed):
    """Return {what is done afterward: `right`} of one kind and seed."""
    model = train(kind, seed)
    accuracy = {"nothing": right(model, seed)}
    if kind == "both":
        accuracy |= {part: without(model, part, seed) for part in PARTS}
    return accuracy


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `run` of all seeds, {done: list}."""
    return by_measure(run, name, seeds=seeds)
