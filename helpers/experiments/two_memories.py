"""Attention on a machine with two memories; what it computes and moves.

The model of a GPU in Dao et al. (2022), *FlashAttention*, section 2.1:
inputs and results are in a large memory, and a program computes only with
what it has loaded into a small one. Here attention is really computed in
this way, and every operation and every byte that moves is counted.
"""

import math
import weakref

import numpy as np

from helpers import validation

ROWS, COLUMNS = 128, 64  # queries and keys of a block
WHOLE_ROWS = 4  # of the matrix, loaded at once for the softmax


class Machine:
    """Counts of operations, of bytes moved, and of numbers held at once.

    A number takes `bytes_each` bytes where it moves between the memories.
    `most_held` counts all arrays in the small memory, results that are
    needed for a moment included.
    """

    def __init__(self, bytes_each=2):
        self.bytes_each = validation.positive_integer("bytes_each", bytes_each)
        self.operations = self.bytes_moved = self.held = self.most_held = 0

    def load(self, array):
        """Return a copy in the small memory of an array in the large one."""
        self.bytes_moved += array.size * self.bytes_each
        return self.hold(array.copy())

    def store(self, values, place):
        """Copy an array of the small memory to its place in the large one."""
        self.bytes_moved += values.size * self.bytes_each
        place[...] = values.view(np.ndarray)

    def hold(self, array):
        """Return a new array of the small memory; it is free once unused."""
        held = array.view(Held)
        held.machine = self
        self.held += held.size
        self.most_held = max(self.most_held, self.held)
        weakref.finalize(held, self._free, held.size)
        return held

    def _free(self, size):
        self.held -= size


class Held(np.ndarray):
    """An array in the small memory: what is computed with it is counted.

    A product and its sum are two operations; each other function counts one
    for each number that it computes, a sum or maximum one for each number
    that it reads. ValueError with an array that was not loaded.
    """

    machine = None

    def __array_finalize__(self, parent):
        self.machine = getattr(parent, "machine", None)

    def __array_ufunc__(self, ufunc, method, *inputs, out=(), **options):
        """Compute, count, and hold the result if it is new."""
        for array in inputs:
            if np.ndim(array) and not isinstance(array, Held):
                raise ValueError(f"not loaded: an array {np.shape(array)}")
        if out:
            options["out"] = tuple(a.view(np.ndarray) for a in out)
        plain = [a.view(np.ndarray) if np.ndim(a) else a for a in inputs]
        result = getattr(ufunc, method)(*plain, **options)
        count = plain[0].size if method == "reduce" else result.size
        if ufunc is np.matmul:
            count *= 2 * plain[0].shape[-1]
        self.machine.operations += count
        return out[0] if out else self.machine.hold(result)


def whole_matrix(query, key, value, *, rows=ROWS, columns=COLUMNS):
    """Attend in three steps, with the matrix of weights in large memory.

    query (T_q, d_k), key (T_k, d_k), value (T_k, d_v). The matrix is computed
    and used in blocks of `rows` queries and `columns` keys; for the softmax a
    few whole rows are loaded. Returns the context (T_q, d_v) and the Machine.
    Raises as `attention.scaled_dot_product_attention`, and for blocks.
    """
    machine, inputs, context, tops, lefts = _start(
        query, key, value, rows, columns
    )
    query, key, value = inputs
    matrix = np.empty((len(query), len(key)))
    for top in tops:
        asked = _scaled(machine, query[top])
        for left in lefts:
            scores = asked @ machine.load(key[left]).T
            machine.store(scores, matrix[top, left])
    for few in _slices(len(query), WHOLE_ROWS):
        weights = machine.load(matrix[few])
        weights -= weights.max(axis=1, keepdims=True)
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=1, keepdims=True)
        machine.store(weights, matrix[few])
        del weights
    for top in tops:
        mix = machine.hold(np.zeros(context[top].shape))
        for left in lefts:
            weights = machine.load(matrix[top, left])
            mix += weights @ machine.load(value[left])
        machine.store(mix, context[top])
    return context, machine


def in_blocks(query, key, value, *, rows=ROWS, columns=COLUMNS):
    """Attend in blocks, as FlashAttention does: no matrix is stored.

    Arguments, results and errors as of `whole_matrix`.
    """
    machine, inputs, context, tops, lefts = _start(
        query, key, value, rows, columns
    )
    query, key, value = inputs
    for top in tops:
        asked = _scaled(machine, query[top])
        highest = machine.hold(np.full((len(asked), 1), -np.inf))
        total = machine.hold(np.zeros((len(asked), 1)))
        mix = machine.hold(np.zeros(context[top].shape))
        for left in lefts:
            weights = asked @ machine.load(key[left]).T
            new = np.maximum(highest, weights.max(axis=1, keepdims=True))
            weights -= new
            np.exp(weights, out=weights)
            rescale = np.exp(highest - new)
            total *= rescale
            total += weights.sum(axis=1, keepdims=True)
            mix *= rescale
            mix += weights @ machine.load(value[left])
            highest = new
        mix /= total
        machine.store(mix, context[top])
    return context, machine


def _start(query, key, value, rows, columns):
    """A machine, the checked inputs, an empty context, all blocks."""
    inputs = validation.query_key_value(query, key, value)
    for name, array in zip(("query", "key", "value"), inputs, strict=True):
        if array.ndim != 2:
            raise ValueError(f"{name}: expected 2 axes, got {array.shape}")
    if not len(inputs[1]):
        raise ValueError(f"key: at least one is needed, got {key.shape}")
    rows, columns = validation.positive_integers("blocks", (rows, columns), 2)
    context = np.empty((len(inputs[0]), inputs[2].shape[1]))
    tops, lefts = _slices(len(inputs[0]), rows), _slices(len(key), columns)
    return Machine(), inputs, context, tops, lefts


def _slices(length, size):
    return [slice(i, min(i + size, length)) for i in range(0, length, size)]


def _scaled(machine, query):
    """Some queries in the small memory, divided by the root of their width."""
    loaded = machine.load(query)
    loaded /= math.sqrt(query.shape[1])
    return loaded
