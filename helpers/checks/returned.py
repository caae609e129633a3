"""Findings on what came back, before its numbers: how many, kind, shape."""

from helpers.checks import compare, relations


def several(exercise, trials):
    """Find a tuple of results where one is asked for."""
    found = [t.got.several for t in trials if t.got.several and not _fits(t)]
    if not found:
        return None
    return (
        f"it returns {found[0]} results; one is asked for.",
        f"Asked for: {exercise.results[0]}. A comma in the `return` line makes"
        " several results.",
    )


def kind(exercise, trials):
    """Find what is no array of numbers."""
    failed = [trial for trial in trials if trial.got.problem]
    if not failed:
        return None
    names = " and ".join(exercise.results)
    return (
        "it does not return what is asked for.",
        f"For {failed[0].probe.words} it returns {failed[0].got.problem}",
        f"Asked for: {names}.",
    )


def shape(exercise, trials):
    """Find another shape than asked for."""
    wrong = [trial for trial in trials if not _fits(trial)]
    if not wrong:
        return None
    probe, got, want = wrong[0].probe, wrong[0].got, wrong[0].want
    return (
        "the shape is not right.",
        f"For {probe.words} it returns {_list(got)}; right is {_list(want)}:"
        f" {exercise.shape}.",
        f"The input: {compare.shapes(exercise, probe)}.",
        relations.beginning(got, want),
    )


def _fits(trial):
    return _shapes(trial.got) == _shapes(trial.want)


def _shapes(outcome):
    return [array.shape for array in outcome.arrays]


def _list(outcome):
    return " and ".join(map(str, _shapes(outcome)))
