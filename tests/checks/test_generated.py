"""Generated mistakes: single edits of the solutions, behind the tables."""

import ast
import json
import pathlib
import time

import numpy as np
import pytest
import torch

from helpers import attention, checks
from helpers.checks.engine.edit import edits, generated, rules
from helpers.checks.engine.exercise import Trial
from helpers.checks.engine.explain import edited, finders, kinds, places
from helpers.checks.engine.read import code
from helpers.checks.engine.run import budget, results

ROOT = pathlib.Path(__file__).parents[2]
each_exercise = pytest.mark.parametrize("name", checks.EXERCISES)


@pytest.fixture(autouse=True)
def no_warnings():
    with np.errstate(all="ignore"):
        yield


def trials_of(name):
    exercise = checks.EXERCISES[name]
    pairs = zip(exercise.probes, exercise.wants, strict=True)
    return [Trial(p, w, w) for p, w in pairs if p.level != "extra"]


def solutions_of_notebooks():
    """Return the functions of all solution cells, without comments."""
    found = {}
    for file in (ROOT / "notebooks").rglob("*.ipynb"):
        for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]:
            if "solution" in cell["metadata"].get("tags", []):
                for node in ast.parse("".join(cell["source"])).body:
                    if isinstance(node, ast.FunctionDef):
                        found[node.name] = ast.dump(node)
    return found


def test_the_first_solution_is_the_notebook_s():
    cells = solutions_of_notebooks()
    for name in checks.EXERCISES:
        first = code.functions(checks.EXERCISES[name].solution)[0]
        (node,) = ast.parse(first).body
        assert node.name == f"solution_{name}"
        assert ast.dump(node) == cells[node.name]


@each_exercise
def test_solutions_are_right_and_their_edits_are_quick(name):
    torch.optim.SGD([torch.ones(1)], lr=0.1).step()  # imports a lot, once
    trials, made = trials_of(name), generated.of(checks.EXERCISES[name])
    for source in made.sources:
        function = generated.compiled(source)
        for trial in trials:
            got = generated.outcome(made.exercise, function, trial)
            assert results.same(got, trial.want), trial.probe.words
    loops = [s for s in made.sources if "for " in ast.unparse(s.tree)]
    for edit, source in made.made:
        if source in loops:
            function = generated.compiled(source, edit)
            start = time.process_time()
            generated.outcome(made.exercise, function, trials[0])
            assert time.process_time() - start < 0.5, edit.words


def test_edits_leave_the_source_as_it_was():
    made = generated.Generated(checks.EXERCISES["online_attention"])
    before = [ast.unparse(source.tree) for source in made.sources]
    for edit, source in made.made:
        generated.compiled(source, edit)
    assert [ast.unparse(s.tree) for s in made.sources] == before


def test_rules_say_what_they_do():
    for rule in rules.rules():
        assert (
            rule.words and rule.idea[-1] in ".?" and "{gone}" not in rule.words
        )
        assert len(rule.idea) < 200


def attend(query, key, value, scale, axis=-1):
    weights = attention.softmax(query @ np.swapaxes(key, -1, -2) / scale, axis)
    return weights @ value


def shared(query, key, value):
    each = len(query) // len(key)
    return query, np.repeat(key, each, axis=0), np.repeat(value, each, axis=0)


def exchanged_norms(x, norm_1, attend, norm_2, feed_forward):
    x = x + attend(norm_2(x))
    return x + feed_forward(norm_1(x))


def minus_at_the_end(x, norm_1, attend, norm_2, feed_forward):
    x = x + attend(norm_1(x))
    return x - feed_forward(norm_2(x))


def exp_left_out(highest_a, total_a, mix_a, highest_b, total_b, mix_b):
    highest = np.maximum(highest_a, highest_b)
    a, b = highest_a - highest, highest_b - highest
    return highest, a * total_a + b * total_b, a * mix_a + b * mix_b


def counted(hidden, mask, count):
    total = (hidden * mask[..., None]).sum(axis=1)
    return total / count(mask.sum(axis=1, keepdims=True))


def shared_along_columns(scores):
    weights = attention.softmax(scores) * (1 - np.eye(len(scores)))
    return weights / weights.sum(axis=0)


def summed_losses(model, batches, epochs, learning_rate):
    history = []
    for _ in range(epochs):
        losses = []
        for batch in batches:
            loss, slopes = model.loss_and_gradients(*batch)
            losses.append(loss)
            for name in slopes:
                model.parameters[name] -= learning_rate * slopes[name]
        history.append(sum(losses))
    return history


SLIPS = {
    "a length": (
        "center_rows",
        lambda x: x - x.sum(axis=1, keepdims=True) / len(x),
        "`len(x)` is used instead of `x.shape[1]`",
    ),
    "a divisor": (
        "center_rows",
        lambda x: x - x.sum(axis=1, keepdims=True) / (x.shape[1] - 1),
        "the divisor is one too large or one too small",
    ),
    "a column": (
        "center_rows",
        lambda x: x - x[:, :-1].mean(axis=1, keepdims=True),
        "one column is left out of the mean",
    ),
    "sharing": (
        "attend_to_others",
        shared_along_columns,
        "the weights are set to 0 and shared out again along the columns",
    ),
    "an argument": (
        "two_layers",
        lambda x, first, second, num_heads: checks.two_layers.reference(
            x, first, second, 1
        ),
        "`1` is used instead of `num_heads`",
    ),
    "a root": (
        "mean_of_tokens",
        lambda hidden, mask: counted(hidden, mask, np.sqrt),
        "the root of",
    ),
    "everywhere": (
        "merge_halves",
        exp_left_out,
        "exp is left out, and likewise",
    ),
    "an axis": (
        "grouped_attention",
        lambda q, k, v: attend(*shared(q, k, v), q.shape[-1] ** 0.5, -2),
        "the softmax is taken over the queries",
    ),
    "a width": (
        "grouped_attention",
        lambda q, k, v: attend(*shared(q, k, v), q.shape[-1]),
        "the root is left out in the step that computes the scaled scores",
    ),
    "a sum": (
        "train_by_hand",
        summed_losses,
        "the sum is taken instead of the mean",
    ),
    "exchanged": (
        "block",
        exchanged_norms,
        "`norm_1` and `norm_2` are swapped",
    ),
    "a sign": (
        "block",
        minus_at_the_end,
        "what `feed_forward` returns is subtracted instead of added",
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found(slip, monkeypatch):
    monkeypatch.setattr(budget, "SECONDS", 30)  # a busy machine is slow
    name, answer, words = SLIPS[slip]
    exercise = checks.EXERCISES[name]
    trials, _ = exercise._tried(answer)
    asked = [t for t in trials if t.probe.level != "extra"]
    budget.start()
    headline, idea, *_ = edited.one(exercise, answer, asked)
    assert words in headline and idea in {e.idea for e in rules.rules()} | {
        edits.OTHER,
        edits.LENGTH,
    }


NOTHING = (
    np.zeros_like,
    np.ones_like,
    lambda v: np.full_like(v, np.nan),
    lambda v: v + np.sin(9 * v + np.arange(v.size).reshape(v.shape)),
    lambda v: np.sort(v.ravel()).reshape(v.shape) * 1.5,
)


@each_exercise
def test_nothing_is_named_by_accident(name, monkeypatch):
    monkeypatch.setattr(budget, "SECONDS", 0.04)  # the first pairs of edits
    exercise = checks.EXERCISES[name]
    for change in NOTHING:
        trials = []
        for t in trials_of(name):
            arrays = tuple(change(1.0 * a) for a in t.want.arrays)
            got = results.Outcome(arrays=arrays)
            trials.append(Trial(t.probe, got, t.want))
        if not all(t.right for t in trials):
            budget.start()
            assert edited.one(exercise, None, trials) is None


def test_the_tables_come_first(told, monkeypatch):
    def never(*args):
        raise AssertionError("the tables knew this one")

    order = finders.FINDERS.index
    assert order(finders.recognized) < order(edited.one)
    assert order(edited.one) < order(kinds.several)
    others = [never if f is edited.one else f for f in finders.FINDERS]
    monkeypatch.setattr(finders, "FINDERS", tuple(others))
    text = told(checks.center_rows, lambda x: x - x.mean(axis=0))
    assert "takes the mean of each column" in text


def test_an_answer_waits_a_second_at_most(monkeypatch):
    def slow(*args):
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        return results.Outcome(error="slow")

    assert budget.SECONDS <= 1
    monkeypatch.setattr(budget, "SECONDS", 0.2)
    monkeypatch.setattr(generated, "outcome", slow)
    name, answer, _ = SLIPS["exchanged"]
    exercise = checks.EXERCISES[name]
    trials, _ = exercise._tried(answer)
    generated.of.cache_clear()
    start = time.thread_time()
    budget.start()
    assert edited.one(exercise, answer, trials) is None
    assert time.thread_time() - start < 0.2 + 0.3
    generated.of.cache_clear()


def scores_then_a_slip(x):
    scores = x @ x.T
    shifted = np.roll(scores, 1, axis=1)
    weights = attention.softmax(shifted)
    return weights @ x, weights


def one_row_wrong(x):
    centered = x - x.mean(axis=1, keepdims=True)
    centered[1:2] += np.arange(1, x.shape[1] + 1)
    return centered


def stops_after_the_weights(x):
    scores = x @ x.T
    return attention.softmax(scores) @ x[:, 0] @ scores[:1, :2]


PLACES = {
    "the last right value": (
        "self_attention",
        scores_then_a_slip,
        "`x @ x.T` is right: it gives the scores.",
    ),
    "one row": ("center_rows", one_row_wrong, "Only row 1 is wrong."),
    "before an error": (
        "self_attention",
        stops_after_the_weights,
        "`attention.softmax(scores)` is right: it gives the weights.",
    ),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_answer_without_a_name_gets_a_place(place, told, monkeypatch):
    monkeypatch.setattr(edited, "too_plain", lambda trials: True)
    name, answer, words = PLACES[place]
    assert words in told(checks.EXERCISES[name], answer)


def test_patterns_of_wrong_numbers():
    want = np.arange(12.0).reshape(3, 4) ** 2
    own = np.eye(3) * 5
    tens = 10 * np.arange(4)
    for got, words in (
        (want[:, :3] + own, "diagonal"),
        (want + [0, 0, 1, 0], "Only column 2"),
        (np.roll(want, 1, axis=0), "in the wrong places"),
        (want + 1 + tens[:3, None], "Each row is right except for a constant"),
        ((want + 1) * (tens + 2), "Each column is right except for a factor"),
    ):
        right = want + 1 if "factor" in words else want
        assert words in places.pattern(got, right[:, : got.shape[1]])
