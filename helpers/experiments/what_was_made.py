"""What training made of the words: nouns that were never in training."""

from helpers import tasks
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
