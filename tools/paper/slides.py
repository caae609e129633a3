"""Write teaching/slides.html: the key pictures, each behind its question.

`make slides`. The pictures, their words and their alt texts are those that
the notebooks have stored; teaching/slides.toml says which, and asks. The
speaker's notes are those of the other pages of teaching/. The page needs no
network: pictures are inside.

The first slide has a link to the course and its code to scan, if there is an
address: that of CITATION.cff, or `make slides ARGS=https://…`.
"""

import base64
import io
import sys
import tomllib

from PIL import Image

from tests.course import reading
from tools.author.readme import title
from tools.author.results import ROOT, notebooks
from tools.markup import filled
from tools.paper import link, notes, speaker

LIST = ROOT / "teaching" / "slides.toml"
DECK = ROOT / "teaching" / "slides.html"
TALL = 0.62  # height by width; such a picture stands beside its words


def listed():
    """The slides of the list, in its order."""
    return tomllib.loads(LIST.read_text(encoding="utf-8"))["slide"]


def cells(found):
    """{id: code cell} of all roads."""
    return {
        cell.id: cell
        for file, notebook in found.items()
        for cell in reading.code_cells(notebook)
        if "/" not in file
    }


def cut(png, rows):
    """The rows of a picture between two fractions of its height."""
    image, out = Image.open(io.BytesIO(png)), io.BytesIO()
    top, bottom = (round(part * image.height) for part in rows)
    image.crop((0, top, image.width, bottom)).save(out, "png")
    return out.getvalue()


def picture(cell, slide, number):
    """A picture of a cell, as the template draws it."""
    output = reading.figures(cell)[number]
    png = cut(reading.png(output), slide.get("rows", (0, 1)))
    width, height = Image.open(io.BytesIO(png)).size
    return {
        "data": base64.b64encode(png).decode("ascii"),
        "alt": output.metadata["image/png"]["alt"],
        "width": width,
        "height": height,
        "is_tall": height > TALL * width,
    }


def printed(words):
    """What a cell prints, without its word about the missing prediction."""
    return "\n".join(s for s in words.splitlines() if not s.startswith("○"))


def pair(number, slide, cell, note):
    """The two slides of a question and its answer, with the speaker's note."""
    shown, words = slide.get("shown"), reading.stdout(cell)
    drawn = not slide.get("printed")
    return slide | {
        "number": number,
        "question": None if shown is None else picture(cell, slide, shown),
        "picture": drawn and picture(cell, slide, slide.get("picture", 0)),
        "words": words,
        "printed": printed(words),
        "note": note,
    }


def part(number, notebook, slides, cells):
    """The slides of a notebook: its title, its pairs, its exit ticket."""
    rows = notes.sheet_rows()
    return {
        "number": number,
        "name": f"{number} · {title(notebook)}",
        "note": speaker.of_notebook(number),
        "slides": [
            pair(n, slide, cells[slide["cell"]],
                 speaker.of_slide(n, slide, number, notebook, rows))
            for n, slide in enumerate(slides, 1)
            if slide["cell"] in {cell.id for cell in notebook.cells}
        ],
        "questions": notes.asked(notebook)[0],
        "ticket_note": speaker.of_ticket(number),
    }  # fmt: skip


def deck(slides, found, url=""):
    """The whole page, with a code for an address on its first slide."""
    by_id = cells(found)
    return filled(
        "paper/slides.html",
        url=url,
        code_of=link.code,
        notebooks=[
            part(file[:2], notebook, slides, by_id)
            for file, notebook in found.items()
            if "/" not in file
        ],
    )


def main(arguments):
    """Write the deck."""
    url = link.address(arguments)
    DECK.write_text(deck(listed(), notebooks(), url), encoding="utf-8")
    print(f"open {DECK.relative_to(ROOT)} in a browser")
    if not url:
        print(
            "The first slide has no link. To add one:"
            " make slides ARGS=https://…"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
