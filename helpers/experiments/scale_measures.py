"""What the scale of scores changes: spread, sharpness, first gradients."""

from functools import partial

import numpy as np

from helpers import tasks, validation
from helpers.experiments.evaluation import check_model_and_examples, evaluate
from helpers.experiments.stored.scaling_runs import SmallSteps
from helpers.gradients import softmax_backward
from helpers.models import AttentionClassifier
from helpers.training import Adam, Batches, fit, loss_and_gradient


def score_spread(d_k, scale=1.0, *, seed=0, pairs=2000):
    """Return the standard deviation of random scores, a number.

    Of `pairs` queries and keys of width d_k, drawn apart from a normal
    distribution with mean 0 and variance 1; scale: factor of the scores.
    """
    d_k = validation.positive_integer("d_k", d_k)
    pairs = validation.positive_integer("pairs", pairs)
    scale = validation.real_number("scale", scale)
    rng = validation.seeded("seed", [seed, d_k])
    query, key = rng.standard_normal((2, pairs, d_k))
    return float(((query * key).sum(axis=1) * scale).std())


def word_score_spread(d_k, seed=0):
    """Return the standard deviation of the scores of real words, a number.

    Of the words of 300 sentences, in an untrained model of width d_k that
    does not scale its scores; each word meets the one that is seven places
    further on.
    """
    test = tasks.load("which_noun", seed).test
    words = test.x[:300][test.mask[:300]]  # (N, d_model)
    query, key, _ = AttentionClassifier(d_k=d_k, seed=seed).project(words)
    return float((query * np.roll(key, 7, axis=0)).sum(axis=1).std())


def train_with(scale, factor, small_rate, seed=1000):
    """Train a model at d_k 256 with brisk Adam; return its Evaluation.

    scale: of the scores; factor: of the initial W_Q and W_K; small_rate:
    their learning rate. Everything else learns at 0.003, for six epochs.
    """
    rate = 0.003
    small_rate = validation.real_number("small_rate", small_rate)
    data = tasks.load("which_noun", seed)
    model = AttentionClassifier(d_k=256, scale=scale, gain=factor, seed=seed)
    adam = partial(SmallSteps, optimizer=Adam, factor=small_rate / rate)
    settings = dict(epochs=6, learning_rate=rate, linear_decay=False)
    fit(model, Batches(data.train, seed=seed), optimizer=adam, **settings)
    return evaluate(model, data.test)


def tempered(runs, softmax, temperatures):
    """Give trained models another softmax, at several temperatures.

    runs: of one layer and one head; softmax(scores (B, T), temperature) ->
    weights (B, T), a row for each verb that asks; -inf where no word is.

    Returns
    -------
    dict
        accuracy, and weight on the right noun: (S, N) for S models and N
        temperatures.
    """
    pairs = [*zip(runs.models, runs.tests, strict=True)]
    found = [[_with(softmax, t, *p) for t in temperatures] for p in pairs]
    accuracy, mass = np.moveaxis(found, -1, 0)
    return {"accuracy": accuracy, "weight on the right noun": mass}


def _with(softmax, temperature, model, test):
    """Return (accuracy, mass) of one model with another softmax."""
    rows, part, p = np.arange(len(test.x)), test.sentences, model.parameters
    query, key, value = model.project(test.x)  # (B, T, d_k), (B, T, d_v)
    asks = query[rows, part.position][..., None]  # (B, d_k, 1)
    scores = model.scale * (key @ asks)[..., 0]  # (B, T)
    weights = softmax(np.where(test.mask, scores, -np.inf), temperature)
    context = (weights[:, None] @ value)[:, 0]  # (B, d_v)
    answers = (context @ p["w_c"] + p["b_c"]).argmax(axis=1)
    right = answers == part.labels[:, 0]
    return right.mean(), weights[rows, part.evidence[:, 0]].mean()


def normalized_entropy(weights):
    """Return the entropy of each row, 1 for even, 0 for all on one key.

    ``-sum(p * log p) / log(T)`` (Shannon 1948, section 6), with 0 for
    ``0 * log 0``. weights (..., T), T at least 2 -> (...).
    """
    weights = validation.float_array("weights", weights)
    if weights.shape[-1] < 2:
        raise ValueError(f"weights: one key has no entropy: {weights.shape}")
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1) / np.log(weights.shape[-1])


def softmax_jacobian_norm(weights):
    """Return the Frobenius norm of the softmax's Jacobian for each row.

    Of ``diag(p) - p p.T``, by its closed form
    ``sqrt(sum p^2 - 2 sum p^3 + (sum p^2)^2)``. weights (..., T) -> (...).
    """
    weights = validation.float_array("weights", weights)
    squares = (weights**2).sum(axis=-1)
    cubes = (weights**3).sum(axis=-1)
    return np.sqrt(np.maximum(squares - 2 * cubes + squares**2, 0))


def gradients_at_start(d_k, scale, seed=0):
    """Measure the gradients of an untrained model on the test sentences.

    Returns
    -------
    dict
        pull (B,): the norm of each sentence's gradient by its scores; w_q
        (B,): that by W_Q; whole: the norm of the mean of the latter.
    """
    scale = validation.real_number("scale", scale)
    model = AttentionClassifier(d_k=d_k, scale=scale, seed=seed)
    test = tasks.load("which_noun", seed).test
    pulls = score_gradient_norms(model, test)
    each, whole = query_gradient_norms(model, test)
    return dict(pull=pulls, w_q=each, whole=whole)


def score_gradient_norms(model, examples):
    """Return the norm of each sentence's gradient by its scores: (B,).

    Of one sentence's cross-entropy with respect to its scaled scores, for
    a `models.AttentionClassifier` with one head and one answer.
    """
    return np.linalg.norm(_score_gradients(model, examples), axis=1)


def query_gradient_norms(model, examples):
    """Return the norm of each sentence's gradient by W_Q: (B,).

    And, as a second result, the norm of their mean, which is the gradient of
    the whole batch. The rest is as in `score_gradient_norms`.
    """
    grad_scores = _score_gradients(model, examples)  # (B, T)
    x, position = examples.x, examples.sentences.position
    asking = x[np.arange(len(x)), position]  # (B, d_model)
    # scores = scale * keys @ w_q.T @ asking
    keys = x @ model.parameters["w_k"]  # (B, T, d_k)
    grad_query = model.scale * (grad_scores[:, None] @ keys)[:, 0]  # (B, d_k)
    each = np.linalg.norm(asking, axis=1) * np.linalg.norm(grad_query, axis=1)
    return each, float(np.linalg.norm(asking.T @ grad_query) / len(x))


def _score_gradients(model, examples):
    """Return each sentence's gradient by its scaled scores: (B, T)."""
    check_model_and_examples(model, examples)
    part, parameters = examples.sentences, model.parameters
    logits, weights = model.forward(examples.x, part.position, examples.mask)
    _, grad_logits = loss_and_gradient(logits, part.labels, model.classes)
    grad_logits *= len(logits)  # (B, C): of each sentence, not of the mean
    # context = weights @ x @ w_v, logits = context @ w_c + b_c
    w_vc = parameters["w_v"] @ parameters["w_c"]  # (d_model, C)
    grad_x = grad_logits @ w_vc.T  # (B, d_model)
    grad_weights = (examples.x @ grad_x[:, :, None])[..., 0]  # (B, T)
    return softmax_backward(grad_weights, weights[:, 0])
