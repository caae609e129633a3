"""Run the pretrained encoder of notebook 07 anew: some minutes.

    python tools/write_encoder_runs.py [ROW ...]

Writes data/encoder_runs.json and its line in data/SHA256SUMS. Heads are
chosen by what they do on the sentences of two words, and measured on those
of the six others.
"""

from functools import cache, partial

import numpy as np
from rows import by_measure, by_seed, main

from helpers.experiments import encoder_runs
from helpers.experiments.encoder_runs import COUNTS, LAYERS, PARTS, TRAIN

FILE = "encoder_runs.json"
TEXT, WORD = 0, 1  # which of its measures chooses heads


def rows():
    """{name: function}: heads alone, chosen and random; the probe."""
    heads = {
        "alone": lambda: _alike()[TEXT].mean(axis=0).round(4).tolist(),
        "none": lambda: _means(encoder_runs.without([])),
        "chosen by text": partial(_chosen, TEXT),
        "chosen by word": partial(_chosen, WORD),
        "random": partial(_random, LAYERS),
        "random, blocks 1 to 5": partial(_random, LAYERS - 1),
    }
    return heads | {
        f"probe, {count} sentences": partial(by_measure, _probe, count)
        for count in TRAIN
    }


@cache
def _alike():
    """How alike rows stay without each head: (2, 128, 6, 12)."""
    return encoder_runs.without_each_head()


def _chosen(by):
    """Two words choose heads, the others measure: four times each count."""

    def without(count, part):
        alike = _alike()[by, PARTS == part].mean(axis=0)
        order = np.argsort(-alike, axis=None, kind="stable")  # useless first
        return _means(encoder_runs.without(order[:count])[:, PARTS != part])

    return {n: [without(n, part) for part in range(4)] for n in COUNTS}


def _random(layers):
    def without(count, seed):
        heads = encoder_runs.random_heads(count, seed, layers)
        return _means(encoder_runs.without(heads))

    return {count: by_seed(without, count) for count in COUNTS}


def _means(found):
    return found.mean(axis=1, dtype=float).round(4).tolist()


def _probe(count, seed):
    return encoder_runs.probe(seed, count)


if __name__ == "__main__":
    main(FILE, rows())
