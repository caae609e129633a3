"""What the chat model reads in 08 and its room, and how surprised it is."""

import numpy as np

from helpers import attention
from helpers.chat_model import load_chat_model
from helpers.tasks import running_text

LENGTH = 320  # tokens of a text
KINDS = "plays", "unseen"
COUNT = 8  # texts of each kind
CLOCKS = (  # written for notebook 08, after the model
    "My neighbor keeps eleven clocks in her kitchen, and no two of them agree."
    " When I asked her why, she said that a single clock only tells you what"
    " it thinks, but eleven clocks tell you how sure you may be. On Sunday"
    " mornings she winds them all, pours herself a cup of tea, and waits for"
    " the first one to strike. Then she goes for a walk by the river."
)


def texts(kind, length=LENGTH):
    """Return texts (8, length) of tokens: int64.

    kind: "plays", eight passages of Shakespeare, or "unseen", which were
    written for this course, after the model. Raises ValueError for others.
    """
    if kind not in KINDS:
        raise ValueError(f"kind: expected one of {KINDS}, got {kind!r}")
    passages = running_text.unseen()
    if kind == "plays":
        plays = running_text.shakespeare()
        starts = np.linspace(0, len(plays), COUNT, endpoint=False)
        passages = [plays[int(at) :][: 8 * length] for at in starts + 60_000]
    encode = load_chat_model().encode
    return np.array([encode(passage)[:length] for passage in passages])


def losses(tokens, start, **options):
    """Return each token's loss from position `start` on: (..., T - start).

    tokens (..., T); options: of `ChatModel.go_on`, such as inside. In nats.
    """
    model, tokens = load_chat_model(), np.asarray(tokens)
    rows = model.go_on(model.table[tokens], **options)[..., start - 1 : -1, :]
    return surprise(rows @ model.table.T, tokens[..., start:])


def surprise(logits, tokens):
    """Return the loss of tokens (...) under logits (..., V): (...)."""
    right = np.take_along_axis(logits, tokens[..., None], axis=-1)[..., 0]
    # by the highest weight, which cannot underflow
    behind = logits.max(axis=-1) - right
    return behind - np.log(attention.softmax(logits).max(axis=-1))
