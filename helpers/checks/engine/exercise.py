"""An exercise: a pipeline of steps, each with its named mistakes.

Single mistakes and pairs of them are recognized by the numbers that they
give.
"""

import ast
import contextlib
import dataclasses
import functools
import operator
import warnings
from collections.abc import Callable
from types import SimpleNamespace

import numpy as np

from helpers import journal
from helpers.checks.engine.explain import verdict
from helpers.checks.engine.explain.returned import returned
from helpers.checks.engine.read.steps import Probe, Variant, run_steps
from helpers.checks.engine.run import results, sandbox


@contextlib.contextmanager
def _silent():
    """Hide the warnings of mistakes: about infinities, poor fits and so on."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _is_solution(function):
    """Tell whether an answer is the course's own: the journal skips it."""
    try:
        return function.__name__.startswith("solution_")
    except Exception:  # whatever its type does
        return False


@dataclasses.dataclass(frozen=True)
class Trial:
    """One probe with what came back and what should have.

    `again` is what came back the second time, None if the time was up.
    """

    probe: Probe
    got: results.Outcome
    want: results.Outcome
    again: results.Outcome | None = None

    @property
    def right(self):
        """True if the answer is the reference's."""
        return results.same(self.got, self.want)

    @property
    def steady(self):
        """False if the second time gave something else."""
        return self.again is None or results.same(self.got, self.again)


@dataclasses.dataclass(frozen=True, eq=False)
class Exercise:
    """A question with its check; call it with the learner's function.

    `call` is the signature asked for, `results` name what is returned (two
    names: a tuple), `shape` describes it. `properties` are functions
    ``(args, *arrays) -> str`` that say what is wrong with a result, or "".
    `no_loop` is said to an answer that is right but runs more lines of Python
    for longer arrays: it is refused. `solution` is that of the notebook,
    and `changes` tells whether its mistakes are changes of that solution;
    `errors` are mistakes that are known by a part of an error's message;
    `sentences` are those that its text shares, by name; `trains` names the
    arguments that an answer changes, on purpose. `around` makes of the
    learner's function the one that is called, `refuse` is a function of a
    right Outcome and the learner's function that returns a headline and a
    paragraph if it will not do yet, `remark` one of the exercise and a right
    answer that returns a paragraph, `recognize` one of the exercise and the
    trials of a wrong answer that no known mistake explains.
    """

    name: str
    call: str
    results: tuple
    shape: str
    steps: tuple
    probes: tuple
    praise: str
    properties: tuple = ()
    no_loop: str = ""
    changes: bool = False
    errors: list = dataclasses.field(default_factory=list)
    solution: str = ""
    sentences: dict = dataclasses.field(default_factory=dict)
    trains: tuple = ()
    refuse: Callable = lambda outcome, function: None
    around: Callable = lambda function: function
    remark: Callable = lambda exercise, function: ""
    recognize: Callable = lambda exercise, trials: None
    # how far right results may differ at work, relatively; not a field
    scatter = 1e-3

    def __post_init__(self):
        # once, before any code of a learner's runs
        object.__setattr__(self, "_names", sandbox.names())
        self._compute_wants()

    def _compute_wants(self):
        wants = [self._outcome(self.reference, p) for p in self.probes]
        object.__setattr__(self, "wants", wants)
        object.__setattr__(self, "_outcomes", {})
        object.__setattr__(self, "_computed", {})

    @property
    def arguments(self):
        """The names of the arguments."""
        inside = self.call.partition("(")[2].rpartition(")")[0]
        return [name.strip() for name in inside.split(",")]

    @property
    def own(self):
        """How many of the results the learner returns, as the solution."""
        if self.around is Exercise.around:
            return len(self.results)
        returns = [
            node.value
            for node in ast.walk(ast.parse(self.solution))
            if isinstance(node, ast.Return)
        ]
        return len(getattr(returns[-1], "elts", [0])) if returns else 1

    def reference(self, *args):
        """Return the right answer."""
        return self.compute(args, {})

    def compute(self, args, replaced):
        """Run the pipeline with some steps replaced."""
        record = dict(zip(self.arguments, args, strict=True))
        return run_steps(SimpleNamespace(**record), self.all_steps, replaced)

    @functools.cached_property
    def all_steps(self):
        """The steps, and one that hands back the result."""
        last = returned(self.steps[-1].name, self.results, self.own)
        return *self.steps, last

    @functools.cached_property
    def singles(self):
        """One Variant for each way to make a single mistake."""
        order = [step.name for step in self.all_steps]
        found = [
            Variant((mistake,), w if isinstance(w, dict) else {step.name: w})
            for step in self.all_steps
            for mistake in step.mistakes
            for w in mistake.wrong
        ]
        return sorted(found, key=lambda v: min(map(order.index, v.replaced)))

    def outcome(self, variant, probe):
        """Return what a variant gives for a probe."""
        if (variant, probe) in self._outcomes:
            return self._outcomes[variant, probe]

        def compute(*args):
            if variant.replaced.keys() != {"returned"}:
                return self.compute(args, variant.replaced)
            return variant.replaced["returned"](self._record(probe))

        found = self._outcome(compute, probe)
        if len(variant.mistakes) == 1:  # pairs are too many
            self._outcomes[variant, probe] = found
        return found

    def _record(self, probe):
        """Return the record of the right answer, computed once."""
        if probe not in self._computed:
            record = dict(zip(self.arguments, probe.args, strict=True))
            record = SimpleNamespace(**record)
            run_steps(record, self.steps, {})
            self._computed[probe] = record
        return self._computed[probe]

    def known(self, name):
        """Return what is said of the mistake of a name: headline and idea."""
        for step in self.all_steps:
            for mistake in step.mistakes:
                if mistake.name == name:
                    return f"{name}.", mistake.idea
        raise ValueError(f"name: no mistake is called {name!r}")

    def depends(self, probe, args):
        """Tell whether other arguments give another right answer."""
        want, other = (
            self._outcome(self.reference, p)
            for p in (probe, Probe("others", args))
        )
        return not results.same(want, other)

    @_silent()
    def _outcome(self, function, probe):
        try:
            found = results.read(function(*probe.args), len(self.results))
        except Exception as error:
            found = {"error": sandbox.message(error)}
        return results.Outcome(**found)

    def __call__(self, *functions):
        """Print what is right or wrong with a function."""
        if len(functions) != 1:
            print(
                f"✗ {self.name}: the check needs your function, and nothing"
                f" else.\n  Write checks.{self.name}(your_function)."
            )
            return
        (function,) = functions
        try:
            found = self.verdict(function)
        except KeyboardInterrupt:
            print(f"✗ {self.name}: you stopped it while it was running.")
            raise
        print(verdict.say(self, *found))
        if not _is_solution(function):
            self._note(*found)

    def _note(self, mark, headline, *paragraphs):
        """Write the verdict into the learner's journal."""
        mistakes = {m.name for step in self.all_steps for m in step.mistakes}
        named = headline.removesuffix(".")
        parts = {*named.split(", and ")}  # "your code" is said only once
        parts -= {p for p in parts if f"your code {p}" in mistakes}
        if named not in mistakes and not parts <= mistakes:
            named = ""
        journal.note_check(self.name, verdict.RESULTS[mark], named)

    def judge(self, function):
        """Return the feedback on `function` as text."""
        return verdict.say(self, *self.verdict(function))

    @_silent()
    def verdict(self, function):
        """Return mark, headline and paragraphs for `function`."""
        self._forget()
        if not all(want.arrays for want in self.wants):
            self._compute_wants()  # torch may have been imported since
        broken = [o.error or o.problem for o in self.wants if not o.arrays]
        if broken:
            raise RuntimeError(
                f"checks.{self.name} cannot judge: its own reference fails"
                f" ({broken[0]}). That is an error of this course, not of"
                " your answer."
            )
        refusal = verdict.refusal(self, function)
        if refusal:
            return refusal
        first, again = self._tried(function)
        second = {trial.probe: trial.got for trial in again}
        trials = [
            dataclasses.replace(t, again=second.get(t.probe)) for t in first
        ]
        return verdict.verdict(self, function, trials)

    def _forget(self):
        """Keep no outcome from when a name in NumPy meant something else."""
        names = sandbox.names()
        if not all(map(operator.is_, names, self._names)):
            self._outcomes.clear()
            self._computed.clear()
        self._names[:] = names

    def run(self, function, calls, **options):
        """Return the Outcome of each call in the sandbox."""
        return sandbox.run(
            self.around(function), calls, len(self.results), **options
        )

    def _tried(self, function):
        """Try every probe twice; a list of Trial for each time."""
        calls = [probe.args for probe in self.probes] * 2
        found = self.run(function, calls)
        tried = [
            Trial(probe, results.fitted(got, want), want)
            for probe, got, want in zip(
                self.probes * 2, found, self.wants * 2, strict=False
            )
        ]
        return tried[: len(self.probes)], tried[len(self.probes) :]
