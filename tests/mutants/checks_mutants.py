"""Mistakes in the engine of the checks."""

import contextlib

from planting import mutant


@mutant(
    "checks.engine.run.results:close", "checks/test_engine.py::test_feedback"
)
def any_number_is_right(right, got, want):
    return True


@mutant("checks.engine.run.sandbox:_differ", "checks/test_engine.py")
def changed_arguments_are_not_noticed(right, arg, other):
    return False


@mutant("checks.engine.run.sandbox:_differ", "checks/test_answers_08.py")
def a_changed_list_is_not_noticed(right, arg, other):
    return not isinstance(arg, list) and right(arg, other)


@mutant(
    "checks.engine.run.sandbox:_restored",
    "checks/test_hostile.py::test_hostile_answers[direct]",
)
@contextlib.contextmanager
def what_answers_change_stays_changed(right):
    yield


@mutant(
    "checks.engine.explain.known:one", "checks/test_engine.py::test_feedback"
)
def known_mistakes_have_no_name(right, exercise, function, trials):
    return None


@mutant(
    "checks.engine.explain.blanks:_only_return_is_blank",
    "checks/test_answers_09.py",
)
def a_return_left_behind_is_overlooked(right, function):
    return False
