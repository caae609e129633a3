"""Train a `TextModel`: batches, a schedule, clipping, checkpoints.

A batch is drawn from the seed and the number of its step alone, so that a
run that was interrupted goes on with the batch that it would have had.
"""

import math
import os
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

LARGEST_GRADIENT = 1.0  # norm of all gradients together; longer: clipped


def text_batch(ids, batch_size, context, generator):
    """Return passages of a text, and the same one character later.

    ids (N,) of int64 -> inputs and targets (B, T), on the device of ids.
    """
    starts = torch.randint(
        len(ids) - context, (batch_size,), generator=generator
    )
    rows = starts[:, None] + torch.arange(context + 1)  # (B, T + 1)
    passages = ids[rows.to(ids.device)]
    return passages[:, :-1], passages[:, 1:]


def learning_rate_factor(step, steps, warm_up):
    """Return what the learning rate is multiplied by: up to 1, down to 0.

    A straight line for the first `warm_up` steps, then half a cosine:
    Loshchilov and Hutter (2017), *SGDR*, section 3, without restarts.
    """
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return 0.5 * (1 + math.cos(math.pi * done))


@torch.no_grad()
def text_loss(model, ids, *, batch_size=32):
    """Return the mean loss over a whole text, in nats a character.

    The text is cut into passages of the model's context, one after the
    other; the first character of a passage has nothing before it. A rest
    that is shorter than a passage is left out.
    """
    training, context = model.training, model.context
    count = (len(ids) - 1) // context
    if not count:
        raise ValueError(f"ids: {len(ids)}, fewer than {context + 1}")
    inputs = ids[: count * context].view(count, context)
    targets = ids[1 : count * context + 1].view(count, context)
    model.eval()
    total = 0.0
    for start in range(0, count, batch_size):
        part = slice(start, start + batch_size)
        logits = model(inputs[part]).flatten(0, 1)
        total += F.cross_entropy(
            logits, targets[part].flatten(), reduction="sum"
        ).item()
    model.train(training)
    return total / (count * context)


def matrices_and_rest(model):
    """Return the matrices of the blocks, and all other parameters."""
    inside = {id(p) for p in model.blocks.parameters() if p.ndim == 2}
    parts = [], []
    for parameter in model.parameters():
        parts[id(parameter) not in inside].append(parameter)
    return parts


def adamw(model, learning_rate, weight_decay=0.1):
    """Return [AdamW]: Loshchilov and Hutter (2019); matrices decay."""
    matrices, rest = matrices_and_rest(model)
    groups = [
        {"params": matrices, "weight_decay": weight_decay},
        {"params": rest, "weight_decay": 0.0},
    ]
    return [torch.optim.AdamW(groups, learning_rate, betas=(0.9, 0.99))]


def muon(model, learning_rate, weight_decay=0.1):
    """Return [Muon, AdamW]: the first for the matrices of the blocks.

    Jordan et al. (2024), *Muon*: a step whose singular values are nearly
    equal. The second takes half of the learning rate.
    """
    matrices, rest = matrices_and_rest(model)
    return [
        torch.optim.Muon(
            matrices,
            learning_rate,
            weight_decay=weight_decay,
            adjust_lr_fn="match_rms_adamw",
        ),
        torch.optim.AdamW(
            rest, learning_rate / 2, betas=(0.9, 0.99), weight_decay=0.0
        ),
    ]


OPTIMIZERS = {"adamw": adamw, "muon": muon}


class TextTraining:
    """A training run that can be saved and continued.

    Parameters
    ----------
    model : TextModel
    ids : tensor (N,) of int64
        The text to train on.
    steps, batch_size, warm_up : int
    learning_rate, weight_decay : float
    optimizer : str
        One of `OPTIMIZERS`.
    seed : int
        Of the batches.

    done : int
        Steps so far.
    """

    def __init__(
        self,
        model,
        ids,
        *,
        steps,
        batch_size=32,
        learning_rate=4e-3,
        weight_decay=0.1,
        warm_up=100,
        optimizer="adamw",
        seed=0,
    ):
        self.model, self.ids, self.steps, self.seed = model, ids, steps, seed
        self.network = model  # what is called; it may wrap the model
        self.batch_size, self.warm_up = batch_size, warm_up
        self.optimizers = OPTIMIZERS[optimizer](
            model, learning_rate, weight_decay
        )
        self._rates = [
            (group, group["lr"])
            for each in self.optimizers
            for group in each.param_groups
        ]
        self.done = 0

    def generator(self):
        """Return the random numbers of this step."""
        return torch.Generator().manual_seed(self.seed * 1_000_003 + self.done)

    def batch(self, generator):
        """Return the inputs and targets of this step, (B, T) each."""
        return text_batch(
            self.ids, self.batch_size, self.model.context, generator
        )

    def step(self):
        """Do one step; return the loss of its batch."""
        inputs, targets = self.batch(self.generator())
        factor = learning_rate_factor(self.done, self.steps, self.warm_up)
        for group, rate in self._rates:
            group["lr"] = rate * factor
        logits = self.network(inputs).flatten(0, 1)  # (B * T, V)
        loss = F.cross_entropy(logits, targets.flatten())
        self.model.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), LARGEST_GRADIENT)
        for each in self.optimizers:
            each.step()
        self.done += 1
        return loss.item()

    def save(self, path, **more):
        """Write a checkpoint whole or not at all.

        more: numbers, strings, lists and dicts of them, to be kept beside.
        """
        state = {
            "model": self.model.state_dict(),
            "optimizers": [each.state_dict() for each in self.optimizers],
            "done": self.done,
            "random": torch.get_rng_state(),
            "more": more,
        }
        path = Path(path)
        draft = path.with_name(f"{path.name}.part")
        try:
            with open(draft, "wb") as file:
                torch.save(state, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        finally:
            draft.unlink(missing_ok=True)

    def load(self, path):
        """Go on from a checkpoint; return what was kept beside it.

        Raises ValueError if it is damaged or of another model.
        """
        try:
            state = torch.load(path, weights_only=True)
            self.model.load_state_dict(state["model"])
            for each, kept in zip(
                self.optimizers, state["optimizers"], strict=True
            ):
                each.load_state_dict(kept)
        except FileNotFoundError:
            raise
        except Exception as error:
            raise ValueError(
                f"{path}: damaged, or a checkpoint of another model ({error})"
            ) from None
        self._rates = [
            (group, rate)
            for (group, rate) in zip(
                [g for each in self.optimizers for g in each.param_groups],
                [rate for _, rate in self._rates],
                strict=True,
            )
        ]
        torch.set_rng_state(state["random"])
        self.done = state["done"]
        return state["more"]
