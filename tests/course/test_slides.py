"""The deck of `make slides`: pictures that are there, numbers that are so."""

import io
import re

import pytest
from PIL import Image

from tools import slides

from . import reading
from .test_notebooks import NOTEBOOKS

LIST = slides.listed()
CELLS = slides.cells(NOTEBOOKS)
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
    if decimals(said) - decimals(words + cell.source + sentence(cell)):
        found.append("a number that is not printed")
    if not slide["ask"].rstrip().endswith("?"):
        found.append("no question")
    if set(slide) - KEYS:
        found.append("an unknown key")
    return found


def sentence(cell):
    """What the pictures of a cell say about themselves."""
    return " ".join(
        o.metadata["image/png"].get("alt", "") for o in reading.figures(cell)
    )


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


@pytest.mark.parametrize("slide", LIST, ids=lambda slide: slide["cell"])
def test_every_slide_has_its_picture_and_true_numbers(slide):
    assert faults(slide) == []


def test_slides_stand_in_the_order_of_the_course():
    assert [s["cell"] for s in LIST] == sorted(s["cell"] for s in LIST)
    assert {s["cell"][:2] for s in LIST} == {f[:2] for f in NOTEBOOKS
                                             if "/" not in f}  # fmt: skip


def test_the_deck_is_whole_and_needs_nothing_else():
    page = slides.deck(LIST, NOTEBOOKS)
    notebooks = len({slide["cell"][:2] for slide in LIST})
    tickets = notebooks - 1  # 00 has none
    assert page.count("<section") == 1 + notebooks + tickets + 2 * len(LIST)
    assert page.count("<li>") == 3 * tickets + 2  # 01, 02 ask four
    assert page.count("<pre>") == len(LIST)
    assert set(re.findall(r'src="(.*?)[;"]', page)) == {"data:image/png"}
    assert not re.search(r"https?:|url\(|@import|<link", page)


FAULTS = [
    ({"cell": "01-999"}, "no such cell"),
    ({"cell": "08-004"}, "no such cell"),
    ({"cell": "01-016"}, "no such picture"),
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
