"""The last step of every exercise: the result is handed back."""

import itertools
from types import SimpleNamespace

import numpy as np

from helpers.checks.engine.read.steps import Mistake, Step
from helpers.checks.engine.read.text import any_result


def returned(name, results, own):
    """Return the step that hands back the result called `name`.

    The learner returns the first `own` of the results.

    Its mistakes are those that any exercise knows: rounded, transposed,
    summed up, one of two results only, and so on.
    """
    if len(results) == 1:
        names = {None: "the result"}
    else:
        names = {i: f"`{result}`" for i, result in enumerate(results)}
    each = [
        Mistake(
            mistake.name,
            mistake.idea,
            *(_changed(wrong, name, place) for wrong in mistake.wrong),
        )
        for place, words in [*names.items()][:own]
        for mistake in any_result(words)
    ]
    if own > 1:
        each += _tuples(name, results)
    return Step("returned", lambda c: getattr(c, name), *each)


def _changed(change, name, place):
    """Change the result, or one of several at its `place`, no other."""

    def wrong(c):
        value = getattr(c, name)
        if place is None:
            return change(SimpleNamespace(v=np.asarray(value)))
        changed = change(SimpleNamespace(v=np.asarray(value[place])))
        return *value[:place], changed, *value[place + 1 :]

    wrong.place = place
    return wrong


def _orders(count):
    """Return all wrong orders of up to three results, else the reverse."""
    places = tuple(range(count))
    if count > 3:
        return [places[::-1]]
    return list(itertools.permutations(places))[1:]


def _in_order(name, order):
    return lambda c: tuple(getattr(c, name)[place] for place in order)


def _tuples(name, results):
    each = ", ".join(f"`{result}`" for result in results)
    asked = f"The task asks for all of these, separated by commas: {each}."
    yield Mistake(
        "your code returns the results in the wrong order",
        asked,
        *(_in_order(name, order) for order in _orders(len(results))),
    )
    for i, result in enumerate(results):
        yield Mistake(
            f"your code returns only `{result}`",
            asked,
            lambda c, i=i: getattr(c, name)[i],
        )
        if len(results) > 2:
            yield Mistake(
                f"your code does not return `{result}`",
                asked,
                lambda c, i=i: (
                    getattr(c, name)[:i] + getattr(c, name)[i + 1 :]
                ),
            )
