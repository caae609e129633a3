"""Write teaching/slides.html: the key pictures, each behind its question.

`make slides`. The pictures, their words and their alt texts are those that
the notebooks have stored; teaching/slides.toml says which, and asks. The page
needs no network: pictures are inside.
"""

import base64
import html
import io
import re
import tomllib
from string import Template

from PIL import Image

from tests.course import reading
from tools.results import ROOT, notebooks, title

LIST = ROOT / "teaching" / "slides.toml"
DECK = ROOT / "teaching" / "slides.html"
TALL = 0.62  # height by width; such a picture stands beside its words
HEAD = """\
<section id="start" class="words"><h1>Attention, Measured</h1>
<p>Guess first, then go on. Keys: arrows, page up and down; 0 to 8 for a
notebook; n for the words of a picture.</p></section>
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


def markup(text):
    """HTML of a text with *italics*, `code` and $W_Q$."""
    text = html.escape(text, quote=False)
    text = re.sub(r"\$(\w)_(\w)\$", r"<i>\1</i><sub>\2</sub>", text)
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", text)
    return re.sub(r"\*([^*]+)\*", r"<em>\1</em>", text)


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


def pair(number, slide, cell):
    """The two slides of a question and its answer."""
    ask, hint, answer = (markup(slide[k]) for k in ("ask", "hint", "answer"))
    place = f"<footer>notebook {slide['cell'][:2]}</footer>"
    kind, drawn = "words", ""
    if "shown" in slide:
        drawn, _ = picture(cell, slide, slide["shown"])
        kind = "shown"
    question = f"<h2>{ask}</h2>{drawn}<p>{hint}</p>{place}"
    image, tall = picture(cell, slide, slide.get("picture", 0))
    words = html.escape(reading.stdout(cell))
    found = f'<h2>{ask}</h2>{image}<p class="answer">{answer}</p>{place}'
    look = ' class="tall"' if tall else ""
    return (
        f'<section id="q{number}" class="{kind}">{question}</section>\n'
        f'<section id="a{number}"{look}>{found}<pre>{words}</pre></section>\n'
    )


def deck(slides, found):
    """The whole page."""
    by_id, parts, last = cells(found), [HEAD], None
    titles = {file[:2]: title(nb) for file, nb in found.items()
              if "/" not in file}  # fmt: skip
    for number, slide in enumerate(slides, 1):
        notebook = slide["cell"][:2]
        if notebook != last:
            last = notebook
            parts.append(
                f'<section id="notebook-{int(notebook)}" class="words">'
                f"<h1>{notebook} · {titles[notebook]}</h1></section>\n"
            )
        parts.append(pair(number, slide, by_id[slide["cell"]]))
    page = Template((ROOT / "tools" / "slides.html").read_text("utf-8"))
    return page.substitute(slides="".join(parts))


def main():
    """Write the deck."""
    DECK.write_text(deck(listed(), notebooks()), encoding="utf-8")
    print(f"open {DECK.relative_to(ROOT)} in a browser")


if __name__ == "__main__":
    main()
