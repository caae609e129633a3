"""Run the pretrained encoder of notebook 07 anew: some minutes.

    python tools/write_encoder_runs.py

Writes data/encoder_runs.json and its line in data/SHA256SUMS. Heads are
chosen by what they do on some sentences, and measured on others.
"""

import json

import numpy as np
from sums import DATA, write_runs

from helpers.experiments import SEEDS, encoder_runs
from helpers.experiments.encoder_runs import COUNTS, LAYERS, PARTS, TRAIN
from helpers.training import progress


def head_lines():
    """The lines on heads: each alone, chosen ones, and random ones."""
    alike = encoder_runs.without_each_head()  # (2, 128, 6, 12)
    yield "alone", alike[0].mean(axis=0).round(4).tolist()
    yield "none", _means(encoder_runs.without([]))
    for name, each in zip(("text", "word"), alike, strict=True):
        yield (
            f"chosen by {name}",
            {
                count: [_chosen(each, part, count) for part in range(4)]
                for count in COUNTS
            },
        )
    for name, layers in {"": LAYERS, ", blocks 1 to 5": LAYERS - 1}.items():
        yield (
            f"random{name}",
            {
                count: [_random(count, seed, layers) for seed in SEEDS]
                for count in COUNTS
            },
        )


def _chosen(alike, part, count):
    """Two words choose heads, the others measure: [cosine, right]."""
    rank = np.argsort(-alike[PARTS == part].mean(axis=0), None, "stable")
    return _means(encoder_runs.without(rank[:count])[:, PARTS != part])


def _random(count, seed, layers):
    heads = encoder_runs.random_heads(count, seed, layers)
    return _means(encoder_runs.without(heads))


def _means(found):
    return found.mean(axis=1, dtype=float).round(4).tolist()


def probe_lines():
    """The lines on the probe, for each number of training sentences."""
    for count in TRAIN:
        rows = [encoder_runs.probe(s, count) for s in progress(SEEDS, "probe")]
        names = {name: [row[name] for row in rows] for name in rows[0]}
        yield f"probe, {count} sentences", names


def write(data=DATA):
    """Write one line for each row."""
    lines = [*head_lines(), *probe_lines()]
    text = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in lines]
    write_runs("encoder_runs.json", text, data)


if __name__ == "__main__":
    write()
