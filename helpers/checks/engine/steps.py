"""Declare an exercise: probes to try, and steps with their mistakes."""

import dataclasses

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
        return (
            self.replaced.keys().isdisjoint(other.replaced)
            and self.mistakes != other.mistakes
        )

    def with_(self, other):
        """Return both in one."""
        return Variant(
            self.mistakes + other.mistakes, self.replaced | other.replaced
        )


_DIGITS = "Round only what you print; the next step needs all digits."


def _rows(function):
    def change(v):
        if v.ndim < 2:
            raise ValueError("there are no rows")
        return function(v)

    return change


_CHANGES = (
    (
        "{0} is 0 everywhere",
        "Is it filled at all?",
        lambda v: np.zeros_like(v),
    ),
    (
        "{0} is rounded",
        _DIGITS,
        *(lambda v, n=n: np.round(v, n) for n in (4, 3, 2, 1, 0)),
        *(lambda v, f=f: f(v) for f in (np.trunc, np.floor, np.ceil)),
        lambda v: np.float16(v),
    ),
    (
        "rows and columns of {0} are exchanged",
        "Nothing needs to be transposed at the end.",
        _rows(lambda v: np.swapaxes(v, -1, -2)),
    ),
    ("the sign of {0} is turned around", "A minus too many.", lambda v: -v),
    (
        "{0} has lost its minus signs",
        "Negative numbers belong to the result as they are.",
        np.abs,
    ),
    (
        "{0} is summed up or averaged at the end",
        "Keep the whole table; nothing is left to add up.",
        *(
            _rows(
                lambda v, f=f, axis=axis, keep=keep: f(v, axis, keepdims=keep)
            )
            for f in (np.sum, np.mean)
            for axis, keep in (
                (-1, False),
                (-2, False),
                (-1, True),
                (-2, True),
            )
        ),
        lambda v: v.sum(),
        lambda v: v.mean(),
    ),
    (
        "only one row of {0} is returned",
        "Every row is asked for. If you use a loop: is `return` inside it?",
        *(_rows(lambda v, i=i: v[i]) for i in (0, -1, 1)),
        *(_rows(lambda v, i=i: v[i]) for i in (slice(1), slice(-1, None))),
    ),
    (
        "only the first or the last row of {0} is filled",
        "Every row is asked for. Does a loop overwrite what it has found, or"
        " end too early?",
        *(
            _rows(lambda v, i=i: v * np.eye(v.shape[-2])[[i]].T)
            for i in (0, -1)
        ),
    ),
    (
        "only the first number of {0} is filled",
        "Every number is asked for. If you use a loop: is `return` inside it?",
        _rows(lambda v: v * (np.arange(v.size) == 0).reshape(v.shape)),
    ),
    (
        "the last row of {0} is not filled",
        "Does a loop end one row too early?",
        _rows(
            lambda v: v * (np.arange(v.shape[-2]) < v.shape[-2] - 1)[:, None]
        ),
        _rows(lambda v: v[..., :-1, :]),
    ),
    (
        "{0} is flattened",
        "Keep the axes as they are asked for.",
        _rows(np.ravel),
    ),
    (
        "{0} has an axis too many",
        "Is there a None, a pair of brackets or a keepdims too many?",
        _rows(lambda v: v[None]),
        _rows(lambda v: v[..., None]),
    ),
    (
        "the rows of {0} stand in reverse order",
        "Keep the order of the input.",
        _rows(lambda v: v[..., ::-1, :]),
    ),
    (
        "the numbers of {0} are sorted",
        "Keep them at their places.",
        _rows(np.sort),
    ),
)


def returned(name, results):
    """Return the step that hands back the result called `name`.

    Its mistakes are those that any exercise knows: rounded, transposed,
    summed up, one of two results only, and so on.
    """
    if len(results) == 1:
        each = [
            Mistake(text.format("the result"), idea, *_built(changes, name))
            for text, idea, *changes in _CHANGES
        ]
    else:
        each = [
            Mistake(
                text.format(f"`{result}`"), idea, *_built(changes, name, place)
            )
            for place, result in enumerate(results)
            for text, idea, *changes in _CHANGES
        ]
        each += _tuples(name, results)
    return Step("returned", lambda c: getattr(c, name), *each)


def _built(changes, name, place=None):
    def build(change):
        def wrong(c):
            value = getattr(c, name)
            if place is None:
                return change(np.asarray(value))
            return tuple(
                change(np.asarray(part)) if i == place else part
                for i, part in enumerate(value)
            )

        return wrong

    return map(build, changes)


def _tuples(name, results):
    both = " and ".join(f"`{result}`" for result in results)
    asked = f"Asked for are both, separated by a comma: {both}."
    yield Mistake(
        "the results are in the other order",
        asked,
        lambda c: getattr(c, name)[::-1],
    )
    for place, result in enumerate(results):
        yield Mistake(
            f"only `{result}` is returned",
            asked,
            lambda c, place=place: getattr(c, name)[place],
        )
