"""Pairs of known mistakes that together give what came back.

There are up to 50,000 of them. So a pair is run only from where it differs
from its first mistake alone, and only until one of its results is wrong.
Changes of a solution take longer: a pair of them is run only if one of the
two may alone have given the first number.
"""

import contextlib
from types import SimpleNamespace

import numpy as np

from helpers.checks.engine.read.steps import run_steps
from helpers.checks.engine.run import budget, results

_PART = 0.7  # of the time for an answer; changes of a solution may take it


def giving(exercise, trial):
    """Return the pairs of mistakes that give the result of a trial."""
    order = [step.name for step in exercise.all_steps]
    places = [[*map(order.index, v.replaced)] for v in exercise.singles]
    ends = map(min, places), map(max, places)
    singles = list(zip(exercise.singles, *ends, strict=True))
    shown, found = _shown(exercise), []
    may_give = _by_first_number(exercise, trial)
    for number, (one, first, end) in enumerate(singles, 1):
        if first == len(order) - 1:
            break  # no step is left for a second one
        records = _records(exercise, trial.probe.args, one.replaced)
        off = _off(exercise, trial.got, records)
        if exercise.changes and budget.is_over(_PART):
            break
        for other, start, last in singles[number:]:
            if (
                start < len(records)
                and one.goes_with(other)
                and off <= other.changed(off)
                and may_give(one, other)
            ):
                both, stops = one.with_(other), shown[max(end, last)]
                steps, record = exercise.all_steps, records[start]
                if _gives(both, trial.got, record, steps, start, stops):
                    found.append(both)
    if not exercise.changes:
        budget.start()  # these are quick, and edits have all the time
    return found


def _by_first_number(exercise, trial):
    """Return a function that tells whether two changes may give a result.

    What leaves the first number alone leaves it as the other change has it,
    and what stops alone stops beside another change, too.
    """
    if not exercise.changes or "b" in trial.want.kinds:
        return lambda one, other: True  # False and True hide how much changes
    firsts = {
        variant: _first(exercise.outcome(variant, trial.probe))
        for variant in exercise.singles
    }
    right, got = (_first(outcome) for outcome in (trial.want, trial.got))

    def may_give(one, other):
        one, other = firsts[one], firsts[other]
        if not (one.size and other.size):
            return False
        if results.close(one, right):
            return results.close(other, got)
        return not results.close(other, right) or results.close(one, got)

    return may_give


def _first(outcome):
    """Return the first number of an outcome, in an array; it may have none."""
    return np.concatenate([[], *map(np.ravel, outcome.arrays)])[:1]


def _shown(exercise):
    """Return for each step the stops after it.

    A stop is the number of steps after which one of several results is
    there, and which one.
    """
    names = [step.name for step in exercise.steps[:-1]]
    stops = sorted(
        (names.index(name) + 1, place)
        for place, name in enumerate(exercise.results)
        if name in names and len(exercise.results) > 1
    )
    return [
        [stop for stop in stops if stop[0] > last]
        for last in range(len(exercise.all_steps))
    ]


def _records(exercise, args, replaced):
    """Return the record before each step, up to one that fails."""
    records = []
    now = SimpleNamespace(**dict(zip(exercise.arguments, args, strict=True)))
    with contextlib.suppress(Exception):
        for step in exercise.all_steps:
            records.append(dict(vars(now)))
            run_steps(now, [step], replaced)
    return records


def _off(exercise, got, records):
    """Return which of several results one mistake does not give alone."""
    off, complete = set(), len(records) == len(exercise.all_steps)
    with contextlib.suppress(Exception):  # it may have none
        if len(exercise.results) > 1 and complete:
            value = records[-1][exercise.steps[-1].name]
            for place, array in enumerate(got.arrays):
                part = np.asarray(value[place], dtype=np.float64)
                off |= set() if results.close(part, array) else {place}
    return off


def _gives(both, got, record, steps, start, stops):
    """Tell whether a pair, run from a step on, gives what came back."""
    record = SimpleNamespace(**record)
    try:
        for stop, place in stops:  # of two results one may suffice
            value = run_steps(record, steps[start:stop], both.replaced)
            part = np.asarray(value, dtype=np.float64)
            if not results.close(part, got.arrays[place]):
                return False
            start = stop
        value = run_steps(record, steps[start:], both.replaced)
        return results.equal(value, got)
    except Exception:
        return False
