"""What else could tell two senses apart: the controls of claim C67."""

import copy

import numpy as np

from helpers import tasks
from helpers.experiments.encoder_measures import same_sense, word_rows
from helpers.experiments.runs import SEEDS
from helpers.models import load_encoder


def without_attention(rows):
    """Fractions of right senses of `tasks.senses()`: {name: number}.

    "plain mean": a sentence's rows of the word table, averaged; "centered":
    the same with the average of all rows taken away; "guessing": rows
    (128, d), with the senses shuffled, mean of 5 seeds.
    """
    words, senses, _ = zip(*tasks.senses(), strict=True)
    means, average = _plain_means()
    shuffled = [np.random.default_rng(s).permutation(senses) for s in SEEDS]
    return {
        "centered": same_sense(means - average, words, senses).mean(),
        "plain mean": same_sense(means, words, senses).mean(),
        "guessing": np.mean([same_sense(rows, words, s) for s in shuffled]),
    }


def by_word(rows):
    """Compare right senses with the centered mean, for each of the 8 words.

    rows (128, d), one for each of `tasks.senses()`, after the last block.
    Returns the words, and {"block 6": (8,), "centered mean": (8,)}.
    """
    words, senses, _ = zip(*tasks.senses(), strict=True)
    means, average = _plain_means()
    table = {
        name: same_sense(each, words, senses).reshape(8, 16).mean(axis=1)
        for name, each in {
            "block 6": rows,
            "centered mean": means - average,
        }.items()
    }
    return words[::16], table


def _plain_means():
    """The mean of each sentence's rows of the table, (128, d); of all, (d,).

    The second counts a row as often as its word occurs.
    """
    model = load_encoder()
    looked_up = [
        model.words[model.tokenize(text)[1][1:-1]]
        for _, _, text in tasks.senses()
    ]
    means = np.array([each.mean(axis=0) for each in looked_up])
    return means, np.concatenate(looked_up).mean(axis=0)


def shuffled(seeds):
    """Fractions of right senses in `shuffled_encoder`s: (seeds, 7).

    A row for each seed: before the first block, and after each of the six.
    """
    words, senses, texts = zip(*tasks.senses(), strict=True)
    outputs = [shuffled_encoder(seed).read(texts) for seed in seeds]
    return np.array(
        [
            [same_sense(rows, words, senses).mean() for rows in layers]
            for layers in (word_rows(output, words) for output in outputs)
        ]
    )


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
