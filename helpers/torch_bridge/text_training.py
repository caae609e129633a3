"""The recipe of notebook 07: batches, one step, optimizers, the best weights.

The notebook, the stored runs and `make train` all train with
`muon_and_adamw` and `text_step`, by default with the numbers below.
"""

import math

import torch
import torch.nn.functional as F
from torch import nn

from helpers import validation
from helpers.generation import write_text
from helpers.models.text_language_model import TextLanguageModel
from helpers.progress_bar import Watch, note
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
    optimizer=None,
    seed,
):
    """Train as notebook 07 does; yield the number of each step.

    ids (N,) of int64; optimizer: model -> optimizer, `muon_and_adamw` if
    there is none; seed: of the batches.
    """
    optimizer = (optimizer or muon_and_adamw)(model)
    generator = torch.Generator().manual_seed(seed)
    for step in range(steps):
        batch = text_batch(ids, batch_size, model.context, generator)
        rate = learning_rate * learning_rate_factor(step, steps, warm_up)
        text_step(model, optimizer, *batch, rate)
        yield step + 1


def text_loss(model, ids, **options):
    """Return the mean loss over a whole text, in nats per character.

    The mean of `text_surprises`, of which there are options.
    """
    return text_surprises(model, ids, **options).double().mean().item()


@torch.no_grad()
def text_surprises(model, ids, *, stride=None, every=1, batch_size=32):
    """Return the surprise of the characters of a text, without the first.

    The text is cut into passages of the model's context, one after the
    other; the first character of a passage has nothing before it. With a
    `stride` that is shorter than the context, passages overlap, and from
    each but the first only the last `stride` characters are taken, which
    have the others before them. A rest that is too short is left out. With
    `every` = n, only each n-th passage is read.

    A text that is shorter than the context is a single passage.

    ids (N,) of int64 -> (M,), in nats.
    """
    if len(ids) < 2:
        raise ValueError(f"ids: {len(ids)}, fewer than 2")
    training, context = model.training, min(model.context, len(ids) - 1)
    stride = min(stride or context, context)
    passages = ids.unfold(0, context + 1, stride)[::every]  # (P, 1 + T)
    model.eval()
    found = []
    try:
        for part in passages.split(batch_size):
            logits = model(part[:, :-1]).transpose(1, 2)  # (B, V, T)
            found.append(
                F.cross_entropy(logits, part[:, 1:], reduction="none")
            )
    finally:  # the stop button may come in between
        model.train(training)
    found = torch.cat(found)
    return torch.cat([found[0], found[1:, context - stride :].flatten()])


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


def all_adamw(model):
    """Return AdamW for everything; only matrices in the blocks decay."""
    decaying = [p for p in model.blocks.parameters() if p.ndim == 2]
    inside = {id(p) for p in decaying}
    rest = [p for p in model.parameters() if id(p) not in inside]
    groups = [
        dict(params=decaying, weight_decay=WEIGHT_DECAY),
        dict(params=rest, weight_decay=0.0),
    ]
    return torch.optim.AdamW(groups, LEARNING_RATE, betas=(0.9, 0.99))


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
    text : OwnText
        Its last part is not trained on. While the model is trained, the loss
        is measured on passages all over it, `PART` characters in all, and at
        the end on the whole.
    num_steps : int
        So many steps are planned; it looks at the model `LOOKS` times.

    `steps`, `losses` and `trained` have a number for each look: the step, the
    loss on new text, and the mean loss of the batches since the last look.
    `first` is the loss before the training, `done` the number of steps, and
    `begun` that of the steps which the model had made before.
    """

    PART = 16_384
    SHOWN = 160  # characters
    LOOKS, LEAST = 20, 5  # the fewest steps from one look to the next

    def __init__(self, model, text, num_steps):
        num_steps = validation.positive_integer("num_steps", num_steps)
        self.every = max(self.LEAST, num_steps // self.LOOKS)
        device = next(model.parameters()).device
        self.held_out = torch.from_numpy(text.held_out).to(device)
        self.apart = max(1, len(self.held_out) // self.PART)
        self.model, self.text = model, text
        self.watch, self.place = Watch(), None
        self.steps, self.losses, self.trained = [], [], []
        self.loss, self.weights, self._batches = math.inf, None, []
        self.begun = self.done = 0
        self.first = self.look()

    def note(self, loss):
        """Take down the loss of a batch; look at the model now and then."""
        self._batches.append(loss)
        self.done += 1
        if self.done % self.every == 0:
            self.look()

    def look(self):
        """Return the loss now; keep the weights if they are the best."""
        loss = text_loss(self.model, self.held_out, every=self.apart)
        if loss < self.loss:
            self.weights = {
                name: tensor.clone()
                for name, tensor in self.model.state_dict().items()
            }
            self.loss = loss  # last: the stop button may come in between
        if self._batches:
            self.steps.append(self.done)
            self.losses.append(loss)
            self.trained.append(sum(self._batches) / len(self._batches))
            self._batches = []
        if self.watch.somebody():
            said = [*self.table(), "", self.written()]
            self.place = note("\n".join(said), self.place)
        return loss

    @property
    def said(self):
        """The loss as it is printed; in a trial only what stays the same."""
        return f"{self.loss:.{2 if self.text.kept else 1}f}"

    @property
    def curve(self):
        """The steps, counted from the model's first, and the loss at each."""
        steps = [self.begun + step for step in (0, *self.steps)]
        return steps, [self.first, *self.losses]

    @property
    def turn(self):
        """When the loss on new text was lowest, and what came after it."""
        steps, losses = [0, *self.steps], [self.first, *self.losses]
        low = losses.index(min(losses))
        if low == len(losses) - 1:
            return "lowest at the end"
        learned = low > 0 and self.trained[-1] < self.trained[low - 1]
        after = ", then it learned its text by heart" if learned else ""
        return f"lowest at step {self.begun + steps[low]}{after}"

    @property
    def summary(self):
        """All steps of the model, its loss, and when that was lowest."""
        done = self.begun + self.done
        return f"{done} steps, loss {self.said}, {self.turn}"

    def table(self):
        """Yield lines: the losses so far, and those of the rivals."""
        yield "nats per character: training, new text"
        rows = zip(self.steps, self.trained, self.losses, strict=True)
        for step, trained, loss in rows:
            yield f"after {step} steps: {trained:.2f}, {loss:.2f}"
        for name, loss in self.text.rivals.items():
            yield f"{name}, new text: {loss:.2f}"

    def written(self):
        """Return what the model writes now."""
        vocabulary = [*self.text.vocabulary]
        first = vocabulary[int(self.held_out[0])]
        num_heads = self.model.settings["num_heads"]
        arrays = text_arrays(self.model)
        model = TextLanguageModel(vocabulary, arrays, num_heads)
        return write_text(model, first, self.SHOWN)

    def restore(self):
        """Look once more, give the model its best weights; return their loss.

        So what was learned since the last look is not lost. The loss is that
        on the whole text, which costs some seconds. Whoever stops that, too,
        gets the loss that was measured on a part, and loses no weights.
        """
        try:
            if self._batches:
                self.look()
            self.model.load_state_dict(self.weights)
            if self.apart > 1:  # not yet measured on the whole
                self.loss = text_loss(self.model, self.held_out)
        except KeyboardInterrupt:
            self.model.load_state_dict(self.weights)
        return self.loss


def best_device():
    """Return "cuda", "mps" or "cpu": the first of them that there is."""
    if torch.cuda.is_available():
        return "cuda"
    return "mps" if torch.backends.mps.is_available() else "cpu"
