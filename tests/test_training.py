"""The optimizers and the loss by hand, and the loop's promises."""

import numpy as np
import pytest

from helpers import training
from helpers.gradients import finite_differences, relative_error
from helpers.models import AttentionReadout
from helpers.tasks import Examples, Sentences
from helpers.training import (
    SGD,
    Adam,
    TrainingDivergedError,
    cross_entropy,
    fit,
    loss_and_gradient,
)


def examples(count=40, length=5, width=6, seed=0):
    """The query's label stands at the word whose first number is large."""
    rng = np.random.default_rng(seed)
    x = rng.standard_normal((count, length, width))
    targets = rng.integers(0, length - 1, count)
    x[np.arange(count), targets, 0] += 4
    labels = (x[np.arange(count), targets, 1] > 0).astype(int)
    sentences = Sentences(
        words=[["a"] * length] * count,
        position=np.full(count, length - 1),
        evidence=targets[:, None],
        labels=labels[:, None],
        nouns=targets[:, None],
        numbers=labels[:, None],
    )
    return Examples(sentences, x, np.ones((count, length), bool))


def model(seed=0, **options):
    return AttentionReadout(d_model=6, d_k=3, d_v=3, seed=seed, **options)


def test_adam_by_hand():
    """Kingma and Ba, algorithm 1, with other decay rates, two steps."""
    arrays = {"w": np.array([1.0])}
    adam = Adam(arrays, 0.1, beta1=0.5, beta2=0.75, epsilon=0.5)
    adam.step({"w": np.array([2.0])})
    # m = 1, v = 1, corrected: 1 / 0.5 = 2 and 1 / 0.25 = 4
    first = 1 - 0.1 * 2 / (2 + 0.5)
    assert arrays["w"][0] == pytest.approx(first, rel=1e-12)
    adam.step({"w": np.array([-4.0])})
    # m = 0.5 - 2 = -1.5, v = 0.75 + 4 = 4.75
    m, v = -1.5 / (1 - 0.25), 4.75 / (1 - 0.5625)
    second = first - 0.1 * m / (np.sqrt(v) + 0.5)
    assert arrays["w"][0] == pytest.approx(second, rel=1e-12)


def test_sgd_by_hand():
    arrays = {"w": np.array([1.0, 2.0])}
    SGD(arrays, 0.5).step({"w": np.array([1.0, -1.0])})
    np.testing.assert_array_equal(arrays["w"], [0.5, 2.5])


@pytest.mark.parametrize("optimizer", [Adam, SGD])
def test_arrays_without_a_gradient_stay(optimizer):
    arrays = {"a": np.ones(2), "b": np.ones(2)}
    optimizer(arrays, 0.1).step({"a": np.ones(2)})
    assert (arrays["a"] < 1).all() and (arrays["b"] == 1).all()


def test_cross_entropy_and_its_gradient():
    rng = np.random.default_rng(0)
    logits, labels = rng.standard_normal((7, 4)), rng.integers(0, 4, 7)
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    loss, gradient = cross_entropy(logits, labels)
    expected = -np.log(shares[np.arange(7), labels]).mean()
    assert loss == pytest.approx(expected, rel=1e-12)
    numeric = finite_differences(lambda x: cross_entropy(x, labels)[0], logits)
    assert relative_error(gradient, numeric) <= 1e-6


def test_cross_entropy_of_blind_guessing_and_of_huge_logits():
    assert cross_entropy(np.zeros((3, 4)), np.zeros(3, int))[0] == (
        pytest.approx(np.log(4))
    )
    loss, gradient = cross_entropy(np.array([[2000.0, 0.0]]), np.array([1]))
    assert loss == 2000
    np.testing.assert_array_equal(gradient, [[1, -1]])


@pytest.mark.parametrize(
    "labels", [np.array([0, 2]), np.array([0, -1]), np.array([0])]
)
def test_cross_entropy_refuses_labels_that_do_not_fit(labels):
    with pytest.raises(ValueError, match="labels"):
        cross_entropy(np.zeros((2, 2)), labels)


def test_several_answers_add_up():
    rng = np.random.default_rng(0)
    logits = rng.standard_normal((4, 5))
    labels = np.stack([rng.integers(0, 2, 4), rng.integers(0, 3, 4)], axis=1)
    loss, gradient = loss_and_gradient(logits, labels, (2, 3))
    first = cross_entropy(logits[:, :2], labels[:, 0])[0]
    assert loss == first + cross_entropy(logits[:, 2:], labels[:, 1])[0]
    expected = finite_differences(
        lambda x: loss_and_gradient(x, labels, (2, 3))[0], logits
    )
    assert relative_error(gradient, expected) <= 1e-6


def test_fit_learns_and_the_seed_decides():
    losses = []
    for _ in range(2):
        learner = model()
        history = fit(
            learner,
            examples(),
            seed=3,
            epochs=30,
            batch=8,
            noise=0.1,
            rate=0.02,
        )
        losses.append(history.losses)
    assert losses[0] == losses[1]
    assert len(losses[0]) == 30 and losses[0][-1] < 0.5 * losses[0][0]
    assert not history.stopped


def test_the_seed_of_fit_orders_the_examples():
    losses = [
        fit(model(), examples(), seed=seed, epochs=1, batch=8, noise=0).losses
        for seed in (3, 4)
    ]
    assert losses[0] != losses[1]


def test_an_epoch_takes_all_examples_and_means_their_losses():
    data = examples(count=42)
    draw = training.Batches(data, 8, 0, np.random.default_rng(0))
    assert [len(x) for x, *_ in draw] == [8] * 5 + [2]
    data = examples(count=40)
    history = fit(model(), data, seed=0, epochs=1, batch=8, rate=0, noise=0)
    logits, _ = model().forward(data.x, data.sentences.position, data.mask)
    expected, _ = cross_entropy(logits, data.sentences.labels[:, 0])
    assert history.losses[0] == pytest.approx(expected)


@pytest.mark.parametrize("optimizer", [Adam, SGD])
def test_a_rate_is_a_number(optimizer):
    with pytest.raises(TypeError, match="rate"):
        optimizer({"w": np.ones(2)}, "fast")


def test_fit_does_not_change_its_examples():
    data = examples()
    before = data.x.copy()
    fit(model(), data, seed=0, epochs=1)
    np.testing.assert_array_equal(data.x, before)


def test_noise_is_normal_with_the_right_size_and_new_in_every_batch():
    data = examples(count=64, length=9, width=32)
    silent = Examples(data.sentences, np.zeros_like(data.x), data.mask)
    batches = training.Batches(silent, 64, 0.5, np.random.default_rng(0))
    (noise, *_), (again, *_) = next(iter(batches)), next(iter(batches))
    assert abs(noise.mean()) < 0.02
    assert noise.std() == pytest.approx(0.5, rel=0.03)
    assert not np.array_equal(noise, again)
    clean = training.Batches(data, 64, 0, np.random.default_rng(0))
    x, query, mask, labels = next(iter(clean))
    assert sorted(x.ravel()) == sorted(data.x.ravel())
    assert sorted(labels.ravel()) == sorted(data.sentences.labels.ravel())


def test_the_rate_falls_on_a_straight_line_or_stays():
    for decay, expected in ((True, [0.4, 0.3, 0.2, 0.1]), (False, [0.4] * 4)):
        made = []

        def optimizer(arrays, rate, made=made):
            made.append(SGD(arrays, rate))
            return made[0]

        rates = []
        fit(
            model(),
            examples(),
            seed=0,
            epochs=4,
            rate=0.4,
            decay=decay,
            optimizer=optimizer,
            after_epoch=lambda _, m=made, r=rates: r.append(m[0].rate),
        )
        assert rates == pytest.approx(expected)


def test_the_stop_button_keeps_what_was_learned(capsys):
    learner = model()
    start = {name: array.copy() for name, array in learner.arrays.items()}

    def stop(epoch):
        if epoch == 2:
            raise KeyboardInterrupt

    try:
        history = fit(learner, examples(), seed=0, epochs=9, after_epoch=stop)
    except KeyboardInterrupt:
        pytest.fail("the stop button raised")
    printed = capsys.readouterr()
    assert history.stopped and len(history.losses) == 2
    assert "Stopped after 2 of 9 epochs" in printed.out and not printed.err
    for name, array in learner.arrays.items():
        assert np.isfinite(array).all()
        assert not np.array_equal(array, start[name])


@pytest.mark.parametrize("optimizer", [Adam, SGD])
def test_a_loss_that_is_not_finite_raises_and_says_when(optimizer):
    with pytest.raises(TrainingDivergedError, match="epoch 1, step 2.*rate"):
        fit(
            model(),
            examples(),
            seed=0,
            batch=8,
            rate=1e300,
            optimizer=optimizer,
        )


def test_nothing_is_drawn_where_nobody_watches(capfd, monkeypatch):
    monkeypatch.delenv("JPY_SESSION_NAME", raising=False)
    fit(model(), examples(), seed=0, epochs=2)
    printed = capfd.readouterr()
    assert printed.out == "" and printed.err == ""


def test_the_bar_in_jupyter_ends_empty(monkeypatch):
    display = pytest.importorskip("IPython.display")
    monkeypatch.setenv("JPY_SESSION_NAME", "notebook.ipynb")
    drawn = []

    class Handle:
        def update(self, content, raw):
            drawn.append(content)

    def show(content, raw, display_id):
        drawn.append(content)
        return Handle()

    monkeypatch.setattr(display, "display", show)
    fit(model(), examples(), seed=0, epochs=2)
    assert "training:" in drawn[0]["text/plain"]
    assert drawn[-1] == {"text/plain": ""}
