"""What a learner has written, put to work: the course's own until then."""

import ast

from helpers.checks import at_work, earlier
from helpers.checks.engine.explain import verdict
from helpers.checks.engine.read import code


def yours(exercises, function, space):
    """Return the learner's function if it is right, else the course's.

    A name means a function of an earlier notebook. `space` holds the
    names of this one. The function is checked anew on every call, silently, so
    that one that was written again is taken as it is now. Prints which of the
    two runs, in one line, and what is wrong, or where it was looked for.
    """
    place = None
    if isinstance(function, str):
        names = {n: value for n, value in code.names().items() if value}
        function, place = _earlier(exercises, function, space | names)
    exercise = _answered(exercises, function, space)
    own = _course(exercise, space)
    method = isinstance(function, type) and not isinstance(own, type)
    answer = getattr(function, exercise.name) if method else function
    label = getattr(function, "__name__", exercise.name)
    mark, headline, *_ = exercise.verdict(answer)
    right = mark == verdict.RIGHT
    if right:
        what = "class" if isinstance(function, type) else "function"
        print(f"✓ {label}: your own {what} runs here.")
        make = at_work.watched
        if isinstance(own, type):
            make = at_work.watched_class
        own = make(exercise, answer, own, label)
    else:
        print(
            f"{label}: the course's version runs here, until yours is right."
        )
    if mark == verdict.WRONG:
        print(f"  (Your version, {_as(place)}: {headline.rstrip('.')}.)")
    elif not right and place is not None:
        place = place or "the notebooks beside this one"
        print(f"  (We looked in {place}, as last saved.)")
    if method:
        return at_work.like(function, **{exercise.name: own})
    return own


def _as(place):
    """Say which version of a learner's function is meant."""
    return f"as last saved in {place}" if place else "as it is now"


def _earlier(exercises, name, space):
    """Return what an earlier notebook has for an exercise, or an open one.

    And the name of this notebook.
    """
    if name not in exercises:
        raise ValueError(
            "function: expected the function of an exercise, or its name, such"
            f" as 'self_attention', got {name!r}"
        )

    def still_open(*_):
        return ...

    still_open.__name__ = name
    others = {n: v for n, v in space.items() if n not in exercises}
    function, place = earlier.written(name, others)
    return function or still_open, place


def _answered(exercises, function, space):
    """Return the exercise that a function answers, or a method of a class."""
    name = getattr(function, "__name__", None)
    if name in exercises:
        return exercises[name]
    if isinstance(function, type):
        names = [n for n in vars(function) if n in exercises]
    else:  # a lambda, or still three dots
        names = [n for n in exercises if space.get(n) is function]
    if len(names) != 1:
        raise ValueError(
            "function: expected the function of an exercise, such as"
            f" self_attention, got {function!r}"
        )
    return exercises[names[0]]


def _course(exercise, space):
    """Return the course's own answer, as its notebook shows it."""
    known = {n: value for n, value in code.names().items() if value}
    space = space | known | {"print": print}
    exec(compile(exercise.solution, f"<{exercise.name}>", "exec"), space)
    return space[ast.parse(exercise.solution).body[0].name]
