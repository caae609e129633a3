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
TEXTS = sorted((ROOT / "helpers" / "checks").rglob("*.txt"))
CODE = [*sorted((ROOT / "helpers").rglob("*.py")),
        *sorted((ROOT / "tools").glob("*.py"))]  # fmt: skip


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


@pytest.mark.parametrize("path", [*PAGES, *TEXTS, *CODE], ids=name)
def test_texts_are_english(path):
    assert english.problems(said(path)) == []


@pytest.mark.parametrize(
    "text",
    [
        "The heat of it",
        "With the root it gets 0.94 right.",
        "It is fine.\n\nLost: twice the epochs.",
        "*Late or lost?* Late.",
        "It is so. Who says *is* is right.",
        "It is so.\nAsked for are three.",
        "To the left it shows more.",
        "> a quotation\n\nThe way\nback is long.",
        "**So.** Had a row come near, it would do.",
        "> \u201cLost\u201d\n\nThe trainings.",
    ],
)
def test_a_fault_is_found(text):
    assert english.problems(text)


@pytest.mark.parametrize(
    "text",
    [
        "A heat map of a word.",
        "Who will swim? *Who and whom* asks more.",
        "It is \u201cLost, not late\u201d, as `stands in` says.",
        "> Late or lost?",
        "what it shows, and how it is lost",
    ],
)
def test_what_is_no_fault_is_accepted(text):
    assert english.problems(text) == []
