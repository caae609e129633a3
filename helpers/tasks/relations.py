"""Sentences whose grammar is known: which word belongs to which?"""

import numpy as np

from helpers import validation
from helpers.tasks.lexicon import load_lexicon, picker

RELATIONS = (
    "word → word before",
    "the → its noun",
    "noun → its the",
    "verb → object",
    "object → verb",
    "verb → subject",
    "subject → verb",
)


def relations(count, seed):
    """Build sentences, and list which word belongs to which.

    "the old dark nurse by the hats calls the big ship": none to two
    adjectives before subject and object, a second noun behind each or not,
    so that no relation keeps one distance.

    Returns
    -------
    texts : list of `count` strings
    pairs : dict
        For each of RELATIONS an array (n, 3) of integers: the number of
        the text, the place of one word, the place of the other. Places
        count the words from 0; a read text has [CLS] before them.
    """
    count = validation.positive_integer("count", count)
    lexicon = load_lexicon()
    pick = picker(validation.seeded("seed", seed), 24 * count)
    texts, pairs = [], {name: [] for name in RELATIONS}
    for number in range(count):
        words, related = _sentence(lexicon, pick)
        texts.append(" ".join(words))
        for name, places in related.items():
            pairs[name] += [(number, *place) for place in places]
    return texts, {name: np.array(rows) for name, rows in pairs.items()}


def _sentence(lexicon, pick):
    """Return the words, and {relation: [(place, other place), …]}."""
    words, articles, ends = [], [], []
    for kind in ("person", None):
        articles.append((len(words), _add_phrase(words, lexicon, pick, kind)))
        if pick((False, True)):
            words.append(pick(lexicon.prepositions))
            articles.append((len(words), _add_phrase(words, lexicon, pick)))
        if kind:
            subject, verb = articles[0][1], len(words)
            words.append(pick(lexicon.transitive_verbs))
            ends.append(len(articles))
    target = articles[ends[0]][1]
    before = [(place, place - 1) for place in range(1, len(words))]
    backward = [(noun, article) for article, noun in articles]
    lists = before, articles, backward, [(verb, target)], [(target, verb)]
    lists += [(verb, subject)], [(subject, verb)]
    return words, dict(zip(RELATIONS, lists, strict=True))


def _add_phrase(words, lexicon, pick, kind=None):
    """Append "the", adjectives and a noun; return the noun's place."""
    kind = kind or pick([*lexicon.nouns])
    words.append("the")
    words += [pick(lexicon.adjectives) for _ in range(pick(range(3)))]
    words.append(pick(lexicon.nouns[kind])[0])
    return len(words) - 1
