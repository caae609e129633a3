"""The pages and what the helpers say: patterns that no text has."""

import ast
import io
import tokenize

import pytest

from . import english
from .test_notebooks import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "teaching").glob("*.md")),
    ROOT / "teaching" / "slides.toml",
]
TEXTS = [*sorted((ROOT / "helpers" / "checks").rglob("*.txt")),
         *sorted((ROOT / "helpers" / "claims").glob("*.md"))]  # fmt: skip
CODE = [*sorted((ROOT / "helpers").rglob("*.py")),
        *sorted((ROOT / "tools").rglob("*.py"))]  # fmt: skip


def name(path):
    return path.relative_to(ROOT).as_posix()


def said(path):
    """The text of a page, or the strings and comments of a module."""
    source = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        return source
    strings = [
        node.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    comments = [t.string for t in tokens if t.type == tokenize.COMMENT]
    return "\n\n".join([*strings, *comments])


@pytest.mark.parametrize("paths", [PAGES, TEXTS, CODE],
                         ids=["pages", "helpers", "code"])  # fmt: skip
def test_texts_are_english(paths):
    found = {name(path): english.problems(said(path)) for path in paths}
    assert {page: each for page, each in found.items() if each} == {}


@pytest.mark.parametrize(
    "text",
    [
        "With the root it gets 0.94 right.",
        "It is fine.\n\nLost: twice the epochs.",
        "It is so. Who says *is* is right.",
        "> a quotation\n\nThe way\nback is long.",
        "**So.** Had a row come near, it would do.",
    ],
)
def test_a_fault_is_found(text):
    assert english.problems(text)


def test_what_is_no_fault_is_accepted():
    asked = "Who will swim? *Who and whom* asks more."
    quoted = "It is “The trainings”, as `stands in` says.\n\n> Who says so."
    assert english.problems(f"{asked}\n\n{quoted}") == []
