"""What `make paper` prints: every ticket, every answer, every solution."""

import html
import re

import pytest

from tools import markup
from tools.paper import paper

from . import reading
from .test_notebooks import NOTEBOOKS, ROADS


@pytest.fixture(scope="module")
def pages():
    pytest.importorskip("latex2mathml", reason="the extra is not installed")
    return {name: paper.page(name, NOTEBOOKS) for name in paper.PAGES}


def words(page):
    """The text of a page or a Markdown text, without tags and formulas."""
    page = re.sub(r"(?s)<style.*?</style>|<math.*?</math>", " ", page)
    text = html.unescape(re.sub(r"<[^>]+>|(?m:^\d\. )", "", page))
    return " ".join(re.sub(r"\$[^$]*\$|[*`]", " ", text).split())


def flat(text):
    return re.sub(r"\W", "", words(text))


def items(notebook):
    """The lines of questions and of answers of an exit ticket, by hand."""
    part = reading.prose(notebook).partition("\n## Exit ticket\n")[2]
    part = re.split(r"(?m)^## ", part)[0]
    return [re.split(r"(?m)^\d\. ", half.split("</details>")[0])[1:]
            for half in part.split("<summary>Answers</summary>")]  # fmt: skip


@pytest.mark.parametrize("file", ROADS[1:])
def test_each_ticket_has_a_sheet_and_its_answers_another(pages, file):
    questions, answers = items(NOTEBOOKS[file])
    assert len(questions) == len(answers) >= 3
    asked = [flat(question.split("\n\n<")[0]) for question in questions]
    right = [flat(answer.split("\n\n<")[0]) for answer in answers]
    tickets, both = flat(pages["tickets.html"]), flat(pages["answers.html"])
    assert [each for each in asked if each not in tickets] == []
    assert [each for each in asked + right if each not in both] == []
    assert [each for each in right if each in tickets] == []


def test_there_are_lines_to_write_on(pages):
    sheets = pages["tickets.html"].split("<section")[1:]
    assert len(sheets) == len(ROADS) - 1  # 00 has no ticket
    for sheet in sheets:
        below = [part.count('class="line"') for part in sheet.split("<li>")]
        assert below[0] == 0 and min(below[1:]) >= 4


def test_each_wrong_answer_says_what_it_shows(pages):
    """As many as the notes have, and none that is right."""
    page = pages["answers.html"]
    folder = paper.ROOT / "teaching"
    notes = [path.read_text("utf-8") for path in folder.glob("[0-9]*.md")]
    parts = [text.partition("## Exit ticket\n")[2] for text in notes]
    rows = re.findall(r"(?m)^\| (?!✓|answer |---)", "\n".join(parts))
    assert page.count("<tr>") == len(rows) + page.count("<table>")
    assert "✓" not in page


@pytest.mark.parametrize("file", NOTEBOOKS)
def test_each_exercise_has_its_task_and_its_solution(pages, file):
    printed = flat(pages["solutions.html"])
    notebook = NOTEBOOKS[file]
    found = reading.tagged(notebook, "solution")
    sources = [html.escape(cell.source) for cell in found]
    assert [s for s in sources if flat(s) not in printed] == []
    prose = "\n\n".join(c.source for c in reading.markdown_cells(notebook))
    tasks = re.findall(r"(?s)(### Exercise .*?)(?=<details>|\Z)", prose)
    assert len(tasks) == len(found)
    shown = [html.escape(reading.visible(task)) for task in tasks]
    missing = [text for text in shown if flat(text) not in printed]
    assert [text for text in missing if "](" not in text] == []
    assert "Hint" not in pages["solutions.html"]


@pytest.mark.parametrize("name", paper.PAGES)
def test_a_page_needs_nothing_else(pages, name):
    page = re.sub(r"(?s)<(pre|code).*?</\1>", "", pages[name])
    assert "$" not in page and "](" not in page
    page = page.replace("http://www.w3.org/1998/Math/MathML", "")
    assert not re.search(r"https?:|src=|href=|url\(|@import", page)


def test_some_notebooks_can_be_chosen():
    found = paper.chosen(["02", "03"], NOTEBOOKS)
    assert [*found] == [f for f in paper.chosen([], NOTEBOOKS)
                        if re.search(r"(^|/)0[23]", f)]  # fmt: skip
    assert "trials/02b_backward_pass.ipynb" in found
    with pytest.raises(
        SystemExit, match="ARGS=11 is not a notebook; .*00 to 10"
    ):
        paper.chosen(["11"], NOTEBOOKS)


def test_dollars_in_code_are_no_formulas():
    pytest.importorskip("latex2mathml", reason="the extra is not installed")
    drawn = markup.printed("a `$b$` and $c$, [d](e.md)\n\n$$ f $$")
    assert "<code>$b$</code>" in drawn and drawn.count("<math") == 2
    assert 'display="block"' in drawn and "href" not in drawn
