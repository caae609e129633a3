"""The chat model is asked for facts at ten depths of a long text.

Trial room 08: some minutes. Nothing is trained. Each text holds ten facts.
"""

from functools import partial

import numpy as np

from helpers.chat_model import load_chat_model
from helpers.experiments import chat_facts, chat_texts
from helpers.experiments.stored import BRIEF
from helpers.generation import KeyValueCache

DEPTHS = 10  # the first token, the last, and eight between
PIECE = 250  # tokens that are read at once
LENGTHS = {"unseen": 1000, "plays": 2000}
TEXTS = 20  # so that each fact is twice at each depth


def text(kind, length, number):
    """Return a text with ten facts: tokens, facts and answers by depth.

    Fact `number` comes first, then the next one, so that over the texts
    each is at each depth. length: about how many tokens.
    """
    order = (np.arange(DEPTHS) + number) % DEPTHS
    answers = np.array(chat_facts.choices(number))[order]
    facts = [
        chat_facts.told(*pair) for pair in zip(order, answers, strict=True)
    ]
    between = (length - sum(map(len, facts))) // (DEPTHS - 1)
    if kind == "plays":
        filler = chat_texts.texts(kind, length)[number % chat_texts.COUNT]
    else:
        filler = np.roll(chat_texts.texts(kind), -number, axis=0).ravel()
    tokens = [*facts[0]]
    for i, fact in enumerate(facts[1:]):
        tokens += [*filler[i * between : (i + 1) * between], *fact]
    return np.array(tokens), order, answers


def found(kind, length, number):
    """Is each fact found? {form: ones and zeros by depth (10,)}."""
    model = load_chat_model()
    tokens, order, answers = text(kind, length, number)
    cache = KeyValueCache(model)
    for at in range(0, len(tokens), PIECE):
        model.go_on(model.table[tokens[at : at + PIECE]], cache=cache)
    return {
        form: [
            int(chat_facts.says(cache, chat_facts.asked(i, form), i) == right)
            for i, right in zip(order, answers, strict=True)
        ]
        for form in chat_facts.FORMS
    }


def _all(kind, length, count=TEXTS):
    texts = [found(kind, length, i) for i in range(count)]
    return {form: [each[form] for each in texts] for form in chat_facts.FORMS}


ROWS = {
    f"{kind}, {length:,} tokens": partial(_all, kind, length)
    for kind, length in LENGTHS.items()
}
ROWS[f"{BRIEF} | unseen, 400 tokens"] = partial(_all, "unseen", 400, 1)


def train_row(name):
    """Ask anew: {form: ones and zeros (20, 10)}, texts by depths."""
    return ROWS[name]()


def by_fact(right):
    """Sort what was found (20, 10) by facts: (10, 10), facts by depths.

    Each is the mean of the two texts that have this fact at this depth.
    """
    texts, depths = np.indices((TEXTS, DEPTHS))
    found = np.zeros((DEPTHS, DEPTHS))
    np.add.at(found, ((depths + texts) % DEPTHS, depths), np.asarray(right))
    return found * DEPTHS / TEXTS
