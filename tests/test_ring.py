"""A ring of real processes: exact, counted, and none is left behind."""

import multiprocessing
import sys
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from helpers.attention import scaled_dot_product_attention
from helpers.torch_bridge import ring

PATIENT = 500  # seconds, on a busy machine
QKV = np.random.default_rng(0).standard_normal((3, 24, 6))


@pytest.fixture(autouse=True)
def nobody_is_left_behind():
    yield
    assert multiprocessing.active_children() == []


@pytest.fixture
def forked(monkeypatch):
    """Processes that have torch at once; notebook 10 starts real ones."""
    if sys.platform == "linux":
        context = multiprocessing.get_context("fork")
        monkeypatch.setattr(
            multiprocessing, "get_context", lambda method: context
        )


@pytest.fixture
def spawned(monkeypatch):
    """Processes that load torch first: slow enough to be stopped."""
    monkeypatch.setattr(ring, "METHOD", "spawn")


# Python 3.12 and newer warn, but nothing runs in the threads of pytest-xdist.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("processes", [2, 4])
def test_it_is_exact_and_counts(processes, forked):
    query, key, value = QKV
    value = value[:, :3]
    result = ring.ring_attention(query, key, value, processes, timeout=PATIENT)
    expected, _ = scaled_dot_product_attention(query, key, value)
    np.testing.assert_allclose(result.context, expected, rtol=0, atol=1e-15)
    numbers = key.size + value.size
    piece = numbers * 8 // processes  # bytes
    assert result.sent == [(processes - 1) * piece] * processes
    work = len(query) // processes * numbers
    assert result.multiplications == [work] * processes


def test_one_process_sends_nothing():
    given = [a.astype(np.float32) for a in QKV]
    context, sent, work = ring.attend_and_pass(given[0], given[1:], 0, 1)
    expected, _ = scaled_dot_product_attention(*given)
    np.testing.assert_allclose(context, expected, atol=1e-6)
    assert context.dtype == np.float32
    assert (sent, work) == (0, 2 * 24 * 24 * 6)


def when_started(action, count):
    """Do something to the last of `count` processes, in a thread."""

    def watch():
        while len(multiprocessing.active_children()) < count:
            time.sleep(0.01)
        children = multiprocessing.active_children()
        action(max(children, key=lambda child: child.pid))

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    return thread


def test_a_killed_process_is_named(spawned):
    watcher = when_started(lambda child: child.kill(), 2)
    with pytest.raises(RuntimeError, match=r"process \d of 2 ended with code"):
        ring.ring_attention(*QKV, 2, timeout=PATIENT)
    watcher.join()


def test_a_process_that_hangs_is_given_up(spawned):
    begun = time.monotonic()
    with pytest.raises(TimeoutError, match="no result in time.*process 0, 1"):
        ring.ring_attention(*QKV, 2, timeout=0.05)
    assert time.monotonic() - begun < PATIENT


def test_an_error_in_a_process_is_told():
    """What fails there is told here, with its traceback."""
    mine, yours = multiprocessing.Pipe(duplex=False)
    ring.work(0, 1, "/no/such/folder", 5, yours)
    result, error = mine.recv()
    assert result is None and "Traceback" in error
    ended = [SimpleNamespace(exitcode=code) for code in (0, None)]
    with pytest.raises(RuntimeError, match=r"process 0 of 2 failed:\nTrace"):
        ring.explain(ended, 0, error)


def test_a_killed_process_is_named_before_its_neighbors():
    """Process 0 tells that its neighbor is gone; process 1 was killed."""
    ended = [SimpleNamespace(exitcode=code) for code in (0, -9)]
    with pytest.raises(RuntimeError, match="process 1 of 2 .* code -9"):
        ring.explain(ended, 0, "Connection closed by peer")
