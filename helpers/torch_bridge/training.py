"""Train the course's model and its torch twin on the same batches.

A twin is an `nn.Module` with the parameters w_q, w_k, w_v, w_c, b_c of the
shapes that `models.AttentionReadout` has, and
``forward(x, query, mask) -> logits``.
"""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import tasks
from helpers.baselines import SEEDS
from helpers.experiments import evaluate
from helpers.models import AttentionReadout
from helpers.optimizers import Adam
from helpers.progress import progress
from helpers.training import Batches, loss_and_gradient


def tensors(*arrays):
    """Return each array as a tensor that shares its memory."""
    return [torch.from_numpy(np.ascontiguousarray(a)) for a in arrays]


def load_arrays(module, arrays):
    """Copy {name: array} into the parameters of the same names.

    Raises ValueError if names or shapes differ.
    """
    parameters = dict(module.named_parameters())
    have = {name: tuple(p.shape) for name, p in parameters.items()}
    want = {name: array.shape for name, array in arrays.items()}
    if have != want:
        raise ValueError(f"the module has {have}, the arrays are {want}")
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(torch.from_numpy(arrays[name]))


def to_arrays(module):
    """Return a copy of a module's parameters as {name: array}."""
    return {
        name: parameter.detach().numpy().copy()
        for name, parameter in module.named_parameters()
    }


def train_together(
    model, module, examples, *, seed, epochs=10, batch=64, rate=4e-3, noise=0.5
):
    """Train both on the same batches, each with its own library.

    ours: hand-derived gradients and `optimizers.Adam`; torch: autograd and
    `torch.optim.Adam`. The settings are those of `training.fit`.

    Returns
    -------
    losses : array (steps, 2)
        Ours and torch's at every step.
    """
    rng = np.random.default_rng(seed)
    batches = Batches(examples, batch, noise, rng)
    ours = Adam(model.arrays, rate)
    torchs = torch.optim.Adam(module.parameters(), lr=rate)
    losses = []
    for epoch in progress(range(epochs), "training both"):
        ours.rate = rate * (1 - epoch / epochs)
        torchs.param_groups[0]["lr"] = ours.rate
        for drawn in batches:
            pair = our_step(model, ours, drawn), step(module, torchs, drawn)
            losses.append(pair)
    return np.array(losses)


def our_step(model, optimizer, drawn):
    """Do one step with the course's code; return the loss."""
    x, query, mask, labels = drawn
    logits, _ = model.forward(x, query, mask)
    loss, grad_logits = loss_and_gradient(logits, labels, model.classes)
    optimizer.step(model.backward(grad_logits))
    return loss


def step(module, optimizer, drawn):
    """Do one step the way a torch user writes it; return the loss."""
    x, query, mask, labels = tensors(*drawn)
    loss = F.cross_entropy(module(x, query, mask), labels[:, 0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def measure_torch(make, seeds=SEEDS):
    """Train a torch twin per seed, beside ours; measure both.

    make: callable, ``make() -> module``; gets the initial weights of
    ``AttentionReadout(seed=seed)``.

    Returns
    -------
    rows : dict
        {"ours": …, "torch": …}: keyword arguments for `Scoreboard.add`.
    losses : list of array (steps, 2)
    modules : list
        The trained twins.
    """
    rows = {name: dict(accuracy=[], mass=[]) for name in ("ours", "torch")}
    losses, modules = [], []
    for seed in progress(seeds, "training"):
        task = tasks.load("which_noun", seed)
        model, module = AttentionReadout(seed=seed), make()
        modules.append(module)
        load_arrays(module, model.arrays)
        losses.append(train_together(model, module, task.train, seed=seed))
        found = evaluate(model, task.test)
        rows["ours"]["accuracy"].append(float(found.accuracy[0]))
        rows["ours"]["mass"].append(float(found.mass[0, 0]))
        # A fused kernel returns no weights: read them with our model.
        model.arrays.update(to_arrays(module))
        rows["torch"]["accuracy"].append(_accuracy(module, task.test))
        mass = evaluate(model, task.test).mass[0, 0]
        rows["torch"]["mass"].append(float(mass))
    for row in rows.values():
        row["parameters"] = model.parameters
    return rows, losses, modules


@torch.no_grad()
def _accuracy(module, examples):
    query, labels = examples.sentences.position, examples.sentences.labels
    logits = module(*tensors(examples.x, query, examples.mask))
    return float((logits.argmax(1).numpy() == labels[:, 0]).mean())
