"""What passages.txt takes from Python."""

import functools
import sys

import numpy as np


def tensor(array):
    """Return an array as a tensor, if PyTorch is loaded at all."""
    torch = sys.modules.get("torch")
    return torch.as_tensor(array) if torch else array


def no_tensors(outcome, function):
    """Refuse what is not two tensors of whole numbers."""
    if "f" in outcome.kinds:
        return (
            "the characters are right, but they are numbers with decimals.",
            "Characters are indices of rows, so they have to be whole numbers,"
            " as in `ids`.",
        )
    if sys.modules.get("torch") and {*outcome.types} != {"Tensor"}:
        return (
            "the characters are right, but they are not in two tensors.",
            "The task asks for tensors of shape (B, T). torch.stack turns"
            " a list of tensors into one.",
        )
    return None


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
