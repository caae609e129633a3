"""Accuracy against distance, for any module that reads a sentence.

Such a module has ``forward(x, position, mask) -> logits (B, 2)`` for x (B,
T, 64), position (B,), mask (B, T) True = a word. All are trained alike: the
same sentences and noise, Adam with a learning rate that falls on a straight
line to 0, and clipped gradients, which recurrent networks need (Pascanu et
al. (2013), *On the Difficulty of Training Recurrent Neural Networks*,
section 3.2).
"""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers import tasks
from helpers.torch_bridge.networks import AttentionNetwork, RecurrentNetwork
from helpers.torch_bridge.weights import tensors
from helpers.training import progress

BATCH_SIZE = 64
NOISE_STD = 0.5
POOL = 1 << 20
MAX_NORM = 1.0  # of the gradient
STEPS = 300


def with_positions():
    """Build the attention that can see which noun is first."""
    return AttentionNetwork(32, positions=True)


def gru():
    """Build a network with gates: it learns what to keep (Cho et al. 2014)."""
    return RecurrentNetwork(nn.GRU, 23)


def tanh_rnn():
    """Build the plain network: state = tanh(linear(word, state))."""
    return RecurrentNetwork(nn.RNN, 52)


# (builder, learning rate), about 6,200 parameters each; the learning rates
# were found by tools/tune_distance.py.
NETWORKS = {
    "late": {
        "attention": (AttentionNetwork, 1e-2),
        "GRU": (gru, 2e-2),
        "tanh RNN": (tanh_rnn, 2e-3),
    },
    "early": {
        "attention": (with_positions, 2e-3),
        "GRU": (gru, 2e-2),
        "tanh RNN": (tanh_rnn, 4e-3),
    },
}


def accuracy_by_distance(cue, seeds, *, networks=None, steps=STEPS):
    """Train every network once per seed; measure at every distance.

    Parameters
    ----------
    cue : str
        "late" or "early": the task "distance_late" or "distance_early".
    seeds : sequence of int
    networks : dict, optional
        {name: (make, learning_rate)}: ``make()`` builds a module, with the
        learning rate of its first step. ``NETWORKS[cue]`` if None.
    steps : int
        Of each training, `BATCH_SIZE` sentences a step.

    Returns
    -------
    dict
        {name: accuracy (seeds, distances)} on held-out nouns, for the
        distances `tasks.BETWEEN`.
    """
    if cue not in NETWORKS:
        raise ValueError(f"cue: expected 'late' or 'early', got {cue!r}")
    networks = NETWORKS[cue] if networks is None else networks
    data = {seed: _tensors(cue, seed) for seed in seeds}
    jobs = [(seed, *each) for seed in seeds for each in networks.values()]
    modules = [_built(make, seed) for seed, make, _ in jobs]

    def run(number):
        seed, _, learning_rate = jobs[number]
        train, tests = data[seed]
        fit(modules[number], train, learning_rate, steps, seed)
        return [accuracy(modules[number], test) for test in tests]

    count = range(len(jobs))
    with ThreadPoolExecutor(2) as pool:  # two at a time, one thread each
        results = pool.map(run, count)
        bar = progress(count, f"training, cue {cue}")
        rows = [next(results) for _ in bar]
    table = np.reshape(rows, (len(seeds), len(networks), -1))
    return {name: table[:, i] for i, name in enumerate(networks)}


def _tensors(cue, seed):
    task = tasks.load(f"distance_{cue}", seed)
    tests = [as_tensors(task.test[between]) for between in tasks.BETWEEN]
    return as_tensors(task.train), tests


def _built(make, seed):
    torch.manual_seed(seed)
    return make().double()


def as_tensors(examples):
    """Return x, position, mask and labels of `tasks.Examples`."""
    part = examples.sentences
    return tensors(examples.x, part.position, examples.mask, part.labels[:, 0])


def fit(module, data, learning_rate, steps, seed):
    """Train a module in place on `as_tensors` data."""
    optimizer = torch.optim.Adam(
        module.parameters(), lr=learning_rate, fused=True
    )
    batches = enumerate(_batches(data, steps, seed))
    for step, (x, position, mask, labels) in batches:
        optimizer.param_groups[0]["lr"] = learning_rate * (1 - step / steps)
        loss = F.cross_entropy(module(x, position, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(module.parameters(), MAX_NORM)
        optimizer.step()


def _batches(data, count, seed):
    """Yield batches with noise, each of one length: none is padded."""
    x, position, mask, labels = data
    draw = torch.Generator().manual_seed(seed)
    # A long list of normal numbers, as in training.Batches
    pool = NOISE_STD * torch.randn(POOL, generator=draw, dtype=x.dtype)
    alike = [
        torch.nonzero(position == last)[:, 0] for last in position.unique()
    ]
    for _ in range(count):
        rows = alike[_below(len(alike), draw)]
        rows = rows[torch.randint(len(rows), (BATCH_SIZE,), generator=draw)]
        words = int(position[rows[0]]) + 1  # the last word: T
        noisy = x[rows, :words]  # (B, T, 64): a copy
        begin = _below(POOL - noisy.numel(), draw)
        noisy += pool[begin : begin + noisy.numel()].view(noisy.shape)
        yield noisy, position[rows], mask[rows, :words], labels[rows]


def _below(count, draw):
    return int(torch.randint(count, (), generator=draw))


@torch.no_grad()
def accuracy(module, data):
    """Return the fraction of right answers on `as_tensors` data."""
    x, position, mask, labels = data
    return float(
        (module(x, position, mask).argmax(1) == labels).double().mean()
    )
