"""What a language model copies: from its training text, from its prompt."""

import numpy as np

from helpers import validation
from helpers.training import cross_entropy


def longest_copy(text, source):
    """Return the longest passage of a text that is in the source, a string."""
    best = ""
    for start in range(len(text)):
        longer = text[start : start + len(best) + 1]
        while len(longer) > len(best) and longer in source:
            best = longer
            longer = text[start : start + len(best) + 1]
    return best


def copied_part(text, source, length=20):
    """Return which part of the passages of this length is in the source."""
    length = validation.positive_integer("length", length)
    starts = range(len(text) - length + 1)
    if not starts:
        raise ValueError(f"text: {len(text)} characters, fewer than {length}")
    return float(np.mean([text[i : i + length] in source for i in starts]))


def write_by_lookup(source, prompt, length, *, context=8, seed=0):
    """Continue a prompt with what followed its last characters in the source.

    Each character is drawn from those that came after the last `context`
    characters anywhere in the source; after fewer of them, if these never
    occurred. A model that can do nothing but copy: string -> string.
    """
    rng, text = validation.seeded("seed", seed), prompt
    for _ in range(validation.positive_integer("length", length)):
        for k in range(context, -1, -1):
            places = _places(source, text[len(text) - k :])
            if places:
                break
        text += source[int(rng.choice(places))]
    return text


def _places(source, passage):
    """Return the places directly after each occurrence of a passage."""
    found, at = [], source.find(passage)
    while 0 <= at < len(source) - len(passage):
        found.append(at + len(passage))
        at = source.find(passage, at + 1)
    return found


def half_losses(model, ids):
    """Return the mean loss of the first and of the second half of texts.

    ids (B, 2 * L), texts whose second half may repeat the first; the first
    character of each half is not counted. In nats per character.
    """
    half, logits = np.shape(ids)[1] // 2, model.logits(ids)  # (B, 2 * L, V)
    halves = slice(0, half - 1), slice(half, 2 * half - 1)
    return [
        cross_entropy(
            logits[:, asks].reshape(-1, logits.shape[-1]),
            ids[:, asks.start + 1 : asks.stop + 1].ravel(),
        )[0]
        for asks in halves
    ]


def best_head(model, ids, back):
    """Return the highest mean weight of any head on the key so far back.

    ids (B, 2 * L): queries are all characters of the second half but its
    last one. With back = L - 1 it is the *prefix-matching score* if the
    halves are equal: Olsson et al. (2022), *In-context Learning and
    Induction Heads*.
    """
    half = np.shape(ids)[1] // 2
    asks = np.arange(half, 2 * half - 1)
    model.logits(ids)  # model.weights: a layer each, (B, H, T, T)
    return max(
        weights[:, :, asks, asks - back].mean((0, 2)).max()
        for weights in model.weights
    )
