"""What journals say: each is read, or refused in one sentence.

Anybody may have written into a file that a class hands in, so nothing of it
is believed, and no character of it reaches a terminal or a page that could do
more there than be seen.
"""

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from . import journal

LINE = 2_000  # characters; the course's own lines are shorter


@dataclass
class Record:
    """What a journal says.

    `solved` holds names of exercises; `tries` counts the answers to each up
    to the first right one, `mistakes` the named mistakes, by (exercise,
    name); `predictions` maps the id of a cell to its first guess and what
    was measured. `old` holds ids that may belong to other cells today.
    """

    solved: set = field(default_factory=set)
    tries: Counter = field(default_factory=Counter)
    mistakes: Counter = field(default_factory=Counter)
    predictions: dict = field(default_factory=dict)
    old: set = field(default_factory=set)

    def add_check(self, check, result, mistake=""):
        """Count a check, unless the exercise was solved before."""
        if check in self.solved or result == "not attempted":
            return
        self.tries[check] += 1
        if result == "solved":
            self.solved.add(check)
        elif mistake:
            self.mistakes[check, mistake] += 1

    def add_prediction(self, prediction, guess, measured, *, old):
        """Keep the first guess; of an old one, that there was one."""
        if old:
            self.old.add(prediction)
        else:
            self.predictions.setdefault(prediction, (guess, measured))


def read(path):
    """Return the Record of a journal.

    Raises ValueError that names the file, and the line, if it cannot be read,
    is not one of this course, or has a line that the course did not write.
    """
    record, head, name = Record(), None, journal.printable(path)
    for number, line in _lines(Path(path), name):
        event = _event(line)
        if event in (journal.OLD, journal.HEAD):
            head = event
        elif head is None:
            raise ValueError(f"path: {name} is not a journal of this course")
        elif event is None:
            raise ValueError(
                f"path: line {number} of {name} was not written by the"
                " course; delete that line to read the rest"
            )
        elif "check" in event:
            record.add_check(**event)
        else:
            record.add_prediction(**event, old=head == journal.OLD)
    if head is None:
        raise ValueError(f"path: {name} is empty")
    return record


def _lines(path, name):
    """Yield (number, line) where there is text; a long line in parts."""
    try:
        if not path.is_file():
            raise ValueError(f"path: {name} is not a file")
        with open(path, encoding="utf-8-sig") as file:
            lines = iter(lambda: file.readline(LINE), "")
            yield from (e for e in enumerate(lines, 1) if e[1].strip())
    except UnicodeDecodeError:
        text = f"path: {name} is not a text file in UTF-8"
        raise ValueError(text) from None
    except OSError as error:
        text = f"path: {name} cannot be read: {error.strerror}"
        raise ValueError(text) from None


def _event(line):
    """Return what the course wrote into a line; None if it was not that."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if event in (journal.OLD, journal.HEAD):
        return event
    event = event if isinstance(event, dict) else {}
    event = {key: _value(value) for key, value in event.items()}
    return event if _is_known(event) else None


def _is_known(event):
    """Tell whether it is what `note_check` or `note_prediction` wrote."""
    match event:
        case {"check": str(name), "result": result, **rest}:
            mistake = rest.pop("mistake", "none")
            said = isinstance(mistake, str) and mistake and not rest
            known = re.fullmatch(journal.CHECK, name)
            return said and known and result in journal.RESULTS
        case {"prediction": str(cell), "guess": _, "measured": _}:
            known = re.fullmatch(journal.CELL, cell) and len(event) == 3
            return known and None not in event.values()
    return False


def _value(value):
    """Return a number or a text as the course keeps it; None for others."""
    if isinstance(value, str):
        lone = any("\ud800" <= c <= "\udfff" for c in value)
        if lone or len(value) > journal.LONGEST:
            return None
    return journal.kept(value)


def not_counted(number):
    """Say in a sentence why so many predictions are not counted."""
    what = f"{number} earlier prediction{'s' * (number != 1)}"
    why = "because at that time the ids of cells could still change"
    return f"{what} cannot be counted, {why}."
