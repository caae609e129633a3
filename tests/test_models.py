"""The models against torch, and their own promises."""

import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from safetensors.numpy import save_file

import helpers
from helpers import tasks
from helpers.models import (
    AttentionClassifier,
    GroupedClassifier,
    LinearProbe,
    PooledClassifier,
)
from helpers.models.variants import (
    AveragedClassifier,
    InsideClassifier,
    SigmoidClassifier,
    same_rows,
)
from helpers.training import Batches, fit

TWO = {"heads": 2, "output": True}
STACK = {"layers": 2, "residual": True, "output": True}
VARIANTS = {
    "one head": {},
    "two heads": {"heads": 2},
    "output projection": TWO,
    "averaged heads": TWO | {"kind": AveragedClassifier},
    "hidden layer": {"hidden": 5},
    "tied": {"scoring": "tied"},
    "tied heads": TWO | {"scoring": "tied"},
    "identity": {"values": "identity"},
    "keys": {"values": "keys"},
    "tied keys": TWO | {"values": "keys", "scoring": "tied"},
    "frozen": {"scoring": "frozen"},
    "uniform": {"scoring": "uniform"},
    "uniform heads": {"scoring": "uniform", "heads": 2},
    "two answers": {"classes": (2, 3), "heads": 2},
    "scale": {"scale": 1.0},
    "one residual layer": STACK | {"layers": 1},
    "two layers": STACK,
    "two layers of two heads": STACK | {"heads": 2, "d_v": 2},
    "three layers": STACK | {"layers": 3, "hidden": 5, "classes": (2, 3)},
    "no residual": STACK | {"residual": False, "scale": 0.7},
    "tied layers": STACK | {"scoring": "tied"},
    "identity layers": STACK | {"values": "identity"},
    "keys layers": STACK | {"values": "keys"},
    "frozen layers": STACK | {"scoring": "frozen"},
    "uniform layers": STACK | {"scoring": "uniform", "heads": 2},
    "sigmoid": {"kind": SigmoidClassifier},
    "sigmoid heads": TWO | {"kind": SigmoidClassifier},
    "sum inside": STACK
    | dict(heads=2, d_v=3, residual=False, kind=InsideClassifier),
}
variants = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)


def build(options=None, seed=0):
    sizes = dict(d_model=6, d_k=3, d_v=4, classes=(3,))
    options = sizes | {"kind": AttentionClassifier} | (options or {})
    return options.pop("kind")(**options, seed=seed)


def batch(classes=(3,)):
    """Return x, position, mask, labels."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((5, 4, 6))
    mask = np.arange(4) < np.array([2, 4, 3, 4, 2])[:, None]
    position = np.array([1, 0, 2, 3, 0])
    labels = np.stack([rng.integers(0, c, 5) for c in classes], axis=1)
    return x, position, mask, labels


# The classifier


def torch_forward(model, p, x, position, mask):
    """Return logits and last weights; all words attend in every layer."""
    rows = torch.arange(len(x))

    def heads(y):
        return y.unflatten(-1, (model.heads, -1)).transpose(1, 2)

    for i in range(model.layers):
        w = {n: p.get(n + str(i) * (model.layers > 1)) for n in WEIGHTS}
        scores = torch.zeros(len(x), model.heads, x.shape[1], x.shape[1])
        if w["w_q"] is not None:
            w_k = w["w_q"] if w["w_k"] is None else w["w_k"]
            scores = model.scale * heads(x @ w["w_q"]) @ heads(x @ w_k).mT
        w_v = w_k if model.options["values"] == "keys" else w["w_v"]
        value = heads(x if w_v is None else x @ w_v)
        hidden = ~mask[:, None, None]
        if isinstance(model, SigmoidClassifier):
            scores = scores - mask.sum(1).double()[:, None, None, None].log()
            weights = torch.sigmoid(scores).masked_fill(hidden, 0)
        else:
            scores = scores.masked_fill(hidden, -torch.inf)
            weights = torch.softmax(scores.double(), -1)
        out = (weights @ value).transpose(1, 2).flatten(2)
        out = x + out if isinstance(model, InsideClassifier) else out
        out = out if w["w_o"] is None else out @ w["w_o"]
        x = x + out if model.options["residual"] else out
    z = x[rows, position]
    if "w_1" in p:
        z = torch.relu(z @ p["w_1"] + p["b_1"])
    return z @ p["w_c"] + p["b_c"], weights[rows, :, position]


def as_leaves(model):
    """Return the parameters as tensors that collect their gradients."""
    return {
        name: torch.tensor(array, requires_grad=True)
        for name, array in model.parameters.items()
    }


WEIGHTS = ("w_q", "w_k", "w_v", "w_o")


def assert_equal_torch(model, inputs, labels, logits, leaves):
    """Compare the logits, the loss and all gradients with torch's."""
    assert_allclose(model.forward(*inputs)[0], logits.detach(), atol=1e-13)
    parts = logits.split(model.classes, dim=1)
    loss = sum(map(torch.nn.functional.cross_entropy, parts,
                   torch.tensor(labels.T)))  # fmt: skip
    loss.backward()
    ours, gradients = model.loss_and_gradients(*inputs, labels)
    assert ours == pytest.approx(loss.item(), rel=1e-12)
    assert gradients.keys() == leaves.keys()
    trained = sum(gradient.size for gradient in gradients.values())
    assert model.num_parameters == trained
    for name, gradient in gradients.items():
        expected = leaves[name].grad.numpy()
        largest = np.abs(expected).max() or 1.0
        assert_allclose(
            gradient, expected, rtol=0, atol=1e-9 * largest, err_msg=name
        )


@variants
def test_logits_weights_and_gradients_equal_torch(options):
    model = build(options)
    *inputs, labels = batch(model.classes)
    leaves = as_leaves(model)
    logits, weights = torch_forward(model, leaves, *map(torch.tensor, inputs))
    assert_allclose(model.forward(*inputs)[1], weights.detach(), atol=1e-13)
    if isinstance(model, AveragedClassifier):
        leaves["w_o"].register_hook(
            lambda grad: torch.tensor(same_rows(grad.numpy(), 2))
        )
    if options.get("scoring") == "frozen":
        leaves = {n: leaf for n, leaf in leaves.items() if n[2] not in "qk"}
    assert_equal_torch(model, inputs, labels, logits, leaves)


def test_pooled_logits_and_gradients_equal_torch():
    model = PooledClassifier(6, 2, 3, (3, 2), heads=2, output=True)
    *inputs, labels = batch(model.classes)
    x, position, mask = map(torch.tensor, inputs)
    leaves = as_leaves(model)
    q, k, v = (
        (x @ leaves[name]).unflatten(-1, (2, -1)).transpose(1, 2)
        for name in WEIGHTS[:3]
    )
    hidden = mask[:, None, None]
    z = torch.nn.functional.scaled_dot_product_attention(q, k, v, hidden)
    rows = z.transpose(1, 2).flatten(2) @ leaves["w_o"]
    rows = rows.masked_fill(~mask[..., None], torch.nan)
    expected = rows.nanmean(dim=1) @ leaves["w_c"] + leaves["b_c"]
    assert_equal_torch(model, inputs, labels, expected, leaves)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_shared_heads_equal_torch(groups):
    """torch's own grouped attention is the oracle."""
    model = GroupedClassifier(
        6, 2, 3, (3, 2), heads=4, output=True, key_value_heads=groups
    )
    assert model.parameters["w_k"].shape == (6, 2 * groups)
    assert model.cached_numbers == 5 * groups
    *inputs, labels = batch(model.classes)
    x, position, mask = map(torch.tensor, inputs)
    leaves = as_leaves(model)
    counts = zip(WEIGHTS[:3], (4, groups, groups), strict=True)
    q, k, v = (
        (x @ leaves[name]).unflatten(-1, (count, -1)).transpose(1, 2)
        for name, count in counts
    )
    z = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, mask[:, None, None], enable_gqa=True
    )
    rows = z.transpose(1, 2).flatten(2)[torch.arange(len(x)), position]
    expected = rows @ leaves["w_o"] @ leaves["w_c"] + leaves["b_c"]
    assert_equal_torch(model, inputs, labels, expected, leaves)


def test_shared_heads_start_as_the_first_of_each_group():
    options = dict(heads=4, output=True, seed=3)
    whole = AttentionClassifier(6, 2, 3, (3,), **options).parameters
    shared = GroupedClassifier(6, 2, 3, (3,), key_value_heads=2, **options)
    first = whole["w_v"].reshape(6, 4, 3)[:, [0, 2]].reshape(6, 6)
    assert_array_equal(shared.parameters["w_v"], first)
    assert_array_equal(shared.parameters["w_o"], whole["w_o"])


def test_a_model_keeps_its_weights_until_told_and_projects():
    model = build(STACK | {"heads": 2, "d_v": 3})
    x, position, mask, _ = batch()
    _, weights = model.forward(x, position, mask)
    assert [w.shape for w in model.weights] == [(5, 2, 4, 4), (5, 2, 1, 4)]
    assert_array_equal(model.weights[1][:, :, 0], weights)
    w = [model.parameters[f"w_{name}0"] for name in "qkv"]
    assert_allclose(model.project(x), [x @ each for each in w])
    model.clear_cache()
    assert model.weights == []


def test_head_mask_removes_a_head():
    model = build(STACK | {"heads": 2})
    *inputs, _ = batch()
    whole, _ = model.forward(*inputs)
    same, _ = model.forward(*inputs, head_mask=np.ones((2, 2)))
    assert_allclose(same, whole)
    less, _ = model.forward(*inputs, head_mask=[[1, 1], [1, 0]])
    model.parameters["w_o1"][4:] = 0  # nobody hears head 1 of layer 1
    assert_allclose(model.forward(*inputs)[0], less)
    flat = build({"heads": 2})
    less, _ = flat.forward(*inputs, head_mask=[0, 1])
    flat.parameters["w_c"][:4] = 0
    assert_allclose(flat.forward(*inputs)[0], less, atol=1e-15)


def test_training_keeps_averaged_heads_alike():
    model = build(VARIANTS["averaged heads"])
    start = model.parameters["w_o"].copy()
    fit(model, [batch()] * 3, epochs=2)
    w_o = model.parameters["w_o"]
    assert_array_equal(w_o[:4], w_o[4:])
    assert not np.array_equal(w_o, start)
    means = same_rows(np.arange(8.0).reshape(4, 2), 2)
    assert_array_equal(means, [[2, 3], [4, 5]] * 2)


def test_the_seed_decides_and_gain_scales_query_and_key_alone():
    one, same, other = (build(seed=s).parameters for s in (0, 0, 1))
    large = build({"gain": 2.0}).parameters
    for name, array in one.items():
        assert_array_equal(array, same[name])
        assert_array_equal((1 + (name in ("w_q", "w_k"))) * array, large[name])
    assert not np.array_equal(one["w_q"], other["w_q"])
    for name in ("tied", "uniform", "output projection"):
        variant = build(VARIANTS[name] | {"heads": 1}).parameters
        for matrix in {"w_q", "w_v"} & variant.keys():
            assert_array_equal(one[matrix], variant[matrix])


# Files


@variants
def test_a_saved_model_answers_the_same(options, tmp_path):
    model = build(options)
    model.save(tmp_path / "model.safetensors")
    loaded = type(model).load(tmp_path / "model.safetensors")
    *inputs, labels = batch(model.classes)
    assert_array_equal(model.forward(*inputs)[0], loaded.forward(*inputs)[0])
    assert loaded.options == model.options
    assert loaded.num_parameters == model.num_parameters
    loaded.loss_and_gradients(*inputs, labels)


def write(path, change=None, options=None, wrong=None, metadata=True):
    model = build()
    arrays = model.parameters | (change or {})
    arrays = {name: a for name, a in arrays.items() if a is not None}
    options = options or json.dumps(model.options | (wrong or {}))
    save_file(arrays, path, {"options": options} if metadata else None)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"change": {"w_q": np.ones((6, 4))}}, r"w_q has shape \(6, 4\)"),
        ({"change": {"w_v": None}}, r"holds.*asks? for.*w_v"),
        ({"change": {"w_x": np.ones(2)}}, "holds the arrays.*w_x"),
        ({"change": {"b_c": np.ones(3, "f4")}}, "b_c must hold.*float32"),
        ({"change": {"b_c": np.full(3, np.nan)}}, "b_c must hold finite"),
        ({"metadata": False}, "no options"),
        ({"options": "{"}, "no options"),
        ({"options": "{}"}, "no AttentionClassifier.*d_model"),
        ({"wrong": {"d_k": 0}}, "no AttentionClassifier.*d_k"),
        ({"wrong": {"d_k": 10**15}}, "w_q has shape"),
        ({"wrong": {"scoring": ["tied"]}}, "no AttentionClassifier.*scoring"),
        ({"wrong": {"classes": 3}}, "no AttentionClassifier"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(arguments, message, tmp_path):
    path = write(tmp_path / "model.safetensors", **arguments)
    with pytest.raises(ValueError, match=message) as caught:
        AttentionClassifier.load(path)
    assert str(path) in str(caught.value)


def test_a_full_disk_leaves_the_old_model(tmp_path, fill_disk):
    path = tmp_path / "model.safetensors"
    AttentionClassifier(seed=0).save(path)
    before = path.read_bytes()
    fill_disk()
    with pytest.raises(OSError, match="No space"):
        AttentionClassifier(seed=1).save(path)
    assert [*tmp_path.iterdir()] == [path] and path.read_bytes() == before


def test_a_damaged_or_missing_file_is_named(tmp_path):
    path = write(tmp_path / "model.safetensors")
    whole = path.read_bytes()
    for damaged in (b"", whole[:5], whole[:-3], b"\xff" * 40, whole + b"!"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="damaged"):
            AttentionClassifier.load(path)
    for missing in (tmp_path / "nowhere.safetensors", tmp_path):
        with pytest.raises(FileNotFoundError, match=missing.name):
            AttentionClassifier.load(missing)


# What is taught is what is trained

ROOT = Path(helpers.__file__).parent


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("which_noun", {}),  # notebook 02
        ("who_whom", {"heads": 2, "output": True}),  # notebook 04
        ("two_hop", {"heads": 2, **STACK}),
    ],
)
def test_a_training_step_enters_attention_and_gradients(name, options):
    task = tasks.load(name, 1, train_count=8, test_count=2)
    model = AttentionClassifier(classes=tasks.CLASSES[name], **options)
    batches = list(Batches(task.train, seed=0, batch_size=8))
    entered = Counter()

    def trace(frame, event, _):
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(ROOT):
            entered[path.stem, frame.f_code.co_name] += 1

    sys.setprofile(trace)
    try:
        fit(model, batches, epochs=1, show=False)
    finally:
        sys.setprofile(None)
    layers, answers = model.layers, len(model.classes)
    for call, count in {
        ("attention", "scaled_dot_product_attention"): layers,
        ("attention", "softmax_in_place"): layers + answers,
        ("attention", "view_heads"): 4 * layers,  # one on the way back
        ("gradients", "attention_backward"): layers,
        ("training", "cross_entropy"): answers,
    }.items():
        assert entered[call] == count, call


# The probe


def test_linear_probe_equals_the_normal_equations_and_counts(rng):
    x, labels = rng.standard_normal((30, 4)), rng.integers(0, 3, 30)
    new = rng.standard_normal((200, 4))
    assert LinearProbe().num_parameters == 0
    probe = LinearProbe(ridge=0.5).fit(x, labels)
    assert probe.num_parameters == 5 * 3
    one_hot = np.eye(3)[labels]
    rows = np.vstack([(x - x.mean(0)) / x.std(0), np.sqrt(15) * np.eye(4)])
    targets = np.vstack([one_hot - one_hot.mean(0), np.zeros((4, 3))])
    weight = np.linalg.lstsq(rows, targets, rcond=None)[0]
    scores = (new - x.mean(0)) / x.std(0) @ weight + one_hot.mean(0)
    assert_array_equal(probe.predict(new), scores.argmax(axis=1))
    assert_allclose(probe.weight * x.std(0)[:, None], weight, atol=1e-12)
    assert_allclose(new @ probe.weight + probe.bias, scores, atol=1e-12)
