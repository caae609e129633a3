"""Sentences that ask two questions at once, for notebook 04.

Each grammar turns a lexicon into `tasks.Sentences` with G = 2 answers; the
query is the verb. All words enter with their positions (`positions`),
because two of the questions are about order.
"""

from functools import lru_cache

import numpy as np

from helpers import validation
from helpers.embeddings import WordTable
from helpers.positions import sinusoidal_positions
from helpers.tasks import WHO_CAN, Examples, Sentences, Task, load_lexicon

CATEGORIES = ("person", "animal", "vehicle", "building", "body", "clothing")
COLORS = ("red", "white", "green")
CLASSES = {  # how many classes each of the two answers has
    "who_whom": (len(CATEGORIES), len(CATEGORIES)),
    "subject_and_previous": (2, 2),
    "two_hop": (2, len(COLORS)),
}
POSITIONS = 1.5  # size of a position beside a word of variance 1
BASE = 100.0  # of the sinusoids; no sentence is longer than 20 words


def who_whom(lexicon, count, rng):
    """Ask a verb who acts, and on whom: the category of both nouns.

    "the old nurse by the hats calls the ships near the church": two nouns
    belong to the verb, none to two stand in between. The labels are places
    in CATEGORIES.

    lexicon: Lexicon; count: B; rng: numpy.random.Generator -> Sentences.
    """
    pick = _picker(rng, 24 * validation.positive_integer("count", count))
    return _sentences([_who_whom(lexicon, pick) for _ in range(count)])


def _who_whom(lexicon, pick):
    words, nouns, numbers = [], [], []
    kinds = [pick(range(len(CATEGORIES))) for _ in range(4)]

    def add_noun(kind, number):
        pair = pick(lexicon.nouns[CATEGORIES[kind]])
        nouns.append(len(words))
        numbers.append(number)
        words.append(pair[number])

    targets = []
    for part in (0, 1):  # who, then whom
        words.append("the")
        words.extend(pick(((), (pick(lexicon.adjectives),))))
        targets.append(len(words))
        add_noun(kinds[part], pick((0, 1)) * part)  # "calls": one who acts
        if pick((False, True)):
            words.extend((pick(lexicon.prepositions), "the"))
            add_noun(kinds[2 + part], pick((0, 1)))
        if part == 0:
            query = len(words)
            words.append(pick(lexicon.transitive_verbs))
    return words, query, targets, kinds[:2], nouns, numbers


def subject_and_previous(lexicon, count, rng):
    """Ask a verb for two numbers: of the noun it needs, and of the last one.

    The sentences of `tasks.which_noun` without the fourth noun, some with
    adjectives. The verb needs the first or the second noun: which one, its
    meaning says. The last noun is two words back, whatever it means.
    Labels: 0 singular, 1 plural.

    lexicon: Lexicon; count: B; rng: numpy.random.Generator -> Sentences.
    """
    count = validation.positive_integer("count", count)
    pick = _picker(rng, 24 * count)
    orders = rng.permuted(np.tile(np.arange(3), (count, 1)), axis=1)
    return _sentences(
        [_subject_and_previous(lexicon, pick, order) for order in orders]
    )


def _subject_and_previous(lexicon, pick, order):
    words, nouns, numbers = [], [], []
    place = pick((0, 1))  # of the noun that the verb needs
    for i, kind in enumerate(order):
        if i:
            words.append(pick(lexicon.prepositions))
        words.append("the")
        words.extend(pick(((), (pick(lexicon.adjectives),))))
        numbers.append(pick((0, 1)))
        nouns.append(len(words))
        words.append(_fitting_noun(lexicon, pick, kind)[numbers[-1]])
    words.extend(("will", _verb(lexicon, pick, order[place])))
    targets, labels = [nouns[place], nouns[-1]], [numbers[place], numbers[-1]]
    return words, len(words) - 1, targets, labels, nouns, numbers


def two_hop(lexicon, count, rng):
    """Ask a verb for the number and the color of the noun it needs.

    "red ferries by blue nurse with white fern will land": three nouns, each
    with a color of its own before it. The number is written in the noun:
    one hop. The color is the noun's neighbor: two hops, from the verb to
    its noun and from there to the color. Targets: the noun, and its color;
    labels: 0 singular or 1 plural, and a place in COLORS.

    lexicon: Lexicon; count: B; rng: numpy.random.Generator -> Sentences.
    """
    count = validation.positive_integer("count", count)
    pick = _picker(rng, 16 * count)
    orders = rng.permuted(np.tile(np.arange(3), (count, 1)), axis=1)
    colors = np.tile(np.arange(len(COLORS)), (count, 1))
    colors = rng.permuted(colors, axis=1)[:, :3]  # (B, 3)
    rows = zip(orders, colors, strict=True)
    return _sentences([_two_hop(lexicon, pick, *row) for row in rows])


def _two_hop(lexicon, pick, order, colors):
    words, nouns, numbers = [], [], []
    place = pick((0, 1, 2))  # of the noun that the verb needs
    for i, (kind, color) in enumerate(zip(order, colors, strict=True)):
        if i:
            words.append(pick(lexicon.prepositions))
        words.append(COLORS[color])
        numbers.append(pick((0, 1)))
        nouns.append(len(words))
        words.append(_fitting_noun(lexicon, pick, kind)[numbers[-1]])
    words.extend(("will", _verb(lexicon, pick, order[place])))
    targets = [nouns[place], nouns[place] - 1]
    labels = [numbers[place], colors[place]]
    return words, len(words) - 1, targets, labels, nouns, numbers


def _fitting_noun(lexicon, pick, kind):
    """Return a (singular, plural) that verbs of one class can have."""
    return pick(lexicon.nouns[pick([*WHO_CAN.values()][kind])])


def _verb(lexicon, pick, kind):
    return pick(lexicon.verbs[[*WHO_CAN][kind]])


def _picker(rng, draws):
    """Return a function that picks an item; one draw a call, from a pool."""
    pool = iter(rng.random(draws))
    return lambda items: items[int(next(pool) * len(items))]


def _sentences(rows):
    words, query, targets, labels, nouns, numbers = zip(*rows, strict=True)
    most = max(map(len, nouns))
    padded = [
        np.array([[*row, *[-1] * (most - len(row))] for row in table])
        for table in (nouns, numbers)
    ]
    return Sentences(
        list(words),
        np.array(query),
        np.array(targets),
        np.array(labels),
        *padded,
    )


GRAMMARS = {
    grammar.__name__: grammar
    for grammar in (who_whom, subject_and_previous, two_hop)
}


@lru_cache(maxsize=8)
def load_relations(
    name, seed, *, train_count=4000, test_count=1000, positions=POSITIONS
):
    """Return a task of this module for one seed, ready to train on.

    Parameters
    ----------
    name : "who_whom", "subject_and_previous" or "two_hop"
    seed : int
        The same seed gives the same task; do not change its arrays.
    train_count, test_count : int
    positions : float
        Factor of the sinusoidal positions that are added to the words; 0
        leaves them out.

    Returns
    -------
    Task
        The test half has nouns that the training half does not have.
    """
    if name not in GRAMMARS:
        raise ValueError(f"name: expected one of {[*GRAMMARS]}, got {name!r}")
    train, test, table = _drawn(name, seed, train_count, test_count)
    return Task(
        _examples(train, table, positions),
        _examples(test, table, positions),
        table,
    )


@lru_cache(maxsize=8)
def _drawn(name, seed, *counts):
    """Return the sentences of both halves and the table of their words."""
    halves = load_lexicon().split(seed)
    rng = np.random.default_rng([seed, 2 + [*GRAMMARS].index(name)])
    sentences = [
        GRAMMARS[name](half, count, rng)
        for half, count in zip(halves, counts, strict=True)
    ]
    return *sentences, WordTable(_all_words(halves[0]))


def _all_words(lexicon):
    return [
        *lexicon.words(),
        *lexicon.adjectives,
        *lexicon.transitive_verbs,
        *COLORS,
    ]


def _examples(sentences, table, positions):
    x, mask = table.batch(sentences.words)  # (B, T, d_model)
    where = sinusoidal_positions(x.shape[1], x.shape[2], base=BASE)
    x += positions * where * mask[..., None]
    return Examples(sentences, x, mask)
