"""Heads of the chat model are switched off: who copies, who is needed?

Trial room 08: a quarter of an hour. Nothing is trained. Heads are chosen by
where they look, on sequences that measure nothing else.
"""

from functools import cache, partial

import numpy as np

from helpers.chat_model import load_chat_model
from helpers.chat_model.inside import Inside, Record, WithoutHeads
from helpers.experiments import chat_texts

WORDS = 25  # random words, then the same again
CHOOSE, MEASURE = 8, 16  # sequences
PASSAGE = 60  # tokens of an unseen passage, then the same again
OFF, DRAWS = 5, 8  # heads at once, of 270; draws of as many others
INDUCTION = 0.2  # mean weight, 8 times an even one; all such heads at once
BEFORE = 16, 0  # looks one back; in each draw of many that does much harm


@cache
def sequences():
    """Random words, written twice: tokens (24, 50)."""
    tokenizer = load_chat_model().tokenizer
    pieces = [tokenizer.id_to_token(i) for i in range(20_000)]
    known = [
        i
        for i, piece in enumerate(pieces)
        if piece[0] == "Ġ" and piece[1:].isalpha() and piece[1:].isascii()
        if len(piece) > 4
    ]
    rng = np.random.default_rng(0)
    count = CHOOSE + MEASURE
    once = [rng.choice(known, WORDS, replace=False) for _ in range(count)]
    return np.hstack([once, once])


@cache
def shuffled():
    """Return sequences whose second half is in another order: (24, 50)."""
    twice, rng = sequences(), np.random.default_rng(1)
    second = rng.permuted(twice[:, WORDS:], axis=1)
    return np.hstack([twice[:, :WORDS], second])


def passages():
    """Return beginnings of the unseen passages, written twice (8, 120)."""
    once = chat_texts.texts("unseen")[:, :PASSAGE]
    return np.hstack([once, once])


def scores(tokens, back):
    """Mean weight of each head on the token `back` before: (30, 9).

    tokens (B, 2 * L): queries are the second half but its last token. With
    back = L - 1 it is the prefix-matching score.
    """
    record, model = Record(keep=["weights"]), load_chat_model()
    model.go_on(model.table[tokens], inside=record)
    asks = np.arange(tokens.shape[1] // 2, tokens.shape[1] - 1)
    found = [w[:, :, asks, asks - back].mean((0, 2)) for w in record.weights]
    return np.array(found)


@cache
def _scores():
    return scores(sequences()[:CHOOSE], WORDS - 1)


@cache
def ranked():
    """Return all heads (layer, head), the best at prefix matching first."""
    found = _scores()
    order = np.argsort(-found, axis=None, kind="stable")
    return [divmod(int(i), found.shape[1]) for i in order]


def induction_heads():
    """Return the heads whose score is above `INDUCTION`."""
    return ranked()[: int((_scores() > INDUCTION).sum())]


def drawn(count, draw, same_layers=False):
    """Draw heads that are not among the `count` best.

    same_layers: each of them from the layer of one of the best.
    """
    rng = np.random.default_rng([draw, same_layers])
    best, others = ranked()[:count], ranked()[count:]
    if not same_layers:
        return [others[i] for i in rng.permutation(len(others))[:count]]
    heads = []
    for layer, _ in best:
        left = [h for h in others if h[0] == layer and h not in heads]
        heads.append(left[rng.integers(len(left))])
    return heads


def with_before():
    """Whether `BEFORE` is in each draw of as many others: (8,)."""
    count = len(induction_heads())
    return np.array([BEFORE in drawn(count, i) for i in range(DRAWS)])


class MeanHeads(Inside):
    """Each of some heads gives every token its mean context of the text."""

    def __init__(self, heads):
        self.heads = heads

    def contexts(self, layer, context, weights):
        """Replace the contexts of these heads by their means."""
        context, off = (
            np.array(context),
            [h for i, h in self.heads if i == layer],
        )
        means = context[..., off, :, :].mean(axis=-2, keepdims=True)
        context[..., off, :, :] = means
        return context


def measure(inside=None):
    """Return losses without some heads: {what: list}, in nats a token.

    "words": second copy of random words (16,), and "other order", the same
    words shuffled. "again": second reading of a passage (8,), and "prose",
    its first.
    """
    words, other = (
        chat_texts.losses(tokens[CHOOSE:], WORDS + 1, inside=inside)
        for tokens in (sequences(), shuffled())
    )
    prose = chat_texts.losses(passages(), 20, inside=inside)
    halves = {
        "words": words,
        "other order": other,
        "again": prose[:, PASSAGE + 1 - 20 :],
        "prose": prose[:, : PASSAGE - 20],
    }
    return {
        name: each.mean(axis=1, dtype=float).round(4).tolist()
        for name, each in halves.items()
    }


def _without_drawn(kind, draw):
    count = len(induction_heads()) if kind.startswith("as many") else OFF
    same_layers = kind.endswith("same layers")
    return measure(WithoutHeads(drawn(count, draw, same_layers)))


ROWS = {
    "scores": lambda: (
        scores(sequences()[:CHOOSE], WORDS - 1).round(4).tolist()
    ),
    "scores, shuffled": lambda: (
        scores(shuffled()[:CHOOSE], WORDS - 1).round(4).tolist()
    ),
    "none": measure,
    "best": lambda: measure(WithoutHeads(ranked()[:1])),
    "best five": lambda: measure(WithoutHeads(ranked()[:OFF])),
    "best five, means": lambda: measure(MeanHeads(ranked()[:OFF])),
    "all": lambda: measure(WithoutHeads(induction_heads())),
    "one before": lambda: measure(WithoutHeads([BEFORE])),
} | {
    f"{kind} {draw}": partial(_without_drawn, kind, draw)
    for kind in ("any", "same layers", "as many", "as many, same layers")
    for draw in range(DRAWS)
}  # fmt: skip


def train_row(name):
    """Measure one of `ROWS` anew, see `measure`.

    Both "scores": (30, 9).
    """
    return ROWS[name]()


def lost(rows, kind):
    """Return which part of what repetition gains is lost without heads.

    rows: of `stored.load`; kind: a row's name without its draw. {"words",
    "again": percent (draws,)}, and "prose": nats by which the loss of the
    first reading rises (draws,). The gain of random words is what their
    order gives, that of a passage what the first reading does.
    """
    names = [n for n in rows if n == kind or n.rstrip("0123456789 ") == kind]
    whole, draws = rows["none"], [rows[name] for name in names]
    left = {
        "words": [(r["other order"] - r["words"]).mean() for r in draws],
        "again": [(whole["prose"] - r["again"]).mean() for r in draws],
    }
    gained = {
        "words": (whole["other order"] - whole["words"]).mean(),
        "again": (whole["prose"] - whole["again"]).mean(),
    }
    rises = [(row["prose"] - whole["prose"]).mean() for row in draws]
    return {
        text: 100 - 100 * np.array(left[text]) / gain
        for text, gain in gained.items()
    } | {"prose": np.array(rises)}
