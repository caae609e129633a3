"""What trained heads know: read from other vectors, averaged, bounded."""

import numpy as np

from helpers import tasks
from helpers.experiments.evaluation import evaluate
from helpers.experiments.runs import SEEDS
from helpers.models import LinearProbe, same_rows
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


def oracle_accuracy(name, seeds=SEEDS):
    """Fit a linear probe on the words that decide the answers.

    No attention is needed then, and no positions; what is missed are words
    that the probe does not know. Returns the fraction of sentences with
    all answers right, per seed: (S,).
    """
    return np.array([_oracle(tasks.load(name, seed)) for seed in seeds])


def _oracle(task):
    correct = np.ones(len(task.test.x), bool)
    for answer in range(task.test.sentences.evidence.shape[1]):
        x, labels = _evidence(task, task.train, answer)
        probe = LinearProbe().fit(x, labels)
        x, labels = _evidence(task, task.test, answer)
        correct &= probe.predict(x) == labels
    return correct.mean()


def _evidence(task, part, answer):
    """Return the evidence as word vectors (B, d_model), labels (B,)."""
    sentences = part.sentences
    pairs = zip(sentences.words, sentences.evidence[:, answer], strict=True)
    words, index = np.unique([w[i] for w, i in pairs], return_inverse=True)
    x = task.table.vectors(words.tolist())[index]  # no positions in it
    return x, sentences.labels[:, answer]
