"""Two questions at once about one sentence: three grammars.

Each turns a lexicon into `Sentences` with G = 2 answers; the verb's query is
read.
"""

from functools import lru_cache

import numpy as np

from helpers.tasks.lexicon import CATEGORIES_OF, KINDS, arguments, picker
from helpers.tasks.sentences import Sentences, padded

CATEGORIES = ("person", "animal", "vehicle", "building", "body", "clothing")
COLORS = ("red", "white", "green")


def who_whom(lexicon, count, rng):
    """Build sentences: who acts, and on whom? The category of both nouns.

    "the old nurse by the hats calls the ships near the church": two nouns
    belong to the verb, none to two come in between. The labels are places
    in CATEGORIES.

    lexicon: Lexicon; count: B; rng: numpy.random.Generator -> Sentences.
    """
    lexicon, count, rng = arguments(lexicon, count, rng)
    pick = picker(rng, 24 * count)
    return _sentences([_who_whom(lexicon, pick) for _ in range(count)])


def _who_whom(lexicon, pick):
    words, nouns, numbers = [], [], []
    kinds = [pick(range(len(CATEGORIES))) for _ in range(4)]

    def add_noun(kind, number):
        pair = pick(lexicon.nouns[CATEGORIES[kind]])
        nouns.append(len(words))
        numbers.append(number)
        words.append(pair[number])

    evidence = []
    for part in (0, 1):  # who, then whom
        words += _article(lexicon, pick)
        evidence.append(len(words))
        add_noun(kinds[part], pick((0, 1)) * part)  # "calls": one who acts
        if pick((False, True)):
            words.extend((pick(lexicon.prepositions), "the"))
            add_noun(kinds[2 + part], pick((0, 1)))
        if part == 0:
            position = len(words)
            words.append(pick(lexicon.transitive_verbs))
    return words, position, evidence, kinds[:2], nouns, numbers


def subject_and_previous(lexicon, count, rng):
    """Build sentences: the number of the noun needed, and of the last one?

    The sentences of `which_noun` without the fourth noun, some with
    adjectives. The verb needs the first or the second noun: which one, its
    meaning says. The last noun is two words back, whatever it means.
    Labels: 0 singular, 1 plural.

    lexicon: Lexicon; count: B; rng: numpy.random.Generator -> Sentences.
    """
    lexicon, count, rng = arguments(lexicon, count, rng)
    pick = picker(rng, 24 * count)
    orders = rng.permuted(np.tile(np.arange(3), (count, 1)), axis=1)
    return _sentences(
        [
            _subject_and_previous(lexicon, pick, order)
            for order in orders.tolist()
        ]
    )


def _subject_and_previous(lexicon, pick, order):
    place = pick((0, 1))  # of the noun that the verb needs
    words, nouns, numbers = _noun_phrases(
        lexicon, pick, order, lambda _: _article(lexicon, pick)
    )
    words += ["will", pick(lexicon.verbs[KINDS[order[place]]])]
    evidence, labels = [nouns[place], nouns[-1]], [numbers[place], numbers[-1]]
    return words, len(words) - 1, evidence, labels, nouns, numbers


def two_hop(lexicon, count, rng):
    """Build sentences: the number and the color of the noun needed?

    "red ferries by green nurse with white fern will land": three nouns, each
    with a color of its own before it. The number is written in the noun:
    one hop. The color is the noun's neighbor: two hops, from the verb to
    its noun and from there to the color. Evidence: the noun, and its color;
    labels: 0 singular or 1 plural, and a place in COLORS.

    lexicon: Lexicon; count: B; rng: numpy.random.Generator -> Sentences.
    """
    return _two_hops(lexicon, count, rng, draws=16, loose=False)


def _two_hops(lexicon, count, rng, *, draws, loose):
    lexicon, count, rng = arguments(lexicon, count, rng)
    pick = picker(rng, draws * count)
    orders, colors = (
        rng.permuted(np.tile(np.arange(3), (count, 1)), axis=1).tolist()
        for _ in range(2)
    )
    return _sentences(
        [
            _two_hop(lexicon, pick, *row, loose)
            for row in zip(orders, colors, strict=True)
        ]
    )


def _two_hop(lexicon, pick, order, colors, loose):
    place = pick((0, 1, 2))  # of the noun that the verb needs

    def before(i):
        count = pick((0, 1, 2)) if loose else 0
        plain = _without_colors(lexicon.adjectives) if count else ()
        return [*(pick(plain) for _ in range(count)), COLORS[colors[i]]]

    words, nouns, numbers = _noun_phrases(lexicon, pick, order, before)
    words += ["will", pick(lexicon.verbs[KINDS[order[place]]])]
    evidence = [nouns[place], nouns[place] - 1]
    labels = [numbers[place], colors[place]]
    return words, len(words) - 1, evidence, labels, nouns, numbers


@lru_cache
def _without_colors(adjectives):
    return [word for word in adjectives if word not in COLORS]


def two_hop_loose(lexicon, count, rng):
    """Build the sentences of `two_hop`, with places that vary.

    Before each color stand no, one or two adjectives: "old famous red
    ferries by green nurse with brave white fern will land". No noun and no
    color has a place of its own. The rest is as in `two_hop`.
    """
    return _two_hops(lexicon, count, rng, draws=28, loose=True)


def _article(lexicon, pick):
    """Return "the", with an adjective or without."""
    return ["the", *pick(((), (pick(lexicon.adjectives),)))]


def _noun_phrases(lexicon, pick, order, before):
    """Return words, and the position and the number of each noun.

    order: the kind of each noun; before(i): the words before noun i.
    """
    words, nouns, numbers = [], [], []
    for i, kind in enumerate(order):
        words += [pick(lexicon.prepositions)] if i else []
        words += before(i)
        numbers.append(pick((0, 1)))
        nouns.append(len(words))
        pairs = lexicon.nouns[pick(CATEGORIES_OF[kind])]
        words.append(pick(pairs)[numbers[-1]])
    return words, nouns, numbers


def _sentences(rows):
    words, position, evidence, labels, *tables = zip(*rows, strict=True)
    return Sentences(
        list(words),
        np.array(position),
        np.array(evidence),
        np.array(labels),
        *map(padded, tables),
    )
