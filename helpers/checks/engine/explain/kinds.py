"""Say that something came back that is not what the task asks for."""

from helpers.checks.engine.explain import inputs, learners_code


def truth(exercise, function, trials):
    """Say that numbers came for True and False, or the other way around."""
    if _no_truth(trials):
        return (
            "your code returns numbers, but the task asks for True or False.",
            f"Is the comparison missing? {inputs.asked(exercise)}",
        )
    if not only_true_or_false(trials):
        return None
    return (
        "your code returns True or False, but the task asks for numbers.",
        f"Is the last line a comparison? {inputs.asked(exercise)}",
    )


def only_true_or_false(trials):
    """Tell whether True and False came where numbers belong."""
    pairs = [(t.got.kinds, t.want.kinds) for t in trials if t.got.arrays]
    return bool(pairs) and all(
        set(got) == {"b"} and "b" not in want for got, want in pairs
    )


def _no_truth(trials):
    """Tell whether other numbers than 0 and 1 came for True and False."""
    came = [t.got.arrays for t in trials if set(t.want.kinds) == {"b"}]
    numbers = {n for arrays in came for a in arrays for n in a.flat}
    return len(came) == len(trials) and bool(numbers - {0, 1})


def several(exercise, function, trials):
    """Say that a tuple came in place of one result."""
    found = [t.got.several for t in trials if t.got.several]
    if not found:
        return None
    return (
        f"your code returns {found[0]} results, but the task asks for one.",
        f"{inputs.asked(exercise)} A comma in the `return` line makes several"
        " results.",
    )


def kind(exercise, function, trials):
    """Say what came back that is no array of numbers."""
    failed = [trial for trial in trials if trial.got.problem]
    if not failed:
        return None
    return (
        "your code does not return what the task asks for.",
        f"For {failed[0].probe.words} your code returns"
        f" {failed[0].got.problem}",
        learners_code.lost_result(function) or inputs.asked(exercise),
    )


def by_chance(exercise, function, trials):
    """Say that an input gave other numbers the second time."""
    if all(trial.steady for trial in trials if trial.got.arrays):
        return None
    return (
        "the same input gives a different result the second time.",
        "Does the function use random numbers (too few of them, a dropout,"
        " or a layer that it makes itself)? Or does it keep something from one"
        " call to the next?",
    )
