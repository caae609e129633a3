"""Train the course's model and its torch twin on the same batches.

A twin is an `nn.Module` with ``forward(x, position, mask) -> logits`` and
the layers of a one-layer `models.AttentionClassifier`: query, key and value
(`nn.Linear` without biases) and answer (`nn.Linear`).
"""

import numpy as np
import torch
import torch.nn.functional as F

from helpers import tasks
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import SEEDS
from helpers.models import AttentionClassifier
from helpers.progress_bar import progress_bar
from helpers.torch_bridge.convert import load_parameters, tensors
from helpers.torch_bridge.distance_race import accuracy
from helpers.training import Adam, Batches

TWIN_NAMES = {
    "query.weight": "w_q",
    "key.weight": "w_k",
    "value.weight": "w_v",
    "answer.weight": "w_c",
    "answer.bias": "b_c",
}


def twin_arrays(parameters):
    """Return our parameters as {a twin's name: array}, transposed."""
    return {twin: parameters[ours].T for twin, ours in TWIN_NAMES.items()}


def our_arrays(module):
    """Return a copy of a twin's parameters as {our name: array}."""
    return {
        TWIN_NAMES[name]: np.array(parameter.detach().numpy().T, order="C")
        for name, parameter in module.named_parameters()
    }


def train_together(model, module, batches, *, epochs=10, learning_rate=4e-3):
    """Train both on the same batches, each with its own library.

    ours: hand-derived gradients and `training.Adam`; torch: autograd and
    `torch.optim.Adam`. The settings are those of `training.fit`.

    Returns
    -------
    losses : array (steps, 2)
        Ours and torch's at every step.
    """
    ours = Adam(model.parameters, learning_rate)
    theirs = torch.optim.Adam(module.parameters(), lr=learning_rate)
    losses = []
    for epoch in progress_bar(range(epochs), "training both"):
        ours.learning_rate = learning_rate * (1 - epoch / epochs)
        theirs.param_groups[0]["lr"] = ours.learning_rate
        for batch in batches:
            loss, gradients = model.loss_and_gradients(*batch)
            ours.step(gradients)
            losses.append((loss, step(module, theirs, batch)))
    return np.array(losses)


def step(module, optimizer, batch):
    """Do one step the way a torch user writes it; return the loss."""
    x, position, mask, labels = tensors(*batch)
    loss = F.cross_entropy(module(x, position, mask), labels[:, 0])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def measure_torch(make, seeds=SEEDS):
    """Train a torch twin per seed, beside ours; measure both.

    make: callable, ``make() -> module``; gets the initial weights of
    ``AttentionClassifier(seed=seed)``.

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
    for seed in progress_bar(seeds, "training"):
        task = tasks.load("which_noun", seed)
        model, module = AttentionClassifier(seed=seed), make()
        load_parameters(module, twin_arrays(model.parameters))
        batches = Batches(task.train, seed=seed)
        losses.append(train_together(model, module, batches))
        modules.append(module)
        _add(rows["ours"], evaluate(model, task.test))
        # A fused kernel returns no weights: read them with our model.
        model.parameters.update(our_arrays(module))
        _add(rows["torch"], evaluate(model, task.test))
        rows["torch"]["accuracy"][-1] = accuracy(module, task.test)
    for row in rows.values():
        row["num_parameters"] = model.num_parameters
    return rows, losses, modules


def _add(row, evaluation):
    row["accuracy"].append(float(evaluation.accuracy[0]))
    row["mass"].append(float(evaluation.mass[0, 0]))
