"""Answers to an exercise that try to break its check.

HOSTILE holds, by name, functions that take any arguments, and a phrase that
the feedback must contain; NOT_FUNCTIONS what else a learner may pass. None
of them is right for any exercise. CURED wraps a right answer in something
that must not change the verdict, nor anything outside. ONLY_ALONE cannot be
tried without a process of its own.
"""

import itertools
import os
import random
import signal
import sys
import types
import warnings

import numpy as np

from helpers import attention


class Evil:
    """An object whose every method raises."""

    def _raise(self, *args, **kwargs):
        raise RuntimeError("no")

    __eq__ = __ne__ = __array__ = __repr__ = __str__ = __len__ = _raise
    __iter__ = __bool__ = __float__ = __getitem__ = __getattr__ = _raise
    __hash__ = None
    __class__ = property(_raise)


class EvilArray(np.ndarray):
    def __array_finalize__(self, other):
        if other is not None:
            raise RuntimeError("no")


class EvilError(Exception):
    def __str__(self):
        raise RuntimeError("no")


class Bottomless(BaseException):
    pass


class Surrogate(Exception):
    def __str__(self):
        return "\ud800 \x1b[31m \0 object at 0x7f0012345678\nnext line" * 40


def raising(error):
    def function(*args):
        raise error

    return function


def recursion(*args):
    return recursion(*args)


def yielding(*args):
    yield from args


async def waiting(*args):
    return args


def endless(*args):
    while True:
        pass


def endless_and_stubborn(*args):
    while True:
        try:
            pass
        except BaseException:  # noqa: B036
            pass


def blocks_signals(*args):
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 32))
    while True:
        pass


def needs_all_memory(*args):
    many = []
    while True:
        many.append(np.ones(10**7))


def kills_python(*args):
    os.kill(os.getpid(), signal.SIGTERM)


def close_everything(*args):
    sys.stdout.close()
    sys.stderr.close()
    sys.stdout = sys.stderr = None


def print_much(*args):
    for _ in range(1000):
        print("x" * 100, file=random.choice([sys.stdout, sys.stderr]))


def change_the_world(*args):
    warnings.simplefilter("error")
    warnings.warn("careful", stacklevel=1)


def shared_list(*args):
    many = [0.0]
    for _ in range(7):
        many = [many] * 100
    return many


def own_list(*args):
    many = []
    many.append(many)
    return many


def delete_arguments(*args):
    for arg in args:
        if isinstance(arg, np.ndarray):
            arg.resize((0,), refcheck=False)
    return np.zeros(3)


def structured(*args):
    return np.zeros(3, dtype=[("a", float)])


def masked(*args):
    return np.ma.masked_array(np.zeros((3, 3)), mask=np.eye(3))


def ragged(*args):
    return [[1.0], [1.0, 2.0]]


def far_too_large(*args):
    return np.broadcast_to(1.0, (10**6, 10**6))


def evil_array(*args):
    array = np.ndarray.__new__(EvilArray, (3, 3))
    array.fill(0)
    return array


HOSTILE = {
    "returns None": (lambda *a: [].append(1), "Did you forget `return`"),
    "returns Ellipsis": (lambda *a: ..., "not attempted yet"),
    "returns two Ellipses": (lambda *a: (..., ...), "not attempted yet"),
    "returns NaN": (lambda *a: np.full((3, 3), np.nan), ""),
    "returns a number": (lambda *a: 3, ""),
    "returns a string": (lambda *a: "weights", "type str"),
    "returns bytes": (lambda *a: b"\xff", "type bytes"),
    "returns a dict": (lambda *a: {"weights": 1}, "type dict"),
    "returns a set": (lambda *a: {1, 2}, "type set"),
    "returns a function": (lambda *a: len, "parentheses"),
    "returns a class": (lambda *a: dict, "type type"),
    "returns a module": (lambda *a: types, "type module"),
    "returns an empty list": (lambda *a: [], ""),
    "returns an empty tuple": (lambda *a: (), ""),
    "returns one in a tuple": (lambda *a: (np.eye(3),), ""),
    "returns three things": (lambda *a: (1, 2, 3), ""),
    "returns a generator": (yielding, "yield"),
    "returns a coroutine": (waiting, "async"),
    "returns a map": (lambda *a: map(abs, [1]), "map object"),
    "returns a zip": (lambda *a: zip([1], [2], strict=True), "zip object"),
    "returns a huge range": (lambda *a: range(10**18), "range object"),
    "returns an endless iterator": (lambda *a: itertools.count(), "count"),
    "returns a list of ranges": (lambda *a: [range(10**18)], ""),
    "returns a list of Nones": (lambda *a: [None, None], "code returns"),
    "returns a list of evil": (lambda *a: [Evil()], ""),
    "returns a ragged list": (ragged, ""),
    "returns a list of itself": (own_list, ""),
    "returns a huge shared list": (shared_list, ""),
    "returns evil": (lambda *a: Evil(), ""),
    "returns an evil array": (evil_array, ""),
    "returns a huge array": (far_too_large, "far too large"),
    "returns an empty array": (lambda *a: np.zeros((0, 3)), ""),
    "returns objects": (lambda *a: np.array([None, "a"]), "dtype object"),
    "returns text": (lambda *a: np.array(["a", "b"]), "dtype"),
    "returns complex": (lambda *a: np.ones((3, 3)) * 1j, "dtype complex"),
    "returns dates": (lambda *a: np.zeros(3, "M8[s]"), "dtype"),
    "returns structured": (structured, "dtype"),
    "returns masked": (masked, "masked"),
    "returns its input": (lambda *a: a[0], ""),
    "returns its inputs": (lambda *a: a, ""),
    "deletes its input": (delete_arguments, ""),
    "raises": (raising(ValueError("bad day")), "ValueError: bad day"),
    "exits": (raising(SystemExit(1)), "SystemExit: 1"),
    "calls exit": (lambda *a: sys.exit("bye"), "SystemExit: bye"),
    "raises evil": (raising(EvilError()), "EvilError"),
    "raises BaseException": (raising(Bottomless()), "Bottomless"),
    "raises GeneratorExit": (raising(GeneratorExit()), "GeneratorExit"),
    "raises StopIteration": (raising(StopIteration()), "StopIteration"),
    "raises surrogates": (raising(Surrogate()), "object at 0x..."),
    "raises about ellipses": (raising(IndexError("ellipsis")), "IndexError"),
    "recurses": (recursion, "RecursionError"),
    "divides by zero": (lambda *a: 1 / 0, "ZeroDivisionError"),
    "never ends": (endless, "never ends"),
    "never ends, stubbornly": (endless_and_stubborn, "never ends"),
    "blocks signals": (blocks_signals, "never ends"),
    "needs all memory": (needs_all_memory, ""),
    "kills Python": (kills_python, "ends Python itself"),
    "closes stdout": (close_everything, ""),
    "prints": (print_much, "code prints"),
    "warns": (change_the_world, "UserWarning"),
    "takes nothing": (lambda: 0, "your function does not have"),
    "takes too much": (lambda a, b, c, d, e, f, g, h, i, j: 0, "(a, b,"),
    "takes keywords": (lambda *, x: 0, "your function does not have"),
    "is built in": (print, ""),
    "is a type": (Evil, ""),
    "is a ufunc": (np.exp, ""),
}

NOT_FUNCTIONS = {
    "Ellipsis": (..., "not attempted yet"),
    "None": (None, "not a function"),
    "an array": (np.eye(3), "type ndarray"),
    "a number": (3, "type int"),
    "a string": ("f", "type str"),
    "evil": (Evil(), "type Evil"),
}


def _printing(function):
    def printing(*args):
        print("trying", args)
        print("trouble", file=sys.stderr)
        return function(*args)

    return printing


def _warning(function):
    def warning(*args):
        warnings.warn("careful", stacklevel=1)
        np.log(np.zeros(1))
        return function(*args)

    return warning


def _closing(function):
    def closing(*args):
        sys.stdout.close()
        sys.stdout = None
        return function(*args)

    return closing


def _careless(function):
    kept = np.exp, np.matmul, attention.softmax

    def careless(*args):
        np.exp, np.matmul, attention.softmax = kept
        random.seed(0)
        np.random.seed(0)  # noqa: NPY002
        np.set_printoptions(precision=1)
        sys.setrecursionlimit(5000)
        warnings.simplefilter("error")
        found = function(*args)
        np.seterr(all="raise")
        np.exp = np.matmul = attention.softmax = None
        os.chdir("/")
        return found

    return careless


def _as_lists(function):
    def as_lists(*args):
        found = function(*args)
        if isinstance(found, tuple):
            return tuple(np.asarray(part).tolist() for part in found)
        return np.asarray(found).tolist()

    return as_lists


def _in_float32(function):
    def in_float32(*args):
        return function(
            *(
                arg.astype(np.float32) if isinstance(arg, np.ndarray) else arg
                for arg in args
            )
        )

    return in_float32


def _of_a_class(function):
    class Answer:
        __hash__ = None

        def __call__(self, *args):
            return function(*args)

    return Answer()


CURED = {
    "prints": _printing,
    "warns": _warning,
    "closes stdout": _closing,
    "changes global settings": _careless,
    "returns lists": _as_lists,
    "computes in float32": _in_float32,
    "is an object": _of_a_class,
}

ONLY_ALONE = {
    "never ends, stubbornly",
    "blocks signals",
    "needs all memory",
    "kills Python",
}
