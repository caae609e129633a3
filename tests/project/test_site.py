"""What the web page is made from; nothing is built here."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from helpers.tasks import agreement
from tools.site import build_site, panel, predictions, verdicts, writers
from tools.site.needed import needed

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
        ("../README.md#The-course", "../about.md#the-course"),
        ("../RESULTS.md", "../RESULTS.md"),
        ("01_a.ipynb#Claim-C01-on-trial", "01_a.ipynb#claim-c01-on-trial"),
        ("01_a.ipynb#Gradients,-too", "01_a.ipynb#gradients-too"),
        ("../LICENSE", "../LICENSE.md"),
        ("../tools/tune.py", "../tools/tune.py.md"),
        ("../data/runs.json", "../data/runs.json"),
        ("https://example.org/LICENSE", "https://example.org/LICENSE"),
        ("#Recap", "#Recap"),
    ],
)
def test_links_lead_to_pages(root, written, link):
    text = f"See [this]({written}), or not."
    name = "notebooks/01_a.ipynb"
    said = build_site.relink(text, name, FOUND, set())
    assert said == f"See [this]({link}), or not."


def test_old_addresses_lead_on(tmp_path):
    build_site.lead_on(tmp_path)
    pages = {p.relative_to(tmp_path).as_posix(): p.read_text()
             for p in tmp_path.rglob("*.html")}  # fmt: skip
    assert len(pages) == 9  # three roads with their notes, three rooms
    for name, text in pages.items():
        links = set(re.findall(r'(?:href="|url=)([^">]+)', text))
        [link] = {link for link in links}
        source = (Path(name).parent / link).with_suffix(".*").as_posix()
        assert [*ROOT.glob(source)] and not [*ROOT.glob(f"{name[:-5]}.*")]
        assert f'replace("{link}" + location.hash)' in text


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
    cells = [cell(), cell("prediction", source="guess = ..."), cell(),
             cell(kind="markdown"), cell(source=asked), cell(),
             cell("solution")]  # fmt: skip
    build_site.fold(cells)
    hidden = [c["metadata"]["tags"][-1:] for c in cells]
    out = ["hide-output"]
    wanted = [[], ["prediction"], out, [], out, [], ["hide-input"]]
    assert hidden == wanted
    assert "measured" in cells[4]["metadata"]["mystnb"]["code_prompt_show"]


@pytest.mark.parametrize("name", build_site.names("notebooks/**/*.ipynb"))
def test_a_prediction_has_a_box_with_its_own_answer(name):
    cells = json.loads((ROOT / name).read_text(encoding="utf-8"))["cells"]
    boxes = [c for c in predictions.with_boxes(cells) if c not in cells]
    tagged = [
        c for c in cells if "prediction" in c["metadata"].get("tags", [])
    ]
    assert len(boxes) == len(tagged)
    for box, asked in zip(boxes, tagged, strict=True):
        found = re.findall(r'data-(\w+)(?:="([^"]*)")?', box["source"])
        found = dict(found)
        assert found["cell"] == asked["id"] and found["measured"]
        if "number" in found:
            float(found["measured"])


def test_two_guesses_of_one_check_have_two_answers():
    check = cell(source="checks.prediction(b, 1)\nchecks.prediction(a, 'x<y')")
    check["outputs"] = [{"text": ["b: Measured: 1\n", "a: Measured: x<y\n"]}]
    guesses = [
        {**cell("prediction", source=s), "id": s[0]}
        for s in ('a = ...  # "x<y" or "no"', "b = ...  # a number")
    ]
    found = predictions.with_boxes([*guesses, check])
    one, two = (c["source"] for c in found[1:4:2])
    assert 'data-cell="a" data-measured="x&lt;y">' in one
    assert 'data-cell="b" data-measured="1" data-number>' in two
    with pytest.raises(ValueError, match="b: no cell"):
        predictions.with_boxes([guesses[1], cell(source="print(b)")])


@pytest.mark.parametrize(
    "origin, said",
    [
        ("https://example.org/a/b", "git clone https://example.org/a/b"),
        ("https://me:key@example.org/b", "git clone https://example.org/b"),
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


def test_results_have_a_filter_and_issues_where_there_is_an_address():
    appeal = "[Doubt this verdict](../../issues/new?template=a&claim=C15)\n"
    links = f"[room 02](x) · {appeal}"
    text = f'# Results\n\n## Contents\n\n<a id="c15"></a>\n\n{links}'
    shown = verdicts.page(text, "https://example.org/a/course.git")
    assert shown.index('<form class="verdicts"') < shown.index("## Contents")
    assert "<option>Half true</option>" in shown and "\n(c15)=\n" in shown
    new = "https://example.org/a/course/issues/new?template=a&claim=C15"
    assert f"[Doubt this verdict]({new})" in shown
    alone = verdicts.page(text, "")
    assert "Doubt" not in alone and alone.endswith("[room 02](x)\n")


def test_a_view_gets_the_cells_that_it_needs():
    sources = [
        "import numpy as np",
        "unused = 1 / 0",
        "def train(rate):\n    return np.full(3, rate)",
        "model = train(2)",
        "print(model)",
        "model.scale = 1",
        "other = model",
        "plots.attention_view(model)",
        "model = 1 / 0",
    ]
    assert needed(sources, "attention_view(") == [0, 2, 3, 5, 7]


@pytest.mark.parametrize(
    "name, after", [("06", "def write("), ("07", "for t")]
)
def test_a_model_writes_where_its_notebook_lets_it_write(name, after):
    [path] = ROOT.glob(f"notebooks/{name}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert after in "".join(cells[panel.place(cells)]["source"])


def test_rounding_keeps_a_row_to_a_step_of_its_largest_number():
    rng = np.random.default_rng(0)
    matrix = rng.standard_normal((5, 40)) * 10.0 ** rng.integers(-9, 9, (5, 1))
    matrix[2] = 0
    numbers, scale = writers.rounded(matrix)
    step = np.abs(matrix).max(axis=1, keepdims=True) / 127
    assert np.all(np.abs(numbers * scale - matrix) <= 0.501 * step)
    assert numbers.dtype == np.int8 and scale.dtype == np.float32


def test_the_page_has_the_grammar_as_an_expression():
    known, rng = agreement.whole(), np.random.default_rng(0)
    right, words = re.compile(writers.grammar()), known.words()
    seen = set()
    for sentence in known.sentences(500, 1):
        changed = [*sentence]
        changed[rng.integers(len(sentence))] = words[rng.integers(len(words))]
        for said in sentence, changed, sentence[:-1], sentence[3:]:
            fits = known.is_grammatical(said)
            assert bool(right.match(" ".join(said))) is fits
            seen.add((len(said), fits))
    assert {(4, False), (4, True), (10, False), (10, True)} <= seen


def test_links_to_an_issue_lead_somewhere_on_every_page():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert "../../issues/" in text
    for address in ("https://example.org/a/course.git", ""):
        assert "../../issues/" not in verdicts.to_issues(text, address)
