"""The deck of `make slides`: pictures that are there, numbers that are so."""

import html
import io
import re

import pytest
from PIL import Image

from tools.paper import link, notes, slides, speaker

from . import reading
from .test_notebooks import NOTEBOOKS, ROADS

LIST = slides.listed()
CELLS = slides.cells(NOTEBOOKS)
HOLDER = {cell.id: file for file in ROADS for cell in NOTEBOOKS[file].cells}
KEYS = {"ask", "hint", "cell", "answer", "picture", "shown", "rows",
        "printed"}  # fmt: skip


def decimals(text):
    """Numbers with decimals, without the zeros at their ends."""
    return {n.rstrip("0") for n in re.findall(r"\d+\.\d+", text)}


def faults(slide):
    """What is wrong with a slide of the list."""
    cell, found = CELLS.get(slide["cell"]), []
    if cell is None or "timing" in reading.tags(cell):
        return ["no such cell"]
    pictures = reading.figures(cell)
    if slide.get("printed"):
        return wrong_words(slide, cell)
    for number in (slide.get("picture", 0), slide.get("shown", 0)):
        if number >= len(pictures):
            return ["no such picture"]
        if not pictures[number].metadata["image/png"].get("alt"):
            found.append("no alt text")
    found += cuts(slide, pictures[slide.get("picture", 0)])
    return found + wrong_words(slide, cell)


def wrong_words(slide, cell):
    """What is wrong with what a slide says."""
    words, found = reading.stdout(cell), []
    said = " ".join(slide[key] for key in ("ask", "hint", "answer"))
    if not words.strip():
        found.append("no words")
    seen = [o.metadata["image/png"].get("alt", "")
            for o in reading.figures(cell)]  # fmt: skip
    if decimals(said) - decimals("\n".join([words, cell.source, *seen])):
        found.append("a number that is not printed")
    if not slide["ask"].rstrip().endswith("?"):
        found.append("no question")
    if set(slide) - KEYS:
        found.append("an unknown key")
    return found


def cuts(slide, output):
    """A cut goes through blank rows only."""
    if "rows" not in slide:
        return []
    png = slides.cut(reading.png(output), slide["rows"])
    image = Image.open(io.BytesIO(png)).convert("RGB")
    edges = [image.crop((0, y, image.width, y + 1)) for y in
             (0, image.height - 1)]  # fmt: skip
    plain = all(len(edge.getcolors(256) or [0, 0]) == 1 for edge in edges)
    return [] if plain else ["cut through the picture"]


def test_every_slide_has_its_picture_and_true_numbers():
    found = {slide["cell"]: faults(slide) for slide in LIST}
    assert {cell: each for cell, each in found.items() if each} == {}


def test_slides_stand_in_the_order_of_the_course():
    places = [[*CELLS].index(slide["cell"]) for slide in LIST]
    assert places == sorted(places)
    assert {HOLDER[slide["cell"]] for slide in LIST} == {*ROADS}


def test_the_deck_is_whole_and_needs_nothing_else():
    page = slides.deck(LIST, NOTEBOOKS)
    notebooks = len({HOLDER[slide["cell"]] for slide in LIST})
    tickets = notebooks - 1  # 00 has none
    assert page.count("<section") == 1 + notebooks + tickets + 2 * len(LIST)
    shown = re.sub("(?s)<aside>.*?</aside>", "", page)
    assert shown.count("<li>") == 3 * tickets + 1  # 01 asks four
    assert page.count("<pre>") == len(LIST)
    assert set(re.findall(r'src="(.*?)[;"]', page)) == {"data:image/png"}
    assert not re.search(r"https?:|url\(|@import|<link", page)


def test_the_speaker_knows_the_minutes_and_what_to_ask():
    """Two rows in teaching/: of a run sheet, and of the notebook's notes.

    The row of the run sheet names the slide by its number (a new slide moves
    the later ones). The last column of *Listen for* names its section.
    """
    rows = notes.sheet_rows()
    for place, slide in enumerate(LIST, 1):
        cell, file = slide["cell"], HOLDER[slide["cell"]]
        here, sheet = (file[:2], NOTEBOOKS[file]), rows.get(place, [])
        heard = speaker.heard(*here, cell)
        assert [*speaker.planned(sheet)], f"no run sheet names slide {place}"
        assert [*heard], f"*Listen for* never names the section of {cell}"
        note = speaker.of_slide(place, slide, *here, rows)
        assert " minutes</b> for" in note and "<b>Ask:</b>" in note
        said = html.unescape(re.sub("<(code).*?</code>|<[^>]*>", "", note))
        assert not re.search(r"\*|\]\(|[Ss]lides? \d|\$", said), said


def test_the_speaker_hears_what_belongs_to_the_section():
    notebook = NOTEBOOKS["01_dot_product_baseline.ipynb"]
    [heard] = speaker.heard("01", notebook, "01-008")
    assert heard.startswith("“A negative dot product is a mistake.” <b>Ask:")


def test_the_speaker_knows_what_each_answer_to_a_ticket_means():
    for file in ROADS[1:]:
        note = speaker.of_ticket(file[:2])
        assert note.count("✓") == note.count("<ul>") >= 3
        assert speaker.of_notebook(file[:2]).startswith("<p><b>What ")
    with pytest.raises(ValueError, match="'01-999'"):
        speaker.section(NOTEBOOKS["01_dot_product_baseline.ipynb"], "01-999")


def test_the_first_slide_has_a_link_where_an_address_is_known(
    tmp_path, monkeypatch
):
    (tmp_path / "CITATION.cff").write_text("title: x\n")
    monkeypatch.setattr(link, "ROOT", tmp_path)
    assert link.address([]) == ""
    with open(tmp_path / "CITATION.cff", "a") as file:
        file.write('repository-code: "https://a.org/b"\n')
    assert link.address([]) == "https://a.org/b"
    assert link.address(["http://c.org/d?e=f"]) == "http://c.org/d?e=f"
    with pytest.raises(SystemExit, match="not an address that begins"):
        link.address(["https://a", "b"])
    with pytest.raises(SystemExit, match="more than 150"):
        link.address(["https://a.org/" + "b" * 150])


def test_the_code_is_a_picture_in_the_page():
    pytest.importorskip("segno", reason="the extra is not installed")
    url = "https://a.org/b?c=d&e=f"
    assert "<svg" not in slides.deck(LIST[:1], {})
    page = slides.deck(LIST[:1], {}, url)
    assert f'<a href="{html.escape(url)}">' in page
    assert page.count("<svg") == 1 and 'role="img"' in page
    assert not re.search(r"url\(|@import|<link|src=\"http", page)


FAULTS = [
    ({"cell": "01-999"}, "no such cell"),
    ({"cell": "08-004"}, "no such cell"),
    ({"picture": 2}, "no such picture"),
    ({"answer": "It is 0.77."}, "a number that is not printed"),
    ({"ask": "Look."}, "no question"),
    ({"title": "x"}, "an unknown key"),
    ({"rows": [0.5, 1.0]}, "cut through the picture"),
]


@pytest.mark.parametrize("change, fault", FAULTS)
def test_a_fault_is_found(change, fault):
    slide = next(slide for slide in LIST if slide["cell"] == "01-029")
    assert fault in faults(slide | change)
