"""Why does *resign* look at the helicopter? Models without some verbs.

Notebook 02: two minutes. *resign* is in no training sentence. Its vector is
near that of *depart*, so we train models that never see the vehicle verbs
nearest to it, and as a control models that never see as many others.
"""

import numpy as np

from helpers import tasks
from helpers.attention import softmax
from helpers.embeddings import cosine
from helpers.experiments import runs
from helpers.experiments.stored import by_seed
from helpers.models import AttentionClassifier
from helpers.tasks.sentences import Examples

# Those of the course, and five on which nothing was chosen.
SEEDS = (*runs.SEEDS, 7000, 7001, 7002, 7003, 7004)
SENTENCE = "the president near the helicopter will {}"
ROWS = {  # ranks of the vehicle verbs left out, by their cosine with resign
    "all verbs": slice(0),
    "without the nearest": slice(1),
    "without the four nearest": slice(4),
    "without the next four": slice(1, 5),
    "without the four farthest": slice(-4, None),
}


def nearest_verbs(table, verb, verbs):
    """Return verbs with their cosines with `verb`, the nearest first."""
    word, *others = table.vectors([verb, *verbs])
    pairs = [(cosine(word, x), v) for v, x in zip(verbs, others, strict=True)]
    return [(v, c) for c, v in sorted(pairs, reverse=True)]


def without_verbs(examples, verbs):
    """Return the examples whose verb is none of these."""
    part = examples.sentences
    pairs = zip(part.words, part.position, strict=True)
    kept = np.array([words[place] not in verbs for words, place in pairs])
    return Examples(part[kept], examples.x[kept], examples.mask[kept])


def look(model, table, verb, sentence=SENTENCE):
    """Return the weight of a verb on each word of a sentence: (T,)."""
    query, key, _ = model.project(table.vectors(sentence.format(verb).split()))
    return softmax(query[-1] @ key.T / np.sqrt(query.shape[-1]))


def train_without(task, verbs, seed):
    """Return a model that has never seen some verbs in training."""
    model = AttentionClassifier(seed=seed)
    runs.train(model, without_verbs(task.train, verbs), seed=seed)
    return model


def train_once(name, seed):
    """Train one model of `ROWS`; what *resign* looks at, by word."""
    task = tasks.load("which_noun", seed)
    vehicle = tasks.load_lexicon().verbs["vehicle"]
    near = nearest_verbs(task.table, "resign", vehicle)
    left_out = [verb for verb, _ in near][ROWS[name]]
    model = train_without(task, left_out, seed)
    president, helicopter = look(model, task.table, "resign")[[1, 4]]
    weights = dict(president=president, helicopter=helicopter)
    return {word: round(float(each), 4) for word, each in weights.items()}


def train_row(name, seeds=SEEDS):
    """Train one of `ROWS` anew: `train_once` of each seed."""
    return by_seed(train_once, name, seeds=seeds)
