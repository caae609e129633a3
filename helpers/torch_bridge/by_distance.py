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
POOL = 1 << 20
LONGEST_GRADIENT = 1.0


def accuracy_by_distance(networks, asked, *, steps, seeds):
    """Train every network once per seed; ask at every distance.

    Parameters
    ----------
    networks : dict
        {name: (make, rate)}: ``make()`` builds a module, rate is the first
        step size of its training.
    asked : str
        "late" or "early", the question of `helpers.distance`.
    steps : int
        Of each training, `BATCH` sentences a step.
    seeds : sequence of int

    Returns
    -------
    dict
        {name: accuracy (seeds, distances)} on held-out nouns, for the
        distances `distance.BETWEEN`.
    """
    found = {name: [] for name in networks}
    for seed in progress(seeds, f"training, asked {asked}"):
        task = distance.load_task(asked, seed)
        train = as_tensors(task.train)
        tests = [as_tensors(task.test[b]) for b in distance.BETWEEN]
        for name, (make, rate) in networks.items():
            torch.manual_seed(seed)
            module = make()
            fit(module, train, rate, steps, seed)
            found[name].append([accuracy(module, test) for test in tests])
    return {name: np.array(rows) for name, rows in found.items()}


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
    pool = NOISE * torch.randn(POOL, generator=draw)  # as training.Batches
    optimizer = torch.optim.Adam(module.parameters(), lr=rate)
    for step in range(steps):
        optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        rows = torch.randint(len(x), (BATCH,), generator=draw)
        longest = int(query[rows].max()) + 1
        noisy = x[rows, :longest]  # (B, T, 64): a copy
        begin = int(torch.randint(POOL - noisy.numel(), (), generator=draw))
        noisy += pool[begin : begin + noisy.numel()].view(noisy.shape)
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
