"""Other questions to ask about the sentences of `tasks.which_noun`."""

from dataclasses import replace

import numpy as np

from helpers import tasks

KINDS = (*tasks.WHO_CAN, "none")  # the class of verbs that fits a noun


def labeled_nouns(lexicon):
    """List all nouns of the task `which_noun` with what is true of them.

    Returns words (a list of n), kind (n,): which of KINDS, and number
    (n,): 0 singular, 1 plural.
    """
    categories = [*tasks.WHO_CAN.values(), tasks.NO_VERB_FITS]
    rows = [
        (word, kind, number)
        for kind, names in enumerate(categories)
        for name in names
        for pair in lexicon.nouns[name]
        for number, word in enumerate(pair)
    ]
    words, kind, number = zip(*rows, strict=True)
    return list(words), np.array(kind), np.array(number)


def ask_for_the_other_noun(examples):
    """Ask the same sentences for the number of the noun that no verb fits.

    Returns `tasks.Examples` with the same words and other answers.
    """
    words, kind, _ = labeled_nouns(tasks.load_lexicon())
    kind_of = dict(zip(words, kind, strict=True))
    part = examples.sentences
    is_other = np.array(
        [
            [kind_of[words[place]] == KINDS.index("none") for place in places]
            for words, places in zip(part.words, part.nouns, strict=True)
        ]
    )  # (B, 4), one True in each row
    part = replace(
        part,
        targets=part.nouns[is_other][:, None],
        labels=part.numbers[is_other][:, None],
    )
    return replace(examples, sentences=part)
