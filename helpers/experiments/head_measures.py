"""What trained heads know: read from other vectors, averaged, cut anew."""

from dataclasses import replace

import numpy as np

from helpers import embeddings, tasks
from helpers.attention import (
    merge_heads,
    scaled_dot_product_attention,
    split_heads,
)
from helpers.experiments.evaluation import (
    check_model_and_examples,
    evaluate,
)
from helpers.experiments.runs import TWO_ANSWERS, Runs, new_model, train
from helpers.layers import sinusoidal_positions
from helpers.models.probe import LinearProbe
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


def one_by_one(split):
    """Return a `split` for `with_split` from one of single sentences."""

    def split_all(projected, heads):  # (B, T, H*d) -> (B, H, T, d)
        return np.stack([split(each, heads) for each in projected])

    return split_all


def ask_model(model, task, attend):
    """Return what `plots.attention_view` asks: sentence -> scores, tokens.

    model: an `AttentionClassifier` of one layer; task: a `tasks.Task` with
    two answers, which gives word vectors and positions; attend: as
    `attention.multi_head_attention`. The scores (H, T, T) are logarithms of
    its weights. The function raises ValueError for a word without a vector.
    """

    def ask(sentence):
        tokens = embeddings.words(sentence)
        x = task.table.vectors(tokens)  # (T, d_model)
        x = x + POSITIONS * sinusoidal_positions(*x.shape, base=BASE)
        _, weights = attend(x, *_matrices(model), model.heads)
        return np.log(np.maximum(weights, 1e-300)), tokens

    return ask


def accuracy_with(model, test, attend):
    """Answer with another function in place of the model's layer: (G,).

    attend: as `attention.multi_head_attention`, called once a sentence.
    """
    rows = [
        attend(x[is_word], *_matrices(model), model.heads)[0][verb]
        for x, is_word, verb in zip(
            test.x, test.mask, test.sentences.position, strict=True
        )
    ]
    return _right(model, np.array(rows), test).mean(axis=0)


def accuracy_with_layers(model, test, layers):
    """The same for two layers: layers(x, first, second, H) -> (T, d_model).

    first, second: a layer's w_q, w_k, w_v and w_o, stacked.
    """
    first, second = (np.stack(_matrices(model, i)) for i in "01")
    rows = [
        layers(x[is_word], first, second, model.heads)[verb]
        for x, is_word, verb in zip(
            test.x, test.mask, test.sentences.position, strict=True
        )
    ]
    return _right(model, np.array(rows), test).mean(axis=0)


def _matrices(model, layer=""):
    names = ("w_q", "w_k", "w_v", "w_o")
    return [model.parameters[f"{name}{layer}"] for name in names]


def _right(model, vectors, examples):
    logits = vectors @ model.parameters["w_c"] + model.parameters["b_c"]
    return predict(logits, model.classes) == examples.sentences.labels


def read_mixtures(shares, seeds):
    """Read who and whom from one mixture of their two nouns, linearly.

    A head that looks at nothing else: `share` of its weight is on the noun
    that acts, the rest on the noun acted on. Ridge regression reads both
    categories of held-out nouns.

    Returns
    -------
    dict
        "who", "whom" and "both": accuracies (S, N) for S seeds, N shares.
    """
    found = np.array([[_read(s, seed) for s in shares] for seed in seeds])
    both = found.all(axis=2).mean(axis=-1)
    who, whom = np.moveaxis(found.mean(axis=-1), -1, 0)
    return {"who": who, "whom": whom, "both": both}


def _read(share, seed):
    task, right = tasks.load("who_whom", seed, positions=0), []

    def mixture(part):
        rows, at = np.arange(len(part.x)), part.sentences.evidence.T
        return share * part.x[rows, at[0]] + (1 - share) * part.x[rows, at[1]]

    for question in (0, 1):
        known, asked = (
            part.sentences.labels[:, question]
            for part in (task.train, task.test)
        )
        probe = LinearProbe().fit(mixture(task.train), known)
        right.append(probe.predict(mixture(task.test)) == asked)
    return right


def train_with_positions(table, seeds):
    """Train two heads on *Who and whom?* with positions of one's own.

    table (T, 64), T at least 13: added to the words. Returns `Runs`.
    """
    found = Runs()
    for seed in seeds:
        task = tasks.load("who_whom", seed, positions=0)
        parts = [
            replace(part, x=part.x + table[: part.x.shape[1]])
            for part in (task.train, task.test)
        ]
        _, settings = TWO_ANSWERS
        model = new_model("who_whom", seed, heads=2, d_k=32, d_v=32)
        train(model, parts[0], seed=seed, **settings)
        found.add(model, parts[1])
    return found


def score_parts(model, test):
    """Split the verbs' scores into what words and what positions add.

    A key is (word + position) @ W_K, so a score is the sum of two. For an
    `AttentionClassifier` of one layer on a task with two answers.

    Returns
    -------
    tuple
        word, position: (B, H, T); distance (B, T) from the verb, in words;
        noun (B, T): is it one?
    """
    part, heads = test.sentences, model.heads
    count, length, d_model = test.x.shape
    rows = np.arange(count)
    places = POSITIONS * sinusoidal_positions(length, d_model, base=BASE)
    query = model.project(test.x)[0][rows, part.position]  # (B, H*d_k)
    query = split_heads(query[:, None], heads)  # (B, H, 1, d_k)
    w_k = split_heads(model.parameters["w_k"], heads)  # (H, d_model, d_k)
    asks = (query @ w_k.mT)[:, :, 0] / np.sqrt(query.shape[-1])
    word = asks @ (test.x - places * test.mask[..., None]).swapaxes(1, 2)
    distance = np.arange(length) - part.position[:, None]
    noun = (part.nouns[:, :, None] == np.arange(length)).any(axis=1)
    return word, asks @ places.T, distance, noun


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
