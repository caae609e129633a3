"""The folder teaching/: what it says of the notebooks is so."""

import ast
import dis
import re
import zlib

import pytest

from helpers import checks
from tools.author import run_sheets
from tools.paper import notes, slides

from . import measured, minutes, reading, variables
from .test_notebooks import NOTEBOOKS, ROADS, ROOT

FOLDER = ROOT / "teaching"
BY_NUMBER = run_sheets.of_number(NOTEBOOKS)
BY_FILE = {file[:2]: file for file in ROADS}
PAGES = {file: file.replace(".ipynb", ".md") for file in ROADS}
TEXTS = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.glob("*.md"))
}
SHEETS = [path.name for path in run_sheets.SHEETS]
HOME = {"Next", "To look things up"}  # of 00: links, and folded tables


def days(text):
    """The parts of a sheet with a table: [(table, what stands below it)]."""
    cut = re.split(r"(?m)(?=^## )", text)
    found = [i for i, part in enumerate(cut) if "| from |" in part]
    ends = [*found[1:], len(cut)]
    whole = ["".join(cut[a:b]) for a, b in zip(found, ends, strict=True)]
    return [part.partition("**Total minutes") for part in whole]


CUT = r"(?ms)^- \*\*Cut.*?(?=\n\n|\n- )"  # what is left out if time is short
DAYS = [(s, t, below) for s in SHEETS for t, _, below in days(TEXTS[s])]


def chosen(text, opening):
    """What the paragraphs or items name that open with some bold words."""
    found = re.findall(rf"(?ms)^(?:- )?\*\*{opening}.*?(?=\n\n|\n- |\Z)", text)
    return [run_sheets.named(part) for part in found]


# The run sheets


@pytest.mark.parametrize("sheet", SHEETS)
def test_minutes_are_those_of_the_notebooks(sheet):
    text = TEXTS[sheet]
    assert run_sheets.sheet(text, NOTEBOOKS) == text, "run: make results"


def test_sections_add_up_to_their_notebook():
    for file, notebook in NOTEBOOKS.items():
        parts = run_sheets.sections(notebook).values()
        used = sum(sum(run_sheets.seconds(part, notebook)) for part in parts)
        wanted = 60 * sum(minutes.computed(notebook))
        assert float(used) == pytest.approx(wanted), file


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_day_adds_up_and_has_rests_and_time_to_practice(sheet):
    for table, _, below in days(TEXTS[sheet]):
        rows = re.findall(f"(?m){run_sheets.ROW}", table)
        clocks = [60 * int(c[:-3]) + int(c[-2:]) for c, *_ in rows]
        taken = [int(row[1]) for row in rows]
        steps = [b - a for a, b in zip(clocks, clocks[1:], strict=False)]
        assert steps == taken[:-1]
        said = map(int, re.findall(r" (\d+)[,.]", below.split(" End")[0]))
        assert sum(said) == sum(taken)
        spare = int(re.search(r" catch-up time (\d+)", below)[1])
        practiced = int(re.search(r"exercises take (\d+)", below)[1])
        assert spare >= practiced / 2  # in rows of their own, once more
        sitting = 0
        for length, (_, _, what, _) in zip(taken, rows, strict=True):
            rests = what in ("break", "lunch")
            sitting = 0 if rests else sitting + length
            assert sitting <= 90, what


@pytest.mark.parametrize("sheet, table, below", DAYS)
def test_each_section_is_taught_or_left_out(sheet, table, below):
    kept = run_sheets.named(table)
    left = [each for part in chosen(below, "Left out") for each in part]
    for number in {number for number, *_ in kept}:
        wanted = {*run_sheets.sections(BY_NUMBER[number])} - HOME
        mine = [s for n, s, _ in kept + left if n == number]
        sections = [s for s in mine if not s.startswith("Exercise")]
        assert sorted(sections) == sorted(wanted)
        without = {out for n, _, out in kept if n == number and out}
        assert without == {*mine} - {*sections}


def loaded(code):
    """Names that a code object, or one within it, takes from outside."""
    found = {
        step.argval
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_NAME", "LOAD_GLOBAL")
    }
    inner = (each for each in code.co_consts if hasattr(each, "co_consts"))
    return found.union(*map(loaded, inner))


def missing(number, sections):
    """Names that some sections need, and others define."""
    parts = run_sheets.sections(BY_NUMBER[number])
    defined, found, everything = set(), set(), set()
    for part in parts.values():
        everything.update(*map(variables.bound, part.code))
    for section, part in parts.items():
        if section not in sections:
            continue
        for cell in part.code:
            tree = ast.parse(cell.source)
            stored = {n.id for n in ast.walk(tree)
                      if isinstance(n, ast.Name)
                      and isinstance(n.ctx, ast.Store)}  # fmt: skip
            defined |= stored | variables.bound(cell)
            needs = loaded(compile(tree, section, "exec"))
            found |= {(section, n) for n in needs & everything - defined}
    return found


@pytest.mark.parametrize("sheet, table, below", DAYS)
def test_what_is_taught_needs_nothing_that_is_left_out(sheet, table, below):
    kept = {each[:2] for each in run_sheets.named(table)}
    run = chosen(below, "Run all the same")
    unread = {each[:2] for part in run for each in part}
    items = re.findall(CUT, below)
    cuts = [{e[:2] for e in run_sheets.named(item)} for item in items
            if "all the same" not in item]  # fmt: skip
    assert items
    for cut in [set(), *cuts]:
        taught = (kept | unread) - cut
        for number in {number for number, _ in taught}:
            sections = {s for n, s in taught if n == number}
            assert missing(number, sections) == set(), cut


def holder(notebook, place):
    """The section that a place is, or the exercise stands in."""
    for name, part in run_sheets.sections(notebook).items():
        if name == place or f"### {place} ·" in "\n".join(part.texts):
            return name


def untaught(number, questions, taught, out):
    """Wrong answers to some questions that no taught section helps."""
    answers = [*notes.ticket(TEXTS[PAGES[BY_FILE[number]]]).values()]
    return [
        row
        for question in questions
        for row in answers[question - 1][1:]
        if not any(
            other.startswith("room")
            or (other or number, holder(BY_NUMBER[number], place)) in taught
            and (other or number, place) not in out
            for other, place in notes.places(row[2])
        )
    ]


@pytest.mark.parametrize("sheet", SHEETS)
def test_tickets_ask_for_what_was_taught(sheet):
    """Whoever answers a question wrong has a place of this day to go to.

    Also after each cut, but for the questions that it says to leave out.
    """
    for table, _, below in days(TEXTS[sheet]):
        kept = run_sheets.named(table)
        taught = {each[:2] for each in kept}
        out = {(number, exercise) for number, _, exercise in kept if exercise}
        rows = re.findall(r"exit ticket of (\d\d) \| (.*?) \|", table)
        assert rows
        for cut in ["", *re.findall(CUT, below)]:
            gone = {each[:2] for each in run_sheets.named(cut)}
            spared = re.findall(r"(?s)leave out\s+question (\d)", cut)
            for number, said in rows:
                asked_for = re.findall(r"\d", said) or "123"
                asked_for = map(int, {*asked_for} - {*spared})
                left = taught - gone
                assert untaught(number, asked_for, left, out) == [], cut


@pytest.mark.parametrize("sheet", SHEETS)
def test_slides_of_a_row_are_of_its_sections(sheet):
    cells = [slide["cell"] for slide in slides.listed()]
    for line in TEXTS[sheet].replace("\n  ", " ").splitlines():
        there = [
            piece.id
            for number, section, _ in run_sheets.named(line)
            if not section.startswith("Exercise")
            for piece in run_sheets.sections(BY_NUMBER[number])[section].code
        ]
        for said in re.findall(r"[Ss]lides? (\d+(?: and \d+)?)", line):
            for number in said.split(" and "):
                assert cells[int(number) - 1] in there, line


# The notes


@pytest.mark.parametrize("file", ROADS[1:])
def test_every_exit_ticket_is_treated(file):
    answers = notes.ticket(TEXTS[PAGES[file]])
    questions, _ = notes.asked(BY_NUMBER[file[:2]])
    assert [*answers] == [*map(notes.flat, questions)]
    for rows in answers.values():
        right = [row for row in rows if row[0].startswith("✓")]
        assert rows[0] in right and len(right) == 1 and len(rows) >= 3
        assert all(row[1] and "→ " in row[2] for row in rows[1:])


@pytest.mark.parametrize("file", ROADS[1:])
def test_every_answer_of_the_warm_up_is_treated(file):
    text = run_sheets.sections(BY_NUMBER[file[:2]])["Warm-up"].texts[0]
    options = re.findall(r"(?m)(?:^|\s)([a-d])\) ", reading.visible(text))
    rows = notes.tables(notes.below(TEXTS[PAGES[file]], "Warm-up"))[0]
    assert [row[0] for row in rows] == [f"{o})" for o in options]
    folded = " ".join(c for _, c in reading.folds(text))
    right = re.findall(r"\*\*([a-d])\)", folded)
    assert [
        row[0][0] for row in rows if row[1].startswith("is right")
    ] == right


@pytest.mark.parametrize("file", ROADS)
def test_places_to_go_back_to_exist(file):
    text = TEXTS[PAGES[file]]
    found = notes.places(text)
    assert len(found) >= 4
    for number, place in found:
        notebook = BY_NUMBER[number or file[:2]]
        prose = reading.prose(notebook)
        there = place in run_sheets.sections(notebook)
        assert there or re.search(rf"(?m)^### {re.escape(place)} ·", prose)


def mistakes(notebook):
    """The names of all mistakes that the checks of a notebook know."""
    calls = "\n".join(c.source for c in reading.tagged(notebook, "check"))
    named = re.findall(r"checks\.(\w+)\(", calls)
    return {
        mistake.name
        for name in named
        for variant in checks.EXERCISES[name].singles
        for mistake in variant.mistakes
    }


@pytest.mark.parametrize("file", ROADS)
def test_what_the_checks_say_is_what_they_say(file):
    said = notes.thoughts(TEXTS[PAGES[file]])
    assert len(said) >= 3
    assert {*said} <= mistakes(NOTEBOOKS[file])


REFERENCES = (
    r"\]\([^)]*\)|\b0\d\b|(?i:room|exercises?|notebooks?|slides?|→) \d+b?"
)
WRONG = r"(?m:^)\| [^✓|]+\|"  # the first column of a table: a learner's answer


@pytest.mark.parametrize("file", ROADS)
def test_numbers_are_those_of_the_notebook(file):
    """A number of the notes is in their notebook, printed or in prose.

    But for what a learner answers wrongly.
    """
    notebook = NOTEBOOKS[file]
    known = measured.known(reading.code_cells(notebook))
    known |= {*measured.numbers(reading.prose(notebook))}
    said = re.sub(f"{REFERENCES}|{WRONG}", " ", TEXTS[PAGES[file]])
    assert [n for n in measured.numbers(said) if n not in known] == []


# The numbers of pages that no tool writes, as a sum of their digits in order.
# Who changes one on purpose writes the new sum, which the test says.
SUMS = {
    "README.md": 785759,
    "INSTALL.md": 728200,
    "teaching/README.md": 623995,
    "teaching/hub.md": 616582,
    "teaching/many_learners.md": 32234,
    "teaching/notation.md": 476446,
    "teaching/offline.md": 821638,
    "teaching/training.md": 635504,
}


def total(text):
    """A sum of the digits of a page, without what `make results` writes."""
    written = r"(?s)<!-- (pitch|hours|conversation) -->.*?<!-- end"
    kept = re.sub(written, "", text)
    kept = re.sub(r"(?m)^(?:\| \[|\| \*\*together|- “).*$", "", kept)
    return zlib.crc32(", ".join(measured.numbers(kept)).encode()) % 10**6


@pytest.mark.parametrize("page", SUMS)
def test_no_number_of_a_page_changes_by_accident(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert total(text) == SUMS[page]
    assert total(text + " 0.5") != total(text)


FAULTS = [  # test, its arguments, page, pattern, what is planted
    (test_minutes_are_those_of_the_notebooks, "two_half_days.md",
     r"Cut, \d+", "Cut, 99"),
    (test_minutes_are_those_of_the_notebooks, "one_day.md",
     r"\| 9:00 \| \d+", "| 9:00 | 99"),
    (test_a_day_adds_up_and_has_rests_and_time_to_practice, "one_day.md",
     r" catch-up time \d+", " catch-up time 36"),
    (test_a_day_adds_up_and_has_rests_and_time_to_practice, "one_day.md",
     r"(\| \d+ \| )(break|lunch)", r"\1catch-up time"),
    (test_tickets_ask_for_what_was_taught, "one_day.md",
     "questions 1 and 3 on paper", "questions 1 and 2 on paper"),
    (test_slides_of_a_row_are_of_its_sections, "third_half_day.md",
     "Slide 23", "Slide 24"),
    (test_every_exit_ticket_is_treated, "01_dot_product_baseline.md",
     "You swap two words", "You swap three words"),
    (test_every_answer_of_the_warm_up_is_treated, "03_scaling.md",
     r"(?m)^\| c\).*\n", ""),
    (test_places_to_go_back_to_exist, "04_multi_head_attention.md",
     r"→ \*Claim C28\*", "→ *Claim C99*"),
    (test_what_the_checks_say_is_what_they_say, "05_pytorch_comparison.md",
     "never sets the gradients", "seldom sets the gradients"),
    (test_numbers_are_those_of_the_notebook, "03_scaling.md",
     "have variance 0.25", "have variance 0.27"),
]  # fmt: skip


@pytest.mark.parametrize("test, page, old, new", FAULTS)
def test_a_fault_is_found(monkeypatch, test, page, old, new):
    faulty = re.sub(old, new, TEXTS[page])
    assert faulty != TEXTS[page]
    monkeypatch.setitem(TEXTS, page, faulty)
    notebook = page.replace(".md", ".ipynb")
    with pytest.raises(AssertionError):
        test(notebook if notebook in ROADS else page)
