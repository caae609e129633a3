"""A right answer does the work of later cells; the course's until then."""

import copy
from pathlib import Path

import nbformat
import numpy as np
import pytest
import torch
from nbformat import v4
from torch import nn

from helpers import attention, checks
from helpers.checks import at_work
from helpers.checks.exercises.train_by_hand import task

X = np.array([[1.0, 0, 2], [0, 1, 1]])
OURS = (
    "self_attention: the course's version runs here, until yours is right.\n"
)
YOURS = "✓ self_attention: your own function runs here.\n"


def self_attention(x):
    weights = attention.softmax(x @ x.T)
    return weights @ x, weights


RIGHT = self_attention


def renamed(name):
    """Give a function the name of an exercise."""

    def decorate(function):
        function.__name__ = name
        return function

    return decorate


@renamed("self_attention")
def still_open(x):
    return ...


@renamed("self_attention")
def over_columns(x):
    weights = attention.softmax(x @ x.T, axis=0)
    return weights @ x, weights


@renamed("self_attention")
def small_only(x):
    if len(x) > 20:
        x = x @ np.ones((7, 7))
    weights = attention.softmax(x @ x.T)
    return weights @ x, weights


@renamed("self_attention")
def untrue_when_large(x):
    context, weights = RIGHT(x)
    return context * (1 + (len(x) > 20)), weights


def test_an_open_answer_leaves_the_work_to_the_courses_own(capsys):
    attend = checks.yours(still_open)
    assert capsys.readouterr().out == OURS
    np.testing.assert_array_equal(attend(X)[0], RIGHT(X)[0])


def test_a_right_answer_does_the_work(capsys):
    called = []

    @renamed("self_attention")
    def noted(x):
        called.append(1)
        return RIGHT(x)

    attend = checks.yours(noted)
    assert capsys.readouterr().out == YOURS
    np.testing.assert_array_equal(attend(X)[0], RIGHT(X)[0])
    attend(X)
    assert len(called) == 2  # in this process; the check has its own


def test_a_wrong_answer_is_named_and_left_out(capsys):
    attend = checks.yours(over_columns)
    ours, diagnosis = capsys.readouterr().out.splitlines()
    assert ours + "\n" == OURS
    assert diagnosis.startswith("  (Your version, as it is now: the softmax")
    np.testing.assert_array_equal(attend(X)[1], RIGHT(X)[1])


def test_a_function_that_is_written_again_is_judged_again(capsys):
    space = {"checks": checks, "attention": attention}
    use = "attend = checks.yours(self_attention)"
    right = "def self_attention(x):\n    w = attention.softmax(x @ x.T)\n"
    for code, said in (
        ("def self_attention(x):\n    return ...", OURS),
        (f"{right}    return w @ x, w", YOURS),
        (f"{right}    return x, w", OURS),
    ):
        exec(code, space)
        exec(use, space)
        assert capsys.readouterr().out.startswith(said)


def test_three_dots_and_lambdas_are_found_by_their_name(capsys):
    space = {"checks": checks, "self_attention": ...}
    exec("attend = checks.yours(self_attention)", space)
    assert capsys.readouterr().out == OURS
    space |= {"self_attention": lambda x: RIGHT(x)}
    exec("attend = checks.yours(self_attention)", space)
    assert capsys.readouterr().out == YOURS.replace(
        "self_attention", "<lambda>"
    )


def test_what_answers_no_exercise_is_an_error():
    with pytest.raises(ValueError, match=r"function: expected .* got 3"):
        checks.yours(3)
    with pytest.raises(ValueError, match="got <class 'dict'>"):
        checks.yours(dict)


def test_an_error_where_it_is_used_is_told(capsys):
    attend = checks.yours(small_only)
    attend(X)
    capsys.readouterr()
    large = np.eye(30)
    for _ in range(2):
        np.testing.assert_array_equal(attend(large)[0], RIGHT(large)[0])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(
        "right in its check, but here it stops with an error."
    )
    text = " ".join(" ".join(lines).split())
    assert "ValueError: matmul: Input operand 1 has a mismatch" in text
    assert "x = x @ np.ones((7, 7)) where x (30, 30) The" in text
    assert text.endswith("The course's version goes on in its place.")
    assert text.count("✗") == 1  # the second time, nothing


def test_another_first_result_is_not_used(capsys):
    attend = checks.yours(untrue_when_large)
    large = np.eye(30)
    np.testing.assert_array_equal(attend(large)[0], RIGHT(large)[0])
    assert "Its result is not the course's." in capsys.readouterr().out


def test_a_measurement_with_other_random_numbers_is_as_good(capsys):
    def score_spread(d_k, scale):
        query, key = np.random.default_rng(5).standard_normal((2, 4000, d_k))
        return (query * key).sum(axis=1).std() * scale

    spread = checks.yours(score_spread)
    assert spread(64, 1.0) == score_spread(64, 1.0)
    assert capsys.readouterr().out.startswith("✓ score_spread: your own")


def test_arrays_that_an_error_left_changed_are_put_back(capsys):
    @renamed("two_layers")
    def in_place(x, first, second, num_heads):
        if len(x) > 20:
            first[0][:] = 0
            x += 1
            raise KeyError("late")
        for matrices in (first, second):
            x = x + attention.multi_head_attention(x, *matrices, num_heads)[0]
        return x

    layers = checks.yours(in_place)
    rng = np.random.default_rng(0)
    x, *matrices = rng.standard_normal((9, 24, 24))
    before = copy.deepcopy((x, matrices))
    found = layers(x, matrices[:4], matrices[4:], 2)
    assert "KeyError: 'late'" in capsys.readouterr().out
    np.testing.assert_array_equal(x, before[0])
    np.testing.assert_array_equal(matrices, before[1])
    assert found.shape == x.shape and not np.array_equal(found, x)


def train_by_hand(model, batches, epochs, learning_rate):
    history = []
    for epoch in range(epochs):
        losses = []
        for batch in batches:
            loss, slopes = model.loss_and_gradients(*batch)
            for name in slopes:
                model.parameters[name] -= learning_rate * slopes[name]
            losses.append(loss)
            if len(batches) > 5 and epoch == 1:
                raise RuntimeError("in the middle of training")
        history.append(np.mean(losses))
    return history


def test_an_error_in_training_leaves_no_half_trained_model(capsys):
    model, batches = task(1, 3, 8)
    other, _ = task(1, 3, 8)
    history = checks.yours(train_by_hand)(model, batches, 3, 0.1)
    printed = capsys.readouterr().out
    assert "RuntimeError: in the middle of training" in printed
    assert "What it changed is put back" in printed
    assert len(history) == 3
    right = checks.yours(renamed("train_by_hand")(lambda *args: ...))
    assert right(other, batches, 3, 0.1) == history
    for name, array in model.parameters.items():
        np.testing.assert_array_equal(array, other.parameters[name])


def step_of(fails):
    @renamed("training_step")
    def step(model, optimizer, inputs, targets, learning_rate):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate
        logits = model(inputs).flatten(0, 1)
        loss = nn.functional.cross_entropy(logits, targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if fails and logits.shape[-1] > 10:
            raise TypeError("after the step")
        return loss.item()

    return step


def test_modules_and_optimizers_are_put_back_as_well(capsys):
    torch.manual_seed(0)
    model = nn.Embedding(12, 12).double()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)
    twin = copy.deepcopy(model)
    twins = torch.optim.AdamW(twin.parameters(), lr=1.0)
    ids = torch.arange(12).reshape(2, 6)
    losses = []
    for fails, of, by in ((True, model, optimizer), (False, twin, twins)):
        step = checks.yours(step_of(fails))
        losses.append([step(of, by, ids, ids, 0.1) for _ in range(3)])
    assert "TypeError: after the step" in capsys.readouterr().out
    assert losses[0] == losses[1]
    torch.testing.assert_close(model.weight, twin.weight, rtol=0, atol=0)


def test_an_answer_comes_as_the_course_returns_it():
    @renamed("softmax_over_keys")
    def listed(scores):
        return attention.softmax(scores).tolist()

    weights = checks.yours(listed)(X)
    assert isinstance(weights, np.ndarray) and weights.shape == (2, 3)


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.num_heads = num_heads
        self.query = nn.Linear(d_model, d_model)
        self.key = nn.Linear(d_model, d_model)
        self.value = nn.Linear(d_model, d_model)
        self.output = nn.Linear(d_model, d_model)

    def forward(self, x):
        return ...


class Solved(MultiHeadAttention):
    def heads(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x):
        if len(x) > 5:
            return self.qeury(x)
        parts = (self.heads(f(x)) for f in (self.query, self.key, self.value))
        context = nn.functional.scaled_dot_product_attention(*parts)
        return self.output(context.transpose(1, 2).flatten(2))


def test_a_class_and_a_method_work_as_well(capsys):
    torch.manual_seed(0)
    x = torch.randn(2, 5, 8)
    made = checks.yours(Solved)(8, 2)
    assert "✓ Solved: your own class runs here." in capsys.readouterr().out
    course = checks.yours(MultiHeadAttention)(8, 2)
    course.load_state_dict(made.state_dict())
    ours = "MultiHeadAttention: the course's version runs here"
    assert ours in capsys.readouterr().out
    torch.testing.assert_close(made(x), course(x))

    class Mine(nn.Module):
        def __init__(self, parts):
            super().__init__()
            self.num_heads, self.parts = 2, nn.ModuleDict(parts)
            self.query, self.key, self.value, self.output = parts.values()

        heads = Solved.heads
        forward = checks.yours(Solved.forward)

    torch.testing.assert_close(Mine(dict(made.named_children()))(x), made(x))
    many = torch.randn(6, 5, 8)
    capsys.readouterr()
    torch.testing.assert_close(made(many), course(many))
    printed = capsys.readouterr().out
    assert (
        "AttributeError: 'Solved' object has no attribute 'qeury'" in printed
    )
    assert "where x (6, 5, 8)" in printed


def test_a_class_that_cannot_be_built_becomes_the_courses(capsys):
    class Course:
        def __init__(self, width):
            self.width = width

        def forward(self, x):
            return self.width * x

    class Learners(Course):
        def __init__(self, width):
            self.width, self.rest = width, 1 / (4 - width)

        def forward(self, x):
            return self.rest * x

    made = at_work.watched_class(
        checks.EXERCISES["self_attention"], Learners, Course, "Learners"
    )
    assert made(4).forward(2) == 8
    assert "ZeroDivisionError" in capsys.readouterr().out
    assert made(3).forward(2) == 6
    assert "Its result is not the course's" in capsys.readouterr().out


# --- of an earlier notebook --------------------------------------------------

LOOKED = "  (We looked in {}, as last saved.)\n"
STUB = "def self_attention(x):\n    return ..."
SOFTMAX = """\
def softmax_over_keys(scores):
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)"""
ANSWER = """\
def self_attention(x):
    weights = softmax_over_keys(x @ x.T)
    return weights @ x, weights"""


@pytest.fixture
def copies(tmp_path, monkeypatch):
    """Write exercises into a learner's copy of 01, and work beside it."""

    def written(*exercises):
        cells = [
            v4.new_code_cell(code, metadata={"tags": ["exercise"]})
            for code in exercises
        ]
        cells.append(v4.new_code_cell("def self_attention(x): raise 5"))
        notebook = v4.new_notebook(cells=cells)
        nbformat.write(notebook, tmp_path / "01_dot_product_baseline.ipynb")

    (tmp_path / "trials").mkdir()
    (tmp_path / "00_damaged.ipynb").write_text("{def self_attention(")
    monkeypatch.chdir(tmp_path)
    return written


@pytest.mark.parametrize(
    "cells, said",
    [
        ((SOFTMAX, ANSWER), YOURS),
        (
            (SOFTMAX, STUB),
            OURS + LOOKED.format("01_dot_product_baseline.ipynb"),
        ),
        ((), OURS + LOOKED.format("the notebooks beside this one")),
    ],
)
@pytest.mark.parametrize("folder", [".", "trials"])
def test_a_function_of_an_earlier_notebook(
    copies, monkeypatch, capsys, cells, said, folder
):
    copies(*cells)
    monkeypatch.chdir(folder)
    attend = checks.yours("self_attention")
    assert capsys.readouterr().out == said
    assert np.allclose(attend(X)[0], RIGHT(X)[0])


def test_a_wrong_one_of_an_earlier_notebook_is_explained(copies, capsys):
    copies("raise ValueError", ANSWER)
    attend = checks.yours("self_attention")
    said = capsys.readouterr().out
    place = "as last saved in 01_dot_product_baseline.ipynb:"
    assert said.startswith(f"{OURS}  (Your version, {place} your code stops")
    assert np.allclose(attend(X)[0], RIGHT(X)[0])


def test_the_notebook_of_a_trial_room_is_named(copies, capsys):
    copies(STUB)
    Path("01_dot_product_baseline.ipynb").rename("trials/01_room.ipynb")
    checks.yours("self_attention")
    assert capsys.readouterr().out == OURS + LOOKED.format(
        "trials/01_room.ipynb"
    )


def test_a_name_that_no_exercise_has(copies):
    with pytest.raises(ValueError, match="its name, .*, got 'attention'"):
        checks.yours("attention")
