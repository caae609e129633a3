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
plots.show_attention(y)
"""


def test_lines_of_code():
    """Computing: return, y =, i. Other: import, def, for, print (2), plots."""
    assert minutes.lines_of_code(SOURCE) == (3, 6)
    assert minutes.lines_of_code(f"{minutes.ALONE}\n{SOURCE}") == (3, 6)


def test_lines_that_only_pass_numbers_are_not_read():
    statements = 'claims.verdict(\n    "C25",\n    under={"a": x},\n'
    numbers = "    one=np.mean(\n        x\n    ),\n)\n"
    assert minutes.lines_of_code(f"{statements}{numbers}") == (0, 3)
    assert minutes.lines_of_code(f"plots.{statements}{numbers}") == (0, 5)


def test_a_notebook_by_hand():
    view = planted.picture()  # its figure and words are stored in its place
    view.source = "plots.attention_view(scores, tokens)"
    folded = "<details><summary>{}</summary>\n\n{}\n\n</details>"
    notebook = planted.finish(
        [
            prose("one two three <!-- a note -->", "$$x + y$$"),
            code(SOURCE, "a line\nanother\n"),
            planted.picture(),  # a light line, an output line, a figure
            prose("## Warm-up", "## Break it", "## Exit ticket"),
            prose("four", folded.format("Verdict: open", "five six")),
            prose("seven", folded.format("Hint 1", "not counted")),
            code("guess = ...  # a number", tags=["prediction"]),
            view,
            *planted.exercise(1, minutes=7),
        ],
        "99",
    )
    words = 3 + 8 + 1 + 4 + 1 + 4 + 34  # those of the exercise, too
    seconds = (
        40  # the formula
        + (3 + 1) * 15  # lines that compute, the guess among them
        + (6 + 1 + 1) * 5
        + 3 * 2  # lines of output
        + 45  # the figure
        + 45  # the prediction
        + 180  # the view
        + 120 + 240 + 240  # the three sections
    )  # fmt: skip
    assert float(minutes.seconds(notebook)) == pytest.approx(
        words * 60 / 140 + seconds
    )
    reading, practice = minutes.computed(notebook)
    assert reading == pytest.approx((words * 60 / 140 + seconds + 20) / 60)
    assert practice == 7


@pytest.mark.parametrize(
    "needed, stated",
    [(85.1, (60, 90)), (90, (65, 90)), (89.2, (60, 90)), (90.1, (65, 95))],
)
def test_a_range(monkeypatch, needed, stated):
    monkeypatch.setattr(minutes, "computed", lambda notebook: (needed, 0))
    assert minutes.stated(None) == stated
