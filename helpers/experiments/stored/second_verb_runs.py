"""Claim C64: models of two sentences, asked for the second verb.

Notebook 06: about half an hour.
"""

import numpy as np

from helpers.attention import softmax
from helpers.experiments import language
from helpers.experiments.runs import SEEDS
from helpers.experiments.stored import BRIEF, by_measure, language_runs
from helpers.tasks import agreement, two_sentences

TRAINED_ON, EPOCHS, ASKED = 4000, 8, 100  # texts; questions of each sort
LONGER = "pairs, in front, 16 epochs"  # with two layers
ALONE = "single sentences"  # the model of notebook 06: the control
ROWS = {  # phrases in front, and options of `language.train_on`
    ALONE: None,
    "pairs": (False, {}),
    "pairs, in front, 2 layers": (True, dict(layers=2)),
    LONGER: (True, dict(layers=2, epochs=2 * EPOCHS)),
    f"{BRIEF} | pairs": (False, dict(epochs=1)),
}
BEFORE, AFTER = (0, 1), (0, 1, 2)  # phrases before and after the subject
NEW = (2,)  # phrases before the subject, more than any training has
FIRST = {"other": False, "same": True}  # number of the first subject


def train(kind, seed):
    """Train one of `ROWS`; return the model."""
    if kind == ALONE:
        return language_runs.train("one layer", seed)
    in_front, options = ROWS[kind]
    grammar = language.material(seed)[0]
    texts = two_sentences.texts(
        grammar, TRAINED_ON, (seed, 0), in_front=in_front
    )
    options = dict(epochs=EPOCHS) | options
    longest = 1 + max(map(len, texts))
    return language.train_on(
        texts, grammar, seed, max_length=longest, **options
    )


def questions(seed, *, before, after, same, first=None):
    """Return texts and numbers of `two_sentences.hard_questions`.

    All nouns are those of the test.
    """
    return two_sentences.hard_questions(
        language.material(seed)[1],
        ASKED,
        (seed, 2, before, after),
        before=before,
        after=after,
        same=same,
        first=first,
    )


def number_right(model, seed, **sort):
    """Return how often the second verb gets the number of its subject.

    sort: of `questions`.
    """
    texts, numbers = questions(seed, **sort)
    grammar = language.material(seed)[1]
    verbs = [pair for pairs in grammar.verbs.values() for pair in pairs]
    forms = [model.ids(form) for form in zip(*verbs, strict=True)]
    chances = softmax(language.next_word_logits(model, texts))  # (n, V)
    mass = np.stack([chances[:, form].sum(axis=1) for form in forms])
    return round(float((mass.argmax(axis=0) == numbers).mean()), 4)


def run(kind, seed):
    """Train and ask one kind on one seed: {number of sentence 1: list}.

    "other", "same": the number of the first sentence's subject, beside that
    of the second. Rows are `BEFORE`, with `NEW` for kinds that were trained
    with phrases in front; columns are `AFTER`.
    """
    model = train(kind, seed)
    in_front = kind != ALONE and ROWS[kind][0]
    rows = BEFORE + NEW if in_front else BEFORE

    def right(before, after, same):
        first = _first(kind, before, in_front)
        sort = dict(before=before, after=after, same=same, first=first)
        return number_right(model, seed, **sort)

    return {
        name: [[right(b, a, same) for a in AFTER] for b in rows]
        for name, same in FIRST.items()
    }


def _first(kind, before, in_front):
    """Words of the first sentence: short where long texts have new places."""
    known = in_front or (kind != ALONE and before == 0)
    return None if known else two_sentences.SHORT


def one_in_front(number, runs):
    """Return {who decides: accuracy (seeds,)} with one phrase in front.

    number: "other" or "same", that of the first sentence's subject; runs:
    what is stored of `ROWS`.
    """
    rows = {
        "the first noun decides": linear_map_rows(),
        "trained on single sentences": runs[ALONE],
        "trained on texts with phrases": runs["pairs, in front, 2 layers"],
    }
    return {who: row[number][:, 1].mean(axis=1) for who, row in rows.items()}


def linear_map_rows(seeds=SEEDS):
    """Ask a linear map from the first noun of the second sentence.

    It is fitted (ridge regression) on the vectors of the nouns of the
    training, singular and plural, and knows nothing of sentences.

    Returns
    -------
    dict
        {"other", "same": array (seeds, 3, 3)}, as `run`.
    """
    return {
        name: np.array([_map_right(seed, same) for seed in seeds])
        for name, same in FIRST.items()
    }


def _map_right(seed, same):
    train, test = language.material(seed)[:2]
    trained, new = map(_noun_forms, (train, test))
    rows = _with_one(train, trained + new)
    row = dict(zip(trained + new, rows, strict=True))
    numbers = np.tile([-1, 1], len(trained) // 2)  # singular, plural
    known = rows[: len(trained)]
    slopes = np.linalg.solve(
        known.T @ known + np.eye(known.shape[1]), known.T @ numbers
    )

    def right(before, after):
        sort = dict(before=before, after=after, same=same)
        texts, wanted = questions(seed, **sort)
        place = 1 + bool(before)  # "the NOUN", "PREP the NOUN"
        nouns = [
            text[text.index(agreement.START) + 1 + place] for text in texts
        ]
        said = np.array([row[noun] for noun in nouns]) @ slopes > 0
        return float((said == wanted).mean())

    return [[right(b, a) for a in AFTER] for b in BEFORE + NEW]


def _noun_forms(grammar):
    """Singular, plural, singular, …: all nouns."""
    pairs = [pair for nouns in grammar.nouns.values() for pair in nouns]
    return [form for pair in pairs for form in pair]


def _with_one(grammar, words):
    vectors = agreement.word_vectors(grammar, words)  # (n, 64)
    return np.column_stack([vectors, np.ones(len(words))])


def train_row(name, seeds=SEEDS):
    """Train and ask one of `ROWS` anew: {number of sentence 1: list}."""
    return by_measure(run, name, seeds=seeds)
