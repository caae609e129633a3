"""Compare the speed of the chat model with its matrix products alone.

`make bench` runs it. A token costs one product of a vector with each matrix,
and each of them is read from memory once: what those products take, without
anything around them, is the bound. One thread, processor time, in turns; the
median of several rounds. Fails if less than LIMIT of the bound is reached.
"""

import sys
import time
from statistics import median

import numpy as np

from helpers.chat_model import file, load_chat_model
from helpers.generation import KeyValueCache

ROUNDS, TOKENS, LENGTHS = 7, 8, (10, 500)
LIMIT = 0.7  # of the products' speed, after 10 tokens


def products(model):
    """Return a function that does the products of one token."""
    matrices = [a for b in model.blocks for a in b.values() if a.ndim == 2]
    matrices.append(model.table.T)
    rows = {len(a): np.ones((1, len(a)), np.float32) for a in matrices}
    return lambda: [rows[len(a)] @ a for a in matrices]


def speed(step):
    """Return how often a function runs in a second of the processor."""
    start = time.process_time()
    for _ in range(TOKENS):
        step()
    return TOKENS / (time.process_time() - start)


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
        cache = KeyValueCache(model)
        model.logits(np.arange(length) + 1000, cache=cache, last=True)
        pairs = [
            (speed(lambda c=cache: model.logits([1000], cache=c, last=True)),
             speed(bound))
            for _ in range(ROUNDS)
        ]  # fmt: skip
        ours, theirs = map(median, zip(*pairs, strict=True))
        parts.append(median(a / b for a, b in pairs))
        print(f"{length:<14}{ours:9.1f}{theirs:10.1f}{parts[-1]:8.2f}")
    print(f"limit{LIMIT:36.2f}")
    return 0 if parts[0] >= LIMIT else "the chat model is too slow"


if __name__ == "__main__":
    sys.exit(main())
