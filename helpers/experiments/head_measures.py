"""What trained heads know: read from other vectors, averaged, cut anew."""

import numpy as np

from helpers import embeddings
from helpers.attention import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from helpers.experiments.evaluation import (
    check_model_and_examples,
    evaluate,
)
from helpers.layers import sinusoidal_positions
from helpers.models.variants import same_rows
from helpers.tasks.datasets import BASE, POSITIONS
from helpers.training import predict


def accuracy_from_vectors(model, vectors, examples):
    """Answer from vectors (B, d_model) in place of attention's output.

    For an `AttentionClassifier`; returns the fraction of sentences with
    all answers right.
    """
    logits = vectors @ model.parameters["w_c"] + model.parameters["b_c"]
    correct = predict(logits, model.classes) == examples.sentences.labels
    return correct.all(axis=1).mean()


def average_heads(runs):
    """Give all heads the same rows of w_o, as if they were averaged.

    runs: `Runs` of one layer; its models stay as they are. Returns the
    fraction of sentences with all answers right: (S,).
    """
    accuracy = []
    for model, test in zip(runs.models, runs.tests, strict=True):
        w_o = model.parameters["w_o"]
        model.parameters["w_o"] = same_rows(w_o, model.heads)
        accuracy.append(evaluate(model, test).all_correct)
        model.parameters["w_o"] = w_o
    return np.array(accuracy)


def with_split(runs, split):
    """Measure trained models whose columns `split` cuts into heads.

    runs: `Runs` of one layer; its models stay as they are. split: a function
    of queries, keys or values (B, T, H*d) and H; it returns (B, H, T, d).
    Returns the fraction of sentences with all answers right (S,), and the
    sums of all rows of weights, a list of S arrays (B, H, T).
    """
    accuracy, sums = [], []
    for model, test in zip(runs.models, runs.tests, strict=True):
        parts = [split(part, model.heads) for part in model.project(test.x)]
        context, weights = scaled_dot_product_attention(
            *parts, mask=test.mask[:, None, None], scale=model.scale
        )
        rows = merge_heads(context) @ model.parameters["w_o"]
        verbs = rows[np.arange(len(rows)), test.sentences.position]
        accuracy.append(accuracy_from_vectors(model, verbs, test))
        sums.append(weights.sum(axis=-1))
    return np.array(accuracy), sums


def ask_model(model, task):
    """Return what `plots.attention_view` asks: sentence -> scores, tokens.

    model: an `AttentionClassifier` of one layer; task: a `tasks.Task` with
    two answers, which gives word vectors and positions. The scores are
    (H, T, T). The function raises ValueError for a word without a vector.
    """
    scale = model.scale or model.options["d_k"] ** -0.5

    def ask(sentence):
        tokens = embeddings.words(sentence)
        x = task.table.vectors(tokens)  # (T, d_model)
        x = x + POSITIONS * sinusoidal_positions(*x.shape, base=BASE)
        query, key, _ = model.project(x)
        q, k = (split_heads(part, model.heads) for part in (query, key))
        return q @ k.mT * scale, tokens

    return ask


def sentence_maps(model, examples, i):
    """Return the words of sentence i, and where they look in each layer.

    The weights are (L, H, T, T). In the last layer the word that answers
    attends alone; all other rows are 0.
    """
    one, part = slice(i, i + 1), examples.sentences
    model.forward(examples.x[one], part.position[one], examples.mask[one])
    count = len(part.words[i])
    maps = np.zeros((model.layers, model.heads, count, count))
    for layer, weights in enumerate(model.weights[:-1]):
        maps[layer] = weights[0, :, :count, :count]
    maps[-1, :, part.position[i]] = model.weights[-1][0, :, 0, :count]
    return part.words[i], maps


def block_parts(x, w_q, w_k, w_v, w_o, num_heads):
    """Return all that multi-head attention computes from x (T, d_model).

    projected: query, key and value (T, H*d); weights (H, T, T); context
    (H, T, d_v); output (T, d_model). In the order of `plots.show_block`.
    """
    projected = [x @ w for w in (w_q, w_k, w_v)]
    heads = [split_heads(part, num_heads) for part in projected]
    context, weights = scaled_dot_product_attention(*heads)
    return projected, weights, context, merge_heads(context) @ w_o


def repeated_pair_gaps(model, examples):
    """Return how far the score of a pair differs between its sentences.

    A pair is the word that asks and the word that decides the first answer;
    only pairs that occur in several sentences count. For an
    `AttentionClassifier` with one head. Returns the largest score minus the
    smallest, without the scale: (pairs,).
    """
    check_model_and_examples(model, examples)
    if model.heads != 1:
        raise ValueError(f"model: expected one head, got {model.heads}")
    sentences, scores = examples.sentences, {}
    for row, words in enumerate(sentences.words):
        i, j = sentences.position[row], sentences.evidence[row, 0]
        query, key, _ = model.project(examples.x[row])
        pair = words[i], words[j]
        scores.setdefault(pair, []).append(query[i] @ key[j])
    return np.array([np.ptp(s) for s in scores.values() if len(s) > 1])
