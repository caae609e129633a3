"""Let the chat model see only some of a text: a window, and kept tokens."""

import numpy as np

from helpers.chat_model.inside import Inside
from helpers.chat_model.layers import rotate, rotation
from helpers.generation import KeyValueCache


class Window(Inside):
    """A query sees the last `width` tokens, itself included, and `kept`.

    kept: positions of tokens that stay in sight of all later ones.
    """

    def __init__(self, width, kept=()):
        self.width, self.kept = width, np.asarray(kept, int)

    def mask(self, layer, mask):
        """Hide what is neither near nor kept: (T, T_k)."""
        keys = np.arange(mask.shape[-1])
        queries = keys[-mask.shape[-2] :, None]  # (T, 1)
        near = queries - keys < self.width
        return mask & (near | np.isin(keys, self.kept))


class Hidden(Inside):
    """Some keys are hidden from the queries from position `start` on."""

    def __init__(self, hidden, start):
        self.hidden, self.start = hidden, start

    def mask(self, layer, mask):
        """Hide them: (T, T_k)."""
        keys = np.arange(mask.shape[-1])
        queries = keys[-mask.shape[-2] :, None]  # (T, 1)
        return mask & ~(np.isin(keys, self.hidden) & (queries >= self.start))


class RollingCache(KeyValueCache):
    """Keeps the first tokens of a text and the last, however long it is.

    A token's position is its position in the cache: Xiao et al. (2024),
    *Efficient Streaming Language Models with Attention Sinks*, section 3.2.
    """

    def __init__(self, model, first, last):
        super().__init__(model)
        self.first, self.last = first, last

    def roll(self):
        """Forget what is between the first and the last; move the last."""
        over = self.length - self.first - self.last
        if over <= 0:
            return
        turn = rotation([-over], self.model.size, self.model.base)
        for i, (key, value) in enumerate(
            zip(self.keys, self.values, strict=True)
        ):
            ends = [each[..., : self.first, :] for each in (key, value)]
            near = [each[..., -self.last :, :] for each in (key, value)]
            near[0] = rotate(near[0], *turn)
            self.keys[i], self.values[i] = (
                np.concatenate(pair, axis=-2)
                for pair in zip(ends, near, strict=True)
            )
        self.length = self.first + self.last
