"""Accuracy against distance, for any module that reads a sentence.

Such a module has ``forward(x, query, mask) -> logits (B, 2)`` for x (B, T,
64), query (B,), mask (B, T) True = a word. All are trained alike: the same
sentences and noise, Adam with a rate that falls on a straight line to 0,
and clipped gradients, which recurrent networks need (Pascanu et al. (2013),
*On the Difficulty of Training Recurrent Neural Networks*, section 3.2).
"""

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import distance
from helpers.progress import progress

BATCH = 64
NOISE = 0.5
LONGEST_GRADIENT = 1.0


def accuracy_by_distance(make, asked, *, rate, steps, seeds):
    """Train ``make()`` once per seed; ask at every distance.

    asked: "late" or "early", the question of `helpers.distance`.
    rate, steps: of the training. Returns accuracy (seeds, distances), on
    held-out nouns, for `distance.BETWEEN`.
    """
    found = []
    for seed in progress(seeds, f"training, question {asked}"):
        task = distance.load_task(asked, seed)
        torch.manual_seed(seed)
        module = make()
        fit(module, as_tensors(task.train), rate, steps, seed)
        tests = (as_tensors(task.test[b]) for b in distance.BETWEEN)
        found.append([accuracy(module, test) for test in tests])
    return np.array(found)


def as_tensors(examples):
    """Return x (float32), query, mask and labels of `tasks.Examples`."""
    sentences = examples.sentences
    return (
        torch.tensor(examples.x, dtype=torch.float32),
        torch.from_numpy(sentences.query),
        torch.from_numpy(examples.mask),
        torch.from_numpy(sentences.labels[:, 0]),
    )


def fit(module, data, rate, steps, seed):
    """Train a module in place on `as_tensors` data."""
    x, query, mask, labels = data
    draw = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(module.parameters(), lr=rate)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        rows = torch.randint(len(x), (BATCH,), generator=draw)
        longest = int(query[rows].max()) + 1
        noisy = x[rows, :longest]
        noisy = noisy + NOISE * torch.randn(noisy.shape, generator=draw)
        logits = module(noisy, query[rows], mask[rows, :longest])
        loss = F.cross_entropy(logits, labels[rows])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(module.parameters(), LONGEST_GRADIENT)
        optimizer.step()


@torch.no_grad()
def accuracy(module, data):
    """Return the share of right answers on `as_tensors` data."""
    x, query, mask, labels = data
    return float((module(x, query, mask).argmax(1) == labels).double().mean())
