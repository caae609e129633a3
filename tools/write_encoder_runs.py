"""Run the pretrained encoder of notebook 07 anew: some minutes.

    python tools/write_encoder_runs.py

Writes data/encoder_runs.json and its line in data/SHA256SUMS. Heads are
chosen by what they do on some sentences, and measured on others.
"""

import json

import numpy as np
from sums import DATA, write_runs

from helpers.experiments import SEEDS, encoder_runs
from helpers.experiments.encoder_runs import (
    COUNTS,
    HEADS,
    LAYERS,
    PARTS,
    TRAIN,
)
from helpers.training import progress


def head_lines():
    """The lines on heads: each alone, chosen ones, and random ones."""
    alone, alone_word = encoder_runs.without_each_head()  # (6, 12) each
    order, order_word = (
        np.argsort(-alike.ravel(), kind="stable")  # least useful first
        for alike in (alone, alone_word)
    )
    ways = {
        "chosen by text": lambda count, _: order[:count],
        "chosen by word": lambda count, _: order_word[:count],
        "random": encoder_runs.random_heads,
        "random, blocks 1 to 5": lambda count, seed: encoder_runs.random_heads(
            count, seed, LAYERS - 1
        ),
    }
    yield "alone", alone.round(4).tolist()
    yield "alone, word", alone_word.round(4).tolist()
    yield "order", order.tolist()
    yield "none", encoder_runs.without([])
    for name, heads in ways.items():
        seeds = SEEDS[:1] if "chosen" in name else SEEDS
        yield (
            name,
            {
                count: [encoder_runs.without(heads(count, s)) for s in seeds]
                for count in (*COUNTS, (LAYERS - 1) * HEADS)
            },
        )


def part_lines(count=COUNTS[-1]):
    """How many meanings are right if other sentences choose the heads."""
    found = {"no head": [], "by text": [], "by word": []}
    for part in progress(PARTS, "part"):
        orders = {
            name: np.argsort(-alike.ravel(), kind="stable")[:count]
            for name, alike in zip(
                ("by text", "by word"),
                encoder_runs.without_each_head(part),
                strict=True,
            )
        }
        for name, rights in found.items():
            heads = orders.get(name, [])
            rights.append(encoder_runs.without(heads, part)[1])
    found["random"] = [_random_rights(count, part) for part in PARTS]
    yield f"{count} off, by part", found


def _random_rights(count, part):
    """The fraction of right meanings: mean of 5 draws of random heads."""
    draws = [encoder_runs.random_heads(count, seed) for seed in SEEDS]
    rights = [encoder_runs.without(heads, part)[1] for heads in draws]
    return round(float(np.mean(rights)), 4)


def probe_lines():
    """The lines on the probe, for each number of training sentences."""
    for count in TRAIN:
        rows = [encoder_runs.probe(s, count) for s in progress(SEEDS, "probe")]
        names = {name: [row[name] for row in rows] for name in rows[0]}
        yield f"probe, {count} sentences", names


def write(data=DATA):
    """Write one line for each row."""
    lines = [*head_lines(), *part_lines(), *probe_lines()]
    text = [f"{json.dumps(name)}: {json.dumps(row)}" for name, row in lines]
    write_runs("encoder_runs.json", text, data)


if __name__ == "__main__":
    write()
