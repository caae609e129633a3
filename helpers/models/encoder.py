"""A real model, all-MiniLM-L6-v2, by the course's own attention.

Six blocks of 12 heads, trained by others: Wang et al. (2020), *MiniLM*;
the architecture is BERT's: Devlin et al. (2019), section 3.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from helpers import validation
from helpers.attention import multi_head_attention
from helpers.embeddings import encode
from helpers.layers import gelu, layer_norm
from helpers.models.encoder_arrays import load_encoder_arrays

LAYERS, HEADS = 6, 12
ROWS_AT_ONCE = 256  # of the feed-forward layer
EPS = 1e-12  # of every layer norm
BLOCK = {f"{kind}_{n}" for kind in "wb" for n in "qkvo12"}  # its arrays
BLOCK |= {f"{kind}_{n}" for kind in ("gain", "bias") for n in "12"}


class EncoderOutput(NamedTuple):
    """What the model computed for B texts; for one string, without B.

    tokens: B lists of strings, [CLS] first and [SEP] last. hidden (7, B,
    T, 384): one row a token, before the first block and after each.
    weights (6, B, 12, T, T): [layer, text, head, query, key]. mask (B, T):
    True where there is a token, False in the padding of shorter texts.
    """

    tokens: list
    hidden: np.ndarray
    weights: np.ndarray
    mask: np.ndarray


def encoder_block(
    x,
    parameters,
    *,
    mask=None,
    there=None,
    head_mask=None,
    attend=multi_head_attention,
):
    """Attend, add, normalize; then the same with a feed-forward layer.

    Post-norm, as in Vaswani et al. (2017), section 3.1: the norm comes
    after the sum. x (..., T, 384); parameters: one of `Encoder.blocks`;
    mask: as in `multi_head_attention`; there (..., T): False in padding,
    where the feed-forward layer is not computed; head_mask (12,): a factor
    for each head, 0 switches it off; attend: called as
    `multi_head_attention` is. Returns output (..., T, 384) and weights (...,
    12, T, T).
    """
    p = validation.array_dict("parameters", parameters)
    if missing := sorted(BLOCK - p.keys()):
        raise ValueError(f"parameters: {missing} are missing")
    validation.function("attend", attend)
    w_o = p["w_o"]  # (384, 384): 32 rows for each head
    if head_mask is not None:
        head_mask = validation.of_shape("head_mask", head_mask, (HEADS,))
        w_o = w_o * np.repeat(head_mask, len(w_o) // HEADS)[:, None]
    matrices = (p["w_q"], p["w_k"], p["w_v"], w_o)
    biases = {name: p[name] for name in ("b_q", "b_k", "b_v", "b_o")}
    context, weights = attend(x, *matrices, HEADS, **biases, mask=mask)
    x = layer_norm(x + context, p["gain_1"], p["bias_1"], EPS)
    if there is None:
        there = np.ones(x.shape[:-1], bool)
    there = validation.booleans("there", there, x.shape[:-1])
    rows = x[there]  # (N, 384): faster at once, and in what a cache holds
    parts = np.array_split(rows, 1 + len(rows) // ROWS_AT_ONCE)
    x[there] = np.concatenate([_feed(part, p) for part in parts])
    return x, weights


def _feed(rows, p):
    inner = gelu(rows @ p["w_1"] + p["b_1"])  # (N, 1536)
    rows = rows + inner @ p["w_2"] + p["b_2"]  # (N, 384)
    return layer_norm(rows, p["gain_2"], p["bias_2"], EPS)


class Encoder:
    """All numbers of the model, float32, and the way from text to rows.

    words (30522, 384), positions (512, 384) and kind (384,): the rows that
    are summed; gain, bias (384,): of their norm. blocks: six dicts.
    """

    def __init__(self):
        rows, self.blocks = load_encoder_arrays(LAYERS)
        self.words, self.positions, self.kind, self.gain, self.bias = rows

    def tokenize(self, text, name="text"):
        """Return tokens, [CLS] and [SEP] included, and their ids (T,).

        Raises TypeError if text is no string, ValueError if it is empty, too
        long, or holds a word that not even pieces can spell.
        """
        encoding = encode(text, name)
        tokens = ["[CLS]", *encoding.tokens, "[SEP]"]
        if "[UNK]" in tokens:
            at = encoding.offsets[encoding.tokens.index("[UNK]")]
            word = " ".join(text.split())[slice(*at)]
            raise ValueError(f"{name} holds {word!r}, unknown to the model")
        if len(tokens) > len(self.positions):
            raise ValueError(
                f"{name}: {len(tokens)} tokens, [CLS] and [SEP] included; the"
                f" model has {len(self.positions)} positions"
            )
        return tokens, np.array([101, *encoding.ids, 102])

    def embed(self, ids):
        """Rows before the first block: (..., T) -> (..., T, 384)."""
        ids = validation.tokens("ids", ids, len(self.words))
        if not ids.ndim or not 1 <= ids.shape[-1] <= len(self.positions):
            raise ValueError(
                f"ids: expected 1 to {len(self.positions)} in a row, got"
                f" shape {ids.shape}"
            )
        rows = self.words[ids] + self.positions[: ids.shape[-1]] + self.kind
        return layer_norm(rows, self.gain, self.bias, EPS)

    def read(self, texts, *, hide=None, head_mask=None, **options):
        """Run the model on a string, or on B strings at once.

        hide: a position or a list of them that no token may attend to, or
        a boolean array (B, T), True = hidden; head_mask (6, 12): a factor
        for each head; options: as for `encoder_block`. Returns an
        `EncoderOutput`.
        """
        tokens, ids, mask = self._batch(texts)
        seen = (mask & ~_hidden(hide, mask))[:, None, None]  # (B, 1, 1, T)
        head_mask = _head_mask(head_mask)
        hidden, weights = [self.embed(ids)], []
        for block, heads in zip(self.blocks, head_mask, strict=True):
            x, a = encoder_block(
                hidden[-1],
                block,
                mask=seen,
                there=mask,
                head_mask=heads,
                **options,
            )
            hidden.append(x)
            weights.append(a)
        hidden, weights = np.stack(hidden), np.stack(weights)
        if isinstance(texts, str):
            return EncoderOutput(
                tokens[0], hidden[:, 0], weights[:, 0], mask[0]
            )
        return EncoderOutput(tokens, hidden, weights, mask)

    def _batch(self, texts):
        """Return tokens, ids (B, T), 0 in the padding, and mask (B, T)."""
        if isinstance(texts, str):
            pairs = [self.tokenize(texts, "texts")]
        else:
            pairs = [
                self.tokenize(text, f"texts[{i}]")
                for i, text in enumerate(validation.strings("texts", texts))
            ]
        tokens, rows = zip(*pairs, strict=True)
        lengths = np.array([len(row) for row in rows])  # (B,)
        mask = np.arange(lengths.max()) < lengths[:, None]  # (B, T)
        ids = np.zeros(mask.shape, int)
        ids[mask] = np.concatenate(rows)
        return list(tokens), ids, mask


@lru_cache
def load_encoder():
    """Return the one `Encoder` of this process.

    Raises FileNotFoundError or ValueError naming a damaged file.
    """
    return Encoder()


def _hidden(hide, mask):
    """Return `hide` as a boolean array that broadcasts to mask (B, T)."""
    if hide is None:
        return np.zeros(mask.shape[1], bool)
    hide = np.asarray(hide)
    if hide.dtype == bool:
        if hide.shape not in (mask.shape, mask.shape[1:]):
            raise ValueError(
                f"hide: expected shape {mask.shape}, got {hide.shape}"
            )
        return hide
    hidden = np.zeros(mask.shape[1], bool)
    hidden[validation.tokens("hide", hide, mask.shape[1])] = True
    return hidden


def _head_mask(head_mask):
    if head_mask is None:
        return [None] * LAYERS
    head_mask = validation.of_shape("head_mask", head_mask, (LAYERS, HEADS))
    return head_mask.astype(np.float32)
