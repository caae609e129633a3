"""What passages.txt takes from Python."""

import functools
import sys

import numpy as np


def with_tensors(function):
    """Return a function that hands over arrays as tensors, if there are."""

    @functools.wraps(function)
    def answer(*args):
        torch = sys.modules.get("torch")
        if torch:
            args = [
                torch.from_numpy(each)
                if isinstance(each, np.ndarray)
                else each
                for each in args
            ]
        return function(*args)

    return answer
