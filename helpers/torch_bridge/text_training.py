"""Train a `TextModel`: batches, a schedule, clipping, checkpoints.

A batch is drawn from the seed and the number of its step alone, so that a
run that was interrupted goes on with the batch that it would have had.
"""

import io
import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import nn

from helpers.generation import write_text
from helpers.models.files import replace_file
from helpers.models.text_language_model import TextLanguageModel
from helpers.progress_bar import is_watched, note
from helpers.torch_bridge.text_model import text_arrays

LARGEST_GRADIENT = 1.0  # norm of all gradients together; longer: clipped


def text_batch(ids, batch_size, context, generator):
    """Return passages of a text, and the same one character later.

    ids (N,) of int64 -> inputs and targets (B, T), on the device of ids.
    """
    size = (batch_size,)
    starts = torch.randint(len(ids) - context, size, generator=generator)
    return text_passages(ids, starts.to(ids.device), context)


def text_passages(ids, starts, context):
    """Return passages that begin at `starts` (B,), and their targets.

    ids (N,) of int64 -> inputs and targets (B, T).
    """
    places = torch.arange(context + 1, device=ids.device)
    rows = ids[starts[:, None] + places]  # (B, T + 1)
    return rows[:, :-1], rows[:, 1:]


def text_step(model, optimizer, inputs, targets, learning_rate):
    """Do one step with clipped gradients; return the loss of the batch.

    inputs, targets (B, T) of int64; learning_rate: of all groups.
    """
    for group in optimizer.param_groups:
        group["lr"] = learning_rate
    return _descend(model, optimizer, inputs, targets)


def _descend(model, optimizer, inputs, targets):
    logits = model(inputs).flatten(0, 1)  # (B * T, V)
    loss = F.cross_entropy(logits, targets.flatten())
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), LARGEST_GRADIENT)
    optimizer.step()
    return loss.item()


def learning_rate_factor(step, steps, warm_up):
    """Return what the learning rate is multiplied by: up to 1, down to 0.

    A straight line for the first `warm_up` steps, then half a cosine:
    Loshchilov and Hutter (2017), *SGDR*, section 3, without restarts.
    """
    if step < warm_up:
        return (step + 1) / warm_up
    done = (step - warm_up) / max(1, steps - warm_up)
    return 0.5 * (1 + math.cos(math.pi * done))


def training_steps(
    model, ids, *, steps, batch_size=32, learning_rate=8e-3, warm_up=100, seed
):
    """Train as notebook 09 does; yield the number of each step.

    ids (N,) of int64; seed: of the batches. The optimizers are Muon and
    AdamW.
    """
    optimizer = muon_and_adamw(model)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        batch = text_batch(ids, batch_size, model.context, generator)
        rate = learning_rate * learning_rate_factor(step, steps, warm_up)
        text_step(model, optimizer, *batch, rate)
        yield step + 1


@torch.no_grad()
def text_loss(model, ids, *, batch_size=32):
    """Return the mean loss over a whole text, in nats per character.

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


class Together:
    """Several optimizers that are used as one.

    param_groups: those of all of them, for the learning rates.
    """

    def __init__(self, *optimizers):
        self.optimizers = optimizers
        self.param_groups = [
            group for each in optimizers for group in each.param_groups
        ]

    def zero_grad(self):
        """Clear all gradients."""
        for each in self.optimizers:
            each.zero_grad()

    def step(self):
        """Let each optimizer do its step."""
        for each in self.optimizers:
            each.step()


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
        groups = Together(*self.optimizers).param_groups
        self._rates = [group["lr"] for group in groups]
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
        together = Together(*self.optimizers)
        for group, rate in zip(
            together.param_groups, self._rates, strict=True
        ):
            group["lr"] = rate * factor
        self.done += 1
        return _descend(self.network, together, inputs, targets)

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
        file = io.BytesIO()
        torch.save(state, file)
        replace_file(Path(path), file.getvalue())

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
        torch.set_rng_state(state["random"])
        self.done = state["done"]
        return state["more"]


def muon_and_adamw(model, learning_rate=8e-3):
    """Return both optimizers as one, with one learning rate."""
    return Together(*muon(model, learning_rate))


class BestWeights:
    """Watches a training: measures the loss, and keeps the best weights.

    model : TextModel
    held_out : tensor (N,) of int64
        Text that is not trained on; the loss is measured on its first
        `PART` characters.
    vocabulary : sequence of strings
        To show what the model writes where somebody watches.
    """

    PART = 16_384
    SHOWN = 160  # characters

    def __init__(self, model, held_out, vocabulary):
        self.model, self.part = model, held_out[: self.PART]
        self.vocabulary, self.place = vocabulary, None
        self.loss, self.weights = math.inf, None
        self.look(0)

    def look(self, step):
        """Return the loss now; keep the weights if they are the best."""
        loss = text_loss(self.model, self.part)
        if loss < self.loss:
            self.loss = loss
            self.weights = {
                name: tensor.clone()
                for name, tensor in self.model.state_dict().items()
            }
        if is_watched():
            said = f"step {step}: {loss:.2f} nats per character\n"
            self.place = note(said + self.written(), self.place)
        return loss

    def written(self):
        """Return what the model writes now."""
        first = self.vocabulary[int(self.part[0])]
        num_heads = self.model.settings["num_heads"]
        arrays = text_arrays(self.model)
        model = TextLanguageModel([*self.vocabulary], arrays, num_heads)
        return write_text(model, first, self.SHOWN)

    def restore(self):
        """Give the model its best weights; return their loss."""
        self.model.load_state_dict(self.weights)
        return self.loss


def best_device():
    """Return "cuda", "mps" or "cpu": the first of them that there is."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
