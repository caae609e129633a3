"""Several heads: their backward pass, positions, and stacked layers."""

import numpy as np
import pytest

from helpers import tasks
from helpers.attention import multi_head_attention
from helpers.experiments import evaluate
from helpers.gradients import finite_differences
from helpers.gradients import multi_head_attention_backward
from helpers.head_experiments import Trained
from helpers.head_probes import (
    AveragedReadout,
    average_heads,
    share_right,
    told_the_words,
)
from helpers.models import AttentionReadout, AttentionStack
from helpers.positions import sinusoidal_positions
from helpers.tasks import Examples, Sentences
from helpers.training import fit, loss_and_gradient

T, D_MODEL, HEADS, D_K, D_V = 5, 6, 2, 3, 4
MASK = np.random.default_rng(0).random((T, T)) < 0.6
MASK[2] = False  # a word that may look at nothing
OPTIONS = {
    "plain": {},
    "causal": {"is_causal": True},
    "mask with an empty row": {"mask": MASK},
    "mask and causal": {"mask": MASK, "is_causal": True},
    "added mask": {"mask": np.where(MASK, 0.5, -np.inf)},
}
each_option = pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)


def inputs(batch=(), biases=True, seed=0):
    rng = np.random.default_rng(seed)
    shapes = {
        "x": (*batch, T, D_MODEL),
        "w_q": (D_MODEL, HEADS * D_K),
        "w_k": (D_MODEL, HEADS * D_K),
        "w_v": (D_MODEL, HEADS * D_V),
        "w_o": (HEADS * D_V, D_MODEL),
    }
    if biases:
        for name in "qkvo":
            shapes[f"b_{name}"] = shapes[f"w_{name}"][1:]
    arrays = {n: rng.standard_normal(shape) for n, shape in shapes.items()}
    return arrays, rng.standard_normal(shapes["x"])


def forward(arrays, **options):
    return multi_head_attention(**arrays, num_heads=HEADS, **options)[0]


def backward(grad, arrays, **options):
    return multi_head_attention_backward(
        grad, **arrays, num_heads=HEADS, **options
    )


@pytest.mark.parametrize("biases", [True, False])
@each_option
def test_backward_equals_finite_differences(biases, options):
    arrays, grad = inputs((2,), biases, seed=1)
    ours = backward(grad, arrays, **options)
    assert ours.keys() == arrays.keys()
    for name in arrays:

        def loss(changed, name=name):
            return (grad * forward(arrays | {name: changed}, **options)).sum()

        expected = finite_differences(loss, arrays[name])
        assert ours[name] == pytest.approx(expected, abs=1e-6), name


def test_one_bias_alone():
    arrays, grad = inputs(biases=False)
    arrays["b_v"] = np.ones(HEADS * D_V)
    found = backward(grad, arrays)
    assert "b_v" in found and "b_q" not in found and "b_o" not in found


@each_option
def test_a_key_bias_moves_nothing(options):
    """It adds one number to all scores of a row."""
    arrays, grad = inputs()
    assert np.abs(backward(grad, arrays, **options)["b_k"]).max() < 1e-12


def test_grad_output_must_fit():
    arrays, grad = inputs((2,))
    with pytest.raises(ValueError, match=r"grad_output.*\(2, 5, 6\)"):
        backward(grad[:1], arrays)
    with pytest.raises(ValueError, match="num_heads"):
        multi_head_attention_backward(grad, **arrays, num_heads=4)


def test_backward_changes_no_argument():
    arrays, grad = inputs((2,))
    copies = {name: array.copy() for name, array in arrays.items()}
    backward(grad, arrays)
    assert all(np.array_equal(arrays[n], copies[n]) for n in arrays)


# Positions


def test_positions_by_hand():
    found = sinusoidal_positions(3, 4, base=100.0)
    slow = 2 / 10  # frequency 100 ** (-2 / 4)
    expected = [np.sin(2), np.cos(2), np.sin(slow), np.cos(slow)]
    assert found.shape == (3, 4)
    assert found[0] == pytest.approx([0, 1, 0, 1])
    assert found[2] == pytest.approx(expected)


def test_distance_alone_decides_the_product_of_two_positions():
    table = sinusoidal_positions(30, 16)
    products = table @ table.T
    for distance in range(5):
        line = np.diagonal(products, distance)
        assert line == pytest.approx(line[0])
    assert products[0].argmax() == 0


@pytest.mark.parametrize(
    "arguments", [(0, 4), (3, 5), (3, 4, 0.0), (3, 4, -1.0), (3, -2)]
)
def test_positions_refuse(arguments):
    with pytest.raises(ValueError, match="length|d_model|base"):
        sinusoidal_positions(*arguments)


# Stacked layers

VARIANTS = {
    "one layer": {"layers": 1},
    "two layers": {},
    "two heads": {"heads": 2, "d_v": 2},
    "three layers": {"layers": 3},
    "no residual": {"residual": False},
    "hidden layer": {"hidden": 5},
    "two answers": {"classes": (2, 3)},
}


def build(options, seed=0):
    sizes = dict(d_model=6, d_k=3, d_v=4, classes=(3,))
    return AttentionStack(**(sizes | options), seed=seed)


def examples(classes, seed=3):
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((4, 5, 6))
    mask = np.arange(5) < np.array([5, 3, 4, 5])[:, None]
    query = np.array([4, 2, 0, 1])
    labels = np.stack([rng.integers(0, c, 4) for c in classes], axis=1)
    return x * mask[..., None], query, mask, labels


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_stack_gradients_equal_finite_differences(options):
    model = build(options)
    *inputs, labels = examples(model.classes)

    def loss(changed, name):
        kept, model.arrays[name] = model.arrays[name], changed
        logits, _ = model.forward(*inputs)
        model.arrays[name] = kept
        return loss_and_gradient(logits, labels, model.classes)[0]

    logits, _ = model.forward(*inputs)
    _, grad = loss_and_gradient(logits, labels, model.classes)
    ours = model.backward(grad)
    assert ours.keys() == model.arrays.keys()
    for name, array in model.arrays.items():
        expected = finite_differences(lambda a, n=name: loss(a, n), array)
        assert ours[name] == pytest.approx(expected, abs=1e-7), name


@pytest.mark.parametrize("residual", [True, False])
def test_stack_is_multi_head_attention_layer_by_layer(residual):
    model = build({"heads": 2, "d_v": 3, "residual": residual})
    x, query, mask, _ = examples((3,))
    logits, weights = model.forward(x, query, mask)
    for layer in range(2):
        w = [model.arrays[f"w_{name}{layer}"] for name in "qkvo"]
        added, a = multi_head_attention(x, *w, 2, mask=mask[:, None, None])
        x = x + added if residual else added
    rows = np.arange(4)
    expected = x[rows, query] @ model.arrays["w_c"] + model.arrays["b_c"]
    assert logits == pytest.approx(expected)
    assert weights == pytest.approx(a[rows, :, query])
    assert model.layer_weights[0].shape == (4, 2, 5, 5)


def test_head_gain_removes_a_head():
    model = build({"heads": 2})
    *inputs, _ = examples((3,))
    whole, _ = model.forward(*inputs)
    same, _ = model.forward(*inputs, head_gain=np.ones((2, 2)))
    less, _ = model.forward(*inputs, head_gain=[[1, 1], [1, 0]])
    assert same == pytest.approx(whole)
    model.arrays["w_o1"][4:] = 0  # what head 1 says is not heard
    assert model.forward(*inputs)[0] == pytest.approx(less)


def test_padding_is_never_seen():
    model = build({})
    x, query, mask, _ = examples((3,))
    known, _ = model.forward(x, query, mask)
    noisy = np.where(mask[..., None], x, 7.0)
    assert model.forward(noisy, query, mask)[0] == pytest.approx(known)


# Experiments


def trained(model, test):
    return Trained([model], [test], [evaluate(model, test)])


def small_readout():
    sizes = dict(d_model=6, d_k=3, d_v=3, classes=(2, 3), heads=2)
    model = AttentionReadout(**sizes, output=True, seed=1)
    rng = np.random.default_rng(5)
    x, query, mask, _ = examples((2, 3))
    labels = np.stack([rng.integers(0, c, 4) for c in (2, 3)], axis=1)
    targets = np.zeros((4, 2), int)
    places = np.zeros((4, 1), int)
    part = Sentences([["a"]] * 4, query, targets, labels, places, places)
    return model, Examples(part, x, mask)


def test_joint_accuracy_needs_both_answers():
    found = trained(*small_readout())
    correct = found.evaluations[0].correct
    assert found.joint[0] == (correct[:, 0] & correct[:, 1]).mean()
    assert found.accuracy[0] == pytest.approx(correct.mean(axis=0))
    assert found.mass.shape == (1, 2, 2)


def test_a_head_without_rows_in_w_o_is_not_missed():
    model, test = small_readout()
    model.arrays["w_o"][3:] = 0
    found = trained(model, test)
    assert found.without_heads(1) == pytest.approx(found.accuracy)


def test_without_both_heads_only_the_bias_answers():
    model, test = small_readout()
    found = trained(model, test).without_heads(0, 1)
    model.arrays["w_o"][:] = 0
    assert found == pytest.approx(trained(model, test).accuracy)


def test_an_averaged_readout_keeps_its_rows_alike():
    sizes = dict(d_model=6, d_k=3, d_v=3, classes=(2, 3), heads=2)
    model = AveragedReadout(**sizes, output=True, seed=1)
    test = small_readout()[1]
    fit(model, test, seed=0, epochs=2, batch=2, show=False)
    w_o = model.arrays["w_o"]
    assert np.array_equal(w_o[:3], w_o[3:])
    assert average_heads(trained(model, test)) == trained(model, test).joint


def test_the_reader_told_the_words_is_not_told_their_places(monkeypatch):
    load, told = tasks.load, []
    for size in (0, 50):

        def stub(name, seed, size=size):
            return load(name, seed, train_count=200, positions=size)

        monkeypatch.setattr(tasks, "load", stub)
        told.append(told_the_words("who_whom", [1])[0])
    assert 0.5 < told[0] == told[1] <= 1


def test_share_right_of_attention_itself_is_the_accuracy():
    model, test = small_readout()
    w = [model.arrays[f"w_{name}"] for name in "qkvo"]
    mask = test.mask[:, None, None]
    output, _ = multi_head_attention(test.x, *w, 2, mask=mask)
    told = output[np.arange(4), test.sentences.position]
    found = trained(model, test)
    assert share_right(model, told, test) == found.joint[0]


def test_average_of_equal_heads_changes_nothing():
    model, test = small_readout()
    model.arrays["w_o"][3:] = model.arrays["w_o"][:3]
    found = trained(model, test)
    assert average_heads(found) == pytest.approx(found.joint)


def test_averaging_leaves_the_model_as_it_was():
    model, test = small_readout()
    kept = model.arrays["w_o"].copy()
    average_heads(trained(model, test))
    assert np.array_equal(model.arrays["w_o"], kept)


def test_reports(capsys):
    found = trained(*small_readout())
    found.report("two heads", ("first", "second"))
    found.show_heads(("first", "second"))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("two heads: first 0.")
    assert "both 0." in lines[0]
    rows = [line.split()[:2] for line in lines[3:]]
    assert rows == [["1", "none"], ["1", "1"], ["1", "2"]]
    assert lines[3].split()[4:] == [f"{n:.2f}" for n in found.accuracy[0]]
