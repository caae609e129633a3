"""The trainable models against helpers.attention and finite differences."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from helpers.attention import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from helpers.experiments import evaluate
from helpers.gradients import finite_differences, relative_error
from helpers.models import AttentionReadout, LinearReadout
from helpers.tasks import Examples, Sentences
from helpers.training import loss_and_gradient

VARIANTS = {
    "one head": {},
    "two heads": {"heads": 2},
    "output projection": {"heads": 2, "output": True},
    "tied": {"scoring": "tied"},
    "tied heads": {"scoring": "tied", "heads": 2, "output": True},
    "identity": {"values": "identity"},
    "frozen": {"scoring": "frozen"},
    "uniform": {"scoring": "uniform"},
    "uniform heads": {"scoring": "uniform", "heads": 2},
    "two answers": {"classes": (2, 3), "heads": 2},
    "scale": {"scale": 1.0},
}
variants = pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)


def build(options, seed=0):
    sizes = dict(d_model=6, d_k=3, d_v=4, classes=(3,))
    return AttentionReadout(**(sizes | options), seed=seed)


def batch(model, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((5, 4, 6))
    mask = np.arange(4) < np.array([2, 4, 3, 4, 2])[:, None]
    query = np.array([1, 0, 2, 3, 0])
    labels = np.stack([rng.integers(0, c, 5) for c in model.classes], axis=1)
    return x, query, mask, labels


@variants
def test_forward_equals_attention_with_keys_and_values_built(options):
    model = build(options)
    x, query, mask, _ = batch(model)
    logits, weights = model.forward(x, query, mask)
    if model.options["scoring"] == "uniform":
        q = k = np.zeros((5, 4, model.heads))
        v = x @ model.arrays["w_v"]
    else:
        q, k, v = model.project(x)
    context, expected = scaled_dot_product_attention(
        *(split_heads(part, model.heads) for part in (q, k, v)),
        mask=mask[:, None, None],
        scale=model.scale,
    )
    rows = np.arange(5)
    told = merge_heads(context)[rows, query]
    if "w_o" in model.arrays:
        told = told @ model.arrays["w_o"]
    np.testing.assert_allclose(weights, expected[rows, :, query], atol=1e-14)
    np.testing.assert_allclose(
        logits, told @ model.arrays["w_c"] + model.arrays["b_c"], atol=1e-13
    )


@variants
def test_backward_equals_finite_differences(options):
    model = build(options)
    x, query, mask, labels = batch(model)

    def loss():
        logits, _ = model.forward(x, query, mask)
        return loss_and_gradient(logits, labels, model.classes)

    gradients = model.backward(loss()[1])
    for name, gradient in gradients.items():

        def changed(array, name=name):
            kept, model.arrays[name] = model.arrays[name], array
            value = loss()[0]
            model.arrays[name] = kept
            return value

        expected = finite_differences(changed, model.arrays[name])
        assert relative_error(gradient, expected) <= 1e-6, name
    trained = sum(gradient.size for gradient in gradients.values())
    assert model.parameters == trained


def test_variants_have_the_arrays_they_promise():
    names = {name: set(build(o).arrays) for name, o in VARIANTS.items()}
    assert names["one head"] == {"w_q", "w_k", "w_v", "w_c", "b_c"}
    assert names["output projection"] - names["one head"] == {"w_o"}
    assert names["tied"] == names["one head"] - {"w_k"}
    assert names["identity"] == names["one head"] - {"w_v"}
    assert names["uniform"] == {"w_v", "w_c", "b_c"}
    frozen = build({"scoring": "frozen"})
    frozen.forward(*batch(frozen)[:3])
    assert set(frozen.backward(np.ones((5, 3)))) == {"w_v", "w_c", "b_c"}


def test_the_seed_decides_and_gain_scales_query_and_key_alone():
    one, same, other = (build({}, seed=s) for s in (0, 0, 1))
    large = build({"gain": 2.0})
    for name, array in one.arrays.items():
        np.testing.assert_array_equal(array, same.arrays[name])
        factor = 2 if name in ("w_q", "w_k") else 1
        np.testing.assert_array_equal(factor * array, large.arrays[name])
    assert not np.array_equal(one.arrays["w_q"], other.arrays["w_q"])


def test_first_numbers_of_the_seed():
    """The stored notebooks rest on the order in which arrays are drawn."""
    drawn = np.random.default_rng(3).standard_normal(6 * 3) / np.sqrt(6)
    np.testing.assert_array_equal(build({}, 3).arrays["w_q"].ravel(), drawn)


def test_words_behind_the_mask_change_nothing():
    model = build({})
    x, query, mask, _ = batch(model)
    before, _ = model.forward(x, query, mask)
    after, weights = model.forward(
        np.where(mask[..., None], x, 9.0), query, mask
    )
    np.testing.assert_array_equal(before, after)
    assert not weights.swapaxes(1, 2)[~mask].any()


def test_a_head_can_be_removed():
    model = build({"heads": 2})
    x, query, mask, _ = batch(model)
    logits, _ = model.forward(x, query, mask, head_gain=[0, 1])
    model.arrays["w_c"][:4] = 0  # what head 0 would have told
    np.testing.assert_allclose(
        logits, model.forward(x, query, mask)[0], atol=1e-15
    )


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"d_k": 0}, "d_k"),
        ({"d_k": "x"}, "d_k"),
        ({"d_model": 6.0}, "d_model"),
        ({"classes": (2, 0)}, "classes"),
        ({"scoring": "hard"}, "scoring"),
        ({"values": None}, "values"),
        ({"values": "identity", "heads": 2}, "identity"),
        ({"output": 1}, "output"),
        ({"scale": "root"}, "scale"),
        ({"gain": np.nan}, "gain"),
    ],
)
def test_bad_options_are_named(options, name):
    with pytest.raises((TypeError, ValueError), match=name):
        build(options)


def test_uniform_weights_have_no_query_to_show():
    with pytest.raises(ValueError, match="uniform"):
        build({"scoring": "uniform"}).project(np.ones((2, 6)))


def test_evaluate_counts_answers_and_weighs_targets():
    model = build({"classes": (2, 3), "heads": 2})
    x, query, mask, labels = batch(model)
    targets = np.array([[0, 1]] * 5)
    sentences = Sentences([["a"]] * 5, query, targets, labels, targets, labels)
    found = evaluate(model, Examples(sentences, x, mask))
    logits, weights = model.forward(x, query, mask)
    right = logits[:, :2].argmax(1) == labels[:, 0]
    assert found.accuracy[0] == right.mean() and found.accuracy.shape == (2,)
    np.testing.assert_allclose(found.mass, weights[:, :, :2].mean(0))
    assert found.mass.shape == (2, 2)  # (H, G)


@variants
def test_a_saved_model_answers_the_same(options, tmp_path):
    model = build(options)
    model.save(tmp_path / "model.safetensors")
    loaded = AttentionReadout.load(tmp_path / "model.safetensors")
    data = batch(model)[:3]
    np.testing.assert_array_equal(
        model.forward(*data)[0], loaded.forward(*data)[0]
    )
    assert loaded.options == model.options


def write(path, change=None, options=None, wrong=None, metadata=True):
    model = build({})
    model.options |= wrong or {}
    arrays = model.arrays | (change or {})
    arrays = {name: a for name, a in arrays.items() if a is not None}
    text = json.dumps(model.options) if options is None else options
    save_file(arrays, path, metadata={"options": text} if metadata else None)
    return path


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"change": {"w_q": np.ones((6, 4))}}, r"w_q has shape \(6, 4\)"),
        ({"change": {"w_q": np.ones((3, 6))}}, r"ask for \(6, 3\)"),
        ({"change": {"w_v": None}}, r"holds.*asks? for.*w_v"),
        ({"change": {"w_x": np.ones(2)}}, "holds the arrays.*w_x"),
        ({"change": {"b_c": np.ones(3, "f4")}}, "b_c must hold.*float32"),
        ({"change": {"b_c": np.full(3, np.nan)}}, "b_c must hold finite"),
        ({"metadata": False}, "no options"),
        ({"options": "{"}, "no options"),
        ({"wrong": {"d_k": 0}}, "no AttentionReadout.*d_k"),
        ({"wrong": {"d_k": 10**15}}, "w_q has shape"),
        ({"wrong": {"scoring": ["tied"]}}, "no AttentionReadout.*scoring"),
        ({"wrong": {"classes": 3}}, "no AttentionReadout"),
        ({"options": "{}"}, "no AttentionReadout.*d_model"),
        ({"options": "7"}, "no options"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(arguments, message, tmp_path):
    path = write(tmp_path / "model.safetensors", **arguments)
    with pytest.raises(ValueError, match=message):
        AttentionReadout.load(path)


def test_a_damaged_file_is_refused(tmp_path):
    path = write(tmp_path / "model.safetensors")
    whole = path.read_bytes()
    for damaged in (b"", whole[:5], whole[:-3], b"\xff" * 40, whole + b"!"):
        path.write_bytes(damaged)
        with pytest.raises(ValueError, match="damaged"):
            AttentionReadout.load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        AttentionReadout.load(tmp_path / "nowhere.safetensors")
    with pytest.raises(FileNotFoundError):
        AttentionReadout.load(tmp_path)


def test_linear_readout_recovers_a_linear_rule_and_counts():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((300, 4)) * [1, 10, 0.1, 0] + 5
    labels = (x[:, 0] - 5 > 0.1 * (x[:, 1] - 5)).astype(int)
    readout = LinearReadout().fit(x, labels)
    assert (readout.predict(x) == labels).mean() > 0.97
    assert readout.parameters == 5 * 2
    assert LinearReadout().parameters == 0


def test_linear_readout_equals_the_normal_equations():
    rng = np.random.default_rng(0)
    x, labels = rng.standard_normal((30, 4)), rng.integers(0, 3, 30)
    readout = LinearReadout(ridge=0.5).fit(x, labels)
    z = (x - x.mean(0)) / x.std(0)
    rows = np.vstack([z, np.sqrt(0.5 * 30) * np.eye(4)])
    targets = np.vstack([np.eye(3)[labels], np.zeros((4, 3))])
    centered = targets - np.vstack(
        [np.tile(np.eye(3)[labels].mean(0), (30, 1)), np.zeros((4, 3))]
    )
    expected = np.linalg.lstsq(rows, centered, rcond=None)[0]
    np.testing.assert_allclose(readout._weight, expected, atol=1e-12)


def test_linear_readout_refuses_what_does_not_fit():
    x, labels = np.ones((3, 2)), np.array([0, 1, 0])
    with pytest.raises(RuntimeError, match="fit"):
        LinearReadout().predict(x)
    for features, answers, message in (
        (x[0], labels, "features"),
        (np.ones((3, 2, 2)), labels, "features"),
        (x * np.nan, labels, "features"),
        (x, labels[:2], "labels"),
        (x, labels - 1, "labels"),
        (x, labels + 0.5, "labels"),
    ):
        with pytest.raises((TypeError, ValueError), match=message):
            LinearReadout().fit(features, answers)
    with pytest.raises(ValueError, match="2 columns"):
        LinearReadout().fit(x, labels).predict(np.ones((3, 3)))
    with pytest.raises(ValueError, match="ridge"):
        LinearReadout(ridge=0)
