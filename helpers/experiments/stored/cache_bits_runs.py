"""The chat model with a cache of keys and values in few bits.

Trial room 08: half an hour. Nothing is trained. A text is read in pieces of
32 tokens, and when a piece has been read, its keys and values are rounded.
So 64 numbers share a scale by token, and 32 by channel. For a fair comparison,
both share it in groups of 32, or of 64, and a piece then has as many tokens.
"""

from functools import partial

import numpy as np

from helpers.chat_model import load_chat_model
from helpers.experiments import chat_facts, chat_texts
from helpers.experiments.chat_windows import Window
from helpers.generation import KeyValueCache
from helpers.tasks import running_text

START, LENGTH, PIECE = 96, 256, 32
FROM_PROSE, AT_ONCE = 24, 8  # texts
TOKEN, CHANNEL = -1, -2  # the axis that shares a scale: (..., T, d_k)
MIXED = "keys by channel, values by token"
AXES = {  # of keys, of values
    "by token": (TOKEN, TOKEN),
    "by channel": (CHANNEL, CHANNEL),
    MIXED: (CHANNEL, TOKEN),
}
APART = {
    "only keys, by token": (TOKEN, None),
    "only keys, by channel": (CHANNEL, None),
    "only values, by token": (None, TOKEN),
    "only values, by channel": (None, CHANNEL),
}
# So many tokens in 16 bits take about the bytes of all of them in 4 or 2,
# with two numbers for each scale, and a piece that is not rounded yet.
FEWER = {4: 100, 2: 60}


def texts():
    """Return texts that the model cannot know: (32, 256) of tokens.

    The eight unseen ones, and passages from the prose of our notebooks.
    """
    prose, encode = running_text.prose(), load_chat_model().encode
    starts = np.linspace(0, len(prose), FROM_PROSE, endpoint=False)
    lines = [prose.index("\n", int(at)) + 1 for at in starts]
    passages = [encode(prose[at : at + 8 * LENGTH]) for at in lines]
    return np.concatenate(
        [
            chat_texts.texts("unseen", LENGTH),
            [tokens[:LENGTH] for tokens in passages],
        ]
    )


def rounded(x, bits, axis, group=None):
    """Round an array to 2**bits levels between its ends along an axis.

    Each row or column has levels of its own: two more numbers to store.
    group: so many numbers at a time; if None, all along the axis.
    """
    if group is not None:
        groups = np.split(x, x.shape[axis] // group, axis)
        return np.concatenate([rounded(g, bits, axis) for g in groups], axis)
    low = x.min(axis, keepdims=True)
    step = (x.max(axis, keepdims=True) - low) / (2**bits - 1)
    step = np.maximum(step, np.float32(1e-8))
    return np.round((x - low) / step) * step + low


class RoundedCache(KeyValueCache):
    """Rounds keys and values when the next piece is read.

    bits: None, as they are; axes: of keys and values, as in `rounded`; None
    leaves one of them as it is; group: as in `rounded`, and the tokens of
    a piece.
    """

    def __init__(self, model, bits=None, axes=(TOKEN, TOKEN), group=None):
        super().__init__(model)
        self.bits, self.axes, self.group, self.done = bits, axes, group, 0

    def finish(self):
        """Round what was read since the last time."""
        key_axis, value_axis = self.axes
        if self.bits is not None:
            for arrays, axis in (
                (self.keys, key_axis),
                (self.values, value_axis),
            ):
                if axis is not None:
                    for x in arrays:
                        new = x[..., self.done :, :]
                        new[...] = rounded(new, self.bits, axis, self.group)
        self.done = self.length


def read(tokens, cache, inside=None):
    """Read tokens (..., T) in pieces; return the rows (..., T, d)."""
    model, rows, size = load_chat_model(), [], cache.group or PIECE
    for at in range(0, tokens.shape[-1], size):
        piece = model.table[tokens[..., at : at + size]]
        rows.append(model.go_on(piece, cache=cache, inside=inside))
        cache.finish()
    return np.concatenate(rows, axis=-2)


def loss(bits=None, axes=(TOKEN, TOKEN), group=None, inside=None, only=None):
    """Mean loss of each of the `texts`, in nats a token.

    group: so many numbers share a scale, and so many tokens are read at once.
    only: how many texts to read.
    """
    model, found, read_all = load_chat_model(), [], texts()[:only]
    for at in range(0, len(read_all), AT_ONCE):
        tokens = read_all[at : at + AT_ONCE]
        rows = read(tokens, RoundedCache(model, bits, axes, group), inside)
        for row, text in zip(
            rows[:, START - 1 : -1], tokens[:, START:], strict=True
        ):
            losses = chat_texts.surprise(row @ model.table.T, text)
            found.append(round(float(losses.mean(dtype=float)), 4))
    return found


def answers(bits=None, axes=(TOKEN, TOKEN)):
    """Ask for each of ten facts in each of four texts: {form: right (4,)}.

    An unseen passage contains the facts; form: as in `chat_facts.FORMS`;
    right: how many of ten.
    """
    right = {form: [] for form in chat_facts.FORMS}
    for i, passage in enumerate(chat_texts.texts("unseen", LENGTH)[::2]):
        choices = chat_facts.choices(i)
        pieces = np.split(passage, np.arange(25, LENGTH, 26)[:9])
        facts = [chat_facts.told(*pair) for pair in enumerate(choices)]
        tokens = np.concatenate(
            [*map(np.concatenate, zip(pieces, facts, strict=True))]
        )
        cache = RoundedCache(load_chat_model(), bits, axes)
        read(tokens[: len(tokens) // PIECE * PIECE], cache)
        rest = [*tokens[len(cache) :]]
        for form, found in right.items():
            said = [
                chat_facts.says(cache, rest + chat_facts.asked(n, form), n)
                for n in range(len(choices))
            ]
            found.append(int(np.equal(said, choices).sum()))
    return right


ROWS = (
    {"16 bits": loss, "8 bits, by token": partial(loss, 8)}
    | {
        f"{bits} bits, {way}": partial(loss, bits, axes)
        for bits in (4, 3, 2)
        for way, axes in AXES.items()
    }
    | {
        f"4 bits, {way}, {name}": partial(loss, 4, AXES[way], group)
        for name, group in (("32 numbers", 32), ("pieces of 64", 64))
        for way in ("by token", MIXED)
    }
    | {f"2 bits, {way}": partial(loss, 2, axes) for way, axes in APART.items()}
    | {
        f"fewer tokens, bytes of {bits} bits": partial(
            loss, inside=Window(tokens - 4, np.arange(4))
        )
        for bits, tokens in FEWER.items()
    }
    | {"answers | 16 bits": answers}
    | {
        f"answers | {bits} bits": partial(answers, bits, AXES[MIXED])
        for bits in (4, 2)
    }
    | {"answers | 4 bits, by token": partial(answers, 4)}
)


def train_row(name):
    """Read anew: mean loss of each of the `texts` (32,).

    "16 bits" is in fact float32, which is no worse. "answers | …": see
    `answers`, keys by channel and values by token if nothing else is said.
    """
    return ROWS[name]()
