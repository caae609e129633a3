"""Time and memory, measured so that a busy laptop does not decide."""

import time
import tracemalloc

import numpy as np
import torch


def median_times(functions, *, rounds=7, least=2e-3):
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
    start = time.perf_counter()
    for _ in range(repeats):
        function()
    return (time.perf_counter() - start) / repeats


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
