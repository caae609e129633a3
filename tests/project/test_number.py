"""`make number` gives new cells an id, and exercises their numbers."""

import nbformat
import pytest

from tools.author import number


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of one notebook, whose second cell was added by hand."""
    cells = [
        nbformat.v4.new_markdown_cell("# Title", id="03-001"),
        nbformat.v4.new_markdown_cell("### Exercise 9 · New", id="a1b2"),
        nbformat.v4.new_code_cell("1 + 1", id="t01-007"),  # moved here
        nbformat.v4.new_markdown_cell("### Exercise 1 · Old", id="03-003"),
    ]
    (tmp_path / "notebooks").mkdir()
    path = tmp_path / "notebooks" / "03_scaling.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    ids = tmp_path / number.IDS
    ids.parent.mkdir(parents=True)
    ids.write_text(
        '{"t01": {"given": 7, "retired": [1, 2, 3, 4, 5, 6]},'
        ' "03": {"given": 4, "retired": [2]}}'
    )
    (tmp_path / "teaching").mkdir()
    notes = tmp_path / "teaching" / "03_scaling.md"
    notes.write_text("→ *Exercise 1*\n", encoding="utf-8")
    sheet = tmp_path / "teaching" / "one_day.md"
    sheet.write_text("03 *Exercise 1*; 02 *Exercise 1*\n", encoding="utf-8")
    monkeypatch.setattr(number, "ROOT", tmp_path)
    return path


def test_a_new_cell_gets_an_id_and_exercises_follow(course, capsys):
    number.main(["03"])
    cells = nbformat.read(course, 4).cells
    wanted = ["03-001", "03-005", "t01-007", "03-003"]
    assert [cell.id for cell in cells] == wanted
    assert number.read_ids()["03"] == {"given": 5, "retired": [2, 4]}
    titles = [cells[i].source.split(" ·")[0] for i in (1, 3)]
    assert titles == ["### Exercise 1", "### Exercise 2"]
    teaching = number.ROOT / "teaching"
    notes = (teaching / "03_scaling.md").read_text("utf-8")
    sheet = (teaching / "one_day.md").read_text("utf-8")
    assert notes == "→ *Exercise 2*\n"
    assert sheet == "03 *Exercise 2*; 02 *Exercise 1*\n"
    said = "1 cells have a new id, 1 retired: 03-004"
    assert said in capsys.readouterr().out
    number.main([])
    assert capsys.readouterr().out == "make: 0 cells have a new id\n"
    assert nbformat.read(course, 4).cells == cells


def test_an_unknown_notebook_is_refused(course):
    with pytest.raises(SystemExit, match="NOTEBOOK=99 is none of 03"):
        number.main(["99"])
