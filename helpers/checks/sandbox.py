"""Run a learner's function so that nothing it does reaches the notebook.

What it prints, warns or raises is kept away, its arguments are copies, its
random numbers and print options are restored, and an endless loop is stopped
(where the system has alarm signals; elsewhere the interrupt button works).
"""

import contextlib
import dataclasses
import inspect
import io
import linecache
import random
import re
import signal
import sys
import threading
import warnings

import numpy as np

from helpers.checks import results

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
    blank: bool = False  # `...`, or a blank inside the function
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
    """Catch output and warnings; restore all global state afterwards."""
    sink = _Sink()
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    hook, sys.unraisablehook = sys.unraisablehook, lambda *_: None
    try:
        with (
            contextlib.redirect_stdout(sink),
            contextlib.redirect_stderr(sink),
            warnings.catch_warnings(),
            np.errstate(all="ignore"),
            np.printoptions(),
        ):
            warnings.simplefilter("ignore")
            yield sink
    finally:
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

    def stop(*_):
        raise TimeIsUp

    before = signal.signal(alarm, stop)
    # again and again, in case the function catches everything
    signal.setitimer(signal.ITIMER_REAL, SECONDS, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(alarm, before)


def run(function, args, count=1):
    """Call `function` with copies of `args`; expect `count` results."""
    copies = [results.copy(arg) for arg in args]
    with quiet() as sink:
        try:
            with _time_limit():
                found = results.read(function(*copies), count)
        except KeyboardInterrupt:
            raise
        except TimeIsUp:
            found = {"error": "TimeIsUp", "late": True}
        except BaseException as error:
            found = _error(error, function)
        changed = tuple(
            i for i, arg in enumerate(args) if results.differ(arg, copies[i])
        )
    return Outcome(**found, printed=sink.used, changed=changed)


def _error(error, function):
    message = " ".join(safe_text(lambda: str(error)).split())
    return {
        "error": f"{type(error).__name__}: {message}".strip(": "),
        "line": safe_text(lambda: _line(error, function)),
        "blank": "ellipsis" in message,
    }


def safe_text(make, limit=240):
    """Return ``make()`` shortened and without addresses; "" if it fails."""
    try:
        text = re.sub(r"0x[0-9a-fA-F]{5,}", "0x...", make())
    except Exception:
        return ""
    return text if len(text) <= limit else text[: limit - 3] + "..."


def _line(error, function):
    """Return the last line of the learner's own file that was running."""
    filename = inspect.unwrap(function).__code__.co_filename
    found, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            source = linecache.getline(filename, trace.tb_lineno).strip()
            found = f"line {trace.tb_lineno}: {source}".rstrip(": ")
        trace = trace.tb_next
    return found
