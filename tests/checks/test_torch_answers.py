"""Answers of notebook 05 as learners write them: in torch."""

import os

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from helpers import checks


def by_steps(body, optimizer=torch.optim.SGD):
    """Train one matrix; body(optimizer, logits, labels) does a step."""

    def answer(x, labels, w, learning_rate, steps):
        x, labels = torch.tensor(x), torch.tensor(labels)
        w = torch.tensor(w, requires_grad=True)
        walker = optimizer([w], lr=learning_rate)
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


def cleared_between(walker, logits, labels):
    F.cross_entropy(logits, labels).backward()
    walker.zero_grad()
    walker.step()


def with_softmax(walker, logits, labels):
    right(walker, logits.softmax(-1), labels)


def summed(walker, logits, labels):
    walker.zero_grad()
    F.cross_entropy(logits, labels, reduction="sum").backward()
    walker.step()


def step_first(walker, logits, labels):
    walker.step()
    walker.zero_grad()
    F.cross_entropy(logits, labels).backward()


def at_once(keep=False, loss_too=True):
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
            loss.backward(retain_graph=keep)
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


def stepping_first(x, labels, w, learning_rate, steps):
    x, labels = torch.tensor(x), torch.tensor(labels)
    w = torch.tensor(w, requires_grad=True)
    walker = torch.optim.SGD([w], lr=learning_rate)
    for _ in range(steps):
        walker.step()
        walker.zero_grad()
        plain(x, labels, w).backward()
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


def by_tril(move=0, turn=False):
    def answer(t_q, t_k):
        mask = torch.ones(t_q, t_k).tril(t_k - t_q + move).bool()
        return ~mask if turn else mask

    return answer


def stacked(*turned):
    """The layer in torch; `turned` says which matrices are transposed."""

    def answer(*arrays):
        tensors = [torch.tensor(a) for a in arrays[:8]]
        w = [a.T if i in turned else a for i, a in enumerate(tensors[:4])]
        return torch.cat(w[:3]), torch.cat(tensors[4:7]), w[3], tensors[7]

    return answer


RIGHT = (
    ("train_linear", by_steps(right)),
    ("train_linear", by_steps(cleared_last)),
    ("causal_mask", by_places),
    ("causal_mask", by_tril()),
    ("to_torch", stacked(0, 1, 2, 3)),
)
WRONG = (
    ("train_linear", by_steps(never_cleared), "never set to zero"),
    ("train_linear", by_steps(cleared_between), "w has not moved"),
    ("train_linear", by_steps(with_softmax), "a softmax stands before"),
    ("train_linear", by_steps(summed), "added up, not averaged"),
    ("train_linear", by_steps(step_first), "before backward()"),
    ("train_linear", by_steps(right, torch.optim.Adam), "another optimizer"),
    ("train_linear", at_once(), "measured once, before"),
    ("train_linear", at_once(loss_too=False), "measured once, before"),
    ("train_linear", at_once(keep=True), "gradient of the start"),
    ("train_linear", stepping_first, "before the first backward()"),
    ("train_linear", by_hand, "lost its gradient"),
    ("train_linear", with_linear, "float64 meets float32"),
    ("train_linear", guessing(lambda x, y, w: plain(w, y, x)), "than x @ w"),
    ("train_linear", guessing(lambda x, y, w: plain(x, y, w.T)), "than x @ w"),
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
        "changed places",
    ),
    ("train_linear", guessing(lambda x, y, w: x @ w), "not on the loss"),
    (
        "train_linear",
        guessing(plain, lambda w: torch.tensor(w, requires_grad=True) * 1),
        "result of an operation",
    ),
    ("causal_mask", lambda q, k: torch.ones(q, k).tril(q).bool(), "another n"),
    ("causal_mask", lambda q, k: torch.ones(q, k).tril(3).bool(), "another n"),
    ("causal_mask", lambda q, k: torch.ones(q, k).tril().bool(), "first wo"),
    ("causal_mask", by_tril(-1), "may not look at itself"),
    ("causal_mask", by_tril(turn=True), "is turned around"),
    ("causal_mask", lambda q, k: by_tril()(q, k).double(), "not boolean"),
    ("causal_mask", lambda q, k: torch.ones(q, q).tril().bool(), "column"),
    ("to_torch", stacked(0, 1, 2), "out_proj_weight is not transposed"),
    ("to_torch", stacked(3), "in_proj_weight is not transposed"),
    ("fitted_exponent", lambda n, s: np.log2(s[1] / s[0]), "ratio of two"),
    ("train_linear", lambda x, *_: F.cross_entropy(x, x), "makes a tensor"),
)


@pytest.mark.parametrize("case", range(len(RIGHT)))
def test_right_answers(case, told):
    name, answer = RIGHT[case]
    assert told(checks.EXERCISES[name], answer).startswith(f"✓ {name}:")


@pytest.mark.parametrize("case", range(len(WRONG)))
def test_wrong_answers_are_named(case, told_why):
    told_why(*WRONG[case])


def test_beside_a_graphics_card_nothing_forks(told, monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("it forked"))
    assert told(checks.train_linear, by_steps(right)).startswith("✓")
