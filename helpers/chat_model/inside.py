"""Look into a run of the chat model, and change what passes by.

``model.logits(tokens, inside=Record())`` keeps what passes by. A class of
your own changes it: what its methods return is what the model goes on with.
"""

import numpy as np


class Inside:
    """Leaves everything as it is; override what you want to see or change.

    Layers are numbered from 0; `rows` is called once more at the end, with
    the number of layers.
    """

    def rows(self, layer, x):
        """Rows of the stream (..., T, d) before block `layer`."""
        return x

    def mask(self, layer, mask):
        """Which keys are seen: (T, T_k), True where a query may attend.

        A mask of single heads has the shape (groups, heads/groups, T, T_k).
        """
        return mask

    def contexts(self, layer, context, weights):
        """Contexts of the heads (..., H, T, d_k), before they are merged."""
        return context


class Record(Inside):
    """Keeps a run: ``x[layer]``, ``context[layer]``, ``weights[layer]``.

    x has one entry more than there are layers; ``keep`` names what is kept.
    """

    def __init__(self, keep=("x", "context", "weights")):
        self.keep = keep
        self.x, self.context, self.weights = [], [], []

    def rows(self, layer, x):
        """Keep them."""
        if "x" in self.keep:
            self.x.append(x)
        return x

    def contexts(self, layer, context, weights):
        """Keep them, and the weights."""
        if "context" in self.keep:
            self.context.append(context)
        if "weights" in self.keep:
            self.weights.append(weights)
        return context


class WithoutHeads(Inside):
    """Switches heads off: their contexts become 0.

    heads: pairs (layer, head), both from 0.
    """

    def __init__(self, heads):
        self.heads = [tuple(pair) for pair in heads]

    def contexts(self, layer, context, weights):
        """Put zeros in place of the contexts of some heads."""
        off = [head for at, head in self.heads if at == layer]
        if off:
            context = np.array(context)
            context[..., off, :, :] = 0
        return context
