"""What notebook 00 plays with: a trained model beside an untrained one."""

import numpy as np

from helpers import embeddings, tasks
from helpers.experiments.runs import train
from helpers.models import AttentionClassifier


def first_models(seed=1000):
    """Train a model on *Which noun?* in about a second.

    Returns the task and {"untrained": model, "trained": model}. Both models
    start with the same parameters.
    """
    task = tasks.load("which_noun", seed)
    models = {
        name: AttentionClassifier(seed=seed)
        for name in ("untrained", "trained")
    }
    train(models["trained"], task.train, seed=seed)
    return task, models


def asker(task, models):
    """Return a function of a sentence, for `plots.attention_view`.

    It returns the scores (T, T) of each model, and the T words in lower case,
    without punctuation. It raises ValueError for a word without a vector.
    """

    def ask(sentence):
        words = embeddings.words(sentence)
        x = task.table.vectors(words)  # (T, 64)
        pairs = [model.project(x)[:2] for model in models.values()]
        return [q @ k.T / np.sqrt(q.shape[-1]) for q, k in pairs], words

    return ask
