"""What trained heads know: read from other vectors, averaged, bounded."""

import numpy as np

from helpers.experiments.evaluation import evaluate
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
