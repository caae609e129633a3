"""The time that the search for an answer's mistakes may take."""

import time

SECONDS = 1.0  # of processor time for an answer; twice that of real time
_started = [0.0, 0.0]


def start():
    """Begin to count: a new answer is searched."""
    _started[:] = time.thread_time(), time.monotonic()


def is_over(part=1.0):
    """Tell whether this part of the time is up."""
    processor, clock = _started
    used = time.thread_time() - processor
    return max(used, (time.monotonic() - clock) / 2) > part * SECONDS
