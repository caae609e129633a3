"""A learner's journal: what was tried, solved and predicted, on this machine.

In a folder of learner's copies (`make lab` makes it), each check and each
prediction adds a line to progress.jsonl. Nothing leaves the machine. The file
may be deleted at any time, and ``COURSE_PROGRESS=off`` in the environment
(``make lab PROGRESS=off``) keeps it from being written.

A prediction is written under the id of its cell, which never changes, and the
name of its variable: a copy of an edition in which ids did change may have
given the id to another cell. Below an OLD header, there are such ids only.
`records` reads a journal.
"""

import contextlib
import json
import math
import os
import re
from numbers import Integral
from pathlib import Path

FILE = "progress.jsonl"
STAMPS = ".made_from.json"  # of tools/learner/copies.py, in folders of copies
OLD = {"course": "Attention, Measured", "journal": 1}  # cells changed ids
HEAD = OLD | {"journal": 2}
RESULTS = "solved", "not attempted", "wrong"
LONGEST = 120  # characters of what is kept of a word or a mistake
CHECK, CELL = r"[a-z]\w*", r"t?\d\d[a-z]?-\d+(\.\d+)?( \w+)?"
ASKED = r"\bchecks\.prediction\(\s*([A-Za-z_]\w*)"  # in a cell's code


def folder():
    """Return the folder of copies that this process works in, or None."""
    here = Path.cwd()
    for place in (here, here.parent):  # notebooks of trials/ lie deeper
        if (place / STAMPS).is_file():
            return place
    return None


def printable(text):
    """Return a text as one line, a space for each control character."""
    shown = (c if c.isprintable() else " " for c in str(text))
    return " ".join("".join(shown).split())


def note_check(name, result, mistake=""):
    """Write down a check: its exercise, the result, a named mistake or ""."""
    event = {"check": name, "result": result}
    mistake = kept(mistake)
    _note(event | ({"mistake": mistake} if mistake else {}))


def note_prediction(guess, measured):
    """Write down a guess, None for none yet, and what was measured."""
    cell = _cell() if folder() is not None else ""
    if cell:
        pair = {"guess": kept(guess), "measured": kept(measured)}
        if None not in pair.values():
            _note({"prediction": cell} | pair)


def _cell():
    """Return the id of the cell that runs and the variable that it asks for.

    As "03-014 guess"; "" if a front end does not tell, or the cell does not
    ask for a variable.
    """
    from IPython import get_ipython

    message = getattr(get_ipython(), "get_parent", dict)()
    name = str(message.get("metadata", {}).get("cellId", ""))
    if not re.fullmatch(CELL, name):
        return ""
    run = message.get("header", {}).get("msg_id", "")
    _asked[:] = [run, _asked[1] + 1 if _asked[0] == run else 1]
    asked = re.findall(ASKED, message.get("content", {}).get("code", ""))
    return f"{name} {asked[_asked[1] - 1]}" if _asked[1] <= len(asked) else ""


_asked = ["", 0]  # the run of a cell, and how many predictions it has made


def kept(value):
    """Return a finite number or a short text; None for anything else."""
    if isinstance(value, str):
        return printable(value)[:LONGEST]
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(value):
            return int(value) if isinstance(value, Integral) else float(value)
    return None


def _note(event):
    """Add a line; a full or read-only disk never stops a lesson."""
    if os.environ.get("COURSE_PROGRESS", "").lower() in ("off", "0", "no"):
        return
    place = folder()
    with contextlib.suppress(OSError):
        if place is not None:
            _append(place / FILE, event)


def _append(path, event):
    """Add a line at once, so that several kernels do not mix theirs.

    Where the last header is an old one, or none, a new one comes first.
    """
    before = path.read_bytes() if path.exists() else b""
    start = b""
    if before and not before.endswith(b"\n"):  # somebody's line broke off
        start = b"\n"
    if before.rfind(_line(HEAD)) <= before.rfind(_line(OLD)):
        start += _line(HEAD) + b"\n"
    with open(path, "ab", buffering=0) as file:
        file.write(start + _line(event) + b"\n")


def _line(event):
    return json.dumps(event, ensure_ascii=False).encode()
