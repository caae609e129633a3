"""Sentences whose right attention is known: small grammars of our own.

A `Lexicon` holds the words, split into training and test words that share
no noun. A grammar turns a lexicon into `Sentences` with the question's
answer and the position of the word that gives it. A `Task` is both halves
as padded arrays of word vectors.
"""

import json
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from helpers import validation
from helpers.embeddings import WordTable

FILE = Path(__file__).resolve().parents[1] / "data" / "words.json"
WHO_CAN = {  # the nouns that fit each class of verbs
    "animate": ("animal", "person"),
    "vehicle": ("vehicle",),
    "plant": ("plant",),
}
NO_VERB_FITS = ("building", "tool", "furniture", "clothing", "instrument")


@dataclass(frozen=True)
class Lexicon:
    """Nouns as {category: [(singular, plural)]}, and the other words."""

    nouns: dict
    verbs: dict
    transitive_verbs: tuple
    adjectives: tuple
    prepositions: tuple

    def split(self, seed, held_out=0.3, hold_out_verbs=False):
        """Return (train, test): no noun of one is in the other.

        A share `held_out` of the nouns of every category, singular and
        plural together, at least two, goes to the test half; with
        `hold_out_verbs` the same share of every class of verbs.
        """
        rng = np.random.default_rng(seed)
        nouns = _halves(self.nouns, held_out, rng)
        verbs = (self.verbs, self.verbs)
        if hold_out_verbs:
            verbs = _halves(self.verbs, held_out, rng)
        return tuple(
            replace(self, nouns=n, verbs=v)
            for n, v in zip(nouns, verbs, strict=True)
        )

    def without(self, singulars):
        """Return the lexicon without some nouns, both forms of each.

        Raises ValueError if a singular is not in the lexicon.
        """
        known = {pair[0] for pairs in self.nouns.values() for pair in pairs}
        if unknown := sorted(set(singulars) - known):
            raise ValueError(f"singulars: no such nouns: {unknown}")
        nouns = {
            category: tuple(pair for pair in pairs if pair[0] not in singulars)
            for category, pairs in self.nouns.items()
        }
        return replace(self, nouns=nouns)

    def words(self):
        """Return all its words and the function words, sorted."""
        pairs = [pair for pairs in self.nouns.values() for pair in pairs]
        return sorted(
            {"the", "will"}
            | {form for pair in pairs for form in pair}
            | {verb for verbs in self.verbs.values() for verb in verbs}
            | set(self.prepositions)
        )


@dataclass(frozen=True)
class Sentences:
    """B sentences with their question, its answer, and where it stands.

    words: B lists of words. query (B,): position of the word that asks.
    targets (B, G): positions of the words that know the G answers, and
    labels (B, G): those answers. nouns (B, N): positions of all nouns, in
    order, -1 where there are fewer. numbers (B, N): 0 singular, 1 plural.
    """

    words: list
    query: np.ndarray
    targets: np.ndarray
    labels: np.ndarray
    nouns: np.ndarray
    numbers: np.ndarray

    def __len__(self):
        return len(self.words)

    def __getitem__(self, rows):
        """Return the sentences of a slice, a boolean or an index array."""
        rows = np.arange(len(self))[rows]
        if rows.ndim != 1:
            raise TypeError("rows: give a slice or an array, such as [3:4]")
        arrays = {
            field.name: getattr(self, field.name)[rows]
            for field in fields(self)
            if field.name != "words"
        }
        return Sentences(words=[self.words[i] for i in rows], **arrays)


@dataclass(frozen=True)
class Examples:
    """Sentences as arrays: x (B, T, d_model), mask (B, T) True = a word."""

    sentences: Sentences
    x: np.ndarray
    mask: np.ndarray


@dataclass(frozen=True)
class Task:
    """Examples to train on and to test on, and the table of their words."""

    train: Examples
    test: Examples
    table: WordTable


@lru_cache
def load_lexicon():
    """Return all words of data/words.json as a `Lexicon`."""
    content = json.loads(FILE.read_text(encoding="utf-8"))
    nouns = {
        category: tuple(tuple(pair.split("/")) for pair in pairs.split())
        for category, pairs in content.pop("nouns").items()
    }
    verbs = {
        name: tuple(words.split())
        for name, words in content.pop("verbs").items()
    }
    others = {name: tuple(words.split()) for name, words in content.items()}
    return Lexicon(nouns=nouns, verbs=verbs, **others)


def _halves(lists, held_out, rng):
    train, test = {}, {}
    for name, items in lists.items():
        order = rng.permutation(len(items))
        count = max(2, round(held_out * len(items)))
        test[name] = tuple(items[i] for i in order[:count])
        train[name] = tuple(items[i] for i in order[count:])
    return train, test


def which_noun(lexicon, count, rng, *, balanced=False):
    """Ask which of four nouns a verb needs: is it singular or plural?

    One animate noun, one vehicle, one plant and one other stand in any
    order, tied by prepositions; the verb fits exactly one of the first
    three. The label is that noun's number (0 singular, 1 plural).

    Parameters
    ----------
    lexicon : Lexicon
    count : int
        B, the number of sentences.
    rng : numpy.random.Generator
    balanced : bool
        False: every noun's number is drawn on its own. True: exactly two
        nouns are singular and two plural, so counting plurals is useless.

    Returns
    -------
    Sentences
        G = 1; the query is the verb, the last word.
    """
    count = validation.positive_integer("count", count)
    kinds = rng.permuted(np.tile(np.arange(4), (count, 1)), axis=1)  # (B, 4)
    if validation.flag("balanced", balanced):
        numbers = rng.permuted(np.tile([0, 0, 1, 1], (count, 1)), axis=1)
    else:
        numbers = rng.integers(0, 2, (count, 4))
    subjects = rng.integers(0, 3, count)
    draws = iter(rng.random(count * 12))  # 4 categories, 4 nouns, 3 + 1
    rows = [
        _which_noun_sentence(lexicon, draws, *row)
        for row in zip(kinds, numbers, subjects, strict=True)
    ]
    words, nouns, targets = zip(*rows, strict=True)
    is_target = np.array(nouns) == np.array(targets)[:, None]  # (B, 4)
    return Sentences(
        words=list(words),
        query=np.array([len(sentence) - 1 for sentence in words]),
        targets=np.array(targets)[:, None],
        labels=numbers[is_target][:, None],
        nouns=np.array(nouns),
        numbers=numbers,
    )


def _which_noun_sentence(lexicon, draws, kinds, numbers, subject):
    classes = list(WHO_CAN)
    words, nouns = [], []
    for kind, number in zip(kinds, numbers, strict=True):
        categories = WHO_CAN[classes[kind]] if kind < 3 else NO_VERB_FITS
        pairs = lexicon.nouns[_pick(categories, draws)]
        if kind != subject:
            words.append(_pick(lexicon.prepositions, draws))
        words += ["the", _pick(pairs, draws)[number]]
        nouns.append(len(words) - 1)
        if kind == subject:
            target = nouns[-1]
    verb = _pick(lexicon.verbs[classes[subject]], draws)
    return [*words, "will", verb], nouns, target


def _pick(items, draws):
    return items[int(next(draws) * len(items))]


@lru_cache(maxsize=8)
def load_task(seed, *, train_count=4000, test_count=1500, **split):
    """Return the task `which_noun` for one seed, ready to train on.

    Training sentences have independent numbers, test sentences held-out
    nouns and balanced numbers. Keyword arguments go to `Lexicon.split`.
    The same seed gives the same task; do not change its arrays.
    """
    train, test = load_lexicon().split(seed, **split)
    rng = np.random.default_rng([seed, 1])
    table = WordTable(train.words())
    sentences = (
        which_noun(train, train_count, rng),
        which_noun(test, test_count, rng, balanced=True),
    )
    return Task(
        *(Examples(part, *table.batch(part.words)) for part in sentences),
        table,
    )
