"""Declare an exercise: probes to try, and steps with their mistakes."""

import dataclasses

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
    in place of its step's, or a dict of such functions by step. A mistake
    with a `word` is named only if that pattern is in the learner's code.
    """

    def __init__(self, name, idea, *wrong, word=""):
        self.name, self.idea, self.wrong = name, idea, wrong
        self.word = word

    def __repr__(self):
        return f"Mistake({self.name!r})"


class Step:
    """One step of a pipeline: ``right(c)`` becomes ``c.NAME``.

    `c` is a record of the arguments and of the steps before, by name.
    """

    def __init__(self, name, right, *mistakes):
        self.name, self.right, self.mistakes = name, right, mistakes

    def without(self, names):
        """Return a copy without the mistakes of some names."""
        kept = [m for m in self.mistakes if m.name not in names]
        return Step(self.name, self.right, *kept)


def run_steps(record, steps, replaced):
    """Run some steps on a record, some of them replaced; return the last."""
    values = vars(record)
    for step in steps:
        value = replaced.get(step.name, step.right)(record)
        values[step.name] = value
    return value


@dataclasses.dataclass(frozen=True, eq=False)
class Variant:
    """The pipeline with some steps replaced, and the mistakes that makes."""

    mistakes: tuple
    replaced: dict

    def goes_with(self, other):
        """Tell whether both can be made at once: they share no step."""
        if self.mistakes == other.mistakes:
            return False
        return self.replaced.keys().isdisjoint(other.replaced)

    def changed(self, places):
        """Return those of the results at `places` that it may change."""
        last = getattr(self.replaced.get("returned"), "place", None)
        return places if last is None else {last}

    def with_(self, other):
        """Return both in one."""
        return Variant(
            self.mistakes + other.mistakes, self.replaced | other.replaced
        )
