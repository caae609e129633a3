"""The tool that runs a notebook with right answers in all stubs."""

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

from tools.author import answered

SOLUTION = """def solution_self_attention(x):
    weights = attention.softmax(x @ x.T)
    return weights @ x, weights"""
USE = """attend = checks.yours(self_attention)
print(attend(np.eye(2))[1].round(3))"""
CLASS = """class Layer(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):  # (T, d)
        return ...

    def other(self):
        return 1"""
FORWARD = """def solution_forward(self, x):
    y = 2 * x

    return y"""


def notebook(*uses):
    def code(source, *tags):
        return new_code_cell(source, metadata={"tags": [*tags]})

    return new_notebook(
        cells=[
            code("import numpy as np\nfrom helpers import attention, checks"),
            code("def self_attention(x):\n    return ...", "exercise"),
            code("checks.self_attention(self_attention)", "check"),
            code(SOLUTION, "solution"),
            *map(code, uses),
        ]
    )


def test_an_answer_takes_the_place_of_a_function_or_a_method():
    plain = answered.answer(
        "def f(x):\n    return ...", "def solution_f(x): 1"
    )
    assert plain == "def f(x): 1"
    assert answered.answer(CLASS, FORWARD) == CLASS.replace(
        "    def forward(self, x):  # (T, d)\n        return ...",
        "    def forward(self, x):\n        y = 2 * x\n\n        return y",
    )
    whole = answered.answer(
        CLASS, "class SolutionLayer(nn.Module):\n    x = 1"
    )
    assert whole == "class Layer(nn.Module):\n    x = 1"


def test_only_what_an_answer_changes_is_told(tmp_path, capsys):
    path = tmp_path / "one.ipynb"
    made = notebook(USE, "print(self_attention(0))")
    answered.NotebookClient(made).execute()
    *before, same, other = made.cells
    for use, differing in ((same, 0), (other, 1)):
        made.cells = [*before, use]
        nbformat.write(made, path)
        assert answered.main([path]) == differing
        printed = capsys.readouterr().out
        assert "✓ self_attention: correct." in printed
        assert f"one.ipynb: {differing} cells differ" in printed
        assert ("+++" in printed) == bool(differing)
