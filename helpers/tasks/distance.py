"""Sentences in which the right noun stands at a chosen distance.

Noun phrases tied by prepositions, a verb at the end: "the ferry by the
boots under the children will land". Is the noun that counts singular or
plural? Every phrase but the first has its preposition, so the grammar does
not tell which noun counts. The cue that does comes *late* or *early*:

- late: the verb fits one of three nouns (an animate one, a vehicle, a
  plant), as in the task "which_noun"; it comes last;
- early: it is always the first noun, and the verb is "be". That question
  needs word order, which attention sees only if positions are added.
"""

import numpy as np

from helpers import validation
from helpers.tasks.lexicon import CATEGORIES_OF, KINDS, arguments, picker
from helpers.tasks.sentences import Sentences

TRAINED = {"late": range(3, 7), "early": range(1, 7)}  # noun phrases
BETWEEN = (1, 3, 5, 7, 11)  # phrases between the noun and the verb
FAR = (23, 47, 93)  # the same, far beyond training
DISTANCES = tuple(3 * between + 2 for between in BETWEEN + FAR)  # in words


def noun_phrases(
    lexicon, count, rng, *, cue, phrases, between=None, balanced=False
):
    """Build sentences with a given number of phrases after the right noun.

    Parameters
    ----------
    lexicon : Lexicon
    count : int
        B, the number of sentences.
    rng : numpy.random.Generator
    cue : str
        "late" or "early": see the top of this module.
    phrases : int
        Noun phrases in each sentence; 3 or more with a late cue.
    between : int, optional
        Phrases between the right noun and the verb, with a late cue; None:
        any. With an early cue, all phrases but the first are between.
    balanced : bool
        False: every noun's number is drawn on its own. True: half of the
        nouns are plural, so that counting plurals is useless.

    Returns
    -------
    Sentences
        G = 1; the verb is the last word, and its query is read.
    """
    lexicon, count, rng = arguments(lexicon, count, rng)
    validation.choice("cue", cue, TRAINED)
    phrases = validation.positive_integer("phrases", phrases)
    if validation.flag("balanced", balanced):
        half = np.arange(phrases) % 2
        numbers = rng.permuted(np.tile(half, (count, 1)), axis=1)
    else:
        numbers = rng.integers(0, 2, (count, phrases))
    kinds, right = _kinds(count, rng, cue, phrases, between)  # (B, N), (B,)
    rows = np.arange(count)
    pick = picker(rng, count * 3 * phrases)
    drawn = (kinds, numbers, kinds[rows, right])
    words = [
        _sentence(lexicon, pick, *row)
        for row in zip(*(array.tolist() for array in drawn), strict=True)
    ]
    nouns = np.tile(3 * np.arange(phrases) + 1, (count, 1))
    return Sentences(
        words=words,
        position=np.full(count, 3 * phrases),
        evidence=nouns[rows, right][:, None],
        labels=numbers[rows, right][:, None],
        nouns=nouns,
        numbers=numbers,
    )


def _kinds(count, rng, cue, phrases, between):
    """Return the class of each noun (B, N) and which noun is right (B,)."""
    right = np.zeros(count, dtype=int)
    if cue == "early":
        if between is not None:
            raise ValueError(
                f"between: with an early cue it is phrases - 1, not {between}"
            )
        return np.full((count, phrases), -1), right
    if between is not None:
        between = validation.integer("between", between, least=0)
    if phrases < 3 or (between or 0) >= phrases:
        raise ValueError(
            f"phrases: expected 3 or more, and more than between={between},"
            f" got {phrases}"
        )
    kinds = np.full((count, phrases), 3)
    kinds[:, :3] = np.arange(3)
    kinds = rng.permuted(kinds, axis=1)
    wanted = rng.integers(0, 3, count)
    right = (kinds == wanted[:, None]).argmax(axis=1)
    if between is not None:  # exchange it with the noun at its place
        rows, place = np.arange(count), phrases - 1 - between
        kinds[rows, right] = kinds[:, place]
        kinds[:, place] = wanted
        right[:] = place
    return kinds, right


def _sentence(lexicon, pick, kinds, numbers, wanted):
    words = []
    for kind, number in zip(kinds, numbers, strict=True):
        words += [pick(lexicon.prepositions)] if words else []
        category = pick([*lexicon.nouns] if kind < 0 else CATEGORIES_OF[kind])
        words += ["the", pick(lexicon.nouns[category])[number]]
    if wanted < 0:
        return [*words, "will", "be"]
    return [*words, "will", pick(lexicon.verbs[KINDS[wanted]])]
