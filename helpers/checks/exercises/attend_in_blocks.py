"""What attend_in_blocks.txt takes from Python."""

import numpy as np


def loop(rows, values, columns, top=1, add=1):
    """Attend in blocks, with a maximum and a sum along the axes given."""
    highest, total, mix = np.full((len(rows), 1), -np.inf), 0, 0
    for part in columns:
        new = rows[:, part].max(axis=top, keepdims=True)
        new = np.maximum(highest, new)
        weights, rescale = np.exp(rows[:, part] - new), highest - new
        total = total * np.exp(rescale)
        total = total + weights.sum(axis=add, keepdims=True)
        mix = mix * np.exp(rescale) + weights @ values[part]
        highest = new
    return mix / total
