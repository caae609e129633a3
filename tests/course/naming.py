"""Numbers of a verdict are bound to the names that the outputs give them.

Beside a verdict, the last part of <!-- results says which printed number is
meant, in the order of the text, the comment included:

    names: 1 head; 2 heads; chance; 1 head ±; 1 head, 80 epochs

A name is what the output says in the row and above the column of a number; a
number of the code has the name "code". `python -m tools.author.naming` writes
the names, an author reads them. Exchanging two numbers of a text is then seen.
"""

import re

from . import measured, reading

CODE = "code"
LONGEST = 60  # characters of a name
CELL = r"\S(?:\S| (?! ))*"  # a cell of a table: no two spaces in it
VALUE = rf"{measured.DIGITS}%?"


def _cells(line):
    """[(first column, last column, text)] of the cells of a line."""
    return [(m.start(), m.end(), m[0]) for m in re.finditer(CELL, line)]


def _tidy(*parts):
    """Parts of a name as one text without the signs that separate names."""
    text = " ".join(part for part in parts if part)
    text = " ".join(re.sub(r"[;\[\]|]|-->", " ", text).split())
    return text[:LONGEST].strip(" :,=")


def _above(lines, place, cell):
    """The text above a cell: that of the next row up with no number in it."""
    for line in reversed(lines[:place]):
        inside = [c for c in _cells(line) if c[0] < cell[1] and c[1] > cell[0]]
        if not line.strip():
            break
        if len(_cells(line)) > 1 and inside:
            texts = [text for *_, text in inside]
            if not any(re.fullmatch(VALUE, t.split()[0]) for t in texts):
                return texts[0]
    return ""


def _section(lines, place):
    """The last line before a row that is a sentence: one cell, no value."""
    for line in reversed(lines[:place]):
        if len(_cells(line)) == 1 and not re.search(r"\d\.\d|^[○±]", line):
            return line.strip()
    return ""


def _of_cell(text, row_name, column):
    """[(number, name)] of a cell: the words before it, or a place (#2)."""
    found, words, place, start = [], "", 1, 0
    for match in re.finditer(VALUE, text):
        before = text[start : match.start()]
        spread = "±" if before.strip() == "±" else ""
        if re.search("[A-Za-z]", before):
            words, place = before, 1
        elif not spread and start:
            place += 1
        name = _tidy(row_name, words, column)
        name = name or _tidy(text[match.end() :])
        number = f"#{place}" if place > 1 else ""
        found.append((match[0], _tidy(name, number, spread)))
        start = match.end()
    return found


def named(output):
    """{number: [its names]} of a printed text."""
    found, lines = {}, output.splitlines()
    for place, line in enumerate(lines):
        row, section = _cells(line), _section(lines, place)
        for i, cell in enumerate(row):
            column = _above(lines, place, cell) if len(row) > 1 else ""
            name = row[0][2] if i else ""
            given = _of_cell(cell[2], name, column)
            if not i and len(row) > 1:  # a number in the name of a row
                given = [(number, cell[2]) for number, _ in given]
            for text, name in given:
                for number in measured.numbers(text):
                    found.setdefault(number, []).append(_tidy(name, section))
    return found


def names(pieces):
    """{number: [names]} of the code cells among some pieces."""
    found = {}
    for cell in pieces:
        if isinstance(cell, str):
            continue
        for number, given in named(reading.printed(cell)).items():
            found.setdefault(number, []).extend(given)
        for number in measured.numbers(cell.source):
            found.setdefault(number, []).append(CODE)
    short = {n: re.sub(r"\.?0+$", "", n) for n in found if "." in n}
    for number, cut in short.items():
        found.setdefault(cut, []).extend(found[number])
    return found


def said(trial):
    """[(number, words around it)] of a verdict and its row, in order."""
    text = reading.revealed(trial.pieces[trial.verdict])
    text = measured.fractions(measured.stated(text)).lower()
    found, end = [], 0
    for match in re.finditer(measured.NUMBER, text):
        [number] = measured.numbers(match[0])
        if number not in ("0", "1"):
            rest = re.split(r"[.;]\s", text[match.end() :])[0]
            found.append((number, text[end : match.start()], rest))
        end = match.end()
    return found


def _likeness(name, before, after):
    """How well the words around a number go with a name."""

    def stems(text):
        return {word[:4] for word in re.findall(r"[a-z\d]+", text.lower())}

    mine = stems(name)
    near = stems(before[-40:]) | stems(after[:40])
    return 2 * len(mine & near) + len(mine & stems(after)) - len(mine) / 9


def chosen(trial):
    """The name of each number in order, as tools.author.naming writes it."""
    given = names(trial.pieces[: trial.verdict])
    return [
        max(given.get(number, ["–"]), key=lambda n: _likeness(n, *around))
        for number, *around in said(trial)
    ]


def numbers_have_their_names(notebook):
    """The names in a comment are those of the numbers, one by one.

    When a verdict is finished, `python -m tools.author.naming C29` writes them
    (with 03 instead, those of a notebook, and over names set by hand). Read
    them: from then on, two numbers that are exchanged are found.
    """
    problems, given = [], reading.verdicts(notebook)
    for trial in reading.trials(notebook):
        verdict = given.get(trial.claim)
        if verdict is None or verdict.text:
            continue
        known = names(trial.pieces[: trial.verdict])
        stated = verdict.names.split("; ")
        numbers = [number for number, *_ in said(trial)]
        if len(stated) != len(numbers):
            problems.append(
                f"verdict {trial.claim} has {len(numbers)} numbers and"
                f" {len(stated)} names: python -m tools.author.naming"
            )
        problems += [
            f"verdict {trial.claim}: {number} is not {name!r} but one of"
            f" {sorted(set(known.get(number, ['–'])))[:4]}; if the number is"
            " right: python -m tools.author.naming"
            for number, name in zip(numbers, stated, strict=False)
            if name not in known.get(number, ["–"])
        ]
    return problems


RULES = [numbers_have_their_names]
