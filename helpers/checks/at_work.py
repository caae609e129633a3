"""A learner's function at work: watched, and replaced if it fails.

It passed its check, on small inputs. Where it is used, it may still meet
what it cannot do. Then nothing is lost: what it has changed is put back,
the error is told in words, and the course's version takes over.
"""

import contextlib
import copy
import functools
import sys
import textwrap

import numpy as np

from helpers.checks.engine.run import sandbox

ATOL = 1e-4  # float32, and sums in another order
_UNKNOWN = object()


def watched(exercise, function, own, label):
    """Return a function that calls the learner's, or `own` after an error.

    Its first result is compared with that of `own`. It is a true function,
    so that it can be a method.
    """
    watch = _Watch(exercise, function, own, label)

    @functools.wraps(function)
    def at_work(*args, **named):
        return watch.call(args, named)

    return at_work


def watched_class(exercise, made, own, label):
    """Return a class like the learner's, each method watched.

    If it cannot be built, the instance becomes one of `own`, a class too.
    """

    def __init__(self, *args, **named):  # noqa: N807
        try:
            made.__init__(self, *args, **named)
        except Exception as error:
            _say(label, "with an error", _in_words(error, made.__init__))
            vars(self).clear()
            self.__class__ = own
            own.__init__(self, *args, **named)

    methods = {
        name: watched(exercise, vars(made)[name], method, label)
        for name, method in vars(own).items()
        if name in vars(made) and not name.startswith("__")
    }
    return like(made, __init__=__init__, **methods)


def like(made, **methods):
    """Return a class like another one, with other methods."""
    return type(made)(made.__name__, (made,), methods)


class _Watch:
    """A learner's function, and what is known of it so far."""

    def __init__(self, exercise, function, own, label):
        self.exercise, self.label = exercise, label
        self.function, self.own = function, own
        self.called = self.failed = False
        self.want = _UNKNOWN  # what the course's version gave the first time

    def call(self, args, named):
        """Return what the learner's function gives, or the course's."""
        if self.failed:
            return self.own(*args, **named)
        undo = [*self._undo(args, named)]
        if not self.called:
            self.want = _quietly(self.own, args, named)
        first, self.called = not self.called, True
        try:
            found = self.function(*args, **named)
        except Exception as error:
            why, said = "with an error", _in_words(error, self.function)
        else:
            if not first or _agree(found, self.want, self.exercise.scatter):
                return _of_type(found, self.want)
            why, said = "", ["Its result is not the course's."]
        self.failed = True
        for put_back in undo:
            put_back()
        if self.exercise.trains:
            said.append("What it changed is put back.")
        _say(self.label, why, said)
        return self.own(*args, **named)

    def _undo(self, args, named):
        """Yield functions that put the arguments back as they are now."""
        pairs = zip(self.exercise.arguments, args, strict=False)
        for name, arg in [*pairs, *named.items()]:
            yield _putting_back(arg, name in self.exercise.trains)


def _putting_back(arg, trained):
    """Return a function that makes an argument what it is now.

    Arrays are put back, also those in a list; of what is `trained`, a model
    or what goes with it, all numbers.
    """
    if isinstance(arg, np.ndarray) and arg.flags.writeable:
        return functools.partial(np.copyto, arg, arg.copy())
    if isinstance(arg, (list, tuple)):
        parts = [_putting_back(each, trained) for each in arg]
        return lambda: [put_back() for put_back in parts]
    if trained and hasattr(arg, "load_state_dict"):
        state = copy.deepcopy(arg.state_dict())
        return lambda: arg.load_state_dict(state)
    if trained and hasattr(arg, "__dict__"):
        state = copy.deepcopy(vars(arg))
        return lambda: vars(arg).update(state)
    return lambda: None


def _quietly(own, args, named):
    """Return what the course's version gives for copies, or `_UNKNOWN`."""
    try:
        args, named = copy.deepcopy((args, named))
    except Exception:  # a generator, say, or a tensor of a graph
        return _UNKNOWN
    with contextlib.suppress(Exception), contextlib.redirect_stdout(None):
        return own(*args, **named)
    return _UNKNOWN


def _agree(found, want, near):
    """Tell whether two results are the same; True if nobody can know."""
    if isinstance(want, tuple):
        if not isinstance(found, (tuple, list)) or len(found) != len(want):
            return False
        pairs = zip(found, want, strict=True)
        return all(_agree(one, other, near) for one, other in pairs)
    try:
        one, other = (np.asarray(_plain(x), float) for x in (found, want))
    except (TypeError, ValueError):
        return want is _UNKNOWN or type(found) is type(want)
    if one.size == other.size == 1:
        one = one.reshape(other.shape)
    scale = np.abs(other[np.isfinite(other)]).max(initial=0)
    return one.shape == other.shape and np.allclose(
        one, other, rtol=near, atol=ATOL * scale, equal_nan=True
    )


def _of_type(found, want):
    """Return a result as the course's version returns it: array, tensor…"""
    if isinstance(want, tuple):
        return tuple(map(_of_type, found, want))
    if type(found) is type(want) or want is _UNKNOWN:
        return found
    if isinstance(want, np.ndarray):
        return np.asarray(_plain(found), want.dtype).reshape(
            np.shape(found) if want.ndim else ()
        )
    if isinstance(want, (float, int)):
        return type(want)(np.asarray(_plain(found)).item())
    if hasattr(want, "detach"):
        return sys.modules["torch"].as_tensor(found, dtype=want.dtype)
    return found


def _plain(value):
    """Return a tensor as an array, and all else as it is."""
    return value.detach().cpu().numpy() if hasattr(value, "detach") else value


def _in_words(error, function):
    """Return an error, the learner's line and the shapes there."""
    place = sandbox.place(error, function)
    where = place["shapes"] and f"where {place['shapes']}"
    return [x for x in (sandbox.message(error), place["line"], where) if x]


def _say(label, why, said):
    """Print that a function failed, and that the course's goes on."""
    stops = f"it stops {why}" if why else "it goes wrong"
    print(f"✗ {label}: right in its check, but here {stops}.")
    for line in (*said, "The course's version goes on in its place."):
        print(textwrap.fill(f"  {line}", 79, subsequent_indent="    "))
