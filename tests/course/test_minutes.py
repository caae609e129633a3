"""The minutes of a notebook, against a case that is computed by hand."""

import pytest

from . import minutes, planted
from .planted import code, prose

SOURCE = """\
import numpy as np

def double(x):
    return 2 * x

for i in range(3):
    y = double(
        i
    )
print(y, "and",
      y)
plots.show_scores(y)
"""


def test_lines_of_code():
    """Computing: return, y =, i. Other: import, def, for, print (2), plots."""
    assert minutes.lines_of_code(SOURCE) == (3, 6)


def view():
    """A view, and the figure and words that are stored in its place."""
    cell = planted.picture()
    cell.source = "plots.attention_view(scores, tokens)"
    return cell


def test_a_notebook_by_hand():
    folded = "<details><summary>{}</summary>\n\n{}\n\n</details>"
    notebook = planted.finish(
        [
            prose("one two three <!-- not results: 7 -->", "$$x + y$$"),
            code(SOURCE, "a line\nanother\n"),
            planted.picture(),  # a light line, an output line, a figure
            prose("four", folded.format("Verdict: open", "five six")),
            prose("seven", folded.format("Hint 1", "not counted")),
            code("guess = ...  # a number", tags=["prediction"]),
            view(),
            *planted.exercise(1, minutes=7),
        ],
        "99",
    )
    words = 7
    seconds = (
        30  # the formula
        + (3 + 1) * 12  # lines that compute, the guess among them
        + (6 + 1 + 1) * 4
        + 3 * 2  # lines of output
        + 40  # the figure
        + 20  # the prediction
        + 60  # the view
        + 20  # running
    )
    reading, practice = minutes.computed(notebook)
    assert reading == pytest.approx(words / 180 + seconds / 60)
    assert practice == 7
