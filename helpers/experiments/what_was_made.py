"""What training made of the words: nouns that were never in training."""

import numpy as np

from helpers import tasks
from helpers.experiments.measures import auc
from helpers.tasks.lexicon import WHO_CAN

COUNTS = {"animal": 4, "person": 6, "vehicle": 10, "plant": 10}
NAMES = {"animate": "living beings", "vehicle": "vehicles", "plant": "plants"}


def words_of_kinds(seed, new=()):
    """Return 30 nouns, ten of each kind, all verbs, and their kinds.

    No noun is in a training sentence of this seed: they are the first that
    were drawn for the test. `new` are verbs more, of no kind. The kinds are
    two lists, of the nouns and of the verbs.
    """
    _, test = tasks.load_lexicon().split(seed)
    nouns, verbs = [], []  # pairs of a word and its kind
    for kind, categories in WHO_CAN.items():
        for category in categories:
            pairs = test.nouns[category][: COUNTS[category] // 2]
            nouns += [(word, NAMES[kind]) for pair in pairs for word in pair]
        verbs += [(verb, NAMES[kind]) for verb in test.verbs[kind]]
    verbs += [(verb, None) for verb in new]
    (nouns, of_nouns), (verbs, of_verbs) = (
        map(list, zip(*pairs, strict=True)) for pairs in (nouns, verbs)
    )
    return nouns, verbs, (of_nouns, of_verbs)


def keys_and_queries(task, models, nouns, verbs):
    """Return keys (N, d_k) of nouns and queries (V, d_k) of verbs, by model.

    models: {name: AttentionClassifier}. In the form of `plots.show_asking`.
    """
    noun_x, verb_x = task.table.vectors(nouns), task.table.vectors(verbs)
    return {
        name: (model.project(noun_x)[1], model.project(verb_x)[0])
        for name, model in models.items()
    }


def queries_of_verbs(model, table):
    """Return the queries (V, d_k) of all verbs, and their kinds (V,).

    model: an `AttentionClassifier` of *Which noun?*; table: its `WordTable`.
    """
    verbs = tasks.load_lexicon().verbs  # {kind: words}
    words = [word for of_kind in verbs.values() for word in of_kind]
    kinds = np.repeat([*verbs], [len(of_kind) for of_kind in verbs.values()])
    return model.project(table.vectors(words))[0], kinds


def kind_by_number(queries, kinds):
    """How well one number of a query tells kinds apart, from 0.5 to 1.

    For each number, the kind that it tells best: of all pairs of a word of
    this kind and another word, the share in which the first has the larger
    number, or the smaller one, whichever is more. Then the mean over the
    numbers.

    queries (V, d_k), kinds (V,).
    """
    kinds = np.asarray(kinds)
    wins = [
        [auc(number[kinds == k], number[kinds != k]) for k in set(kinds)]
        for number in np.asarray(queries).T
    ]  # (d_k, kinds)
    return 0.5 + np.abs(np.array(wins) - 0.5).max(axis=1).mean()
