"""Answers of notebook 05 as learners write them: in torch."""

import os
import pathlib
import sys
import time

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from helpers import attention, checks
from helpers.checks.engine.load import load


def by_steps(body):
    """Train one matrix; body(optimizer, logits, labels) does a step."""

    def answer(x, labels, w, learning_rate, steps):
        x, labels = torch.tensor(x), torch.tensor(labels)
        w = torch.tensor(w, requires_grad=True)
        walker = torch.optim.SGD([w], lr=learning_rate)
        for _ in range(steps):
            body(walker, x @ w, labels)
        return w

    return answer


def right(walker, logits, labels):
    walker.zero_grad()
    F.cross_entropy(logits, labels).backward()
    walker.step()


def cleared_last(walker, logits, labels):
    F.cross_entropy(logits, labels).backward()
    walker.step()
    walker.zero_grad()


def never_cleared(walker, logits, labels):
    F.cross_entropy(logits, labels).backward()
    walker.step()


def detached(walker, logits, labels):
    right(walker, logits.detach(), labels)


def at_once(loss_too=True):
    """Guess once, before the loop, and perhaps measure there as well."""

    def answer(x, labels, w, learning_rate, steps):
        x, labels = torch.tensor(x), torch.tensor(labels)
        w = torch.tensor(w, requires_grad=True)
        walker = torch.optim.SGD([w], lr=learning_rate)
        logits = x @ w
        loss = F.cross_entropy(logits, labels)
        for _ in range(steps):
            if not loss_too:
                loss = F.cross_entropy(logits, labels)
            walker.zero_grad()
            loss.backward()
            walker.step()
        return w

    return answer


def guessing(guess, leaf=lambda w: torch.tensor(w, requires_grad=True)):
    """Train with another line where the loss is measured, or another w."""

    def answer(x, labels, w, learning_rate, steps):
        x, labels, w = torch.tensor(x), torch.tensor(labels), leaf(w)
        walker = torch.optim.SGD([w], lr=learning_rate)
        for _ in range(steps):
            loss = guess(x, labels, w)
            walker.zero_grad()
            loss.backward()
            walker.step()
        return w

    return answer


def plain(x, labels, w):
    return F.cross_entropy(x @ w, labels)


def step_is_not_called(x, labels, w, learning_rate, steps):
    x, labels = torch.tensor(x), torch.tensor(labels)
    w = torch.tensor(w, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=learning_rate)
    for _ in range(steps):
        optimizer.zero_grad()
        plain(x, labels, w).backward()
        optimizer.step  # noqa: B018
    return w


def by_hand(x, labels, w, learning_rate, steps):
    w = torch.tensor(w, requires_grad=True)
    for _ in range(steps):
        plain(torch.tensor(x), torch.tensor(labels), w).backward()
        w = w - learning_rate * w.grad
    return w


def with_linear(x, labels, w, learning_rate, steps):
    return torch.nn.Linear(*w.shape)(torch.tensor(x))


def by_places(t_q, t_k):
    return torch.arange(t_k) <= torch.arange(t_k - t_q, t_k)[:, None]


def by_tril(t_q, t_k):
    return torch.ones(t_q, t_k).tril(t_k - t_q).bool()


def stacked(*arrays):
    w_q, w_k, w_v, w_o, b_q, b_k, b_v, b_o = map(torch.tensor, arrays[:8])
    weights = torch.cat([w_q.T, w_k.T, w_v.T])
    return weights, torch.cat([b_q, b_k, b_v]), w_o.T, b_o


def heads_of(self, x):
    layers = self.query, self.key, self.value
    cut = [f(x).unflatten(-1, (self.num_heads, -1)) for f in layers]
    return [part.transpose(1, 2) for part in cut]


def forward(self, x, **options):
    context = F.scaled_dot_product_attention(*heads_of(self, x), **options)
    return self.output(context.transpose(1, 2).flatten(2))


class WithForward(torch.nn.Module):
    forward = forward


def forward_by_chunks(self, x):
    tables = self.query(x), self.key(x), self.value(x)
    parts = zip(*(t.chunk(self.num_heads, -1) for t in tables), strict=True)
    contexts = [F.scaled_dot_product_attention(*part) for part in parts]
    return self.output(torch.cat(contexts, -1))


def forward_by_hand(self, x):
    q, k, v = heads_of(self, x)
    weights = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
    return self.output((weights @ v).permute(0, 2, 1, 3).reshape(x.shape))


def forward_without_gradient(self, x):
    with torch.no_grad():
        return forward(self, x)


def forward_not_merged(self, x):
    return self.output(F.scaled_dot_product_attention(*heads_of(self, x)))


def forward_reshaped(self, x):
    context = F.scaled_dot_product_attention(*heads_of(self, x))
    return self.output(context.reshape(x.shape))


def forward_in_numpy(self, x):
    query = attention.split_heads(self.query(x), self.num_heads)
    return self.output(query)


class WithHelper(torch.nn.Module):
    def cut(self, z):
        return z.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        layers = self.query, self.key, self.value
        parts = [self.cut(layer(x)) for layer in layers]
        context = F.scaled_dot_product_attention(*parts)
        return self.output(context.transpose(1, 2).flatten(2))


def forward_cut_in_between(self, x):
    context = F.scaled_dot_product_attention(*heads_of(self, x)).detach()
    return self.output(context.transpose(1, 2).flatten(2))


def forward_with_dropout(self, x):
    return forward(self, x, dropout_p=0.1)


def passages(ids, starts, context):
    rows = torch.stack([ids[s : s + context + 1] for s in starts])
    return rows[:, :-1], rows[:, 1:]


def set_rate(optimizer, rate):
    for group in optimizer.param_groups:
        group["lr"] = rate


def set_first_rate(optimizer, rate):
    optimizer.param_groups[0]["lr"] = rate


def clip(model):
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)


def clip_by_hand(model):
    norm = sum((p.grad**2).sum() for p in model.parameters()) ** 0.5
    for p in model.parameters():
        p.grad /= max(1.0, norm.item())


def one_step(rate=set_rate, clip=clip, back=torch.Tensor.item):
    """Put a training step together."""

    def answer(model, optimizer, inputs, targets, learning_rate):
        rate(optimizer, learning_rate)
        logits = model(inputs)
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        clip(model)
        optimizer.step()
        return back(loss)

    return answer


RIGHT = (
    ("train_linear", by_steps(right)),
    ("train_linear", by_steps(cleared_last)),
    ("causal_mask", by_places),
    ("causal_mask", by_tril),
    ("to_torch", stacked),
    ("forward", forward),
    ("forward", forward_by_chunks),
    ("forward", forward_by_hand),
    ("forward", WithForward),
    ("forward", WithForward().forward),
    ("forward", WithHelper.forward),
    ("passages", passages),
    ("training_step", one_step()),
    ("training_step", one_step(clip=clip_by_hand)),
)
WRONG = (
    (
        "train_linear",
        by_steps(never_cleared),
        "never sets the gradients to zero",
    ),
    ("train_linear", at_once(), "computes the loss or its logits"),
    (
        "train_linear",
        at_once(loss_too=False),
        "computes the loss or its logits",
    ),
    ("train_linear", by_hand, "lost its gradient"),
    ("train_linear", with_linear, "mixes float64 and float32"),
    (
        "train_linear",
        guessing(lambda x, y, w: plain(w, y, x)),
        "those of x @ w",
    ),
    (
        "train_linear",
        guessing(lambda x, y, w: plain(x, y, w.T)),
        "those of x @ w",
    ),
    (
        "train_linear",
        guessing(lambda x, y, w: plain(x, F.one_hot(y), w)),
        "one-hot",
    ),
    (
        "train_linear",
        guessing(lambda x, y, w: plain(x, y.double(), w)),
        "not whole numbers",
    ),
    (
        "train_linear",
        guessing(lambda x, y, w: F.cross_entropy(y, x @ w)),
        "swaps logits and labels",
    ),
    ("train_linear", guessing(lambda x, y, w: x @ w), "not on the loss"),
    (
        "train_linear",
        guessing(plain, lambda w: torch.tensor(w, requires_grad=True) * 1),
        "result of an operation",
    ),
    ("train_linear", by_steps(detached), "is not connected with w"),
    ("train_linear", step_is_not_called, "`optimizer.step` is not called"),
    ("causal_mask", lambda q, k: by_tril(q, k).double(), "not boolean"),
    ("causal_mask", lambda q, k: by_tril(q, k).numpy(), "not a tensor"),
    ("fitted_exponent", lambda n, s: np.log2(s[1] / s[0]), "ratio of two"),
    ("train_linear", lambda x, *_: F.cross_entropy(x, x), "makes a tensor"),
    ("forward", forward_not_merged, "does not merge the heads"),
    ("forward", forward_reshaped, "without swapping heads and words"),
    ("forward", forward_without_gradient, "no gradient comes back"),
    ("forward", lambda s, x: forward(s, x).detach().numpy(), "no gradient"),
    ("forward", forward_in_numpy, "that is being trained to NumPy"),
    ("forward", lambda s, x: s.w_q, "asks the module for matrices"),
    ("forward", forward_cut_in_between, "reaches self.query, self.key, self."),
    ("forward", forward_with_dropout, "a different result the second time"),
    (
        "passages",
        lambda *a: [part.tolist() for part in passages(*a)],
        "not in two tensors",
    ),
    (
        "passages",
        lambda *a: [part.float() for part in passages(*a)],
        "numbers with decimals",
    ),
    ("training_step", one_step(set_first_rate), "only one group"),
    ("training_step", one_step(back=torch.Tensor.detach), "as a tensor"),
    (
        "training_step",
        one_step(back=lambda loss: (loss.item(), loss)),
        "returns several results",
    ),
)


@pytest.mark.parametrize("case", range(len(RIGHT)))
def test_right_answers(case, told):
    name, answer = RIGHT[case]
    assert told(checks.EXERCISES[name], answer).startswith(f"✓ {name}:")


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])


def test_torch_may_be_imported_after_the_checks(told, monkeypatch):
    with monkeypatch.context() as without:
        without.delitem(sys.modules, "torch")
        folder = pathlib.Path(checks.__file__).parent
        late = load(folder / "exercises/train_linear.txt")
    assert told(late, by_steps(right)).startswith("✓")


def test_what_is_printed_is_the_verdict(capsys):
    checks.forward(forward_cut_in_between)
    assert "no gradient comes back" in capsys.readouterr().out


def test_beside_a_graphics_card_nothing_forks(told, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("it forked"))
    assert told(checks.train_linear, by_steps(right)).startswith("✓")


def test_a_linear_layer_is_checked_at_once():
    """The first step of an optimizer is taken outside of the answer."""
    checks.train_linear.judge(by_steps(right))
    start = time.perf_counter()
    assert checks.train_linear.judge(by_steps(right)).startswith("✓")
    assert time.perf_counter() - start < 2  # 4 s where each answer loads it
