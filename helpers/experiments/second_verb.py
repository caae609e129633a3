"""Claim C64: language models of two sentences, asked for the second verb.

data/second_verb_runs.json holds five seeds of every kind;
tools/write_second_verb_runs.py writes it.
"""

import numpy as np

from helpers.attention import softmax
from helpers.embeddings import stored
from helpers.experiments import language
from helpers.tasks import agreement, two_sentences

TRAINED_ON, EPOCHS, ASKED = 4000, 8, 100  # texts; questions of each sort
ALONE = "single sentences"  # the model of notebook 06: the control
KINDS = {  # phrases in front, and options of `language.train_on`
    ALONE: None,
    "pairs": (False, {}),
    "pairs, 2 layers": (False, dict(layers=2)),
    "pairs, in front": (True, {}),
    "pairs, in front, 2 layers": (True, dict(layers=2)),
    "pairs, in front, 2 layers, 16 epochs": (
        True,
        dict(layers=2, epochs=2 * EPOCHS),
    ),
}
BEFORE, AFTER = (0, 1), (0, 1, 2)  # phrases before and after the subject
NEW = (2,)  # phrases before the subject, more than any training has


def train(kind, seed):
    """Train one of `KINDS`; return the model."""
    if kind == ALONE:
        return language.train("one layer", seed)
    in_front, options = KINDS[kind]
    grammar = language.material(seed)[0]
    texts = two_sentences.texts(
        grammar, TRAINED_ON, (seed, 0), in_front=in_front
    )
    options = dict(epochs=EPOCHS) | options
    longest = 1 + max(map(len, texts))
    return language.train_on(
        texts, grammar, seed, max_length=longest, **options
    )


def number_right(model, seed, *, before, after, same, first=None):
    """Return how often the second verb gets the number of its subject.

    All nouns are those of the test; `two_sentences.hard_questions` says
    what the rest means.
    """
    grammar = language.material(seed)[1]
    texts, numbers = two_sentences.hard_questions(
        grammar,
        ASKED,
        (seed, 2, before, after),
        before=before,
        after=after,
        same=same,
        first=first,
    )
    verbs = [pair for pairs in grammar.verbs.values() for pair in pairs]
    forms = [model.ids(form) for form in zip(*verbs, strict=True)]
    chances = softmax(language.next_word_logits(model, texts))  # (n, V)
    mass = np.stack([chances[:, form].sum(axis=1) for form in forms])
    return float((mass.argmax(axis=0) == numbers).mean())


def run(kind, seed):
    """Train and ask one kind on one seed: {first subject: list}.

    "other", "same": the number of the first sentence's subject, beside that
    of the second. Rows are `BEFORE`, with `NEW` for kinds that were trained
    with phrases in front; columns are `AFTER`.
    """
    model = train(kind, seed)
    in_front = kind != ALONE and KINDS[kind][0]
    rows = BEFORE + NEW if in_front else BEFORE
    return {
        name: [
            [
                number_right(
                    model,
                    seed,
                    before=before,
                    after=after,
                    same=same,
                    first=_first(kind, before, in_front),
                )
                for after in AFTER
            ]
            for before in rows
        ]
        for name, same in (("other", False), ("same", True))
    }


def _first(kind, before, in_front):
    """Words of the first sentence: short where long texts have new places."""
    known = in_front or (kind != ALONE and before == 0)
    return None if known else two_sentences.SHORT


def load_runs():
    """Return {kind: {"other", "same": array (5, 2 or 3, 3)}}, seed by seed.

    Raises FileNotFoundError or ValueError naming the file.
    """
    return {
        kind: {name: np.array(values) for name, values in row.items()}
        for kind, row in stored("second_verb_runs.json").items()
    }
