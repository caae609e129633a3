"""Time and memory, measured so that a busy laptop does not decide."""

import tracemalloc
from functools import partial

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from helpers.attention import scaled_dot_product_attention
from helpers.experiments.timing import median_times
from helpers.torch_bridge.convert import leaf_tensors

MIB = 2**20


def step_by_step(query, key, value):
    """Attend in torch as the equation says; builds the table of weights."""
    scores = query @ key.mT / query.shape[-1] ** 0.5  # (..., T, T)
    return torch.softmax(scores, dim=-1) @ value


def three_ways(length, *, heads=4, width=64):
    """Return {name: callable}: one sentence of `length`, float32."""
    rng = np.random.default_rng(5)
    shape = (3, 1, heads, length, width)
    arrays = rng.standard_normal(shape, dtype=np.float32)
    qkv = leaf_tensors(*arrays)
    return {
        "NumPy, ours": lambda: scaled_dot_product_attention(*arrays),
        "torch, step by step": lambda: step_by_step(*qkv),
        "torch, fused": lambda: F.scaled_dot_product_attention(*qkv),
    }


def memory(lengths, **options):
    """Return {name: MiB (n,)} of `three_ways`.

    NumPy: the most it held at once. torch: what it keeps for the backward
    pass, the queries, keys and values included.
    """
    sizes = {}
    for length in lengths:
        for name, call in three_ways(length, **options).items():
            count = peak_bytes if name.startswith("NumPy") else kept_bytes
            sizes.setdefault(name, []).append(count(call) / MIB)
    return {name: np.array(values) for name, values in sizes.items()}


def exponent(lengths, costs):
    """Return p of the law cost = c * length**p: the slope of the logs.

    lengths, costs: arrays (n,) of positive numbers, n >= 2.
    """
    return float(np.polyfit(np.log(lengths), np.log(costs), 1)[0])


def peak_bytes(function):
    """Return the most memory that NumPy held at once during a call."""
    function()  # what is kept for the next call is not counted
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def kept_bytes(function):
    """Return how much autograd keeps of a call for the backward pass.

    function: callable without arguments whose inputs require gradients.
    Tensors that share their memory count once.
    """
    kept = {}

    def note(tensor):
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(note, lambda t: t):
        result = function()  # holds the graph, so no address is used twice
    del result
    return sum(kept.values())


def layer_times(lengths, width=256):
    """Return {layer: milliseconds (n,)} of one sentence, there and back.

    Attention with its four projections and 4 heads, a GRU and a tanh RNN,
    each with `width` numbers a word, forward and backward, float32. The
    processor time of one thread, so let torch use one.
    """
    layers = {
        "attention": nn.MultiheadAttention(width, 4, batch_first=True),
        "GRU": nn.GRU(width, width, batch_first=True),
        "tanh RNN": nn.RNN(width, width, batch_first=True),
    }
    table = []
    for length in lengths:
        x = torch.randn(1, int(length), width)
        calls = {n: partial(_there_and_back, m, x) for n, m in layers.items()}
        rounds = dict(count=3) if length < 1000 else dict(count=1)
        if length > 2000:  # seconds: the shorter ones have warmed up
            rounds["least"] = 0
        table.append(median_times(calls, **rounds))
    return {
        name: 1000 * np.array([row[name] for row in table]) for name in layers
    }


def _there_and_back(layer, x):
    if isinstance(layer, nn.MultiheadAttention):
        output, _ = layer(x, x, x, need_weights=False)
    else:
        output, _ = layer(x)
    output.sum().backward()
