"""What the web page is made from; nothing is built here."""

import json

import pytest

from tools import build_site

ROOT = build_site.ROOT

FOUND = ["README.md", "RESULTS.md", "notebooks/01_a.ipynb"]


@pytest.fixture
def root(tmp_path, monkeypatch):
    """A project with two rooms, a program, a license and data."""
    monkeypatch.setattr(build_site, "ROOT", tmp_path)
    files = ["LICENSE", "tools/tune.py", "data/runs.json", *FOUND]
    rooms = ["01_b", "01b_c", "02_d"]
    for name in [*files, *(f"notebooks/trials/{r}.ipynb" for r in rooms)]:
        build_site.write(tmp_path / name, "{}")
    return tmp_path


@pytest.mark.parametrize(
    "written, link",
    [
        ("../README.md", "../about.md"),
        ("../README.md#The-course", "../about.md#the-course"),
        ("../RESULTS.md", "../RESULTS.md"),
        ("01_a.ipynb#Claim-C01-on-trial", "01_a.ipynb#claim-c01-on-trial"),
        ("../LICENSE", "../LICENSE.md"),
        ("../tools/tune.py", "../tools/tune.py.md"),
        ("../data/runs.json", "../data/runs.json"),
        ("../nowhere.py", "../nowhere.py"),
        ("https://example.org/LICENSE", "https://example.org/LICENSE"),
        ("#Recap", "#Recap"),
    ],
)
def test_links_lead_to_pages(root, written, link):
    text = f"See [this]({written}), or not."
    name = "notebooks/01_a.ipynb"
    said = build_site.relink(text, name, FOUND, set())
    assert said == f"See [this]({link}), or not."


def test_what_is_linked_is_copied_and_shown(root, tmp_path):
    linked = set()
    text = "[a](tools/tune.py) ![b](data/runs.json) [c](none.py)"
    build_site.relink(text, "README.md", FOUND, linked)
    assert linked == {"tools/tune.py", "data/runs.json"}
    for name in linked:
        build_site.show(name, tmp_path / "new")
    page = (tmp_path / "new/tools/tune.py.md").read_text()
    assert "```{literalinclude} tune.py\n:language: python\n" in page
    assert (tmp_path / "new/data/runs.json").exists()
    assert not (tmp_path / "new/data/runs.json.md").exists()


def cell(*tags, source="", kind="code"):
    metadata = {"tags": [*tags]} if tags else {}
    return {"cell_type": kind, "metadata": metadata, "source": [source]}


@pytest.mark.parametrize(
    "name, up", [("01_a", "../"), ("trials/01_b", "../../")]
)
def test_below_its_title_a_notebook_says_how_to_copy_it(root, name, up):
    title = {**cell(kind="markdown"), "source": ["# 1\n", "\n", "*75*"]}
    text = json.dumps({"cells": [title, cell("check")]})
    nb = json.loads(build_site.notebook(text, f"notebooks/{name}.ipynb"))
    title, check, *rooms = nb["cells"]
    head, box, rest = title["source"].split("```")
    assert (head, rest) == ("# 1\n\n", "\n\n*75*")
    assert f"<{up}about.md#two-commands>" in box
    assert check["metadata"]["tags"] == ["check"]
    assert len(rooms) == (name == "01_a")
    if rooms:
        listed = "\n\ntrials/01_b.ipynb\ntrials/01b_c.ipynb\n```\n"
        assert rooms[0]["source"].endswith(listed)


def test_solutions_and_what_answers_a_prediction_are_folded():
    asked = "x = 2\nchecks.prediction(guess, x)"
    cells = [
        cell(),
        cell("prediction", source="guess = ..."),
        cell(),
        cell(kind="markdown"),
        cell(source=asked),
        cell(),
        cell("solution"),
    ]
    build_site.fold(cells)
    hidden = [c["metadata"]["tags"][-1:] for c in cells]
    out = ["hide-output"]
    wanted = [[], ["prediction"], out, [], out, [], ["hide-input"]]
    assert hidden == wanted
    assert "measured" in cells[4]["metadata"]["mystnb"]["code_prompt_show"]


@pytest.mark.parametrize(
    "origin, said",
    [
        ("https://example.org/a/b", "`git clone https://example.org/a/b`"),
        ("https://me:key@example.org/b", "`git clone https://example.org/b`"),
        ("git@example.org:a/b.git", build_site.CLONE),
        ("/home/me/course", build_site.CLONE),
        ("", build_site.CLONE),
    ],
)
def test_the_page_says_what_to_clone_and_no_password(origin, said):
    assert build_site.clone(origin) == said
    assert build_site.CLONE in (ROOT / "README.md").read_text(encoding="utf-8")


def test_all_texts_have_a_page_and_none_twice():
    pages = build_site.pages()
    wanted = build_site.names("*.md", "teaching/*.md", "notebooks/**/*.ipynb")
    assert set(wanted) <= set(pages) and len(pages) == len(set(pages))
    assert pages[0] == "README.md"
