"""The loss and the optimizers against torch; what `fit` promises."""

import sys
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal

from helpers import progress_bar as progress
from helpers.training import (
    SGD,
    Adam,
    Batches,
    TrainingDivergedError,
    answer_slices,
    cross_entropy,
    fit,
    loss_and_gradient,
    predict,
)

both = pytest.mark.parametrize("optimizer", [Adam, SGD])


class LinearModel:
    """The smallest model that `fit` takes: logits = x @ w + b."""

    def __init__(self, width=4, classes=2):
        rng = np.random.default_rng(0)
        w = rng.standard_normal((width, classes))
        self.parameters = {"w": w, "b": np.zeros(classes)}

    def loss_and_gradients(self, x, labels):
        p = self.parameters
        loss, grad = cross_entropy(x @ p["w"] + p["b"], labels)
        return loss, {"w": x.T @ grad, "b": grad.sum(axis=0)}


class Told(LinearModel):
    """A model whose losses are given."""

    def __init__(self, *losses):
        super().__init__()
        self.losses = iter(losses)

    def loss_and_gradients(self, x, labels):
        return next(self.losses), super().loss_and_gradients(x, labels)[1]


def linear_batches(count=5, size=8):
    """A list of batches that a linear model can learn."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((count, size, 4))
    return [(part, (part[:, 0] > 0).astype(int)) for part in x]


def examples(count=42, length=5, width=6):
    """What `Batches` reads of tasks.Examples."""
    rng = np.random.default_rng(0)
    sentences = SimpleNamespace(
        position=rng.integers(0, length, count),
        labels=rng.integers(0, 2, (count, 2)),
    )
    return SimpleNamespace(
        sentences=sentences,
        x=rng.standard_normal((count, length, width)),
        mask=rng.random((count, length)) < 0.5,
    )


# The loss


def test_cross_entropy_and_its_gradient(rng):
    logits, labels = rng.standard_normal((7, 4)), rng.integers(0, 4, 7)
    loss, gradient = cross_entropy(logits, labels)
    leaf = torch.tensor(logits, requires_grad=True)
    expected = torch.nn.functional.cross_entropy(leaf, torch.tensor(labels))
    expected.backward()
    assert loss == pytest.approx(expected.item(), rel=1e-12)
    largest = np.abs(leaf.grad.numpy()).max() or 1.0
    assert_allclose(gradient, leaf.grad.numpy(), rtol=0, atol=1e-10 * largest)


def test_cross_entropy_of_rows_1000_apart():
    """One shift for all rows would leave the low ones log(0)."""
    assert cross_entropy([[2000.0, 0.0]], [1])[0] == 2000
    logits = np.array([[1000.0, 999.0], [0.0, -1.0], [-1000.0, -1001.0]])
    loss, gradient = cross_entropy(logits, [0, 0, 0])
    assert loss == pytest.approx(np.log(1 + np.exp(-1)), rel=1e-12)
    assert_allclose(gradient, gradient[[0, 0, 0]], rtol=1e-12)


def test_several_answers_add_up(rng):
    logits = rng.standard_normal((4, 5))
    labels = np.stack([rng.integers(0, 2, 4), rng.integers(0, 3, 4)], axis=1)
    assert answer_slices((2, 3)) == [slice(0, 2), slice(2, 5)]
    best = [logits[:, :2].argmax(axis=1), logits[:, 2:].argmax(axis=1)]
    assert_array_equal(predict(logits, (2, 3)), np.transpose(best))
    loss, gradient = loss_and_gradient(logits, labels, (2, 3))
    first = cross_entropy(logits[:, :2], labels[:, 0])
    second = cross_entropy(logits[:, 2:], labels[:, 1])
    assert loss == first[0] + second[0]
    assert_array_equal(gradient, np.hstack([first[1], second[1]]))


# The optimizers


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (Adam, torch.optim.Adam),
        (
            partial(Adam, beta1=0.5, beta2=0.75, epsilon=0.5),
            partial(torch.optim.Adam, betas=(0.5, 0.75), eps=0.5),
        ),
        (SGD, torch.optim.SGD),
    ],
)
def test_optimizers_step_as_in_torch(rng, ours, theirs):
    arrays = {
        "a": rng.standard_normal((3, 4)),
        "b": rng.standard_normal(5) * 1e-6,
    }
    leaves = {
        n: torch.tensor(a, requires_grad=True) for n, a in arrays.items()
    }
    our, their = ours(arrays, 0.05), theirs(leaves.values(), lr=0.05)
    for _ in range(20):
        gradients = {
            n: rng.standard_normal(a.shape) * 10.0 ** rng.integers(-6, 3)
            for n, a in arrays.items()
        }
        for name, gradient in gradients.items():
            leaves[name].grad = torch.from_numpy(gradient)
        their.step()
        our.step(gradients)
        for name, leaf in leaves.items():
            expected = leaf.detach().numpy()
            assert_allclose(arrays[name], expected, rtol=1e-12, atol=1e-15)


@both
def test_parameters_without_a_gradient_stay(optimizer):
    parameters = {"a": np.ones(2), "b": np.ones(2)}
    optimizer(parameters, 0.1).step({"a": np.ones(2)})
    assert (parameters["a"] < 1).all() and (parameters["b"] == 1).all()


# Batches


def test_an_epoch_takes_every_example_once_in_an_order_of_the_seed():
    data = examples()
    batches = Batches(data, seed=0, batch_size=8, noise_std=0)
    parts = list(batches)
    assert [len(x) for x, *_ in parts] == [8] * 5 + [2]
    x, position, mask, labels = map(np.concatenate, zip(*parts, strict=True))
    rows = [int(np.flatnonzero((data.x == a).all((1, 2)))[0]) for a in x]
    assert sorted(rows) == list(range(42)) != rows
    assert_array_equal(position, data.sentences.position[rows])
    assert_array_equal(mask, data.mask[rows])
    assert_array_equal(labels, data.sentences.labels[rows])
    first = parts[0][0]
    again = Batches(data, seed=0, batch_size=8, noise_std=0)
    assert_array_equal(next(iter(again))[0], first)
    assert not np.array_equal(next(iter(again))[0], first)  # a new epoch
    other = Batches(data, seed=1, batch_size=8, noise_std=0)
    assert not np.array_equal(next(iter(other))[0], first)


def test_noise_is_normal_and_new_and_leaves_the_examples_alone():
    data = examples(count=64, length=9, width=32)
    data.x[:] = 0
    batches = Batches(data, seed=0, batch_size=64, noise_std=0.5)
    (noise, *_), (again, *_) = next(iter(batches)), next(iter(batches))
    assert abs(noise.mean()) < 0.02
    assert noise.std() == pytest.approx(0.5, rel=0.03)
    assert (abs(noise) < 0.5).mean() == pytest.approx(0.683, abs=0.02)
    assert not np.isin(noise, again).all()
    assert not data.x.any()
    for x, *_ in Batches(data, seed=0, noise_std=0):
        x += 1
    assert not data.x.any()


# fit


@both
def test_fit_trains_any_model_on_any_batches(optimizer):
    model, batches = LinearModel(), linear_batches()
    rate = {Adam: 0.05, SGD: 1.0}[optimizer]
    history = fit(
        model, batches, epochs=30, learning_rate=rate, optimizer=optimizer
    )
    assert len(history.losses) == 30 and not history.stopped
    assert history.losses[-1] < 0.5 * history.losses[0]
    right = [
        (x @ model.parameters["w"] + model.parameters["b"]).argmax(1) == labels
        for x, labels in batches
    ]
    assert np.mean(right) > 0.9


def test_an_epoch_means_the_losses_of_its_batches():
    model, batches = LinearModel(), linear_batches()
    expected = np.mean([model.loss_and_gradients(*b)[0] for b in batches])
    found = fit(model, batches, epochs=2, learning_rate=0.0).losses
    assert found == pytest.approx([expected] * 2)


@pytest.mark.parametrize(
    ("decay", "expected"), [(True, [0.4, 0.3, 0.2, 0.1]), (False, [0.4] * 4)]
)
def test_the_learning_rate_falls_on_a_straight_line(decay, expected):
    seen = []

    class Spy(SGD):
        def step(self, gradients):
            seen.append(self.learning_rate)

    fit(
        LinearModel(),
        linear_batches(),
        epochs=4,
        learning_rate=0.4,
        linear_decay=decay,
        optimizer=Spy,
    )
    assert seen == pytest.approx(np.repeat(expected, 5))


def test_the_stop_button_keeps_what_was_learned(capsys):
    model, start = LinearModel(), LinearModel().parameters

    def stop(epoch):
        if epoch == 2:
            raise KeyboardInterrupt

    try:
        history = fit(model, linear_batches(), epochs=9, after_epoch=stop)
    except KeyboardInterrupt:
        pytest.fail("the stop button raised")
    printed = capsys.readouterr()
    assert history.stopped and len(history.losses) == 2
    assert "Stopped after 2 of 9 epochs" in printed.out and not printed.err
    for name, array in model.parameters.items():
        assert np.isfinite(array).all()
        assert not np.array_equal(array, start[name])


@both
def test_divergence_says_when_and_what_to_do(optimizer):
    with pytest.raises(
        TrainingDivergedError, match="epoch 1, step 2 .*1e.300.*smaller"
    ):
        fit(
            LinearModel(),
            [(1e10 * x, labels) for x, labels in linear_batches()],
            learning_rate=1e300,
            optimizer=optimizer,
        )


def test_divergence_says_the_losses_before():
    growing = Told(*[1.5] * 5, *[3e9] * 5, np.inf)
    with pytest.raises(
        TrainingDivergedError,
        match=r"epoch 3, step 1 .*before: 1\.5, 3e\+09\)",
    ):
        fit(growing, linear_batches(), epochs=4)


@pytest.mark.parametrize("step", [0, 3])
def test_a_loss_that_is_nan_is_noticed_whoever_computes_it(step):
    """A model with a loss of its own, such as a language model."""
    error = TrainingDivergedError if step else ValueError
    with pytest.raises(error, match="loss.*nan"):
        fit(Told(*[0.7] * step, np.nan), linear_batches(), epochs=1)


def test_batches_that_are_used_up_are_noticed():
    with pytest.raises(ValueError, match="batches: none in epoch 2"):
        fit(LinearModel(), iter(linear_batches()), epochs=2)


# The bar


@pytest.fixture
def nobody(monkeypatch):
    """No sign of a reader, in a kernel that nobody has called unwatched."""
    for name in (*progress.OPENED, progress.UNWATCHED):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(progress, "_seen", [])


def test_nothing_is_drawn_where_nobody_watches(capfd, nobody):
    fit(LinearModel(), linear_batches(), epochs=2)
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err == ""


@pytest.mark.parametrize("show", [True, False])
def test_the_bar_in_jupyter_ends_empty(monkeypatch, show):
    display = pytest.importorskip("IPython.display")
    monkeypatch.setenv("JPY_SESSION_NAME", "notebook.ipynb")
    drawn = []

    def draw(content, raw, display_id=None):
        drawn.append(content)
        return SimpleNamespace(update=draw)

    monkeypatch.setattr(display, "display", draw)
    fit(LinearModel(), linear_batches(), epochs=2, show=show)
    if show:
        assert "training:" in drawn[0]["text/plain"]
        assert drawn[-1] == {"text/plain": ""}
    else:
        assert drawn == []


@pytest.mark.parametrize("sign", ["Colab's variable", "Colab", "VS Code"])
def test_other_programs_than_jupyter_are_known(monkeypatch, nobody, sign):
    ipython = pytest.importorskip("IPython")
    assert not progress.is_watched()
    shell = SimpleNamespace(user_ns={})
    monkeypatch.setattr(ipython, "get_ipython", lambda: shell)
    assert not progress.is_watched()
    if sign == "Colab":
        monkeypatch.setitem(sys.modules, progress.COLAB, shell)
    elif sign == "VS Code":
        shell.user_ns[progress.VS_CODE] = "07.ipynb"
    else:
        monkeypatch.setenv("COLAB_RELEASE_TAG", "release")
    assert progress.is_watched()


@pytest.mark.parametrize("unwatched", [True, False])
def test_an_unknown_program_sees_the_bar_after_a_while(
    monkeypatch, nobody, unwatched
):
    display = pytest.importorskip("IPython.display")
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    monkeypatch.setattr(progress, "PATIENCE", -1)
    if unwatched:
        monkeypatch.setenv(progress.UNWATCHED, "1")
    drawn = []

    def draw(content, raw, display_id=None):
        drawn.append(content)
        return SimpleNamespace(update=draw)

    monkeypatch.setattr(display, "display", draw)
    fit(LinearModel(), linear_batches(), epochs=2)
    assert bool(drawn) is not unwatched
    assert progress.is_watched() is not unwatched
