"""The chat model reads with a window, with and without first tokens.

Trial room 08: some minutes. Nothing is trained; a row is a way of reading.
"""

from functools import partial

import numpy as np

from helpers.chat_model import load_chat_model
from helpers.experiments import chat_facts, chat_texts
from helpers.experiments.chat_windows import RollingCache, Window

START, WIDTH = 96, 64  # the first token that counts; tokens in sight
STEP = 32  # tokens between two new starts
FAR = 8960  # tokens before an unseen passage: it ends beyond the 8,192


def measure(name, kind, number):
    """Return the mean loss of one text, read as the row `name` says."""
    tokens = chat_texts.texts(kind)[number]
    if name == "anew":
        return _anew(tokens)
    if name == "random four":
        draw = np.random.default_rng([number, len(kind)])
        kept = draw.choice(np.arange(4, WIDTH), 4, replace=False)
        inside = Window(WIDTH - 4, kept)
    else:
        inside = WAYS[name]()
    return _rounded(chat_texts.losses(tokens, START, inside=inside))


def _anew(tokens):
    """Read the 48 to 79 tokens before each one, and nothing else."""
    length = WIDTH + STEP // 2
    starts = range(START + STEP - length, len(tokens) - length + 1, STEP)
    pieces = [tokens[at : at + length] for at in starts]
    return _rounded(chat_texts.losses(np.array(pieces), length - STEP))


def _rounded(losses):
    return round(float(losses.mean(dtype=float)), 4)


def far(first):
    """Loss of the unseen passages (8,) after 8,960 tokens of plays.

    first: how many first tokens are kept, within the window.
    """
    model, width = load_chat_model(), WIDTH - first
    cache = RollingCache(model, first, width)
    options = dict(cache=cache, inside=Window(width, np.arange(first)))
    before = chat_texts.texts("plays", FAR)[:1]  # (1, FAR)
    for at in range(0, FAR, WIDTH):
        model.go_on(model.table[before[:, at : at + WIDTH]], **options)
        cache.roll()
    tokens = chat_texts.texts("unseen")  # (8, T)
    for i in range(model.num_layers):
        shape = len(tokens), *cache.keys[i].shape[1:]
        cache.keys[i] = np.broadcast_to(cache.keys[i], shape)
        cache.values[i] = np.broadcast_to(cache.values[i], shape)
    rows = []
    for at in range(0, tokens.shape[1], WIDTH):
        piece = model.table[tokens[:, at : at + WIDTH]]
        rows.append(model.go_on(piece, **options))
        cache.roll()
    rows = np.concatenate(rows, axis=1)[:, START - 1 : -1]
    found = [
        chat_texts.surprise(row @ model.table.T, text)
        for row, text in zip(rows, tokens[:, START:], strict=True)
    ]
    return [_rounded(each) for each in found]


def recall(inside=None):
    """Is a fact known 200 tokens later? Zeros and ones (8,)."""
    model, right = load_chat_model(), []
    for i, tokens in enumerate(chat_texts.texts("unseen")):
        choices = chat_facts.choices(i)
        asked = [
            *tokens[:START],
            *chat_facts.told(i, choices[i]),
            *tokens[START : START + 200],
            *chat_facts.asked(i, "copy"),
        ]
        logits = model.logits(asked, inside=inside, last=True)[0]
        right.append(int(chat_facts.answer(i, logits) == choices[i]))
    return right


WAYS = {
    "everything": lambda: None,
    "window": lambda: Window(WIDTH),
    "first four": lambda: Window(WIDTH - 4, np.arange(4)),
    "the first": lambda: Window(WIDTH - 1, [0]),
}
ROWS = {
    name: partial(
        lambda name: {
            kind: [measure(name, kind, i) for i in range(chat_texts.COUNT)]
            for kind in chat_texts.KINDS
        },
        name,
    )
    for name in [*WAYS, "random four", "anew"]
} | {
    "far | first four": partial(far, 4),
    "recall | everything": recall,
    "recall | first four": lambda: recall(Window(WIDTH - 4, np.arange(4))),
}


def train_row(name):
    """Read anew: {"plays", "unseen": mean loss of each text (8,)}.

    "far | …": of unseen texts only, (8,). "recall | …": 1 for each right
    answer, (16,).
    """
    return ROWS[name]()
