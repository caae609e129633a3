"""What takes the weight of a model, and what it gives: claim C55."""

import copy

import numpy as np

from helpers.attention import scaled_dot_product_attention
from helpers.experiments.encoder_measures import (
    attend_by,
    sentence_vectors,
    text_cosine,
)
from helpers.models import load_encoder


def places(output):
    """The position of each row, (B, T), and that of [SEP], (B, 1)."""
    _, place = np.indices(output.mask.shape)
    return place, output.mask.sum(axis=1, keepdims=True) - 1


def weights_and_norms(output):
    """What [CLS], [SEP] and a word get in each block, and their values.

    Returns (6, 6), a row for each block: three mean weights on one such
    token, and three mean norms of its value, all heads together.
    """
    place, last = places(output)
    inside = (place > 0) & (place < last)
    kinds = [place == 0, place == last, inside]  # (B, T) each
    asks = output.mask[..., None]  # (B, T, 1)
    weights, norms = [], []
    blocks = load_encoder().blocks
    steps = zip(blocks, output.hidden[:-1], output.weights, strict=True)
    for p, x, a in steps:
        mean = a.mean(axis=1)  # (B, T, T)
        weights.append([mean[asks & kind[:, None]].mean() for kind in kinds])
        value = np.linalg.norm(x @ p["w_v"] + p["b_v"], axis=-1)  # (B, T)
        norms.append([value[kind].mean() for kind in kinds])
    return np.hstack([weights, norms])


def middle_blocks(by_block):
    """Sum up `weights_and_norms` of blocks 2 to 5: two dicts.

    The least weight on the first token and the largest on the last; the
    largest norm of the first token's value and the least of a word's.
    """
    weights, norms = np.hsplit(np.asarray(by_block)[1:5], 2)  # (4, 3) each
    return (
        {"first": weights[:, 0].min(), "last": weights[:, 1].max()},
        {"first": norms[:, 0].max(), "word": norms[:, 2].min()},
    )


def silence_and_hide(texts, whole):
    """Cosines of the texts' vectors with those of the untouched model.

    whole: the untouched model's output for the texts. Returns {"[CLS]
    silent": number, …}: the first token, the last and the second word,
    silent or hidden, the mean over texts; at the end the first one silent
    and all other weights scaled up to a sum of 1.
    """
    model = load_encoder()
    place, last = places(whole)
    cosines = {}
    for name, spot in {"[CLS]": 0, "[SEP]": last, "a word": 2}.items():
        token = place == spot
        for way, change in {
            "silent": {"attend": silence(token)},
            "hidden": {"hide": token},
        }.items():
            changed = model.read(texts, **change)
            cosines[f"{name} {way}"] = text_cosine(changed, whole)
    scaled = model.read(texts, attend=silence(place == 0, rescale=True))
    return cosines | {"[CLS] silent, rest scaled": text_cosine(scaled, whole)}


def different_texts(output):
    """Mean cosine of the vectors of two different texts of an output."""
    vectors = sentence_vectors(output)  # (B, 384)
    return (vectors @ vectors.T)[~np.eye(len(vectors), dtype=bool)].mean()


def silence(token, rescale=False):
    """An `attend` in which the values of some tokens count as 0.

    token (B, T): True where a token is silent. The weights stay, or with
    rescale the others are divided by their sum, so that they sum to 1.
    """
    token = np.asarray(token)
    if token.dtype != bool or token.ndim != 2:
        raise TypeError(
            f"token: expected booleans (B, T), got {token.dtype} {token.shape}"
        )
    kept = ~token[:, None, None]  # (B, 1, 1, T)

    def mix(query, key, value, *, mask):
        _, weights = scaled_dot_product_attention(query, key, value, mask=mask)
        rest = weights * kept
        if rescale:
            rest = rest / rest.sum(axis=-1, keepdims=True)
        return rest @ value, weights

    return attend_by(mix)


def other_first_tokens(texts, whole):
    """Read texts with other first tokens, and with other positions.

    whole: the untouched model's output for the texts. Returns a tuple for
    each: token, the learned positions that the first and the fourth token
    get, the mean weights on these two in blocks 2 to 5, and the mean cosine
    of the texts' vectors with those of the untouched model.
    """
    found = []
    for positions in (0, 3), (50, 3), (3, 0):
        for token in ("[CLS]", "king", "river", "the"):
            output = _with_first(token, positions).read(texts)
            weights = output.weights[1:5].mean(axis=2)[:, output.mask]
            first, fourth = weights[..., [0, 3]].mean(axis=(0, 1))
            cosine = text_cosine(output, whole)
            found.append((token, positions, first, fourth, cosine))
    return found


def _with_first(token, positions):
    """The encoder with another row for [CLS], and two other positions."""
    model = load_encoder()
    changed = copy.copy(model)
    changed.positions = model.positions.copy()
    if token != "[CLS]":  # row 101 of the table
        changed.words = model.words.copy()
        changed.words[101] = model.words[model.tokenize(token)[1][1]]
    changed.positions[[0, 3]] = model.positions[[*positions]]
    return changed
