"""The start page of the course on the web: a view to play with, and cards."""

import base64
import io
import json
import re
from pathlib import Path

from PIL import Image

from tools.markup import filled
from tools.site import play

CARDS, WIDE, COLORS = Path("_static", "cards"), 400, 64  # pixels
ROW = r"(?m)^\| \[(\d\d) · [^]]+\]\([^)]+\)[^|]* \| ([^|]+) \| ([^|]+) \|$"


def page(root, folder):
    """The Markdown of the page; its pictures go into `folder`."""
    [path] = root.glob("notebooks/00_*.ipynb")
    shown, _ = play.views(str(path))
    state = next(iter(shown.values())) | {"head": 1}  # the trained model
    view = play.markup(state, "00", "")
    listed = sorted(root.glob("notebooks/[0-9]*.ipynb"))
    about = questions(path)
    return filled(
        "site/start.md",
        view=view,
        first=f"notebooks/{path.stem}.html",
        cards=[card(each, about, folder) for each in listed],
    )


def questions(path):
    """{number: (question, minutes)}, from the map in notebook 00."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    found = {
        number: (question.strip(), f"{minutes.strip()} minutes")
        for number, question, minutes in re.findall(ROW, text)
    }
    head = "".join(cells[0]["source"])
    minutes = re.search(r"\*\*(\d[^*]*minutes)\*\*", head)[1]
    question = "What happens when a model looks at the right word?"
    return {"00": (question, minutes)} | found


def card(path, about, folder):
    """A link with the first picture of a notebook, its question, minutes."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    number = path.name.split("_")[0]
    title = "".join(cells[0]["source"]).partition("\n")[0].lstrip("# ")
    question, minutes = about[number]
    name = CARDS / f"{number}.png"
    width, height = small(first_picture(cells), folder / name)
    return {
        "link": f"notebooks/{path.stem}.html",
        "picture": name.as_posix(),
        "width": width,
        "height": height,
        "title": title,
        "question": question,
        "minutes": minutes,
    }


def first_picture(cells):
    """The bytes of the first stored figure."""
    return next(
        base64.b64decode(output["data"]["image/png"])
        for cell in cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    )


def small(data, path):
    """Write a picture of few pixels and colors; return its size."""
    image = Image.open(io.BytesIO(data)).convert("RGB")
    image.thumbnail((WIDE, WIDE))
    path.parent.mkdir(parents=True, exist_ok=True)
    image.quantize(COLORS).save(path, optimize=True)
    return image.size
