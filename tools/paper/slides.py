"""Write teaching/slides.html: the key pictures, each behind its question.

`make slides`. The pictures, their words and their alt texts are those that
the notebooks have stored; teaching/slides.toml says which, and asks. The
speaker's notes are those of the other pages of teaching/. The page needs no
network: pictures are inside.

The first slide has a link to the course and its code to scan, if there is an
address: that of CITATION.cff, or `make slides ARGS=https://…`.
"""

import base64
import html
import io
import sys
import tomllib
from string import Template

from PIL import Image

from tests.course import reading
from tools.author.results import ROOT, notebooks, title
from tools.paper import link, markup, notes, speaker

LIST = ROOT / "teaching" / "slides.toml"
DECK = ROOT / "teaching" / "slides.html"
TALL = 0.62  # height by width; such a picture stands beside its words
HEAD = """\
<section id="start" class="words"><h1>Attention, Measured</h1>
<h2>Which word does this word need?</h2>
<p>One rule: before you run a cell below a <b>Predict</b>, type in your guess
and tell your neighbor. Until then, keep folded texts closed.</p>
<p class="keys">Keys: arrows, page up and down; 0 to 9 for a notebook; b for a
blank screen; n for what the cell printed; s for the speaker's notes, in a
separate window.</p>{code}</section>
"""


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
    """(an img element, whether it is tall) for a picture of a cell."""
    output = reading.figures(cell)[number]
    png = cut(reading.png(output), slide.get("rows", (0, 1)))
    width, height = Image.open(io.BytesIO(png)).size
    alt = html.escape(output.metadata["image/png"]["alt"])
    data = base64.b64encode(png).decode("ascii")
    return (
        f'<img src="data:image/png;base64,{data}" alt="{alt}"'
        f' width="{width}" height="{height}">',
        height > TALL * width,
    )


def aside(note):
    """What the speaker sees beside a slide."""
    return f"<aside>{note}</aside>"


def ticket(notebook, name):
    """The questions of a notebook's exit ticket; none, no slide."""
    asked, _ = notes.asked(notebook)
    if not asked:
        return ""
    listed = "".join(
        f"<li>{markup.inline(question)}</li>" for question in asked
    )
    return (
        f'<section id="ticket-{int(name[:2])}" class="words ticket">'
        f"<h2>Exit ticket: alone, on paper</h2>"
        f"<ol>{listed}</ol><footer>{name}</footer>"
        f"{aside(speaker.of_ticket(name[:2]))}</section>\n"
    )


def printed(words):
    """What a cell prints, without its word about the missing prediction."""
    return "\n".join(s for s in words.splitlines() if not s.startswith("○"))


def pair(number, slide, cell, note):
    """The two slides of a question and its answer, with the speaker's note."""
    ask, hint, answer = (
        markup.inline(slide[k]) for k in ("ask", "hint", "answer")
    )
    place = f"<footer>slide {number} · notebook {slide['cell'][:2]}</footer>"
    kind, drawn = "words", ""
    if "shown" in slide:
        drawn, _ = picture(cell, slide, slide["shown"])
        kind = "shown"
    question = f"<h2>{ask}</h2>{drawn}<p>{hint}</p>{place}"
    words = html.escape(reading.stdout(cell))
    if slide.get("printed"):
        image, tall = f'<div class="printed">{printed(words)}</div>', False
    else:
        image, tall = picture(cell, slide, slide.get("picture", 0))
    found = f'<h2>{ask}</h2>{image}<p class="answer">{answer}</p>{place}'
    look = ' class="tall"' if tall else ""
    return (
        f'<section id="q{number}" class="{kind}">{question}{aside(note)}'
        f'</section>\n<section id="a{number}"{look}>{found}'
        f"<pre>{words}</pre>{aside(note)}</section>\n"
    )


def deck(slides, found, url=""):
    """The whole page, with a code for an address on its first slide."""
    by_id, parts = cells(found), [HEAD.format(code=link.code(url))]
    rows = notes.sheet_rows()
    numbered = [*enumerate(slides, 1)]
    for file, notebook in found.items():
        if "/" in file:
            continue
        name = f"{file[:2]} · {title(notebook)}"
        parts.append(
            f'<section id="notebook-{int(file[:2])}" class="words">'
            f"<h1>{name}</h1>{aside(speaker.of_notebook(file[:2]))}</section>\n"
        )
        parts += [
            pair(
                number,
                slide,
                by_id[slide["cell"]],
                speaker.of_slide(number, slide, notebook, rows),
            )
            for number, slide in numbered
            if slide["cell"][:2] == file[:2]
        ]
        parts.append(ticket(notebook, name))
    page = Template(
        (ROOT / "tools" / "paper" / "slides.html").read_text("utf-8")
    )
    return page.substitute(slides="".join(parts))


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
