"""The sizes of some language models, as published, and of their caches.

Radford et al. (2019), GPT-2, with the heads of the released model; Almazrouei
et al. (2023), *The Falcon Series*; Touvron et al. (2023), *Llama 2*;
Grattafiori et al. (2024), *The Llama 3 Herd of Models*.
"""

import math
from typing import NamedTuple

from helpers import validation


class Sizes(NamedTuple):
    """What the number of parameters and the size of a cache follow from."""

    layers: int
    width: int  # of a word in the model
    query_heads: int
    kv_heads: int  # of keys, and as many of values
    d_head: int
    hidden: int  # width of the feed-forward layer
    matrices: int  # of the feed-forward layer
    words: int
    tables: int  # of words: 1 where the first and the last are the same

    @property
    def in_layers(self):
        """How many numbers are in the matrices of all layers."""
        heads = self.d_head * (2 * self.query_heads + 2 * self.kv_heads)
        return self.layers * self.width * (heads + self.matrices * self.hidden)

    @property
    def parameters(self):
        """These and the tables of words: no biases, norms, positions."""
        return self.in_layers + self.tables * self.words * self.width


MODELS = {
    "GPT-2 XL": Sizes(48, 1600, 25, 25, 64, 6400, 2, 50257, 1),
    "Falcon 7B": Sizes(32, 4544, 71, 1, 64, 18176, 2, 65024, 1),
    "Llama 2 7B": Sizes(32, 4096, 32, 32, 128, 11008, 3, 32000, 2),
    "Llama 2 70B": Sizes(80, 8192, 64, 8, 128, 28672, 3, 32000, 2),
    "Llama 3 8B": Sizes(32, 4096, 32, 8, 128, 14336, 3, 128256, 2),
}


def cache_bytes(tokens, layers, kv_heads, d_head, bytes_each):
    """Return the bytes of a cache: keys and values of `tokens` words.

    In each layer `kv_heads` heads of both, `d_head` wide, with `bytes_each`
    for a number. TypeError, ValueError unless all are integers from 1.
    """
    numbers = {
        "tokens": tokens,
        "layers": layers,
        "kv_heads": kv_heads,
        "d_head": d_head,
        "bytes_each": bytes_each,
    }
    return 2 * math.prod(
        validation.positive_integer(name, n) for name, n in numbers.items()
    )
