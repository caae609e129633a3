"""Answers to the two halves of the language model of notebook 07."""

import pytest
import torch
from torch import nn

from helpers import checks


def blocks_of(self, width, num_heads, layers, block):
    return nn.Sequential(*[block(width, num_heads) for _ in range(layers)])


def layers_with(**other):
    """Return an answer in which some layers are made in another way."""

    def answer(self, num_characters, width, num_heads, layers, context, block):
        sizes = num_characters, width, num_heads, layers, context, block
        made = dict(
            characters=lambda: nn.Embedding(num_characters, width),
            positions=lambda: nn.Embedding(context, width),
            blocks=lambda: blocks_of(self, width, num_heads, layers, block),
            norm=lambda: nn.LayerNorm(width),
            logits=lambda: nn.Linear(width, num_characters),
        )
        made |= {n: lambda f=f: f(*sizes) for n, f in other.items()}
        for name, make in made.items():
            setattr(self, name, make())

    return answer


def returns_self(self, *sizes):
    layers_with()(self, *sizes)
    return self


def in_a_list(self, *sizes):
    layers_with(blocks=lambda v, w, h, n, c, b: [b(w, h) for _ in range(n)])(
        self, *sizes
    )
    return self


def in_a_loop(self, num_characters, width, num_heads, layers, context, block):
    sizes = width, num_heads, layers, context, block
    layers_with()(self, num_characters, *sizes)
    self.blocks = nn.Sequential()
    for _ in range(layers):
        self.blocks.append(block(width, num_heads))


def without_positions(self, *sizes):
    layers_with()(self, *sizes)
    del self.positions


@pytest.mark.parametrize("answer", [layers_with(), in_a_loop, returns_self])
def test_layers_are_right(answer, told):
    said = told(checks.text_layers, answer)
    assert said.startswith("✓ text_layers: correct.")


LAYERS = [
    (without_positions, "leaves out a layer, or gives it"),
    (layers_with(positions=lambda v, w, *_: nn.Embedding(v, w)),
     "has a row for each character"),
    (layers_with(characters=lambda v, w, h, n, c, b: nn.Embedding(c, w)),
     "your table of characters has a row"),
    (layers_with(blocks=lambda v, w, h, n, c, b: b(w, h)),
     "does not depend on `layers`"),
    (layers_with(blocks=lambda v, w, h, n, c, b: nn.Sequential(
        *[b(w, h)] * n)), "one and the same"),
    (layers_with(blocks=lambda v, w, h, n, c, b: nn.ModuleList(
        b(w, h) for _ in range(n))), "cannot be called"),
    (layers_with(blocks=lambda v, w, h, n, c, b: nn.Sequential(
        b(w, h), b(w, h))), "does not depend on `layers`"),
    (in_a_list, "in a Python list"),
    (layers_with(blocks=lambda v, w, h, n, c, b: nn.Sequential(
        *[b for _ in range(n)])), "does not make the blocks yet"),
    (layers_with(blocks=lambda v, w, h, n, c, b: nn.Sequential(
        [b(w, h) for _ in range(n)])), "in one piece"),
    (layers_with(blocks=lambda v, w, h, n, c, b: nn.Sequential(
        *[b(h, w) for _ in range(n)])), "in the wrong order"),
    (layers_with(positions=lambda v, w, h, n, c, b: nn.Parameter(
        torch.zeros(c, w))), "bare parameters"),
    (layers_with(logits=lambda v, w, *_: nn.Linear(v, w)), "do not fit"),
    (layers_with(norm=lambda v, w, h, n, c, b: nn.LayerNorm(c)),
     "do not fit"),
]  # fmt: skip


@pytest.mark.parametrize("answer, said", LAYERS)
def test_wrong_layers_are_named(answer, said, told_why):
    told_why("text_layers", answer, said)


def forward_with(line):
    """Return an answer that is this line, with x and T at hand."""
    names = {"torch": torch, "F": nn.functional}
    source = (
        "def answer(self, ids):\n"
        "    T = ids.shape[1]\n"
        "    x = self.characters(ids)\n"
        "    places = self.positions.weight[:T]\n"
        f"    return {line}\n"
    )
    exec(source, names)
    return names["answer"]


RIGHT = [
    "self.logits(self.norm(self.blocks(x + places)))",
    "self.logits(self.norm(self.blocks(x + self.positions(torch.arange(T)))))",
    "self.logits(self.norm(self.blocks(places[None] + x)))",
    # the layers are modules, with all that modules have
    "F.linear(self.norm(self.blocks(self.characters.weight[ids] + places)),"
    " self.logits.weight, self.logits.bias)",
    "self.logits(F.layer_norm(self.blocks(x + places),"
    " self.norm.normalized_shape, self.norm.weight, self.norm.bias,"
    " self.norm.eps))",
]


@pytest.mark.parametrize("line", RIGHT)
def test_a_forward_pass_is_right(line, told):
    said = told(checks.text_forward, forward_with(line))
    assert said.startswith("✓ text_forward: correct.")


FORWARD = [
    ("self.logits(self.norm(self.blocks(x)))", "positions are missing"),
    ("self.logits(self.blocks(x + places))", "the final norm is missing"),
    ("self.logits(self.blocks(self.norm(x + places)))", "before the blocks"),
    ("self.logits(self.norm(x + places))", "skips the blocks"),
    ("self.logits(self.norm(self.blocks(x * places)))",
     "multiplies by the positions"),
    ("self.logits(self.norm(self.blocks(x) + places))", "characters alone"),
    ("self.logits(self.norm(self.blocks(x + self.positions(ids))))",
     "looks up the positions with the IDs of the"),
    ("self.logits(self.norm(self.blocks(x + places))).softmax(-1)",
     "puts a softmax after the logits"),
    ("self.logits(self.norm(self.blocks(x + places)))[:, -1]",
     "only the last position"),
    ("self.logits(self.norm(self.blocks(x + self.positions.weight)))",
     "adds characters and positions of different numbers"),
    ("self.logits(self.norm(self.blocks(x + places)) + x)", "✗"),
]  # fmt: skip


@pytest.mark.parametrize("line, said", FORWARD)
def test_a_wrong_forward_pass_is_named(line, said, told_why):
    told_why("text_forward", forward_with(line), said)


def added_in_a_loop(self, ids):
    x = self.characters(ids) + self.positions.weight[: ids.shape[1]]
    for block in self.blocks:
        x = x + block(x)
    return self.logits(self.norm(x))


def sliced(ids, starts, context):
    rows = ids[starts : starts + context + 1]
    return rows[:, :-1], rows[:, 1:]


def step_with(flat):
    """Return a step that flattens the logits in its own way."""

    def answer(model, optimizer, inputs, targets, learning_rate):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate
        logits = flat(model(inputs))
        loss = nn.functional.cross_entropy(logits, targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        return loss.item()

    return answer


@pytest.mark.parametrize("name, answer, said", [
    ("text_forward", added_in_a_loop, "adds what a block gives to what"),
    ("passages", sliced, "begins one slice at all starts"),
    ("training_step", step_with(lambda z: z.reshape(z.shape[-1], -1).T),
     "mixes positions and characters with"),
    ("training_step", step_with(lambda z: z.transpose(0, 1).flatten(0, 1)),
     "reads the targets in a different order"),
])  # fmt: skip
def test_what_learners_wrote_is_named(name, answer, said, told_why):
    told_why(name, answer, said)
