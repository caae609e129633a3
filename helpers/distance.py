"""Sentences in which the noun asked for stands at a chosen distance.

Noun phrases tied by prepositions, a verb at the end: "the ferry by the
boots under the children will land". Is the noun that counts singular or
plural? Every phrase but the first has its preposition, so the grammar does
not tell which noun counts. What tells it comes *late* or *early*:

- late: the verb fits one of three nouns (an animate one, a vehicle, a
  plant), as in `tasks.which_noun`; it comes last;
- early: it is always the first noun, and the verb is "be". That question
  needs word order, which attention sees only if positions are added.
"""

from dataclasses import dataclass

import numpy as np

from helpers import tasks, validation
from helpers.embeddings import WordTable

TRAINED = {"late": range(3, 7), "early": range(1, 7)}  # noun phrases
BETWEEN = (1, 3, 5, 7, 11)  # phrases between the noun and the verb
WORDS = tuple(3 * between + 2 for between in BETWEEN)  # its distance in words


@dataclass(frozen=True)
class DistanceTask:
    """Examples to train on, and {phrases between: examples} to test on."""

    train: tasks.Examples
    test: dict


def noun_phrases(
    lexicon, count, rng, *, asked, phrases, between=None, balanced=False
):
    """Build sentences with a given number of phrases after the right noun.

    Parameters
    ----------
    lexicon : tasks.Lexicon
    count : int
        B, the number of sentences.
    rng : numpy.random.Generator
    asked : str
        "late" or "early": see the top of this module.
    phrases : int
        Noun phrases in each sentence; 3 or more if asked late.
    between : int, optional
        Phrases between the right noun and the verb, if asked late; None:
        any. Asked early, all phrases but the first are between.
    balanced : bool
        False: every noun's number is drawn on its own. True: half of the
        nouns are plural, so that counting plurals is useless.

    Returns
    -------
    tasks.Sentences
        G = 1; the query is the verb, the last word.
    """
    count = validation.positive_integer("count", count)
    phrases = validation.positive_integer("phrases", phrases)
    if validation.flag("balanced", balanced):
        half = np.arange(phrases) % 2
        numbers = rng.permuted(np.tile(half, (count, 1)), axis=1)
    else:
        numbers = rng.integers(0, 2, (count, phrases))
    kinds, right = _kinds(count, rng, asked, phrases, between)  # (B, N), (B,)
    rows = np.arange(count)
    draws = iter(rng.random(count * 3 * phrases))
    words = [
        _sentence(lexicon, draws, *row)
        for row in zip(kinds, numbers, kinds[rows, right], strict=True)
    ]
    nouns = np.tile(3 * np.arange(phrases) + 1, (count, 1))
    return tasks.Sentences(
        words=words,
        query=np.full(count, 3 * phrases),
        targets=nouns[rows, right][:, None],
        labels=numbers[rows, right][:, None],
        nouns=nouns,
        numbers=numbers,
    )


def _kinds(count, rng, asked, phrases, between):
    """Return the class of each noun (B, N) and which noun is right (B,)."""
    if asked not in ("late", "early"):
        raise ValueError(f"asked: expected 'late' or 'early', got {asked!r}")
    right = np.zeros(count, dtype=int)
    if asked == "early":
        return np.full((count, phrases), -1), right
    if phrases < 3 or not (between is None or 0 <= between < phrases):
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


def _sentence(lexicon, draws, kinds, numbers, wanted):
    words = []
    for kind, number in zip(kinds, numbers, strict=True):
        words += [_pick(lexicon.prepositions, draws)] if words else []
        category = _pick(_categories(lexicon, kind), draws)
        words += ["the", _pick(lexicon.nouns[category], draws)[number]]
    if wanted < 0:
        return [*words, "will", "be"]
    verbs = lexicon.verbs[list(tasks.WHO_CAN)[wanted]]
    return [*words, "will", _pick(verbs, draws)]


def _categories(lexicon, kind):
    if kind < 0:
        return list(lexicon.nouns)
    return [*tasks.WHO_CAN.values(), tasks.NO_VERB_FITS][kind]


def _pick(items, draws):
    return items[int(next(draws) * len(items))]


def load_task(asked, seed, *, count=3600, each_distance=300):
    """Return the `DistanceTask` of one seed.

    `count` training sentences have independent numbers and, in equal
    parts, the lengths `TRAINED`.
    Test sentences have held-out nouns, balanced numbers, and `BETWEEN`
    phrases after the right noun; the last two distances are longer than
    any in training.
    """
    train, test = tasks.load_lexicon().split(seed)
    table = WordTable(sorted({*train.words(), "be"}))
    rng = np.random.default_rng([seed, 2])
    lengths = TRAINED[asked]
    parts = [
        noun_phrases(
            train, count // len(lengths), rng, asked=asked, phrases=phrases
        )
        for phrases in lengths
    ]
    return DistanceTask(
        _examples(table, parts),
        {
            between: _examples(
                table, [_at(between, test, each_distance, rng, asked)]
            )
            for between in BETWEEN
        },
    )


def _at(between, lexicon, count, rng, asked):
    late = asked == "late"
    return noun_phrases(
        lexicon,
        count,
        rng,
        asked=asked,
        phrases=max(*TRAINED[asked], between + 1) if late else between + 1,
        between=between if late else None,
        balanced=True,
    )


def _examples(table, parts):
    sentences = tasks.Sentences(
        words=[words for part in parts for words in part.words],
        query=np.concatenate([part.query for part in parts]),
        targets=np.concatenate([part.targets for part in parts]),
        labels=np.concatenate([part.labels for part in parts]),
        nouns=_side_by_side([part.nouns for part in parts], -1),
        numbers=_side_by_side([part.numbers for part in parts], -1),
    )
    return tasks.Examples(sentences, *table.batch(sentences.words))


def _side_by_side(tables, missing):
    """Stack tables of different width, filled up to the widest."""
    width = max(table.shape[1] for table in tables)
    return np.concatenate(
        [
            np.pad(
                table,
                ((0, 0), (0, width - table.shape[1])),
                constant_values=missing,
            )
            for table in tables
        ]
    )
