"""Accuracy against distance, for any module that reads a sentence.

Such a module has ``forward(x, query, mask) -> logits (B, 2)`` for x (B, T,
64), query (B,), mask (B, T) True = a word. All are trained alike: the same
sentences and noise, Adam with a rate that falls on a straight line to 0,
and clipped gradients, which recurrent networks need (Pascanu et al. (2013),
*On the Difficulty of Training Recurrent Neural Networks*, section 3.2).
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import tasks
from helpers.progress import progress
from helpers.torch_bridge.readers import AttentionReader, RecurrentReader

BATCH = 64
NOISE = 0.5
POOL = 1 << 20
LONGEST_GRADIENT = 1.0
STEPS = 300


def with_positions():
    """Build the attention that can see which noun is first."""
    return AttentionReader(32, positions=True)


def gru():
    """Build a network with gates: it learns what to keep (Cho et al. 2014)."""
    return RecurrentReader(nn.GRU, 23)


def tanh_rnn():
    """Build the plain network: state = tanh(linear(word, state))."""
    return RecurrentReader(nn.RNN, 52)


# About 6,200 parameters each; the rates were found by tools/tune_distance.py.
RACE = {
    "late": {
        "attention": (AttentionReader, 1e-2),
        "GRU": (gru, 2e-2),
        "tanh RNN": (tanh_rnn, 2e-3),
    },
    "early": {
        "attention": (with_positions, 2e-3),
        "GRU": (gru, 2e-2),
        "tanh RNN": (tanh_rnn, 4e-3),
    },
}


def accuracy_by_distance(asked, seeds, *, networks=None, steps=STEPS):
    """Train every network once per seed; ask at every distance.

    Parameters
    ----------
    asked : str
        "late" or "early", the cue of the tasks `distance_…`.
    seeds : sequence of int
    networks : dict, optional
        {name: (make, rate)}: ``make()`` builds a module, rate is the first
        step size of its training. ``RACE[asked]`` if None.
    steps : int
        Of each training, `BATCH` sentences a step.

    Returns
    -------
    dict
        {name: accuracy (seeds, distances)} on held-out nouns, for the
        distances `tasks.BETWEEN`.
    """
    networks = RACE[asked] if networks is None else networks
    data = {seed: _tensors(asked, seed) for seed in seeds}
    jobs = [(seed, *each) for seed in seeds for each in networks.values()]
    modules = [_built(make, seed) for seed, make, _ in jobs]

    def run(number):
        seed, _, rate = jobs[number]
        train, tests = data[seed]
        fit(modules[number], train, rate, steps, seed)
        return [accuracy(modules[number], test) for test in tests]

    count = range(len(jobs))
    with ThreadPoolExecutor(2) as pool:  # two at a time, one thread each
        results = pool.map(run, count)
        bar = progress(count, f"training, asked {asked}")
        rows = [next(results) for _ in bar]
    table = np.reshape(rows, (len(seeds), len(networks), -1))
    return {name: table[:, i] for i, name in enumerate(networks)}


def _tensors(asked, seed):
    task = tasks.load(f"distance_{asked}", seed)
    tests = [as_tensors(task.test[between]) for between in tasks.BETWEEN]
    return as_tensors(task.train), tests


def _built(make, seed):
    torch.manual_seed(seed)
    return make().double()


def as_tensors(examples):
    """Return x, query, mask and labels of `tasks.Examples`."""
    sentences = examples.sentences
    return (
        torch.from_numpy(examples.x),
        torch.from_numpy(sentences.position),
        torch.from_numpy(examples.mask),
        torch.from_numpy(sentences.labels[:, 0]),
    )


def fit(module, data, rate, steps, seed):
    """Train a module in place on `as_tensors` data."""
    optimizer = torch.optim.Adam(module.parameters(), lr=rate, fused=True)
    batches = enumerate(_batches(data, steps, seed))
    for step, (x, query, mask, labels) in batches:
        optimizer.param_groups[0]["lr"] = rate * (1 - step / steps)
        loss = F.cross_entropy(module(x, query, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(module.parameters(), LONGEST_GRADIENT)
        optimizer.step()


def _batches(data, count, seed):
    """Yield batches with noise, each of one length: none is padded."""
    x, query, mask, labels = data
    draw = torch.Generator().manual_seed(seed)
    # A long list of normal numbers, as in training.Batches
    pool = NOISE * torch.randn(POOL, generator=draw, dtype=x.dtype)
    alike = [torch.nonzero(query == last)[:, 0] for last in query.unique()]
    for _ in range(count):
        rows = alike[_below(len(alike), draw)]
        rows = rows[torch.randint(len(rows), (BATCH,), generator=draw)]
        words = int(query[rows[0]]) + 1  # the query is the last word: T
        noisy = x[rows, :words]  # (B, T, 64): a copy
        begin = _below(POOL - noisy.numel(), draw)
        noisy += pool[begin : begin + noisy.numel()].view(noisy.shape)
        yield noisy, query[rows], mask[rows, :words], labels[rows]


def _below(count, draw):
    return int(torch.randint(count, (), generator=draw))


@torch.no_grad()
def accuracy(module, data):
    """Return the share of right answers on `as_tensors` data."""
    x, query, mask, labels = data
    return float((module(x, query, mask).argmax(1) == labels).double().mean())
