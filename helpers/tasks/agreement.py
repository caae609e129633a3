"""Sentences to predict word by word; what can be known is known exactly.

"the NOUN (PREP the NOUN){0–2} VERB .": every choice is even, and the verb
fits the *first* noun, in class (who can) and in number.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from helpers import validation
from helpers.embeddings import WordTable, tokenize
from helpers.tasks.lexicon import WHO_CAN, load_lexicon, picker

START = "."  # before the first word, and at the end of each sentence
PHRASES = (0, 1, 2)  # how many follow the first noun, equally often
SINGULAR, PLURAL = 0, 1


@dataclass(frozen=True)
class Grammar:
    """All sentences over some nouns.

    nouns: {class: ((singular, plural), ...)}; verbs: {class: ((swims,
    swim), ...)}; prepositions: words.
    """

    nouns: dict
    verbs: dict
    prepositions: tuple

    def sentences(self, count, seed):
        """Draw sentences: a list of lists of words. seed: or a Generator."""
        count = validation.positive_integer("count", count)
        pick = picker(validation.seeded("seed", seed), 16 * count)
        return [self._draw(pick) for _ in range(count)]

    def _draw(self, pick):
        phrases, number = pick(PHRASES), pick((SINGULAR, PLURAL))
        kind = pick(tuple(self.nouns))
        words = ["the", pick(self.nouns[kind])[number]]
        for _ in range(phrases):
            noun = pick(pick(tuple(self.nouns.values())))
            words += [pick(self.prepositions), "the", pick(noun)]
        return [*words, pick(self.verbs[kind])[number], START]

    def parse(self, words):
        """Return (class, number) of each noun in order; None: no sentence.

        The verb has the class and the number of the first of them.
        """
        words = validation.strings("words", words, empty=True)
        starts = range(0, len(words) - 2, 3)  # of "the NOUN PREP"
        if len(words) % 3 != 1 or len(starts) - 1 not in PHRASES:
            return None
        nouns = [self._noun_forms.get(words[i + 1]) for i in starts]
        fits = (
            all(words[i] == "the" for i in starts)
            and None not in nouns
            and all(words[i - 1] in self.prepositions for i in starts[1:])
            and self._verb_forms.get(words[-2]) == nouns[0]
            and words[-1] == START
        )
        return nouns if fits else None

    def is_grammatical(self, words):
        """Say if this grammar can make these words."""
        return self.parse(words) is not None

    def log_probability(self, words):
        """Return the log of how probable a sentence is, -inf if never."""
        nouns = self.parse(words)
        if nouns is None:
            return -math.inf
        choices = [len(PHRASES), len(self.verbs[nouns[0][0]])]
        choices += [len(self.prepositions)] * (len(nouns) - 1)
        for kind, _ in nouns:
            choices += [len(self.nouns), len(self.nouns[kind]), 2]
        return -sum(map(math.log, choices))

    @property
    def entropy(self):
        """How many nats one sentence surprises whoever knows the grammar.

        A choice out of n surprises by log(n); choices add up.
        """
        kinds, phrases = len(self.nouns), np.mean(PHRASES)
        noun = math.log(2 * kinds) + _mean_log(self.nouns)
        prep = math.log(len(self.prepositions))
        rest = math.log(len(PHRASES)) + _mean_log(self.verbs)
        return float((1 + phrases) * noun + phrases * prep + rest)

    @property
    def mean_length(self):
        """How many words a sentence has on average, its end included."""
        return 4 + 3 * float(np.mean(PHRASES))

    @property
    def floor(self):
        """Nats a word: no model of this language has a lower mean loss."""
        return self.entropy / self.mean_length

    def words(self):
        """Return all words: START, "the", prepositions, nouns, verbs."""
        lists = [*self.nouns.values(), *self.verbs.values()]
        forms = [form for pairs in lists for pair in pairs for form in pair]
        return (START, "the", *self.prepositions, *forms)

    @cached_property
    def _noun_forms(self):
        return _forms(self.nouns)

    @cached_property
    def _verb_forms(self):
        return _forms(self.verbs)


def load(seed):
    """Return (train, test): two grammars; no noun of one is in the other.

    Test holds 30 % of the nouns of each category; all other words are the
    same.
    """
    return tuple(map(_grammar, load_lexicon().split(seed)))


def whole():
    """Return the grammar with all nouns."""
    return _grammar(load_lexicon())


def _grammar(lexicon):
    nouns = {
        kind: tuple(pair for name in names for pair in lexicon.nouns[name])
        for kind, names in WHO_CAN.items()
    }
    verbs = {
        kind: tuple((third_person(verb), verb) for verb in lexicon.verbs[kind])
        for kind in WHO_CAN
    }
    return Grammar(nouns, verbs, lexicon.prepositions)


def third_person(verb):
    """Return the form after a singular noun: swim, swims; cry, cries."""
    (verb,) = validation.strings("verb", [verb])
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("sh", "ch", "s", "x")) else "s")


def word_vectors(grammar, words, d_model=64):
    """Return pretrained vectors (n, d_model), ready for training.

    The `WordTable` is made of the words of `grammar` and serves all
    others. A verb that the table has in pieces only ("swim", "##s") gets
    the vector of the first.
    """
    if not isinstance(grammar, Grammar):
        raise TypeError(f"grammar: expected a Grammar, got {grammar!r:.40}")
    words = validation.strings("words", words)
    first = [tokenize(word)[0] for word in words]
    own = sorted({tokenize(word)[0] for word in grammar.words()})
    return WordTable(own, d_model).vectors(first)


def token_array(sentences, vocabulary):
    """Return (B, 1 + T) numbers of words: START, then the sentence.

    T is that of the longest sentence; -1 where there is no word. Raises
    ValueError naming words that are not in the vocabulary.
    """
    vocabulary = validation.strings("vocabulary", vocabulary)
    place = {word: i for i, word in enumerate(vocabulary)}
    sentences = validation.string_lists("sentences", sentences)
    used = {START} | {word for words in sentences for word in words}
    if unknown := sorted(used - place.keys()):
        raise ValueError(f"sentences: not in the vocabulary: {unknown}")
    width = 1 + max(map(len, sentences))
    tokens = np.full((len(sentences), width), -1)
    for row, words in zip(tokens, sentences, strict=True):
        row[: 1 + len(words)] = [place[word] for word in (START, *words)]
    return tokens


def _forms(pairs_of):
    return {
        form: (kind, number)
        for kind, pairs in pairs_of.items()
        for pair in pairs
        for number, form in enumerate(pair)
    }


def _mean_log(pairs_of):
    return float(np.mean([math.log(len(p)) for p in pairs_of.values()]))
