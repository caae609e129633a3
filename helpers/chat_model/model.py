"""The chat model: 30 blocks between one table of tokens, used twice."""

from functools import lru_cache, partial

import numpy as np

from helpers import validation
from helpers.chat_model import file, layers
from helpers.chat_model.inside import Inside
from helpers.chat_model.tokens import build_tokenizer, pieces
from helpers.generation import KeyValueCache

NAMES = {  # ours: theirs
    "gain_1": "attn_norm", "w_q": "attn_q", "w_k": "attn_k", "w_v": "attn_v",
    "w_o": "attn_output", "gain_2": "ffn_norm", "w_gate": "ffn_gate",
    "w_up": "ffn_up", "w_down": "ffn_down",
}  # fmt: skip


class ChatModel:
    """SmolLM2-135M-Instruct, float32.

    table (V, d): a row for each token; blocks: 30 dicts of arrays, matrices
    (in, out); gain (d,): of the final norm; tokenizer: of `tokenizers`;
    merges: {(left, right): token} of pairs of tokens, the smallest first.
    num_layers, heads, groups, size (of a head), base (of the rotation), eps
    and max_length, the tokens of the longest text in training.
    """

    is_causal = True

    def __init__(self, path=file.PATH):
        settings, vocabulary, special, merges, arrays = file.read(path)
        self.tokenizer = build_tokenizer(vocabulary, special, merges)
        number = {token: i for i, token in enumerate(vocabulary)}
        self.merges = {
            (number[left], number[right]): number[left + right]
            for left, right in merges
        }
        self.num_layers = settings["block_count"]
        self.heads = settings["attention.head_count"]
        self.groups = settings["attention.head_count_kv"]
        self.size = settings["rope.dimension_count"]
        self.base = float(settings["rope.freq_base"])
        self.eps = float(settings["attention.layer_norm_rms_epsilon"])
        self.max_length = settings["context_length"]
        self.table, self.gain = arrays["token_embd"], arrays["output_norm"]
        self.blocks = [
            {ours: self._array(arrays, f"blk.{i}.{theirs}")
             for ours, theirs in NAMES.items()}
            for i in range(self.num_layers)
        ]  # fmt: skip

    def _array(self, arrays, name):
        """Return an array with its pairs in halves, a matrix as (in, out)."""
        array = arrays[name]
        array.flags.writeable = False
        if name.endswith(("attn_q", "attn_k")):  # pairs are neighbors there
            pairs = array.reshape(-1, self.size, array.shape[-1])
            halves = [pairs[:, 0::2], pairs[:, 1::2]]
            array = np.concatenate(halves, axis=1).reshape(array.shape)
            array.flags.writeable = False
        return array.T  # a view: a row times it is faster than with a copy

    def encode(self, text, byte_pairs=None):
        """Return the tokens of a text: a list of ints.

        Names of special tokens, such as <|im_end|>, are read as such.
        byte_pairs: a function that merges the tokens of the bytes of one
        piece, called with a list and `merges`; None: `tokenizers` does it.
        """
        if not isinstance(text, str):
            raise TypeError(f"text: expected a string, got {text!r:.40}")
        if byte_pairs is None:
            return self.tokenizer.encode(text).ids
        return [
            token
            for piece in pieces(self.tokenizer, text)
            for token in byte_pairs(piece, self.merges)
        ]

    def decode(self, tokens):
        """Return the text of tokens (T,), special ones included."""
        if not len(tokens):
            return ""
        tokens = validation.tokens("tokens", tokens, len(self.table))
        return self.tokenizer.decode(
            tokens.tolist(), skip_special_tokens=False
        )

    def logits(self, tokens, *, cache=None, last=False, inside=None):
        """Score every token as the next one, after each token of a text.

        Parameters
        ----------
        tokens : integers (..., T), T at least 1
        cache : generation.KeyValueCache, optional
            Of the text so far; it takes up the new tokens.
        last : bool
            Only after the last token: 28 million products instead of T times
            as many.
        inside : inside.Inside, optional
            Sees rows, masks and contexts on their way, and may change them.

        Returns
        -------
        logits : array (..., T, V), or (..., 1, V) with `last`, float32

        Raises
        ------
        TypeError, ValueError
            For anything but tokens, a cache of another model, and positions
            that no text in training had.
        """
        tokens, cache = self._checked(tokens, cache)
        x = self.go_on(self.table[tokens], cache=cache, inside=inside)
        if validation.flag("last", last):
            x = x[..., -1:, :]
        return layers.times(x, self.table.T)

    def go_on(self, x, layer=0, *, cache=None, inside=None):
        """From rows (..., T, d) before block `layer` to the final norm's.

        The result (..., T, d) times the table's columns gives logits. See
        `logits` for `cache` and `inside`.
        """
        cache = KeyValueCache(self) if cache is None else cache
        inside = inside or Inside()
        positions = np.arange(len(cache), len(cache) + x.shape[-2])
        turn = layers.rotation(positions, self.size, self.base)
        mask = np.arange(positions[-1] + 1) <= positions[:, None]  # (T, T_k)
        for i in range(layer, self.num_layers):
            x = inside.rows(i, x)
            x = self.block(
                x, self.blocks[i], turn, inside.mask(i, mask), cache.layer(i),
                partial(inside.contexts, i),
            )  # fmt: skip
        cache.length += x.shape[-2]
        x = inside.rows(self.num_layers, x)
        return layers.rms_norm(x, self.gain, self.eps)

    def block(self, x, w, turn, mask, remember, change=None):
        """One block (..., T, d) -> (..., T, d); see `layers.attend`."""
        rows = layers.rms_norm(x, w["gain_1"], self.eps)
        x = x + layers.attend(
            rows, w, self.heads, self.groups, turn, mask, remember, change
        )
        rows = layers.rms_norm(x, w["gain_2"], self.eps)
        return x + layers.swiglu(rows, w["w_gate"], w["w_up"], w["w_down"])

    def _checked(self, tokens, cache):
        tokens = validation.tokens("tokens", tokens, len(self.table))
        if not tokens.ndim or not tokens.size:
            raise ValueError(
                f"tokens: expected at least one, got shape {tokens.shape}"
            )
        if cache is None:
            cache = KeyValueCache(self)
        if getattr(cache, "model", None) is not self:
            raise ValueError("cache: expected a KeyValueCache of this model")
        if len(cache) + tokens.shape[-1] > self.max_length:
            raise ValueError(
                f"tokens: {tokens.shape[-1]} after {len(cache)}; the model"
                f" was trained on texts of up to {self.max_length} tokens"
            )
        return tokens, cache


@lru_cache
def load_chat_model():
    """Return the one `ChatModel` of this process; 5 s, 540 MB.

    Raises FileNotFoundError or ValueError with the way to get the file.
    """
    return ChatModel()
