"""Time and memory, measured so that a busy laptop does not decide."""

import sys
import time
import tracemalloc

import numpy as np
import torch
import torch.nn.functional as F

from helpers.attention import scaled_dot_product_attention
from helpers.torch_bridge.weights import leaves

MIB = 2**20
# The time of this thread alone: other programs do not count. On Windows
# that clock moves in steps of 16 ms, too coarse for a short call.
CLOCK = time.perf_counter if sys.platform == "win32" else time.thread_time


def step_by_step(query, key, value):
    """Attend in torch as the equation says; builds the table of weights."""
    scores = query @ key.mT / query.shape[-1] ** 0.5  # (..., T, T)
    return torch.softmax(scores, dim=-1) @ value


def three_ways(length, *, heads=4, width=64):
    """Return {name: callable}: one sentence of `length`, float32."""
    rng = np.random.default_rng(5)
    shape = (3, 1, heads, length, width)
    arrays = rng.standard_normal(shape, dtype=np.float32)
    qkv = leaves(*arrays)
    return {
        "NumPy, ours": lambda: scaled_dot_product_attention(*arrays),
        "torch, step by step": lambda: step_by_step(*qkv),
        "torch, fused": lambda: F.scaled_dot_product_attention(*qkv),
    }


def times(lengths, *, accept=None, attempts=3):
    """Return {name: milliseconds (n,)} of `three_ways`, without gradients.

    accept: callable on such a dict, or None. While it is False, measure
    again, up to `attempts` times in all, and keep the shorter time of each:
    a disturbance only adds. One thread is timed, so let torch use one.
    """
    best = _times(lengths)
    for _ in range(attempts - 1):
        if accept is None or accept(best):
            break
        again = _times(lengths)
        best = {name: np.minimum(t, again[name]) for name, t in best.items()}
    return best


def _times(lengths):
    with torch.no_grad():
        found = [median_times(three_ways(length)) for length in lengths]
    return {
        name: 1000 * np.array([each[name] for each in found])
        for name in found[0]
    }


def memory(lengths, **options):
    """Return {name: MiB (n,)} of `three_ways`.

    NumPy: the most it held at once. torch: what it keeps for the backward
    pass, the queries, keys and values included.
    """
    found = {}
    for length in lengths:
        for name, call in three_ways(length, **options).items():
            count = peak_bytes if name.startswith("NumPy") else kept_bytes
            found.setdefault(name, []).append(count(call) / MIB)
    return {name: np.array(values) for name, values in found.items()}


def median_times(functions, *, rounds=5, least=2e-3):
    """Return {name: median seconds of a call}.

    functions: {name: callable without arguments}. All are called in turn,
    round after round, so that a disturbance meets all of them; short calls
    are repeated within a round until `least` seconds have passed.
    """
    times = {name: [] for name in functions}
    repeats = {}
    for name, function in functions.items():
        function()  # the first call pays for memory and plans
        once = _seconds(function, 1)
        repeats[name] = max(1, round(least / max(once, 1e-7)))
    for _ in range(rounds):
        for name, function in functions.items():
            times[name].append(_seconds(function, repeats[name]))
    return {name: float(np.median(values)) for name, values in times.items()}


def _seconds(function, repeats):
    start = CLOCK()
    for _ in range(repeats):
        function()
    return (CLOCK() - start) / repeats


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
