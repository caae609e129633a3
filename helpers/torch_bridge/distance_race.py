"""Accuracy against distance, for any module that reads a sentence.

Such a module has ``forward(x, position, mask) -> logits (B, 2)`` for x (B,
T, 64), position (B,), mask (B, T) True = a word. All are trained alike: the
same sentences and noise, Adam with a learning rate that falls on a straight
line to 0, and clipped gradients, which recurrent networks need (Pascanu et
al. (2013), *On the Difficulty of Training Recurrent Neural Networks*,
section 3.2).
"""

import torch
import torch.nn.functional as F
from torch import nn

from helpers import tasks
from helpers.torch_bridge.convert import tensors
from helpers.torch_bridge.networks import AttentionNetwork, RecurrentNetwork

BATCH_SIZE = 64
NOISE_STD = 0.5
POOL = 1 << 20
MAX_NORM = 1.0  # of the gradient
BETWEEN = tasks.BETWEEN + tasks.FAR


def with_positions():
    """Build the attention that can see which noun is first."""
    return AttentionNetwork(32, positions=True)


def gru():
    """Build a network with gates: it learns what to keep (Cho et al. 2014)."""
    return RecurrentNetwork(nn.GRU, 23)


def tanh_rnn():
    """Build the plain network: state = tanh(linear(word, state))."""
    return RecurrentNetwork(nn.RNN, 52)


# About 6,200 parameters each.
NETWORKS = {
    "attention": AttentionNetwork,
    "attention, positions": with_positions,
    "GRU": gru,
    "tanh RNN": tanh_rnn,
}
# (cue, network, steps): learning rate; see tools/author/learning_rates.py.
LEARNING_RATES = {
    ("late", "attention", 300): 1e-2,
    ("late", "attention, positions", 300): 1e-2,
    ("late", "GRU", 300): 4e-2,
    ("late", "tanh RNN", 300): 2e-3,
    ("late", "attention", 1200): 1e-2,
    ("late", "attention, positions", 1200): 1e-2,
    ("late", "GRU", 1200): 2e-2,
    ("late", "tanh RNN", 1200): 1e-2,
    ("late", "attention", 4800): 1e-2,
    ("late", "GRU", 4800): 2e-2,
    ("early", "attention, positions", 300): 4e-3,
    ("early", "GRU", 300): 2e-2,
    ("early", "tanh RNN", 300): 1e-2,
}


def race(cue, network, steps, seed, *, learning_rate=None):
    """Train one network; measure it at every distance.

    Parameters
    ----------
    cue : str
        "late" or "early": the task "distance_late" or "distance_early".
    network : str or callable
        A name from `NETWORKS`, or ``network() -> module``.
    steps : int
        Of the training, `BATCH_SIZE` sentences a step.
    seed : int
    learning_rate : float, optional
        Of the first step; the one of `LEARNING_RATES` if None.

    Returns
    -------
    list of float
        Accuracy on held-out nouns at the distances `tasks.DISTANCES`.
    """
    row = cue, network, steps
    learning_rate = chosen_rate(learning_rate, LEARNING_RATES, row)
    task = tasks.load(f"distance_{cue}", seed, between=BETWEEN)
    torch.manual_seed(seed)
    module = NETWORKS.get(network, network)().double()
    fit(module, as_tensors(task.train), learning_rate, steps, seed)
    return [
        round(accuracy(module, task.test[between]), 4) for between in BETWEEN
    ]


def chosen_rate(given, rates, row):
    """Return a rate, that of the row for None; ValueError without one."""
    if given is None and row not in rates:
        raise ValueError(
            f"learning_rate: needed unless the row is one of {[*rates]}, got"
            f" {row}"
        )
    return rates[row] if given is None else given


def as_tensors(examples):
    """Return x, position, mask and labels of `tasks.Examples`."""
    part = examples.sentences
    return tensors(examples.x, part.position, examples.mask, part.labels[:, 0])


def fit(module, data, learning_rate, steps, seed):
    """Train a module in place on `as_tensors` data."""
    optimizer = torch.optim.Adam(
        module.parameters(), lr=learning_rate, fused=True
    )
    alike = []  # sentences of one length, not padded
    for last in data[1].unique().tolist():
        x, position, mask, labels = (each[data[1] == last] for each in data)
        words = slice(last + 1)
        alike.append((x[:, words], position, mask[:, words], labels))
    batches = enumerate(noisy_batches(alike, steps, seed))
    for step, (x, position, mask, labels) in batches:
        optimizer.param_groups[0]["lr"] = learning_rate * (1 - step / steps)
        loss = F.cross_entropy(module(x, position, mask), labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(module.parameters(), MAX_NORM)
        optimizer.step()


def noisy_batches(parts, count, seed):
    """Yield batches (x (B, T, 64), …), each of one part, with noise on x.

    parts: tuples (x (N, T, 64), …) of N sentences of one length. Drawn are
    the noise, and for each batch a part, its rows and a place in the noise:
    stored runs rest on this order.
    """
    draw = torch.Generator().manual_seed(seed)
    # A long list of normal numbers, as in training.Batches
    pool = NOISE_STD * torch.randn(POOL, generator=draw, dtype=torch.float64)
    for _ in range(count):
        part = parts[_below(len(parts), draw)]
        rows = torch.randint(len(part[0]), (BATCH_SIZE,), generator=draw)
        noisy, *others = (each[rows] for each in part)
        begin = _below(POOL - noisy.numel(), draw)
        noisy += pool[begin : begin + noisy.numel()].view(noisy.shape)
        yield noisy, *others


def _below(count, draw):
    return int(torch.randint(count, (), generator=draw))


@torch.no_grad()
def accuracy(module, examples):
    """Return the fraction of right answers on `tasks.Examples`."""
    *sentences, labels = as_tensors(examples)
    return float((module(*sentences).argmax(1) == labels).double().mean())
