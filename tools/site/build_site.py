"""Build the web page of the course in site/; `make site` calls this.

Sphinx reads copies of the README, the notebooks with their stored outputs,
and the other texts. In the copies solutions are marked as folded, links to
other files lead to pages that show them, and tables of contents are added.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.learner.copies import NEW_NAMES
from tools.site import panel, play, predictions, start, verdicts, writers

ROOT = Path(__file__).parents[2]
SITE = ROOT / "site"
SETTINGS = ROOT / "tools" / "site"
README, ABOUT = "README.md", "about.md"  # its name here, and on the page
RESULTS = "RESULTS.md"
# in Markdown, the target of a link to a file, and its #anchor
LINK = re.compile(r"(?<=\]\()([^)#:\s]+)(#[^)\s]*)?(?=\))")
# run sheets, notes, and the rest
SHEETS = "two_half_days", "one_day", "third_half_day", "fourth_half_day"
TEACHING = "README", *SHEETS, "[0-9]*", "*"
LANGUAGES = {
    "": "text",
    ".txt": "text",
    ".py": "python",
    ".yml": "yaml",
    ".toml": "toml",
}
MATHJAX = "tex-chtml.js", "output/chtml/fonts/woff-v2", "input/tex/extensions"
OWN_COPY = """
```{{container}} own-copy
On this page you can read, predict, and play with the views. To run and change
the code, open [your own copy](<{up}about.md#two-commands>). That takes two
commands.
```
"""
TITLE, ABOUT_TITLE = "# Attention, Measured", "# About the course"
PREVIEW = (
    "data/what_training_made.png"  # shown where a link to a page is posted
)
AFTER = "<details><summary>Play with it, after your prediction</summary>"
CLONE = "git clone ADDRESS"  # in the README
BADGE = r"(?m)^\[!\[.*\n"
MEASURED = {
    "code_prompt_show": "Show what was measured",
    "code_prompt_hide": "Hide what was measured",
}
TOC = """
```{{toctree}}
:hidden:
:caption: {caption}

{names}
```
"""
MOVED = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>This page has moved</title>
<meta name="robots" content="noindex">
<noscript><meta http-equiv="refresh" content="0; url={new}"></noscript>
<script>location.replace("{new}" + location.hash);</script>
<p>This page has moved: <a href="{new}">{new}</a></p>
</html>
"""
SHOWN = """\
---
orphan: true
nosearch: true
---
# {name}

```{{literalinclude}} {file}
:language: {language}
```
"""


def contents():
    """{heading in the table of contents: its pages}."""
    return {
        "Before you begin": [README, "INSTALL.md"],
        "The road, with trial rooms": names("notebooks/*.ipynb"),
        "What came out": names("RESULTS.md"),
        "To look things up": names("GLOSSARY.md"),
        "Teaching": names(*(f"teaching/{name}.md" for name in TEACHING)),
        "The project": names(
            "CONTRIBUTING.md", "helpers/checks/README.md", "data/*/README.md"
        ),
    }


def pages():
    """All pages that are made from files, the README first."""
    listed = [name for part in contents().values() for name in part]
    return [*listed, *names("notebooks/trials/*.ipynb")]


def names(*patterns):
    """The files of the project that match, in order."""
    found = [
        path for pattern in patterns for path in sorted(ROOT.glob(pattern))
    ]
    return [*dict.fromkeys(p.relative_to(ROOT).as_posix() for p in found)]


def stage(folder):
    """Write all that Sphinx reads into a folder."""
    found, linked = pages(), set()
    for name in found:
        text = (ROOT / name).read_text(encoding="utf-8")
        text = relink(text, name, found, linked)
        if name.endswith(".ipynb"):
            text = notebook(text, name)
        if name == RESULTS:
            text = verdicts.page(text, public(origin()))
        elif name.endswith(".md"):
            text = verdicts.to_issues(text, public(origin()))
        if name == README:
            name, text = ABOUT, text.replace(CLONE, clone(origin()))
            text = re.sub(BADGE, "", text.replace(TITLE, ABOUT_TITLE, 1))
        write(folder / name, text)
    listed = {
        caption: [ABOUT if name == README else name for name in part]
        for caption, part in contents().items()
    }
    text = start.page(ROOT, folder)
    text += "".join(toc(*part) for part in listed.items())
    write(folder / "index.md", text)
    for name in linked.difference(found):
        show(name, folder)


def origin():
    """Where this repository was cloned from."""
    command = ["git", "config", "remote.origin.url"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip()


def clone(url):
    """What to clone: a public address, without a password in it."""
    address = public(url)
    return f"git clone {address}" if address else CLONE


def public(url):
    """An address without a password in it; "" if nobody else can open it."""
    host = re.fullmatch(r"https://(?:[^/@]*@)?(.+)", url)
    return f"https://{host[1]}" if host else ""


def relink(text, name, found, linked):
    """Point the links of a page at pages; note the files behind them."""

    def point(link):
        target, anchor = link[1], re.sub(r"[^\w#-]", "", link[2] or "").lower()
        file = os.path.normpath(Path(name).parent / target)
        if not (ROOT / file).is_file():
            return link[0]  # no link, or Sphinx will say that it is broken
        linked.add(file)
        if file == README:
            target = target.removesuffix(README) + ABOUT
        elif file not in found and is_text(file):
            target += ".md"
        return target + anchor

    return LINK.sub(point, text)


def is_text(name):
    """Whether a file is shown on a page of its own."""
    return Path(name).suffix in LANGUAGES


def show(name, folder):
    """Copy a file; give it a page if it can be read."""
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / name, target)
    if is_text(name):
        language = LANGUAGES[target.suffix]
        text = SHOWN.format(name=name, file=target.name, language=language)
        write(folder / f"{name}.md", text)


def notebook(text, name):
    """A notebook with folded answers, a hint, and its trial rooms."""
    nb = json.loads(text)
    fold(nb["cells"])
    cells = with_views(predictions.with_boxes(nb["cells"]), name)
    nb["cells"] = with_writer(cells, name)
    first = nb["cells"][0]
    title, _, rest = "".join(first["source"]).partition("\n")
    hint = OWN_COPY.format(up="../" * name.count("/"))
    first["source"] = f"{title}\n{hint}{rest}"
    rooms = [Path(r).relative_to("notebooks") for r in rooms_of(name)]
    if rooms:
        prose = {"cell_type": "markdown", "id": "rooms", "metadata": {}}
        prose["source"] = toc("Trial rooms", rooms)
        nb["cells"].append(prose)
    return json.dumps(nb)


def fold(cells):
    """Fold solutions, and what is shown from a prediction to its check."""
    asked = False
    for cell in cells:
        tags = cell["metadata"].setdefault("tags", [])
        if "solution" in tags:
            tags.append("hide-input")
        if asked and cell["cell_type"] == "code":
            tags.append("hide-output")
            cell["metadata"]["mystnb"] = MEASURED
            asked = "checks.prediction(" not in "".join(cell["source"])
        asked = asked or "prediction" in tags


def with_views(cells, name):
    """The cells, with a view to play with below each that shows one."""
    up, number = "../" * name.count("/"), Path(name).name.split("_")[0]
    shown, _ = (
        play.views(str(ROOT / name)) if "/trials/" not in name else ({}, 0)
    )
    found = []
    for cell in cells:
        found.append(cell)
        if state := shown.get(cell.get("id")):
            view = play.markup(state, number, up)
            if "hide-output" in cell["metadata"].get("tags", []):
                view = f"{AFTER}\n\n{view}\n\n</details>"
            prose = {"cell_type": "markdown", "metadata": {}, "source": view}
            found.append(prose | {"id": f"{cell['id']}-play"})
    return found


def with_writer(cells, name):
    """The cells, with a panel where a language model writes."""
    number = Path(name).name.split("_")[0]
    if "/trials/" in name or number not in writers.MODELS:
        return cells
    at = panel.place(cells) + 1
    form = panel.panel(number, "../" * name.count("/"))
    prose = {"cell_type": "markdown", "metadata": {}, "source": form}
    return [*cells[:at], prose | {"id": f"{number}-writer"}, *cells[at:]]


def rooms_of(name):
    """The trial rooms of a notebook: of 02 those of 02 and 02b."""
    if "/trials/" in name:
        return []
    return names(f"notebooks/trials/{Path(name).name[:2]}*.ipynb")


def toc(caption, listed):
    """A table of contents; nothing without entries."""
    lines = "\n".join(map(str, listed))
    return TOC.format(caption=caption, names=lines) if lines else ""


# What the theme writes, and what a page of ours has instead: names that a
# screen reader says, and icons from a font of 115 kB, not a script of 1.5 MB.
POLISH = {
    r' aria-label="Toggle hidden content"': "",
    r'<summary>(?=<span class="toctree-toggle")': (
        '<summary aria-label="Trial rooms">'
    ),
    r'(search-button-field[^>]*) aria-label="Search"': r"\1",
    # the course's name is in a landmark, and an empty cell heads nothing
    r'<div class="sidebar-primary-item">(?=\s*<a class="navbar-brand)': (
        '<div class="sidebar-primary-item" role="navigation"'
        ' aria-label="Start page">'
    ),
    r'<th class="head"><p></p></th>': "<td></td>",
    r"<script[^>]*/fontawesome\.js[^>]*></script>": "",
    r"<link[^>]*/fontawesome\.js[^>]*>": "",
}


def polish(folder):
    """Mend what the theme writes into every page."""
    for path in folder.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for pattern, instead in POLISH.items():
            text = re.sub(pattern, instead, text)
        path.write_text(text, encoding="utf-8")
    for path in folder.glob("_static/scripts/*"):
        if path.name.startswith("fontawesome") or path.suffix == ".map":
            path.unlink()
    for path in folder.glob("_static/styles/*.map"):
        path.unlink()


def add_mathjax(folder):
    """Copy the parts of MathJax that the pages load."""
    package = Path(find_spec("sphinx-mathjax-offline").origin).parent
    for part in MATHJAX:
        source, target = package / "static" / "mathjax" / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, target)


def lead_on(folder):
    """Pages at the old addresses of notebooks, and of their notes."""
    for old, new in NEW_NAMES.items():
        names = Path(old).stem, Path(new).stem
        rooms = "trials/" if "/" in old else ""
        parts = [f"notebooks/{rooms}"] + ["teaching/"] * (not rooms)
        for part in parts:
            text = MOVED.format(new=f"{names[1]}.html")
            write(folder / part / f"{names[0]}.html", text)


def write(path, text):
    """Write a text, and its folder where it is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def main(target=SITE):
    """Build in a folder that is thrown away; move the page to its place."""
    from sphinx.cmd.build import main as sphinx

    shutil.rmtree(target, ignore_errors=True)
    with TemporaryDirectory() as folder:
        sources, page = Path(folder, "sources"), Path(folder, "page")
        stage(sources)
        options = ["-q", "-W", "--keep-going", "-c", str(SETTINGS)]
        options += ["-d", str(Path(folder, "doctrees"))]
        if failed := sphinx([*options, str(sources), str(page)]):
            sys.exit(failed)
        add_mathjax(page / "_static" / "mathjax")
        play.write(page / "_static")
        polish(page)
        lead_on(page)
        pictures = page / start.CARDS
        shutil.copytree(sources / start.CARDS, pictures, dirs_exist_ok=True)
        shutil.copy(ROOT / PREVIEW, page / "_static" / "preview.png")
        shutil.move(page, target)
    print(f"make: the web page is {Path(target, 'index.html')}")


if __name__ == "__main__":
    main(*sys.argv[1:])
