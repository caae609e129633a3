"""Texts of two sentences: with which noun does the second verb agree?

"the seed grows . near the car the dogs by the oak sleep .": half of the
sentences have a phrase before the subject. So the subject stands at no
fixed place. It is the noun of its own sentence without a preposition.
"""

import numpy as np

from helpers import validation

PHRASES = (0, 1, 2)  # after the subject, equally often
SHORT = 4  # words of a sentence without phrases, full stop included


def texts(grammar, count, seed, *, in_front=True):
    """Draw texts of two sentences: a list of lists of words.

    grammar: an `agreement.Grammar`, whose sentences they are. in_front:
    half of the sentences get one phrase before the subject.
    """
    count = validation.positive_integer("count", count)
    rng = np.random.default_rng((*np.atleast_1d(seed), 1))
    drawn = grammar.sentences(2 * count, seed)
    if in_front:
        drawn = [
            [*phrase(grammar, rng), *words] if rng.integers(2) else words
            for words in drawn
        ]
    return [a + b for a, b in zip(drawn[::2], drawn[1::2], strict=True)]


def phrase(grammar, rng, number=None):
    """Draw "PREP the NOUN"; number: of the noun, None for either."""
    word = str(rng.choice(grammar.prepositions))
    return [word, "the", noun(grammar, rng, number)]


def noun(grammar, rng, number=None):
    """Draw a noun: first its class, then the word, then its number."""
    pairs = [*grammar.nouns.values()][rng.integers(len(grammar.nouns))]
    number = rng.integers(2) if number is None else number
    return pairs[rng.integers(len(pairs))][number]


def hard_questions(grammar, count, seed, *, before, after, same, first=None):
    """Draw texts that break off before the second verb.

    Every other noun of the second sentence has the other number than its
    subject.

    Parameters
    ----------
    grammar : agreement.Grammar
    count, seed : int
    before, after : int
        Phrases before and after the subject of the second sentence.
    same : bool
        The subject of the first sentence has the same number, or the other.
    first : int, optional
        How many words the first sentence has; None for any.

    Returns
    -------
    texts : list of lists of words
    numbers : array (count,)
        Of the subject that the second verb agrees with.
    """
    rng = np.random.default_rng(seed)
    numbers, drawn = rng.integers(2, size=count), []
    pool = _by_number(grammar, rng, first)
    for number in numbers.tolist():
        firsts = pool[number if same else 1 - number]
        words = [*firsts[rng.integers(len(firsts))]]
        for place in range(before + 1 + after):
            if place == before:
                words += ["the", noun(grammar, rng, number)]
            else:
                words += phrase(grammar, rng, 1 - number)
        drawn.append(words)
    return drawn, numbers


def _by_number(grammar, rng, first, count=400):
    """Return first sentences by the number of their subject: two lists."""
    drawn = [
        words
        for words in grammar.sentences(count, rng)
        if first is None or len(words) == first
    ]
    subject = [grammar.parse(words)[0][1] for words in drawn]
    return [
        [w for w, n in zip(drawn, subject, strict=True) if n == number]
        for number in (0, 1)
    ]
