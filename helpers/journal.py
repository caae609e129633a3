"""A learner's journal: what was tried, solved and predicted, on this machine.

In a folder of learner's copies (`make lab` makes it), each check and each
prediction adds a line to progress.jsonl. Nothing leaves the machine. The file
may be deleted at any time, and ``COURSE_PROGRESS=off`` in the environment
(``make lab PROGRESS=off``) keeps it from being written.
"""

import contextlib
import dataclasses
import json
import math
import os
import re
from collections import Counter
from numbers import Integral, Real
from pathlib import Path

FILE = "progress.jsonl"
STAMPS = ".made_from.json"  # of tools/learner/copies.py, in folders of copies
HEAD = {"course": "Attention, Measured", "journal": 1}
RESULTS = "solved", "not attempted", "wrong"
LONGEST = 120  # characters of what is kept of a word or a mistake
NEAR = 0.1  # of a share, or of the larger number: a guess within reach
TEXTS = {
    "check": r"[a-z]\w*",
    "mistake": ".+",
    "prediction": r"t?\d\d[a-z]?-\d+(\.\d+)?",
}


def folder():
    """Return the folder of copies that this process works in, or None."""
    here = Path.cwd()
    for place in (here, here.parent):  # notebooks of trials/ lie deeper
        if (place / STAMPS).is_file():
            return place
    return None


def note_check(name, result, mistake=""):
    """Write down a check: its exercise, the result, a named mistake or ""."""
    event = {"check": name, "result": result}
    _note(event | ({"mistake": mistake[:LONGEST]} if mistake else {}))


def note_prediction(guess, measured):
    """Write down a guess that was typed, and what was measured."""
    cell = _cell() if folder() is not None else ""
    if cell:
        kept = {"guess": _plain(guess), "measured": _plain(measured)}
        if all(value is not None for value in kept.values()):
            _note({"prediction": cell} | kept)


def _cell():
    """Return the id of the cell that runs, if a front end tells it.

    The second prediction of a cell has .2 behind it.
    """
    from IPython import get_ipython

    message = getattr(get_ipython(), "get_parent", dict)()
    name = str(message.get("metadata", {}).get("cellId", ""))
    if not re.fullmatch(TEXTS["prediction"], name):
        return ""
    run = message.get("header", {}).get("msg_id", "")
    _asked[:] = [run, _asked[1] + 1 if _asked[0] == run else 1]
    return name if _asked[1] == 1 else f"{name}.{_asked[1]}"


_asked = ["", 0]  # the run of a cell, and how many predictions it has made


def _plain(value):
    """Return a finite number or a short text; None for anything else."""
    if isinstance(value, str):
        return value[:LONGEST]
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if isinstance(value, Integral):
            return int(value)
        return float(value) if math.isfinite(value) else None
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
    """Add a line at once, so that several kernels do not mix theirs."""
    start = b""
    if not path.exists() or not path.stat().st_size:
        start = _line(HEAD)
    elif _last_byte(path) != b"\n":  # somebody's last line broke off
        start = b"\n"
    with open(path, "ab", buffering=0) as file:
        file.write(start + _line(event))


def _line(event):
    return (json.dumps(event, ensure_ascii=False) + "\n").encode()


def _last_byte(path):
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1)


def read(path):
    """Return the events of a journal, a list of dicts.

    Raises ValueError that names the file, and the line, if it is not one of
    this course or has a line that the course did not write.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"path: {path} is not a text file") from None
    events = []
    for number, line in enumerate(lines, 1):
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if event == HEAD:
            continue
        if number == 1:
            raise ValueError(f"path: {path} is not a journal of this course")
        if not _is_event(event):
            raise ValueError(
                f"path: line {number} of {path} was not written by the"
                " course; delete that line to read the rest"
            )
        events.append(event)
    return events


def _is_event(event):
    """Tell whether a line is what `note_check` or `note_prediction` wrote."""
    if not isinstance(event, dict):
        return False
    for key, pattern in TEXTS.items():
        text = event.get(key, "a")
        allowed = key not in event or re.fullmatch(pattern, str(text))
        if not isinstance(text, str) or not allowed:
            return False
    if "check" in event:
        known = event.keys() <= {"check", "result", "mistake"}
        return known and event.get("result") in RESULTS
    answers = [_plain(event.get(key)) for key in ("guess", "measured")]
    known = event.keys() == {"prediction", "guess", "measured"}
    return known and None not in answers


@dataclasses.dataclass(frozen=True)
class Progress:
    """What a journal says.

    `solved` holds names of exercises; `tries` counts the answers to each up
    to the first right one, `mistakes` the named mistakes, by (exercise,
    name); `predictions` maps the id of a cell to its first guess and what
    was measured.
    """

    solved: set
    tries: Counter
    mistakes: Counter
    predictions: dict

    @property
    def within_reach(self):
        """The ids of the cells whose first guess was near the result."""
        return [
            cell
            for cell, pair in self.predictions.items()
            if distance(*pair) <= NEAR
        ]

    @property
    def surprises(self):
        """The ids of the other cells, the largest surprise first."""
        far = {c: distance(*pair) for c, pair in self.predictions.items()}
        return sorted(
            (cell for cell in far if far[cell] > NEAR), key=lambda c: -far[c]
        )


def progress(events):
    """Return the Progress that a list of events makes."""
    found = Progress(set(), Counter(), Counter(), {})
    for event in events:
        name = event.get("check")
        if name is None:
            pair = event["guess"], event["measured"]
            found.predictions.setdefault(event["prediction"], pair)
        elif name not in found.solved and event["result"] != "not attempted":
            found.tries[name] += 1
            if event["result"] == "solved":
                found.solved.add(name)
            elif "mistake" in event:
                found.mistakes[name, event["mistake"]] += 1
    return found


def distance(guess, measured):
    """Return how far a guess is from a result, from 0 to 1.

    Of two shares it is their difference; a guess from 2 to 100 is then taken
    for a percentage. Of other numbers it is the difference divided by the
    larger one, of words 0 or 1.
    """
    guess = plain_guess(guess, measured)
    if isinstance(guess, str):
        return 0.0 if guess == _letters(measured) else 1.0
    if is_share(measured):
        return min(abs(guess - measured), 1.0)
    largest = max(abs(guess), abs(measured))
    return min(abs(guess - measured) / largest, 1.0) if largest else 0.0


def plain_guess(guess, measured):
    """Return a guess as it is compared: a number, or words in lower case.

    Where a share was measured, a guess from 2 to 100 becomes a share.
    """
    if not (isinstance(guess, Real) and isinstance(measured, Real)):
        return _letters(guess)
    if is_share(measured) and 2 <= guess <= 100:
        return guess / 100
    return guess


def is_share(measured):
    """Tell whether what was measured is a fraction of something."""
    return isinstance(measured, float) and 0 <= measured <= 1


def _letters(words):
    return re.sub(r"[\W_]+", " ", str(words).lower()).strip()


@dataclasses.dataclass(frozen=True)
class Chapter:
    """A notebook: its number, its title, its exercises and predictions.

    `exercises` maps the name of each check to the heading above it, and
    `predictions` the id of each cell that compares a guess.
    """

    number: str
    title: str
    exercises: dict
    predictions: dict


def chapters(place):
    """Return a Chapter for each notebook of a folder, in order.

    A notebook that cannot be read is left out.
    """
    place = Path(place)
    paths = [*place.glob("[0-9]*_*.ipynb"), *place.glob("trials/[0-9]*.ipynb")]
    found = []
    for path in sorted(paths, key=lambda p: (p.name.split("_")[0], p.name)):
        if "_before_" not in path.name:
            with contextlib.suppress(ValueError, LookupError, OSError):
                cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
                found.append(_chapter(path, cells))
    return found


def _chapter(path, cells):
    title, heading, exercises, predictions = path.stem, "", {}, {}
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            heads = re.findall(r"(?m)^#+ (.*)", text)
            title = title if heading or not heads else heads[0]
            heading = heads[-1] if heads else heading
        elif "check" in cell["metadata"].get("tags", []):
            for name in re.findall(r"(?m)^checks\.(\w+)\(", text):
                exercises[name] = heading
        else:
            for count in range(text.count("checks.prediction(")):
                end = f".{count + 1}" if count else ""
                predictions[cell["id"] + end] = heading
    number = "t" * (path.parent.name == "trials") + path.stem.split("_")[0]
    return Chapter(number, title, exercises, predictions)
