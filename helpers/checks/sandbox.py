"""Run a learner's function so that nothing it does reaches the notebook.

What it prints, warns or raises is kept away, its arguments are copies, its
random numbers and print options are restored, and an endless loop is stopped
(where the system has alarm signals; elsewhere the interrupt button works).
"""

import contextlib
import dataclasses
import io
import random
import signal
import sys
import threading
import warnings

import numpy as np

from helpers.checks import crashes, frontend, results

SECONDS = 10  # for one call; a right answer needs less than a millisecond


class TimeIsUp(BaseException):
    """The function ran too long; not an Exception, so it is not swallowed."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What one call of a function gave: arrays, a problem or an error."""

    arrays: tuple = ()  # float64
    problem: str = ""  # what came back instead, in words after "returns"
    error: str = ""  # "ValueError: ..." if it raised
    line: str = ""  # the line that raised, if known
    several: int = 0  # parts of a tuple where one result is asked for
    note: str = ""  # about an answer that still counts
    printed: bool = False
    changed: tuple = ()  # positions of the arguments it changed
    late: bool = False


class _Sink(io.TextIOBase):
    """Takes everything that is printed; closing it changes nothing."""

    used = False

    def write(self, text):
        self.used = True
        return len(text)

    def writable(self):
        return True

    def close(self):
        pass


@contextlib.contextmanager
def quiet():
    """Catch output and warnings, and numbers that overflow."""
    sink = _Sink()
    with (
        contextlib.redirect_stdout(sink),
        contextlib.redirect_stderr(sink),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        np.printoptions(),
        frontend.spared(),
    ):
        warnings.simplefilter("ignore")
        yield sink


@contextlib.contextmanager
def restored():
    """Give the same random numbers each time; restore them and settings."""
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    hook, sys.unraisablehook = sys.unraisablehook, lambda *_: None
    depth = sys.getrecursionlimit()
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    try:
        yield
    finally:
        sys.setrecursionlimit(depth)
        sys.unraisablehook = hook
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002


@contextlib.contextmanager
def _time_limit():
    alarm = getattr(signal, "SIGALRM", None)
    main = threading.current_thread() is threading.main_thread()
    if alarm is None or not main:
        yield
        return

    def stop(_, frame):
        if not _importing(frame):
            raise TimeIsUp

    before = signal.signal(alarm, stop)
    # again and again, in case the function catches everything
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(alarm, before)


def _importing(frame):
    """Tell whether an import is under way, which must not be broken off."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def run(function, args, count=1):
    """Call `function` with copies of `args`; expect `count` results."""
    copies = [results.copy(arg) for arg in args]
    with quiet() as sink:
        try:
            with _time_limit():
                found = results.read(function(*copies), count)
        except KeyboardInterrupt:
            raise  # the learner pressed the button
        except TimeIsUp:
            found = {"error": "TimeIsUp", "late": True}
        except BaseException as error:
            found = {
                "error": crashes.message(error),
                "line": crashes.line(error, function),
            }
    changed = tuple(
        i for i, arg in enumerate(args) if results.differ(arg, copies[i])
    )
    return Outcome(**found, printed=sink.used, changed=changed)
