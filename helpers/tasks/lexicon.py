"""The words of the sentences, split into training and test words."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from helpers import validation
from helpers.embeddings import stored

WHO_CAN = {  # the nouns that fit each class of verbs
    "animate": ("animal", "person"),
    "vehicle": ("vehicle",),
    "plant": ("plant",),
}
NO_VERB_FITS = ("building", "tool", "furniture", "clothing", "instrument")
KINDS = (*WHO_CAN, "none")  # the class of verbs that fits a noun
CATEGORIES_OF = (*WHO_CAN.values(), NO_VERB_FITS)  # of each of KINDS


@dataclass(frozen=True)
class Lexicon:
    """Nouns as {category: [(singular, plural)]}, and the other words.

    reserved_nouns, of the same form, are nouns that no split ever draws.
    """

    nouns: dict
    reserved_nouns: dict
    verbs: dict
    transitive_verbs: tuple
    adjectives: tuple
    prepositions: tuple

    def split(self, seed, held_out=0.3, hold_out_verbs=False):
        """Return (train, test): no noun of one is in the other.

        The fraction `held_out` of the nouns of every category, singular
        and plural together, at least two, goes to the test half; with
        `hold_out_verbs` the same fraction of every class of verbs.
        """
        rng = validation.seeded("seed", seed)
        held_out = validation.fraction("held_out", held_out)
        hold_out_verbs = validation.flag("hold_out_verbs", hold_out_verbs)
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
        singulars = validation.strings("singulars", singulars, empty=True)
        known = {pair[0] for pairs in self.nouns.values() for pair in pairs}
        if unknown := sorted(set(singulars) - known):
            raise ValueError(f"singulars: no such nouns: {unknown}")
        nouns = {
            category: tuple(pair for pair in pairs if pair[0] not in singulars)
            for category, pairs in self.nouns.items()
        }
        return replace(self, nouns=nouns)

    def words(self):
        """Return the words of the task "which_noun", sorted."""
        pairs = [pair for pairs in self.nouns.values() for pair in pairs]
        return sorted(
            {"the", "will"}
            | {form for pair in pairs for form in pair}
            | {verb for verbs in self.verbs.values() for verb in verbs}
            | set(self.prepositions)
        )


@lru_cache
def load_lexicon():
    """Return all words of data/words.json as a `Lexicon`.

    Raises FileNotFoundError or ValueError naming the file.
    """
    content = stored("words.json")
    nouns, reserved = (
        {
            category: tuple(tuple(pair.split("/")) for pair in pairs.split())
            for category, pairs in content.pop(name).items()
        }
        for name in ("nouns", "reserved_nouns")
    )
    verbs = {
        name: tuple(words.split())
        for name, words in content.pop("verbs").items()
    }
    others = {name: tuple(words.split()) for name, words in content.items()}
    return Lexicon(nouns=nouns, reserved_nouns=reserved, verbs=verbs, **others)


def labeled_nouns(lexicon):
    """List all nouns of the task "which_noun" with what is true of them.

    Returns words (a list of n), kind (n,): which of KINDS, and number
    (n,): 0 singular, 1 plural.
    """
    nouns = check_lexicon(lexicon).nouns
    rows = [
        (word, kind, number)
        for kind, names in enumerate(CATEGORIES_OF)
        for name in names
        for pair in nouns[name]
        for number, word in enumerate(pair)
    ]
    words, kind, number = zip(*rows, strict=True)
    return list(words), np.array(kind), np.array(number)


def arguments(lexicon, count, rng):
    """Check what every grammar is made from; return it as it is."""
    lexicon = check_lexicon(lexicon)
    count = validation.positive_integer("count", count)
    return lexicon, count, validation.random_numbers("rng", rng)


def check_lexicon(lexicon):
    """Return a `Lexicon`, or raise TypeError."""
    if not isinstance(lexicon, Lexicon):
        raise TypeError(
            "lexicon: expected a Lexicon, such as load_lexicon(), got"
            f" {type(lexicon).__name__}"
        )
    return lexicon


def picker(rng, draws):
    """Return a function that picks an item; one draw a call, from a pool."""
    draw = iter(rng.random(draws).tolist()).__next__
    return lambda items: items[int(draw() * len(items))]


def _halves(lists, held_out, rng):
    train, test = {}, {}
    for name, items in lists.items():
        order = rng.permutation(len(items))
        count = max(2, round(held_out * len(items)))
        test[name] = tuple(items[i] for i in order[:count])
        train[name] = tuple(items[i] for i in order[count:])
    return train, test
