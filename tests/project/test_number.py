"""`make number` gives cells and exercises the numbers of their places."""

import nbformat
import pytest

from tools.author import number


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of one notebook, whose second cell was added by hand."""
    cells = [
        nbformat.v4.new_markdown_cell("# Title", id="03-001"),
        nbformat.v4.new_markdown_cell("### Exercise 9 · New", id="a1b2"),
        nbformat.v4.new_code_cell("1 + 1", id="03-002"),
        nbformat.v4.new_markdown_cell("### Exercise 1 · Old", id="03-003"),
    ]
    (tmp_path / "notebooks").mkdir()
    path = tmp_path / "notebooks" / "03_scaling.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    for name in number.NAMED_IN:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text('a = "03-002", "03-003", "04-002"\n')
    notes = tmp_path / "teaching" / "03_scaling.md"
    notes.write_text("→ *Exercise 1*\n", encoding="utf-8")
    sheet = tmp_path / "teaching" / "one_day.md"
    sheet.write_text("03 *Exercise 1*; 02 *Exercise 1*\n", encoding="utf-8")
    monkeypatch.setattr(number, "ROOT", tmp_path)
    return path


def test_cells_exercises_and_what_names_them_follow(course, capsys):
    number.main(["03"])
    cells = nbformat.read(course, 4).cells
    assert [cell.id for cell in cells] == [f"03-00{i}" for i in (1, 2, 3, 4)]
    titles = [cells[i].source.split(" ·")[0] for i in (1, 3)]
    assert titles == ["### Exercise 1", "### Exercise 2"]
    for name in number.NAMED_IN:
        text = (number.ROOT / name).read_text()
        assert text == 'a = "03-003", "03-004", "04-002"\n'
    teaching = number.ROOT / "teaching"
    notes = (teaching / "03_scaling.md").read_text("utf-8")
    sheet = (teaching / "one_day.md").read_text("utf-8")
    assert notes == "→ *Exercise 2*\n"
    assert sheet == "03 *Exercise 2*; 02 *Exercise 1*\n"
    assert "3 cells have a new id" in capsys.readouterr().out
    number.main([])
    assert "0 cells" in capsys.readouterr().out


def test_an_unknown_notebook_is_refused(course):
    with pytest.raises(SystemExit, match="NOTEBOOK=99 is none of 03"):
        number.main(["99"])
