"""The sheet of notation for print: the course's symbols, one page of A4."""

import re

from tools.paper import notation

from .test_notebooks import NOTEBOOKS, ROOT

SHEET = (ROOT / "teaching" / "notation.md").read_text(encoding="utf-8")


def formulas(text):
    return re.findall(r"\$([^$]+)\$", text)


def test_it_has_every_symbol_of_the_glossary():
    page = (ROOT / "GLOSSARY.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\$.*?) \| (.*?) \|", page)
    symbols = {f.split(" =")[0] for row in rows for f in formulas(row[0])}
    assert len(symbols) > 10
    said = " ".join(formulas(SHEET))
    assert {s for s in symbols if s not in said} == set()


def test_it_can_end_where_a_class_is():
    """What answers an exercise of a later notebook is not printed."""
    second, third, last = (notation.until(SHEET, n) for n in
                             ("02", "03", "10"))  # fmt: skip
    assert last == SHEET
    assert "softmax" in second and "W_Q" in second
    later = "sigma_q", "causal", "layer norm", "cache", "PyTorch"
    assert [word for word in later if word in second] == []
    assert [word for word in later if word in third] == ["sigma_q"]


def test_each_row_names_notebooks_that_there_are():
    rows = re.findall(
        r"(?m)^\| .* \| ([^|]+) \|$", SHEET.split("## In code")[0]
    )
    named = [number for row in rows for number in row.split(", ")]
    there = {file.rpartition("/")[2].split("_")[0] for file in NOTEBOOKS}
    assert len(named) > 20 and {*named} - {"in", "---"} <= there


def test_a_formula_has_no_sign_that_markdown_takes():
    r"""A | would end a cell on GitHub, and \, would be a comma."""
    assert not [f for f in formulas(SHEET) if re.search(r"\\[^a-zA-Z]|\|", f)]
