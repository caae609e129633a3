"""One door to all tasks: sentences, word vectors and positions, by name."""

from dataclasses import replace
from functools import lru_cache

import numpy as np

from helpers import validation
from helpers.embeddings import WordTable
from helpers.layers import sinusoidal_positions
from helpers.tasks.distance import BETWEEN, TRAINED, noun_phrases
from helpers.tasks.lexicon import load_lexicon
from helpers.tasks.one_answer import ask_for_the_other_noun, which_noun
from helpers.tasks.sentences import Examples, Sentences, Task, padded
from helpers.tasks.two_answers import (
    CATEGORIES,
    COLORS,
    subject_and_previous,
    two_hop,
    two_hop_loose,
    who_whom,
)

CLASSES = {  # how many classes each answer has
    "which_noun": (2,),
    "who_whom": (len(CATEGORIES), len(CATEGORIES)),
    "subject_and_previous": (2, 2),
    "two_hop": (2, len(COLORS)),
    "two_hop_loose": (2, len(COLORS)),
    "distance_late": (2,),
    "distance_early": (2,),
}
# The category of a noun is its answer: no noun may have two meanings.
LEFT_OUT = {"who_whom": ("bat", "calf", "mouse", "seal", "tank")}
POSITIONS = 1.5  # size of a position beside a word of variance 1
BASE = 100.0  # of the sinusoids; no sentence is longer than 20 words
GRAMMARS = {  # the order seeds them: new ones come last
    g.__name__: g
    for g in (who_whom, subject_and_previous, two_hop, two_hop_loose)
}


def load(name, seed, **options):
    """Return a task for one seed, ready to train on.

    The test half has nouns that the training half does not have. The same
    seed gives the same task; do not change its arrays.

    Parameters
    ----------
    name : str
        One of `CLASSES`.
    seed : int
    train_count, test_count : int
        Sentences; of a distance task test_count at each distance.
    between : sequence of int
        Of a distance task alone: the phrases between noun and verb in the
        test, `BETWEEN` unless given.
    held_out, hold_out_verbs
        Of "which_noun" alone: see `Lexicon.split`.
    other_noun, reserved : bool
        Of "which_noun" alone: ask for the noun that no verb fits; test on
        the reserved nouns, which no seed draws. The sentences to train on
        stay the same.
    positions : float
        Of the tasks with two answers alone: a factor of the sinusoidal
        positions that are added to the words; 0 leaves them out.

    Raises
    ------
    TypeError, ValueError
        If there is no such task, or an option is not what it says above.
    """
    validation.choice("name", name, CLASSES)
    seed = validation.integer("seed", seed, least=0)
    if "between" in options:
        between = validation.positive_integers("between", options["between"])
        options["between"] = between
    return _load(name, seed, **options)


@lru_cache(maxsize=10)  # two tasks of five seeds, some 400 MB
def _load(name, seed, **options):
    if name == "which_noun":
        return _one_answer(seed, **options)
    if name in GRAMMARS:
        return _two_answers(name, seed, **options)
    return _distance(name.removeprefix("distance_"), seed, **options)


def _one_answer(
    seed,
    *,
    train_count=4000,
    test_count=1500,
    other_noun=False,
    reserved=False,
    **split,
):
    """Independent numbers in training; balanced ones in the test."""
    train, test = load_lexicon().split(seed, **split)
    if validation.flag("reserved", reserved):
        test = replace(test, nouns=test.reserved_nouns)
    rng = np.random.default_rng([seed, 1])
    table = WordTable(train.words())
    halves = (
        _examples(which_noun(train, train_count, rng), table),
        _examples(which_noun(test, test_count, rng, balanced=True), table),
    )
    if validation.flag("other_noun", other_noun):
        halves = map(ask_for_the_other_noun, halves)
    return Task(*halves, table)


def _two_answers(
    name, seed, *, train_count=4000, test_count=1000, positions=POSITIONS
):
    """With positions, because two of the questions are about order."""
    positions = validation.real_number("positions", positions)
    halves = load_lexicon().without(LEFT_OUT.get(name, ())).split(seed)
    rng = np.random.default_rng([seed, 2 + [*GRAMMARS].index(name)])
    train, test = (
        GRAMMARS[name](half, count, rng)
        for half, count in zip(halves, (train_count, test_count), strict=True)
    )
    words = halves[0]
    table = WordTable(
        [*words.words(), *words.adjectives, *words.transitive_verbs, *COLORS]
    )
    return Task(
        _examples(train, table, positions),
        _examples(test, table, positions),
        table,
    )


def _distance(cue, seed, *, train_count=3600, test_count=300, between=BETWEEN):
    """Equal parts of each length in training, and independent numbers.

    The test has so many phrases between the right noun and the verb, more
    than five longer than in any training, and balanced numbers.
    """
    train_count = validation.integer(
        "train_count", train_count, least=len(TRAINED[cue])
    )
    train, test = load_lexicon().split(seed)
    table = WordTable(sorted({*train.words(), "be"}))
    rng = np.random.default_rng([seed, 2])
    each = train_count // len(TRAINED[cue])
    parts = [
        noun_phrases(train, each, rng, cue=cue, phrases=phrases)
        for phrases in TRAINED[cue]
    ]
    tests = {
        count: _examples(_at(count, test, test_count, rng, cue), table)
        for count in between
    }
    return Task(_examples(_joined(parts), table), tests, table)


def _at(between, lexicon, count, rng, cue):
    late = cue == "late"
    return noun_phrases(
        lexicon,
        count,
        rng,
        cue=cue,
        phrases=max(*TRAINED[cue], between + 1) if late else between + 1,
        between=between if late else None,
        balanced=True,
    )


def _joined(parts):
    """Put the sentences of several parts into one `Sentences`."""
    arrays = {
        name: padded(row for part in parts for row in getattr(part, name))
        for name in ("evidence", "labels", "nouns", "numbers")
    }
    return Sentences(
        words=[words for part in parts for words in part.words],
        position=np.concatenate([part.position for part in parts]),
        **arrays,
    )


def _examples(sentences, table, positions=0.0):
    x, mask = table.batch(sentences.words)  # (B, T, d_model)
    if positions:
        where = sinusoidal_positions(*x.shape[1:], base=BASE)  # (T, d_model)
        x += positions * where * mask[..., None]
    return Examples(sentences, x, mask)
