"""The recipe of notebook 07: batches, one step, optimizers, the best weights.

The notebook, the stored runs and `make train` all train with
`muon_and_adamw` and `text_step`, by default with the numbers below.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

from helpers.generation import write_text
from helpers.models.text_language_model import TextLanguageModel
from helpers.progress_bar import is_watched, note
from helpers.torch_bridge.text_model import text_arrays

LEARNING_RATE, WARM_UP, BATCH_SIZE = 8e-3, 100, 32  # highest; steps; passages
WEIGHT_DECAY = 0.1  # of the matrices in the blocks
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
    model,
    ids,
    *,
    steps,
    batch_size=BATCH_SIZE,
    learning_rate=LEARNING_RATE,
    warm_up=WARM_UP,
    seed,
):
    """Train as notebook 07 does; yield the number of each step.

    ids (N,) of int64; seed: of the batches.
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
    try:
        for start in range(0, count, batch_size):
            part = slice(start, start + batch_size)
            logits = model(inputs[part]).flatten(0, 1)
            total += F.cross_entropy(
                logits, targets[part].flatten(), reduction="sum"
            ).item()
    finally:  # the stop button may come in between
        model.train(training)
    return total / (count * context)


def muon_and_adamw(model):
    """Return Muon for the matrices of the blocks, AdamW for the rest, as one.

    Jordan et al. (2024), *Muon*: a step whose singular values are nearly
    equal. Loshchilov and Hutter (2019): AdamW.
    """
    matrices = [p for p in model.blocks.parameters() if p.ndim == 2]
    inside = {id(p) for p in matrices}
    rest = [p for p in model.parameters() if id(p) not in inside]
    muon = torch.optim.Muon(
        matrices,
        LEARNING_RATE,
        weight_decay=WEIGHT_DECAY,
        adjust_lr_fn="match_rms_adamw",
    )
    adamw = torch.optim.AdamW(
        rest, LEARNING_RATE, betas=(0.9, 0.99), weight_decay=0.0
    )
    return Together(muon, adamw)


class Together:
    """Several optimizers that are used as one."""

    def __init__(self, *optimizers):
        self.optimizers = optimizers

    @property
    def param_groups(self):
        """Those of all of them, for the learning rates."""
        return [
            group for each in self.optimizers for group in each.param_groups
        ]

    def zero_grad(self):
        """Clear all gradients."""
        for each in self.optimizers:
            each.zero_grad()

    def step(self):
        """Let each optimizer do its step."""
        for each in self.optimizers:
            each.step()

    def state_dict(self):
        """Return what a checkpoint keeps of them, a dict for each."""
        return [each.state_dict() for each in self.optimizers]

    def load_state_dict(self, kept):
        """Take what `state_dict` returned."""
        for each, state in zip(self.optimizers, kept, strict=True):
            each.load_state_dict(state)


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
            self.weights = {
                name: tensor.clone()
                for name, tensor in self.model.state_dict().items()
            }
            self.loss = loss  # last: the stop button may come in between
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

    def restore(self, step):
        """Look once more, give the model its best weights; return their loss.

        So what was learned since the last look is not lost.
        """
        self.look(step)
        self.model.load_state_dict(self.weights)
        return self.loss


def best_device():
    """Return "cuda", "mps" or "cpu": the first of them that there is."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
