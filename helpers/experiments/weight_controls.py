"""Other weights, same answer? What claim C57 changes and compares with."""

from dataclasses import replace

import numpy as np

from helpers import tasks
from helpers.attention import scaled_dot_product_attention
from helpers.experiments.encoder_measures import attend_by
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import train
from helpers.models import AttentionClassifier


def moved(new, old):
    """The mean share of a row's weight that is on other words than before."""
    return np.abs(new - old).sum(axis=-1).mean() / 2


def change_weights(change, moves, seed):
    """An `attend` of the encoder that replaces all its weights.

    change: (weights (B, H, T, T), random generator) -> new weights; moves: a
    list that gets how far each block's weights `moved`.
    """
    dice = np.random.default_rng(seed)

    def mix(query, key, value, *, mask):
        _, weights = scaled_dot_product_attention(query, key, value, mask=mask)
        new = change(weights, dice).astype(value.dtype)
        moves.append(moved(new, weights))
        return new @ value, new

    return attend_by(mix)


def train_blind(seed, epochs):
    """The accuracy of a classifier that never sees the needed noun."""
    data = tasks.load("which_noun", seed)
    blind = AttentionClassifier(seed=seed)
    train(blind, hide_needed(data.train), seed=seed, epochs=epochs)
    return evaluate(blind, hide_needed(data.test)).accuracy[0]


def hide_needed(examples):
    """The same examples of "which_noun" with the needed noun masked."""
    mask = examples.mask.copy()
    np.put_along_axis(mask, examples.sentences.evidence, False, axis=1)
    return replace(examples, mask=mask)


def rules_without_the_noun(sentences, votes):
    """How often two rules are right that do not look at the needed noun.

    votes (B, T): above 0 says plural. Of the three other nouns, the first
    rule takes the number that only one of them has; the second adds their
    votes and turns the sign around. Returns two fractions.
    """
    truth = sentences.labels[:, 0] == 1  # plural
    theirs = np.take_along_axis(votes, sentences.nouns, 1)  # (B, 4)
    seen = sentences.nouns != sentences.evidence  # (B, 4)
    alone = (sentences.numbers * seen).sum(axis=1) == 1
    turned = (theirs * seen).sum(axis=1) < 0
    return np.mean(alone == truth), np.mean(turned == truth)
