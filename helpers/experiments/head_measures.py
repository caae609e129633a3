"""What trained heads know: read from other vectors, averaged, bounded."""

import numpy as np

from helpers.experiments.evaluation import (
    check_model_and_examples,
    evaluate,
)
from helpers.models import same_rows
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
