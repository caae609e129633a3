"""Write the minutes and times of the run sheets in teaching/; `make results`.

A sheet names sections of notebooks, as in

    | 9:00 | 8 | 00 *First, play* | what learners do | what you say |
    - **Cut, 6 minutes:** 03 *Claim C54*. What you say instead.

The minutes are those of tests/course/minutes.py for the cells between one
heading and the next, at the lower end of the range: a class does not read
every word. A row without a section, such as a break, keeps its own.
`without *Exercise 2*` takes an exercise out; `room 02` is a trial room.
"""

import re
from fractions import Fraction

import nbformat

from tests.course import minutes, reading
from tools.author.results import ROOT, notebooks

NAMES = "two_half_days", "third_half_day", "fourth_half_day", "one_day"
SHEETS = [ROOT / "teaching" / f"{name}.md" for name in NAMES]
MADE = """\
<!-- `make results` writes minutes, times and exercises; the rest is yours. -->
"""
SECTION = r"\*[^*]+\*(?: without \*Exercise \d\*)?"
NAMED = rf"((?:room )?\d\db?) ({SECTION}(?:, {SECTION})*)"
ROW = r"^\| (\d+:\d\d) \| (\d+) \| (.+?) \| (.+) \|$"
TOTAL = r"\*\*Total minutes:\*\* .*"
KINDS = ["arrival", "notebooks", "exit ticket", "pair task", "catch-up time",
         "break", "lunch"]  # fmt: skip
DONE = r"(?<!of )\bExercises? \d(?:(?:, | and )\d)*(?=[^|]*\|)"
LISTED = r"(\*\*(?:Cut|Left out|Take), )\d+( minutes?:\*\* )(.*)"


def sections(notebook):
    """{name: Part}: its headings, the text above the first is *Opening*."""
    named = {}
    for part in reading.parts(notebook):
        name = part.heading.lstrip("# ").removesuffix(" on trial")
        if part.pieces:
            named[name or "Opening"] = part
    return named


def seconds(part, notebook):
    """(to read and run, to practice) of a section; the machine's in the first.

    Whole seconds, so that the sections add up to the notebook.
    """
    cells = [
        nbformat.v4.new_markdown_cell(piece)
        if isinstance(piece, str)
        else piece
        for piece in part.pieces
    ]
    alone = nbformat.v4.new_notebook(cells=cells)
    used = minutes.seconds(alone)
    if not part.heading:
        used += minutes.running_seconds(notebook)
    return used, 60 * minutes.practice(alone)


def of_number(found):
    """{"02" or "room 02b": notebook}."""
    return {
        ("room " if "/" in file else "")
        + file.rpartition("/")[2].split("_")[0]: notebook
        for file, notebook in found.items()
    }


def named(text):
    """[(number, section, exercise or None)] that a text names, in order."""
    found = []
    for number, listed in re.findall(NAMED, text):
        for out, name in re.findall(r"(without )?\*([^*]+)\*", listed):
            if out:
                found[-1] = (*found[-1][:2], name)
            else:
                found.append((number, name, None))
    return found


def exercise_seconds(notebook, name):
    """What one exercise is stated to take."""
    found = re.search(f"(?s)### {name} ·.*", reading.prose(notebook))[0]
    return 60 * int(re.search(reading.STARS, found)[1])


def length(text, found):
    """Seconds of all sections that a text names: (in all, of exercises)."""
    total, practiced, numbered = Fraction(0), 0, of_number(found)
    for number, section, out in named(text):
        notebook = numbered[number]
        if section.startswith("Exercise"):
            read, practice = 0, exercise_seconds(notebook, section)
        else:
            read, practice = seconds(sections(notebook)[section], notebook)
        if out:
            practice -= exercise_seconds(notebook, out)
        total, practiced = total + read + practice, practiced + practice
    return total, practiced


def exercises(text, found):
    """ "Exercises 1 and 2": those of the sections that a text names, or ""."""
    numbers, numbered = [], of_number(found)
    for number, section, out in named(text):
        part = sections(numbered[number]).get(section)
        prose = "\n".join(part.texts) if part else ""
        there = re.findall(r"### Exercise (\d)", prose)
        numbers += [n for n in there if f"Exercise {n}" != out]
    if len(numbers) < 2:
        return "".join(f"Exercise {n}" for n in numbers)
    return f"Exercises {', '.join(numbers[:-1])} and {numbers[-1]}"


def table(text, found):
    """(a table with minutes and times, minutes by kind, the last time).

    Rounded minutes add up: each row ends where the sum so far, rounded, does.
    """
    clock, kinds = None, dict.fromkeys(KINDS, 0)
    read = slow = Fraction(0)
    kinds["exercises"] = 0

    def row(match):
        nonlocal clock, read, slow
        begin, kept, what, rest = match.groups()
        if clock is None:
            hours, past = begin.split(":")
            clock = 60 * int(hours) + int(past)
        kind, taken = "notebooks", int(kept)
        if not named(what):
            kind = next(kind for kind in KINDS if what.startswith(kind))
        else:
            used, practiced = length(what, found)
            kinds["exercises"] += practiced // 60
            slow += used
            done = exercises(what, found)
            rest = re.sub(DONE, done, rest) if done else rest
            read, before = read + minutes.FAST * used, read
            taken = round(read / 60) - round(before / 60)
        kinds[kind] += taken
        now, clock = clock, clock + taken
        return f"| {now // 60}:{now % 60:02} | {taken} | {what} | {rest} |"

    text = re.sub(f"(?m){ROW}", row, text)
    kinds["upper"] = round(slow / 60)
    return text, kinds, clock


def sheet(text, found):
    """A run sheet with the numbers that the notebooks have."""
    blocks = re.split(r"(?m)(?=^## )", text)
    for i, block in enumerate(blocks):
        block, kinds, end = table(block, found)
        if end is not None:
            practiced, upper = kinds.pop("exercises"), kinds.pop("upper")
            sums = ", ".join(f"{name} {n}" for name, n in kinds.items() if n)
            total = f"**Total minutes:** {sums}."
            total += f" End: {end // 60}:{end % 60:02}."
            total += f" The exercises take {practiced} of the"
            total += f" {kinds['notebooks']} minutes for notebooks. A learner"
            total += f" who reads every word needs {upper} minutes for the"
            total += " same sections."
            block = re.sub(TOTAL, total, block)
        blocks[i] = re.sub(LISTED, lambda m: listed(m, found), block)
    return MADE + "".join(blocks).removeprefix(MADE)


def listed(match, found):
    """A line about what is cut, left out or taken, with its minutes."""
    used, _ = length(match[3], found)
    taken = max(1, round(minutes.FAST * used / 60))
    unit = " minute:** " if taken == 1 else " minutes:** "
    return f"{match[1]}{taken}{unit}{match[3]}"


def main():
    """Write all sheets."""
    found = notebooks()
    for path in SHEETS:
        text = path.read_text(encoding="utf-8")
        path.write_text(sheet(text, found), encoding="utf-8")


if __name__ == "__main__":
    main()
