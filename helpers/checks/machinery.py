"""Exercises whose check says which mistake was made, and why it matters.

How to add an exercise to a module of this package::

    weighted_sum = Exercise(
        name="weighted_sum",  # also the name in `checks`
        call="weighted_sum(weights, x)",  # the signature asked for
        reference=lambda weights, x: weights @ x,
        results=("context",),  # two names: the function returns a tuple
        shape="one row per query, as wide as x",
        probes=(
            Probe("3 tokens of width 2", (weights, x)),
            Probe("a large x", (weights, 1e3 * x), "hard", "hint, if any"),
            Probe("2 sentences at once", (batch, xs), "beyond"),
        ),
        bugs=(
            Bug("keys and queries swapped", wrong, "The idea behind it."),
        ),
        proves="Every row is a mix of the rows of x.",
    )

and import it in ``__init__.py``: tests/test_checks.py then tries the
reference, every bug and every hostile answer on it.

Probes have levels. "plain" ones show what the function does; choose them
asymmetric, with as many different lengths as possible (T != d), and at least
one square, where lost shapes do not crash. "hard" ones (overflow, ties, one
token) must be right as well. "beyond" ones are asked for nowhere: an answer
that fails them is correct, with a remark.

A bug is recognized when the learner's function gives what the bug gives, on
all probes asked for, crashes included; failing that, on all plain probes. On
one of them it must give something wrong, not only crash. The first match in
the order of `bugs` wins. `wrong` may be a tuple of implementations of one
mistake. Its `name` completes the headline "NAME: ..."; its `feedback` says
the idea behind it, not the code of the solution.
"""

import dataclasses
import functools
from collections.abc import Callable

from helpers.checks import feedback, results, sandbox


@dataclasses.dataclass(frozen=True, eq=False)
class Probe:
    """Arguments to try: `words` complete "for ..."; see above for `level`."""

    words: str
    args: tuple
    level: str = "plain"
    hint: str = ""

    def __post_init__(self):
        if self.level not in ("plain", "hard", "beyond"):
            raise ValueError(f"level: no such level: {self.level!r}")


@dataclasses.dataclass(frozen=True, eq=False)
class Bug:
    """A known mistake: what it is, code that makes it, the idea behind."""

    name: str
    wrong: Callable | tuple
    feedback: str

    @property
    def variants(self):
        """The implementations of this one mistake, as a tuple."""
        return self.wrong if isinstance(self.wrong, tuple) else (self.wrong,)


@dataclasses.dataclass(frozen=True)
class Trial:
    """One probe with what came back and what should have."""

    probe: Probe
    got: sandbox.Outcome
    want: sandbox.Outcome

    @property
    def right(self):
        """True if the answer is the reference's."""
        return results.same(self.got, self.want)


@dataclasses.dataclass(frozen=True)
class Exercise:
    """A question with its check; call it with the learner's function.

    `properties` are functions ``(args, *arrays) -> str`` that return what is
    wrong in words ("row 0 sums to 1.73"), or "" if nothing is. `if_loop` is
    said to a right answer that loops where none is needed.
    """

    name: str
    call: str
    reference: Callable
    results: tuple
    shape: str
    probes: tuple
    bugs: tuple
    proves: str
    properties: tuple = ()
    if_loop: str = ""

    def __call__(self, function):
        """Print what is right or wrong with `function`; never raise."""
        try:
            with sandbox.restored(), sandbox.quiet():
                text = self.judge(function)
        except KeyboardInterrupt:
            print(feedback.stopped(self))
            raise
        except BaseException as error:
            text = feedback.gave_up(self, error)
        print(text)

    def judge(self, function):
        """Return the feedback on `function` as text."""
        refusal = feedback.refusal(self, function)
        if refusal:
            return refusal
        trials = self.trials(function)
        asked = [t for t in trials if t.probe.level != "beyond"]
        if not all(trial.right for trial in asked):
            return feedback.wrong(self, function, asked)
        again = self.trials(function)
        if not all(map(results.same, _got(trials), _got(again))):
            return feedback.unsteady(self)
        if any(trial.got.changed for trial in trials):
            return feedback.changed(self, trials)
        return feedback.correct(self, function, trials)

    def trials(self, function):
        """Try every probe; stop at the first one that never ends."""
        trials = []
        for probe in self.probes:
            got = sandbox.run(function, probe.args, len(self.results))
            want = _known(self.reference, probe, len(self.results))
            trials.append(Trial(probe, got, want))
            if got.late:
                break
        return trials

    def recognize(self, trials, only=None):
        """Return the first bug that gives the same as all of `trials`.

        With `only`, the position of one of several results, the others need
        not be the same.
        """
        if all(
            trial.got.error or results.same(trial.got, trial.want, only)
            for trial in trials
        ):
            return None  # an error alone does not say which mistake it was
        for bug in self.bugs:
            if any(self._is(wrong, trials, only) for wrong in bug.variants):
                return bug
        return None

    def _is(self, wrong, trials, only):
        count = len(self.results)
        return all(
            results.same(trial.got, _known(wrong, trial.probe, count), only)
            for trial in trials
        )


def _got(trials):
    return [trial.got for trial in trials]


@functools.cache
def _known(function, probe, count):
    """Run the reference or a bug, which need not be run twice."""
    return sandbox.run(function, probe.args, count)
