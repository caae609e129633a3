"""What else could tell two senses apart: the controls of claim C67."""

import copy

import numpy as np

from helpers import tasks
from helpers.experiments.encoder_measures import same_sense
from helpers.experiments.runs import SEEDS
from helpers.models import load_encoder


def without_attention(rows):
    """Fractions of right senses of `tasks.senses()`: {name: number}.

    "plain mean": a sentence's rows of the word table, averaged; "centered":
    the same with the average of all rows taken away; "guessing": rows
    (128, d), with the senses shuffled, mean of 5 seeds.
    """
    words, senses, texts = zip(*tasks.senses(), strict=True)
    model = load_encoder()
    looked_up = [model.words[model.tokenize(text)[1][1:-1]] for text in texts]
    means = np.array([each.mean(axis=0) for each in looked_up])  # (128, 384)
    centered = means - np.concatenate(looked_up).mean(axis=0)
    shuffled = [np.random.default_rng(s).permutation(senses) for s in SEEDS]
    return {
        "plain mean": same_sense(means, words, senses).mean(),
        "centered": same_sense(centered, words, senses).mean(),
        "guessing": np.mean([same_sense(rows, words, s) for s in shuffled]),
    }


def shuffled_encoder(seed):
    """The encoder with the numbers inside each array of its blocks shuffled.

    The tables of words and places stay as they were trained.
    """
    dice, untrained = np.random.default_rng(seed), copy.copy(load_encoder())
    untrained.blocks = [
        {
            name: dice.permuted(array.ravel()).reshape(array.shape)
            for name, array in block.items()
        }
        for block in untrained.blocks
    ]
    return untrained
