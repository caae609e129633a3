"""Sentences, the same said in other words, and look-alikes that differ."""

from helpers import validation
from helpers.tasks.lexicon import picker

# Each word stands beside its synonym.
PEOPLE = (
    "doctor physician lawyer attorney thief robber writer author child kid"
    " baby infant"
).split()
THINGS = (
    "car automobile bicycle bike ship boat plane airplane coat jacket shop"
    " store couch sofa stone rock road street"
).split()
ADJECTIVES = (
    "big large small little quiet silent strange odd famous renowned"
).split()
VERBS = (
    "calls/called follows/followed hits/hit holds/held needs/needed"
    " sees/seen takes/taken wants/wanted watches/watched"
).split()


def rewordings(count, seed):
    """Build sentences in seven versions: {version: list of `count` texts}.

    "said" is the sentence. Two versions say the same: "reworded" with
    synonyms for all nouns and adjectives, "passive" the other way round.
    Four look alike and say something else: "other object", "other doer",
    "never", and "swapped", where doer and object change places. The
    adjective stands with the object and with the doer in turn; all of
    "said", "reworded", "other object" and "other doer" have seven words.
    """
    count = validation.positive_integer("count", count)
    pick = picker(validation.seeded("seed", seed), 6 * count)
    rows = [_versions(pick, number % 2 == 1) for number in range(count)]
    return {name: [row[name] for row in rows] for name in rows[0]}


def _versions(pick, first):
    """Return one sentence in all versions; first: whose adjective?"""
    lists = PEOPLE, THINGS, ADJECTIVES
    doer, thing, adjective = words = [pick(each) for each in lists]
    new_doer, new_thing = (
        _other(doer, pick, PEOPLE),
        _other(thing, pick, THINGS),
    )
    verb, passive = pick(VERBS).split("/")

    def say(doer, thing, adjective=adjective):
        one, two = _with_adjective(doer, thing, adjective, first)
        return f"the {one} {verb} the {two}"

    one, two = _with_adjective(*words, first)
    return {
        "said": say(*words),
        "reworded": say(*map(_synonym, words, lists)),
        "passive": f"the {two} is {passive} by the {one}",
        "other object": say(doer, new_thing),
        "other doer": say(new_doer, thing),
        "never": f"the {one} never {verb} the {two}",
        "swapped": f"the {two} {verb} the {one}",
    }


def _with_adjective(doer, thing, adjective, first):
    if first:
        return f"{adjective} {doer}", thing
    return doer, f"{adjective} {thing}"


def _synonym(word, words):
    return words[words.index(word) ^ 1]


def _other(word, pick, words):
    """Pick a word that does not mean the same."""
    return pick([w for w in words if w not in (word, _synonym(word, words))])
