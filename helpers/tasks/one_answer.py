"""Which of four nouns does a verb need? And the noun that it does not."""

from dataclasses import replace

import numpy as np

from helpers import validation
from helpers.tasks.lexicon import (
    CATEGORIES_OF,
    KINDS,
    arguments,
    labeled_nouns,
    load_lexicon,
    picker,
)
from helpers.tasks.sentences import Sentences


def which_noun(lexicon, count, rng, *, balanced=False):
    """Ask which of four nouns a verb needs: is it singular or plural?

    One animate noun, one vehicle, one plant and one other are in any
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
        G = 1; the verb is the last word, and its query is read.
    """
    lexicon, count, rng = arguments(lexicon, count, rng)
    kinds = rng.permuted(np.tile(np.arange(4), (count, 1)), axis=1)  # (B, 4)
    if validation.flag("balanced", balanced):
        numbers = rng.permuted(np.tile([0, 0, 1, 1], (count, 1)), axis=1)
    else:
        numbers = rng.integers(0, 2, (count, 4))
    subjects = rng.integers(0, 3, count)
    pick = picker(rng, count * 12)  # 4 categories, 4 nouns, 3 + 1
    rows = [
        _which_noun_sentence(lexicon, pick, *row)
        for row in zip(
            kinds.tolist(), numbers.tolist(), subjects.tolist(), strict=True
        )
    ]
    words, nouns, evidence = zip(*rows, strict=True)
    is_evidence = np.array(nouns) == np.array(evidence)[:, None]  # (B, 4)
    return Sentences(
        words=list(words),
        position=np.array([len(sentence) - 1 for sentence in words]),
        evidence=np.array(evidence)[:, None],
        labels=numbers[is_evidence][:, None],
        nouns=np.array(nouns),
        numbers=numbers,
    )


def _which_noun_sentence(lexicon, pick, kinds, numbers, subject):
    words, nouns = [], []
    for kind, number in zip(kinds, numbers, strict=True):
        pairs = lexicon.nouns[pick(CATEGORIES_OF[kind])]
        if kind != subject:
            words.append(pick(lexicon.prepositions))
        words += ["the", pick(pairs)[number]]
        nouns.append(len(words) - 1)
        if kind == subject:
            evidence = nouns[-1]
    verb = pick(lexicon.verbs[KINDS[subject]])
    return [*words, "will", verb], nouns, evidence


def ask_for_the_other_noun(examples):
    """Ask the same sentences for the number of the noun that no verb fits.

    Returns `Examples` with the same words and other answers.
    """
    validation.having(
        "examples", examples, "sentences", such_as="Examples of which_noun"
    )
    lexicon = load_lexicon()
    kind_of = {}
    for nouns in (lexicon.nouns, lexicon.reserved_nouns):
        words, kind, _ = labeled_nouns(replace(lexicon, nouns=nouns))
        kind_of |= dict(zip(words, kind, strict=True))
    part = examples.sentences
    is_other = np.array(
        [
            [kind_of[words[place]] == KINDS.index("none") for place in places]
            for words, places in zip(part.words, part.nouns, strict=True)
        ]
    )  # (B, 4), one True in each row
    part = replace(
        part,
        evidence=part.nouns[is_other][:, None],
        labels=part.numbers[is_other][:, None],
    )
    return replace(examples, sentences=part)
