"""Run the pretrained encoder of notebook 07 anew: some minutes.

    python tools/write_encoder_runs.py [ROW ...]

Writes data/encoder_runs.json and its line in data/SHA256SUMS. Heads are
chosen by what they do on some sentences, and measured on others.
"""

from functools import cache, partial

import numpy as np
from rows import by_measure, by_seed, main

from helpers.experiments import SEEDS, encoder_runs
from helpers.experiments.encoder_runs import (
    COUNTS,
    HEADS,
    LAYERS,
    PARTS,
    TRAIN,
)

FILE = "encoder_runs.json"
TEXT, WORD = 0, 1  # which of its measures chooses heads
OFF = *COUNTS, (LAYERS - 1) * HEADS


def rows():
    """{name: function}: heads alone, chosen and random; the probe."""
    heads = {
        "alone": lambda: _alike(0)[TEXT].round(4).tolist(),
        "alone, word": lambda: _alike(0)[WORD].round(4).tolist(),
        "order": lambda: _order(TEXT).tolist(),
        "none": lambda: encoder_runs.without([]),
        "chosen by text": partial(_chosen, TEXT),
        "chosen by word": partial(_chosen, WORD),
        "random": partial(_random, LAYERS),
        "random, blocks 1 to 5": partial(_random, LAYERS - 1),
        f"{COUNTS[-1]} off, by part": partial(
            by_measure, _of_part, seeds=PARTS
        ),
    }
    return heads | {
        f"probe, {count} sentences": partial(by_measure, _probe, count)
        for count in TRAIN
    }


@cache
def _alike(part):
    """How alike rows stay without each head: 2 arrays (6, 12)."""
    return encoder_runs.without_each_head(part)


def _order(by, part=0):
    """All heads (72,), the least useful first."""
    return np.argsort(-_alike(part)[by].ravel(), kind="stable")


def _chosen(by):
    return {n: [encoder_runs.without(_order(by)[:n])] for n in OFF}


def _random(layers):
    def without(count, seed):
        heads = encoder_runs.random_heads(count, seed, layers)
        return encoder_runs.without(heads)

    return {count: by_seed(without, count) for count in OFF}


def _of_part(part, count=COUNTS[-1]):
    """How many meanings are right if other sentences choose the heads."""

    def right(heads):
        return encoder_runs.without(heads, part)[1]

    draws = [right(encoder_runs.random_heads(count, s)) for s in SEEDS]
    return {
        "no head": right([]),
        "by text": right(_order(TEXT, part)[:count]),
        "by word": right(_order(WORD, part)[:count]),
        "random": round(float(np.mean(draws)), 4),
    }


def _probe(count, seed):
    return encoder_runs.probe(seed, count)


if __name__ == "__main__":
    main(FILE, rows())
