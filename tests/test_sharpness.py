"""Entropy, Jacobian and score gradients against their definitions."""

import json

import numpy as np
import pytest

from helpers import scaling, tasks
from helpers.attention import softmax
from helpers.gradients import finite_differences
from helpers.models import AttentionReadout
from helpers.sharpness import (
    jacobian_norm,
    normalized_entropy,
    score_gradients,
)
from helpers.training import cross_entropy


def test_entropy_of_known_rows():
    rows = [[0.25] * 4, [1, 0, 0, 0], [0.5, 0.5, 0, 0]]
    np.testing.assert_allclose(
        normalized_entropy(rows), [1, 0, 0.5], atol=1e-15
    )
    with pytest.raises(ValueError, match="one key"):
        normalized_entropy([[1.0]])


def test_jacobian_norm_equals_the_norm_of_the_jacobian():
    weights = softmax(np.random.default_rng(0).normal(0, 3, (20, 5)))
    expected = [np.linalg.norm(np.diag(p) - np.outer(p, p)) for p in weights]
    np.testing.assert_allclose(jacobian_norm(weights), expected, rtol=1e-10)
    assert jacobian_norm([[1.0, 0.0]]) == 0


def test_score_gradients_equal_finite_differences():
    task = tasks.load("which_noun", 0, train_count=50, test_count=20)
    model = AttentionReadout(seed=0)
    found = score_gradients(model, task.test)
    query, key, value = model.project(task.test.x[0])
    place = task.test.sentences.position[0]
    told = value @ model.arrays["w_c"] + model.arrays["b_c"]

    def loss(scores):
        logits = softmax(scores) @ told
        return cross_entropy(logits[None], task.test.sentences.labels[0])[0]

    scores = query[place] @ key.T * model.scale
    expected = np.linalg.norm(finite_differences(loss, scores))
    assert found[0] == pytest.approx(expected, rel=1e-6)


def test_the_stored_runs_are_complete():
    runs = scaling.load_runs()
    assert len(runs) == 6 * 4 * 3
    for setting, (_, training) in scaling.SETTINGS.items():
        for d_k in scaling.WIDTHS:
            for scale in scaling.SCALES:
                cell = runs[scaling.name_of(setting, d_k, scale)]
                assert len(cell) == 5
                for result in cell:
                    assert len(result["accuracy"]) == training["epochs"]
                    assert len(result["mass"]) == training["epochs"]


@pytest.mark.parametrize(
    ("setting", "scale", "place"),
    [
        ("brisk Adam", "1/sqrt(d_k)", 0),
        ("brisk Adam", "unscaled", 1),
        ("small start", "1/d_k", 2),
        ("plain SGD", "1/sqrt(d_k)", 3),
        ("patient SGD", "1/d_k", 4),
    ],
)
def test_the_stored_runs_come_out_again(setting, scale, place):
    stored = scaling.load_runs()[scaling.name_of(setting, 16, scale)][place]
    again = scaling.run(setting, 16, scale, 1000 + place)
    for name, values in stored.items():
        np.testing.assert_allclose(again[name], values, atol=0.0015)


def test_the_stored_runs_of_a_wide_head_come_out_again():
    """Wider heads add up more rounding errors, so leave more room.

    Brisk Adam is long Adam that stops early, so one training shows both.
    """
    again = scaling.run("long Adam", 256, "1/sqrt(d_k)", 1000)
    for setting in ("brisk Adam", "long Adam"):
        cell = scaling.name_of(setting, 256, "1/sqrt(d_k)")
        for name, values in scaling.load_runs()[cell][0].items():
            begin = again[name][: len(values)]
            np.testing.assert_allclose(begin, values, atol=0.02)


def test_more_epochs_only_go_on():
    """Brisk and long Adam differ in nothing but where they stop."""
    runs = scaling.load_runs()
    for d_k in scaling.WIDTHS:
        for scale in scaling.SCALES:
            brisk, long = (
                runs[scaling.name_of(setting, d_k, scale)]
                for setting in ("brisk Adam", "long Adam")
            )
            for one, other in zip(brisk, long, strict=True):
                gaps = np.subtract(one["accuracy"], other["accuracy"][:6])
                assert np.abs(gaps).max() < 0.1


def test_writing_the_runs_keeps_their_form(tmp_path, monkeypatch):
    monkeypatch.setattr(scaling, "FILE", tmp_path / "runs.json")
    monkeypatch.setattr(
        scaling, "run", lambda *cell: {"accuracy": [0.5], "mass": [0.1]}
    )
    scaling.write_runs()
    assert len(json.loads(scaling.FILE.read_text())) == 72
