"""Declare an exercise: probes to try, and steps with their mistakes."""

import dataclasses
import functools

import numpy as np

_LEVELS = ("basic", "edge", "extra")


@dataclasses.dataclass(frozen=True, eq=False)
class Probe:
    """Arguments to try; `words` complete "for ...".

    "basic" probes show what the function does, "edge" ones (overflow, one
    token) must be right as well. An answer that fails an "extra" one is
    correct, and the feedback adds the probe's `hint`.
    """

    words: str
    args: tuple
    level: str = "basic"
    hint: str = ""

    def __post_init__(self):
        if self.level not in _LEVELS:
            raise ValueError(f"level: one of {_LEVELS}, not {self.level!r}")


class Mistake:
    """A known mistake: its name, the idea behind it, code that makes it.

    Each of `wrong` is a function of the record of what is computed so far,
    in place of its step's, or a dict of such functions by step.
    """

    def __init__(self, name, idea, *wrong):
        self.name, self.idea, self.wrong = name, idea, wrong

    def __repr__(self):
        return f"Mistake({self.name!r})"


class Step:
    """One step of a pipeline: ``right(c)`` becomes ``c.NAME``.

    `c` is a record of the arguments and of the steps before, by name.
    """

    def __init__(self, name, right, *mistakes):
        self.name, self.right, self.mistakes = name, right, mistakes

    def but(self, right=None, *, without=(), also=()):
        """Return a copy with another right version, or other mistakes."""
        names = {mistake.name for mistake in self.mistakes}
        if not set(without) <= names:
            raise ValueError(f"without: not in {self.name}: {without}")
        kept = [m for m in self.mistakes if m.name not in without]
        return Step(self.name, right or self.right, *also, *kept)


@dataclasses.dataclass(frozen=True)
class Variant:
    """The pipeline with some steps replaced, and the mistakes that makes."""

    mistakes: tuple
    replaced: dict

    def goes_with(self, other):
        """Tell whether both can be made at once: they share no step."""
        if self.mistakes == other.mistakes:
            return False
        return self.replaced.keys().isdisjoint(other.replaced)

    def with_(self, other):
        """Return both in one."""
        return Variant(
            self.mistakes + other.mistakes, self.replaced | other.replaced
        )


def _of_numbers(*functions, ndim=0):
    """Make changes that booleans do not have, nor arrays of less axes."""

    def change(v, function):
        if v.ndim < ndim or (v.dtype == bool and not ndim):
            raise ValueError("this change does not apply")
        return function(v)

    return [lambda v, f=f: change(v, f) for f in functions]


_of_rows = functools.partial(_of_numbers, ndim=2)


def _only_row(i):
    return lambda v: v * np.eye(v.shape[-2])[[i]].T


_CHANGES = {
    "{} is 0 everywhere": ("Is it filled at all?", [np.zeros_like]),
    "{} is rounded": (
        "Round only what you print; the next step needs all digits.",
        _of_numbers(
            *(lambda v, n=n: np.round(v, n) for n in (4, 3, 2, 1, 0)),
            np.ceil,
            np.float16,
        ),
    ),
    "the decimals of {} are cut off": (
        "Is an array of integers filled, or is int() or // taken?",
        _of_numbers(np.trunc, np.floor),
    ),
    "rows and columns of {} are exchanged": (
        "Look at the order of its axes.",
        _of_rows(lambda v: np.swapaxes(v, -1, -2)),
    ),
    "the sign of {} is turned around": (
        "There is a minus too many, or one too few.",
        _of_numbers(np.negative),
    ),
    "{} has lost its minus signs": (
        "Negative numbers belong to the result as they are.",
        _of_numbers(np.abs),
    ),
    "{} is summed up or averaged at the end": (
        "Keep the whole table; nothing is left to add up.",
        _of_numbers(
            *_of_rows(
                *(
                    lambda v, f=f, axis=axis, keep=keep: f(
                        v, axis, keepdims=keep
                    )
                    for f in (np.sum, np.mean)
                    for axis in (-1, -2)
                    for keep in (False, True)
                )
            ),
            np.sum,
            np.mean,
        ),
    ),
    "only one part of {} is returned": (
        "Every row is asked for. If you use a loop: is `return` inside it?",
        _of_rows(
            *(
                lambda v, i=i: v[i]
                for i in (0, -1, 1, slice(1), slice(-1, None))
            )
        ),
    ),
    "only the first or the last row of {} is filled": (
        "Every row is asked for. Does a loop overwrite what it has found, or"
        " end too early?",
        _of_rows(_only_row(0), _only_row(-1)),
    ),
    "only the first number of {} is filled": (
        "Every number is asked for. If you use a loop: is `return` inside it?",
        _of_rows(lambda v: v * (np.arange(v.size) == 0).reshape(v.shape)),
    ),
    "the last row of {} is not filled": (
        "Does a loop end one row too early?",
        _of_rows(
            lambda v: v * (np.arange(v.shape[-2]) < v.shape[-2] - 1)[:, None]
        ),
    ),
    "the last row of {} is missing": (
        "Does a loop end one row too early?",
        _of_rows(lambda v: v[..., :-1, :]),
    ),
    "{} is flattened": (
        "Keep the axes as they are asked for.",
        _of_rows(np.ravel),
    ),
    "{} has an axis too many": (
        "Is there a None, a pair of brackets or a keepdims too many?",
        _of_rows(lambda v: v[None], lambda v: v[..., None]),
    ),
    "the rows of {} stand in reverse order": (
        "Keep the order of the input.",
        _of_rows(lambda v: v[..., ::-1, :]),
    ),
    "the numbers of {} are sorted": (
        "Keep them at their places.",
        _of_rows(np.sort),
    ),
}


def returned(name, results):
    """Return the step that hands back the result called `name`.

    Its mistakes are those that any exercise knows: rounded, transposed,
    summed up, one of two results only, and so on.
    """
    if len(results) == 1:
        names = {None: "the result"}
    else:
        names = {i: f"`{result}`" for i, result in enumerate(results)}
    each = [
        Mistake(text.format(words), idea, *_built(changes, name, place))
        for place, words in names.items()
        for text, (idea, changes) in _CHANGES.items()
    ]
    if len(results) > 1:
        each += _tuples(name, results)
    return Step("returned", lambda c: getattr(c, name), *each)


def _built(changes, name, place):
    def build(change):
        def wrong(c):
            value = getattr(c, name)
            if place is None:
                return change(np.asarray(value))
            changed = change(np.asarray(value[place]))
            return *value[:place], changed, *value[place + 1 :]

        return wrong

    return map(build, changes)


def _tuples(name, results):
    each = ", ".join(f"`{result}`" for result in results)
    asked = f"Asked for are all of these, separated by commas: {each}."
    yield Mistake(
        "the results are in the other order",
        asked,
        lambda c: getattr(c, name)[::-1],
    )
    for i, result in enumerate(results):
        yield Mistake(
            f"only `{result}` is returned",
            asked,
            lambda c, i=i: getattr(c, name)[i],
        )
        if len(results) > 2:
            yield Mistake(
                f"`{result}` is not returned",
                asked,
                lambda c, i=i: (
                    getattr(c, name)[:i] + getattr(c, name)[i + 1 :]
                ),
            )
