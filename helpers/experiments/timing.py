"""The clock of the processor, read so that a busy machine does not decide."""

import sys
import time
import timeit

import numpy as np

from helpers.attention import multi_head_attention

# The time of this thread alone: other programs do not count. On Windows
# that clock moves in steps of 16 ms, too coarse for a short call.
CLOCK = time.perf_counter if sys.platform == "win32" else time.thread_time
NOISY = 0.3  # quartiles of the rounds further apart than 30 %


def rounds(functions, *, count=9, least=2e-3):
    """Return {name: seconds of a call (count,)}.

    functions: {name: callable without arguments}. All are called in turn,
    round after round, so that a disturbance meets all of them; short calls
    are repeated within a round until `least` seconds have passed. With
    ``least=0`` nothing is tried before or repeated.
    """
    timers = {n: timeit.Timer(f, timer=CLOCK) for n, f in functions.items()}
    repeats = dict.fromkeys(timers, 1)
    for name, timer in timers.items() if least else ():
        taken = timer.timeit(1)  # the first call pays for memory and plans
        if taken < 20 * least:  # a long one is not repeated in any case
            taken = timer.timeit(1)
        repeats[name] = max(1, round(least / max(taken, 1e-7)))
    table = [
        [t.timeit(repeats[name]) / repeats[name] for name, t in timers.items()]
        for _ in range(count)
    ]
    return dict(zip(timers, np.transpose(table), strict=True))


def median_times(functions, **options):
    """Return {name: median seconds of a call}; options as of `rounds`."""
    times = rounds(functions, **options)
    return {name: float(np.median(each)) for name, each in times.items()}


def time_ratio(slower, faster, *, attempts=3, **options):
    """Return how many times as long one function takes as another.

    The median of paired rounds; None if the rounds differ too much, after
    some attempts: the machine is too busy to tell.
    """
    for _ in range(attempts):
        times = rounds({"slower": slower, "faster": faster}, **options)
        ratios = times["slower"] / times["faster"]
        low, median, high = np.quantile(ratios, (0.25, 0.5, 0.75))
        if high - low < NOISY * median:
            return float(median)
    return None


def time_parts(functions, *, attempts=3):
    """Print each time as a part of the first function's; return the parts.

    functions: {name: callable without arguments}. A part is the median of
    paired rounds. Where these differ too much, after some attempts, that is
    said in its place.
    """
    for _ in range(attempts):
        times = np.array([*rounds(functions, count=4).values()])
        low, middle, high = np.quantile(times / times[0], (0.25, 0.5, 0.75), 1)
        noisy = high - low > NOISY * middle
        if not noisy.any():
            break
    width = max(map(len, functions))
    for name, part, bad in zip(functions, middle, noisy, strict=True):
        text = "too noisy, run again" if bad else f"{part:.2f}"
        print(f"{name:{width}}  {text}")
    return dict(zip(functions, map(float, middle), strict=True))


def operations_a_byte(width=1024, numbers=2**24):
    """Return how many operations the CPU does while it moves one byte.

    One thread and float32: the rate of a product of two matrices, by the
    rate at which memory is read and written in a copy of `numbers` numbers.
    """
    square = np.ones((width, width), np.float32)
    source = np.ones(numbers, np.float32)
    target = np.empty_like(source)
    seconds = median_times(
        {
            "multiply": lambda: square @ square,
            "copy": lambda: np.copyto(target, source),
        }
    )
    operations = 2 * width**3 / seconds["multiply"]
    return operations / (2 * source.nbytes / seconds["copy"])


def time_heads(length, width, heads=8):
    """Return how many times as long several heads take as one: a ratio.

    Attention of one sentence of `length` words, the same `width` of all
    heads together; None if it is too noisy.
    """
    rng = np.random.default_rng(0)
    x = rng.standard_normal((length, width))
    matrices = rng.standard_normal((4, width, width)) / np.sqrt(width)
    return time_ratio(
        lambda: multi_head_attention(x, *matrices, heads),
        lambda: multi_head_attention(x, *matrices, 1),
    )
