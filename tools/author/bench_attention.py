"""Compare the speed of helpers.attention and blockwise with torch's.

`make bench` runs it. One thread each, so processor time is what is counted:
other work on the machine then disturbs little. Both run in one process, in
turn; the median of paired runs. Whether torch's allocator reuses the memory
of a small table without page faults is settled anew in every process, and
changes its time by half: the median of several processes. The long sequences
have tables of 64 MiB and more: above 32 MiB glibc never reuses memory. Fails
if a figure is out of bounds.
"""

import math
import subprocess
import sys
import time
from functools import partial
from statistics import median

import numpy as np
import torch

from helpers.attention import scaled_dot_product_attention
from helpers.blockwise import blockwise_attention
from helpers.torch_bridge.cost import peak_bytes

HEADS, TOKENS, D = 8, 512, 64
PROCESSES, ROUNDS, WARM_UP = 5, 30, 5
TIME_LIMIT, MEMORY_LIMIT = 1.3, 2.0  # of torch's time; in tables of scores
LONG, LONG_HEADS, LONG_ROUNDS = (2048, 4096), 4, 3
STEPS_LIMIT, FUSED_LIMIT = 0.6, 2.2  # of torch's times, for long sequences
BIAS = np.where(np.tri(TOKENS, dtype=bool), 0, -np.inf).astype(np.float32)
CASES = {  # name: (our options, torch's bias)
    "plain": ({}, None),
    "boolean mask": ({"mask": BIAS == 0}, BIAS),
    "float mask": ({"mask": BIAS}, BIAS),
    "causal": ({"is_causal": True}, BIAS),
}


def in_torch(query, key, value, bias):
    """Attend step by step, as helpers.attention does."""
    scores = query @ key.transpose(-1, -2) / math.sqrt(D)
    weights = torch.softmax(scores if bias is None else scores + bias, dim=-1)
    return weights @ value, weights


def milliseconds(function, *args, **options):
    """Return the processor time of one call."""
    start = time.process_time()
    function(*args, **options)
    return 1e3 * (time.process_time() - start)


def measure(options, bias):
    """Return the median times of ours, of torch's, of their ratio; memory.

    Memory is what was held at most, in tables of scores (H, T, T).
    """
    arrays = np.random.default_rng(0).normal(size=(3, HEADS, TOKENS, D))
    arrays = arrays.astype(np.float32)
    tensors = torch.from_numpy(arrays)
    bias = None if bias is None else torch.from_numpy(bias)
    pairs = [
        (
            milliseconds(scaled_dot_product_attention, *arrays, **options),
            milliseconds(in_torch, *tensors, bias),
        )
        for _ in range(WARM_UP + ROUNDS)
    ][WARM_UP:]
    ours, theirs = zip(*pairs, strict=True)
    ratio = median(a / b for a, b in pairs)
    attend = partial(scaled_dot_product_attention, *arrays, **options)
    tables = peak_bytes(attend) / (HEADS * TOKENS**2 * arrays.itemsize)
    return median(ours), median(theirs), ratio, tables


def measure_long(tokens):
    """Return times of blocks, of torch by steps, of its fused kernel; MiB."""
    shape = 3, 1, LONG_HEADS, tokens, D  # 4 axes: else torch does not fuse
    arrays = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    tensors = torch.from_numpy(arrays)
    fused = torch.nn.functional.scaled_dot_product_attention
    runs = [
        (
            milliseconds(blockwise_attention, *arrays),
            milliseconds(in_torch, *tensors, None),
            milliseconds(fused, *tensors),
        )
        for _ in range(1 + LONG_ROUNDS)
    ][1:]
    peak = peak_bytes(partial(blockwise_attention, *arrays))
    return *np.median(runs, axis=0), peak / 2**20


def measure_all():
    """Print the figures of all cases, a line each, for the parent process."""
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    for case in CASES.values():
        print(*measure(*case))
    for tokens in LONG:
        print(*measure_long(tokens))


def main():
    """Print a table of medians over processes; say whether it is good."""
    runs = [
        subprocess.run(
            [sys.executable, __file__, "once"],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        for _ in range(PROCESSES)
    ]
    lines = len(CASES) + len(LONG)
    figures = np.array(runs, float).reshape(PROCESSES, lines, 4)
    print(f"{HEADS} heads, {TOKENS} tokens, d {D}, float32, one thread,")
    print(f"median of {PROCESSES} processes")
    print(f"{'':14}{'NumPy':>9}{'torch':>9}{'ratio':>8}{'memory':>8}")
    middle = np.median(figures, axis=0)  # (cases, 4)
    short, long = np.split(middle, [len(CASES)])
    for name, (ours, theirs, ratio, tables) in zip(CASES, short, strict=True):
        times = f"{ours:6.1f} ms{theirs:6.1f} ms"
        print(f"{name:14}{times}{ratio:8.2f}{tables:8.2f}")
    print(f"limits{TIME_LIMIT:34.2f}{MEMORY_LIMIT:8.2f}")
    print(f"\nblockwise: {LONG_HEADS} heads, part of torch's times")
    print(f"{'tokens':14}{'NumPy':>9}{'by steps':>10}{'fused':>8}{'MiB':>8}")
    ratios = long[:, :1] / long[:, 1:3]  # to torch by steps, to fused
    for tokens, parts, row in zip(LONG, ratios, long, strict=True):
        to_steps, to_fused = parts
        part = f"{to_steps:10.2f}{to_fused:8.2f}{row[3]:8.1f}"
        print(f"{tokens:<14}{row[0]:6.0f} ms{part}")
    print(f"limits{STEPS_LIMIT:27.2f}{FUSED_LIMIT:8.2f}")
    good = (short[:, 2:] <= (TIME_LIMIT, MEMORY_LIMIT)).all()
    good &= (ratios <= (STEPS_LIMIT, FUSED_LIMIT)).all()
    return 0 if good else "too slow, or too much memory"


if __name__ == "__main__":
    sys.exit(measure_all() if sys.argv[1:] == ["once"] else main())
