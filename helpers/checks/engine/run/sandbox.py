"""Run a learner's function so that nothing it does reaches the notebook.

On Linux it runs in a forked process: whatever it prints, patches or leaves
behind ends with that process, and no loop outlives the deadline. Elsewhere it
runs in a thread that is given up at the deadline, or, where there are no
threads (Pyodide), directly.
"""

import builtins
import contextlib
import ctypes
import inspect
import io
import linecache
import logging
import math
import os
import random
import re
import signal
import sys
import threading
import time
import warnings

import numpy as np

from helpers import attention
from helpers.checks.engine.run import results

SECONDS = 10.0  # of processor time for all calls; right answers need few ms
IDLE = 0.02  # of a processor: a function that waits is stopped as well
LATEST = 12  # times as many seconds on the clock, however busy the machine
MEMORY = 2 << 30  # bytes that a forked process may use on top
ENDED = "the function ends Python itself (exit?), or needs too much memory"
NO_INPUT = "a check cannot answer input(): use the arguments"
NESTED = "a check was called inside the function that it checks"

_GUFUNC = r", with gufunc signature \S+(?= )"
_MODULES = (builtins, np, np.linalg, np.random, math, random, attention)
_inside = set()  # names of what runs a learner's function now


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


def run(function, calls, count, *, trace=False, seconds=None):
    """Call `function` with each tuple of arguments; expect `count` results.

    Returns a list of Outcome, shorter than `calls` if the time (`SECONDS`, if
    none is given) was up or Python ended. Raises KeyboardInterrupt if the
    learner stopped it.
    """
    if _inside & {"process", threading.get_ident()}:
        raise RuntimeError(NESTED)

    def outcomes():
        return _outcomes(function, calls, count, trace)

    process = _fork(outcomes)
    if process:
        found = _received(*process, len(calls), seconds or SECONDS)
    else:
        with _restored():
            found = _in_thread(outcomes, seconds or SECONDS)
    if None in found:
        raise KeyboardInterrupt
    return found


def _outcomes(function, calls, count, trace):
    """Yield the Outcome of each call, None for a KeyboardInterrupt."""
    random.seed(0)
    np.random.seed(0)  # noqa: NPY002
    builtins.input, stops = _no_input, []
    sys.breakpointhook = lambda *_, **__: stops.append(True)
    for args in calls:
        copies = [copied(arg) for arg in args]
        sys.stdout = sys.stderr = sink = _Sink()
        warnings.simplefilter("ignore")
        lines = [0]
        try:
            with np.errstate(all="ignore"), np.printoptions():
                with _counted(function, lines, trace):
                    value = function(*copies)
                found = results.read(value, count)
        except KeyboardInterrupt:
            yield None
            return
        except BaseException as error:
            found = {"error": message(error), **place(error, function)}
        pairs = enumerate(zip(args, copies, strict=True))
        changed = tuple(i for i, pair in pairs if _differ(*pair))
        yield results.Outcome(
            **found,
            printed=sink.used,
            changed=changed,
            lines=lines[0],
            paused=bool(stops),
        )


def _no_input(*_):
    raise EOFError(NO_INPUT)


def copied(arg):
    """Return a copy of an argument, if it can be copied."""
    return arg.copy() if hasattr(arg, "copy") else arg


def _differ(arg, other):
    if isinstance(arg, list):  # the copy had the same things in it
        pairs = zip(arg, other, strict=False)
        return len(arg) != len(other) or any(a is not b for a, b in pairs)
    if type(arg) is dict:
        return arg != other
    if not isinstance(arg, np.ndarray):
        return False
    same = arg.shape == other.shape and arg.dtype == other.dtype
    return not (same and np.array_equal(arg, other, equal_nan=True))


@contextlib.contextmanager
def _counted(function, lines, trace):
    """Count the lines that run in the file of a learner's function."""
    file = _file(function)

    def count(frame, event, _):
        if frame.f_code.co_filename != file:
            return None
        lines[0] += event == "line"
        return count

    before = sys.gettrace()
    if trace:
        sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)


def clean(make, limit=240):
    """Return ``make()``, short and without addresses; "" if it fails."""
    try:
        text = " ".join(make().split())
    except Exception:
        return ""
    text = re.sub(r"0x[0-9a-fA-F]{5,}", "0x...", text)
    return text if len(text) <= limit else text[: limit - 3] + "..."


def message(error):
    """Return the error as Python shows it: its type and its text."""
    name = clean(lambda: type(error).__name__, 40)
    text = clean(lambda: re.sub(_GUFUNC, "", str(error)))
    return f"{name}: {text}".removesuffix(": ")


def _file(function):
    with contextlib.suppress(Exception):
        function = inspect.unwrap(function)
        if not hasattr(function, "__code__"):
            function = type(function).__call__
        return function.__code__.co_filename
    return ""


def place(error, function):
    """Return the learner's last line that ran, and shapes of its arrays."""
    file, line, shapes, trace = _file(function), "", "", error.__traceback__
    while trace is not None:
        frame = trace.tb_frame
        if frame.f_code.co_filename == file:
            source = linecache.getline(file, trace.tb_lineno).strip()
            line = f"line {trace.tb_lineno}: {source}".removesuffix(": ")
            parts = [_sized(*pair) for pair in frame.f_locals.items()]
            shapes = ", ".join(filter(None, parts))
        trace = trace.tb_next
    return {
        "line": clean(lambda: line, 74),
        "shapes": clean(lambda: shapes),
    }


def _sized(name, value):
    """Return a variable with its shape or its whole number, or ""."""
    if name == "_":
        return ""
    if type(value) is int:
        return f"{name} = {value}"
    torch = sys.modules.get("torch")
    arrays = (np.ndarray, torch.Tensor) if torch else np.ndarray
    is_array = issubclass(type(value), arrays)
    return f"{name} {tuple(value.shape)}" if is_array else ""


def _fork(outcomes):
    """Start a process that sends the outcomes; None if it cannot be."""
    if not sys.platform.startswith("linux") or not hasattr(os, "fork"):
        return None
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available():
        return None  # where there is a GPU, autograd refuses a fork
    from multiprocessing.connection import Pipe

    receiver, sender = Pipe(duplex=False)
    try:
        with warnings.catch_warnings():  # a kernel has threads, on purpose
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
    except OSError:  # no memory left, say
        return None
    if child == 0:
        try:
            _alone()
            here = os.getpid()
            for outcome in outcomes():
                if os.getpid() != here:  # a process of the function's own
                    break
                sender.send(outcome)
        finally:
            os._exit(0)
    sender.close()
    return child, receiver


def _alone():
    """Cut a forked process off from the notebook."""
    os.setsid()  # the stop button reaches the notebook, not this process
    _inside.add("process")
    sys.unraisablehook = threading.excepthook = lambda *_: None
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)
    sys.stdin = open(os.devnull)
    logging.disable()
    with contextlib.suppress(Exception):
        import resource

        with open("/proc/self/statm") as file:
            used = int(file.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, hard))


def _clock(used, seconds):
    """Return a function that tells whether the time is up.

    ``used()`` is the processor time so far: on a busy machine an answer gets
    its `seconds` as on an idle one. One that uses none of it is waiting, and
    may do so for `seconds` on the clock. `LATEST` ends all others.
    """
    start, before = time.monotonic(), used()

    def up():
        passed, spent = time.monotonic() - start, used() - before
        waits = passed > seconds and spent < IDLE * passed
        return spent > seconds or waits or passed > LATEST * seconds

    return up


def _used_by(process):
    """Return the seconds of processor time that a process has used."""
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def _received(child, receiver, count, seconds):
    """Collect outcomes until all are there or the time is up."""
    found, up = [], _clock(lambda: _used_by(child), seconds)
    try:
        while len(found) < count:
            if receiver.poll(0.1):
                found.append(receiver.recv())
            elif up():
                break
    except (EOFError, OSError):
        found.append(results.Outcome(error=ENDED))
    finally:
        for kill in (os.killpg, os.kill):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(child, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(child, 0)
        receiver.close()
    return found


def _in_thread(outcomes, seconds):
    found, given_up = [], []

    def work():
        _inside.add(threading.get_ident())
        try:
            for outcome in outcomes():
                found.append(outcome)
                if given_up:
                    break  # the notebook goes on without it
        except SystemExit:
            pass  # the time was up
        finally:
            _inside.discard(threading.get_ident())

    thread = threading.Thread(target=work, daemon=True)
    up = _clock(time.process_time, seconds)
    try:
        thread.start()
    except RuntimeError:  # no threads here
        work()
        return found
    try:
        while thread.is_alive() and not up():
            thread.join(0.1)
        return list(found)
    finally:
        given_up.append(True)
        _end(thread)


def _end(thread):
    """Ask a thread to end; one that catches everything runs on."""
    for _ in range(20):
        if not thread.is_alive():
            return
        ident = ctypes.c_ulong(thread.ident)
        stop = ctypes.py_object(SystemExit)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, stop)
        thread.join(0.05)


def names():
    """Return what the names in NumPy and the like mean now."""
    return [value for module in _MODULES for value in vars(module).values()]


@contextlib.contextmanager
def _restored():
    """Put back what a function may have changed in this process."""
    names = [dict(vars(module)) for module in _MODULES]
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    before = sys.getrecursionlimit(), sys.unraisablehook, os.getcwd()
    hook = sys.breakpointhook
    sys.unraisablehook = lambda *_: None
    try:
        with (
            contextlib.redirect_stdout(None),
            contextlib.redirect_stderr(None),
            warnings.catch_warnings(),
            _frontend(),
        ):
            yield
    finally:
        for module, attributes in zip(_MODULES, names, strict=True):
            vars(module).update(attributes)
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
        sys.setrecursionlimit(before[0])
        sys.unraisablehook = before[1]
        os.chdir(before[2])
        sys.breakpointhook = hook


@contextlib.contextmanager
def _frontend():
    """Catch display(...); let exit() raise instead of ending the kernel."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        yield
        return
    from IPython.utils.capture import capture_output

    def stay():
        raise SystemExit

    with capture_output(stdout=False, stderr=False, display=True):
        shell.ask_exit, before = stay, shell.ask_exit
        try:
            yield
        finally:
            shell.ask_exit = before
