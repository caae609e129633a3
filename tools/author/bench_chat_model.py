"""Compare the speed of the chat model with its products, and with llama.cpp.

`make bench` runs it. A token costs one product of a vector with each matrix,
and each of them is read from memory once: what those products take, without
anything around them, is the bound. Where llama-cpp-python is installed, it
reads and writes beside ours, from the same file. One thread, processor time,
in turns; the median of several rounds. Fails if less than LIMIT of the bound
is reached, or less of llama.cpp's speed than LIMITS.
"""

import sys
import time
from contextlib import suppress
from statistics import median

import numpy as np

from helpers.chat_model import file, load_chat_model
from helpers.generation import KeyValueCache

ROUNDS, TOKENS, LENGTHS = 7, 8, (10, 500)
LIMIT = 0.7  # of the products' speed, after 10 tokens
PROMPT = 40  # tokens
LIMITS = {"writing": 0.25, "reading": 1.0}  # of the speed of llama.cpp


def products(model):
    """Return a function that does the products of one token."""
    matrices = [a for b in model.blocks for a in b.values() if a.ndim == 2]
    matrices.append(model.table.T)
    rows = {len(a): np.ones((1, len(a)), np.float32) for a in matrices}
    return lambda: [rows[len(a)] @ a for a in matrices]


def speed(step, times=TOKENS):
    """Return how often a function runs in a second of the processor."""
    start = time.process_time()
    for _ in range(times):
        step()
    return times / (time.process_time() - start)


def compare(ours, theirs, rounds=ROUNDS):
    """Return two medians of (speed, speed) in turns, and their ratio's."""
    pairs = [(ours(), theirs()) for _ in range(rounds)]
    return *map(median, zip(*pairs, strict=True)), median(
        a / b for a, b in pairs
    )


def after(model, length):
    """Return a function that writes a token after `length` others."""
    cache = KeyValueCache(model)
    model.logits(np.arange(length) + 1000, cache=cache, last=True)
    return lambda: model.logits([1000], cache=cache, last=True)


def bench_llama(model):
    """Compare with llama.cpp, if it is here; return what is too slow."""
    with suppress(ImportError):
        from llama_cpp import Llama

        return _bench_llama(
            model,
            Llama(str(file.PATH), n_ctx=2048, n_threads=1, verbose=False,
                  n_threads_batch=1),
        )  # fmt: skip
    print("no llama_cpp here: not compared (pip install llama-cpp-python)")
    return ""


def _bench_llama(model, llama):
    prompt = [*range(1000, 1000 + PROMPT)]

    def read():
        llama.reset()
        llama.eval(prompt)

    def read_ours():
        model.logits(prompt, cache=KeyValueCache(model), last=True)

    read()
    write = after(model, PROMPT)
    tasks = {
        "writing": (
            lambda: speed(write), lambda: speed(lambda: llama.eval([1000])),
        ),
        "reading": (
            lambda: PROMPT * speed(read_ours, 2),
            lambda: PROMPT * speed(read, 2),
        ),
    }  # fmt: skip
    print(f"\n{f'{PROMPT} tokens':14}{'model':>9}{'llama.cpp':>10}{'part':>8}")
    slow = []
    for name, pair in tasks.items():
        ours, theirs, part = compare(*pair)
        print(f"{name:14}{ours:9.1f}{theirs:10.1f}{part:8.2f}"
              f"   limit {LIMITS[name]:.2f}")  # fmt: skip
        if part < LIMITS[name]:
            slow.append(name)
    return " and ".join(slow)


def main():
    """Print tokens a second and their part of the bound."""
    if not file.is_here():
        print("\nno chat model here; make model brings it")
        return 0
    model = load_chat_model()
    bound = products(model)
    print("\nchat model, one thread, tokens a second of processor time")
    print(f"{'tokens before':14}{'model':>9}{'products':>10}{'part':>8}")
    parts = []
    for length in LENGTHS:
        write = after(model, length)
        ours, theirs, part = compare(
            lambda step=write: speed(step), lambda: speed(bound)
        )
        parts.append(part)
        print(f"{length:<14}{ours:9.1f}{theirs:10.1f}{part:8.2f}")
    print(f"limit{LIMIT:36.2f}")
    slow = bench_llama(model)
    if parts[0] < LIMIT or slow:
        return f"the chat model is too slow: {slow or 'beside its products'}"
    return 0


if __name__ == "__main__":
    sys.exit(main())
