"""Compare the speed of helpers.attention with the same lines in torch.

`make bench` runs it. One thread each, because the thread pools of NumPy and
torch stall each other; both in one process, in turn, so that both meet the
same machine; the median of paired runs. Fails if a figure is out of bounds.
"""

import os
import sys

for pool in ("OMP", "OPENBLAS", "MKL", "VECLIB_MAXIMUM"):
    os.environ[f"{pool}_NUM_THREADS"] = "1"  # read when NumPy is imported

import math  # noqa: E402
import time  # noqa: E402
import tracemalloc  # noqa: E402
from statistics import median  # noqa: E402

import numpy as np  # noqa: E402
import torch  # noqa: E402

from helpers.attention import scaled_dot_product_attention  # noqa: E402

HEADS, TOKENS, D = 8, 512, 64
ROUNDS, WARM_UP = 40, 5
TIME_LIMIT, MEMORY_LIMIT = 1.3, 2.0
BIAS = np.where(np.tri(TOKENS, dtype=bool), 0, -np.inf).astype(np.float32)
CASES = {  # name: (our options, torch's bias)
    "plain": ({}, None),
    "boolean mask": ({"mask": BIAS == 0}, BIAS),
    "float mask": ({"mask": BIAS}, BIAS),
    "causal": ({"is_causal": True}, BIAS),
}


def in_torch(query, key, value, bias):
    scores = query @ key.transpose(-1, -2) / math.sqrt(D)
    weights = torch.softmax(scores if bias is None else scores + bias, dim=-1)
    return weights @ value, weights


def seconds(function, *args, **options):
    start = time.perf_counter()
    function(*args, **options)
    return time.perf_counter() - start


def measure(options, bias):
    """Median times of ours, of torch's, and of their ratio in each pair."""
    arrays = np.random.default_rng(0).normal(size=(3, HEADS, TOKENS, D))
    arrays = arrays.astype(np.float32)
    tensors = torch.from_numpy(arrays)
    bias = None if bias is None else torch.from_numpy(bias)
    pairs = [
        (
            seconds(scaled_dot_product_attention, *arrays, **options),
            seconds(in_torch, *tensors, bias),
        )
        for _ in range(WARM_UP + ROUNDS)
    ][WARM_UP:]
    ours, theirs = zip(*pairs, strict=True)
    ratio = median(a / b for a, b in pairs)
    return median(ours), median(theirs), ratio, memory(arrays, options)


def memory(arrays, options):
    """Peak extra memory, in score matrices; the returned weights are one."""
    tracemalloc.start()
    scaled_dot_product_attention(*arrays, **options)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / (HEADS * TOKENS * TOKENS * arrays.itemsize)


def main():
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    print(f"{HEADS} heads, {TOKENS} tokens, d {D}, float32, one thread")
    print(f"{'':14}{'NumPy':>9}{'torch':>9}{'ratio':>8}{'memory':>8}")
    good = True
    for name, (options, bias) in CASES.items():
        ours, theirs, ratio, extra = measure(options, bias)
        good &= ratio <= TIME_LIMIT and extra <= MEMORY_LIMIT
        print(
            f"{name:14}{1e3 * ours:6.1f} ms{1e3 * theirs:6.1f} ms"
            f"{ratio:8.2f}{extra:8.2f}"
        )
    print(f"limits{TIME_LIMIT:34.2f}{MEMORY_LIMIT:8.2f}")
    return 0 if good else "too slow, or too much memory"


if __name__ == "__main__":
    sys.exit(main())
