"""Small notebooks that keep to all rules, to plant faults in."""

import base64
import io

from nbformat import v4
from PIL import Image

from . import outputs

BLANK = "\n\n"
WORDS = (
    "A word looks at another word, and so the reader goes on reading. " * 11
)
EXERCISE = """\
### Exercise {number} · Share the mass

★☆☆ · {minutes} minutes

Write `task_{number}(x)`: `x` has shape (4, 8, 2, 6).

<details><summary>Hint 1</summary>

Look at 0.999 of it.

</details>
<details><summary>Hint 2</summary>

Look at all of it.

</details>"""
IMPORTS = "from helpers import checks, claims, plots"
CLAIM = """\
### Claim {claim} on trial

> A sentence of 12 words always
> looks at the word before.

How much of it does the fox keep?"""


def said(text):
    return v4.new_output("stream", name="stdout", text=text)


def code(source, text="", tags=(), **metadata):
    """A code cell that has printed a text."""
    cell = v4.new_code_cell(source, metadata={**metadata, "tags": [*tags]})
    if not tags:
        del cell.metadata["tags"]
    cell.outputs = [said(text)] if text else []
    return cell


def prose(*texts):
    return v4.new_markdown_cell(BLANK.join(texts))


def png(image):
    """A picture as a notebook stores it."""
    file = io.BytesIO()
    image.save(file, "png")
    return base64.b64encode(file.getvalue()).decode()


def picture(source="plots.show_attention(x)"):
    """A cell that draws a figure and says it."""
    data = {
        "image/png": png(Image.new("RGB", (200, 100), (0, 90, 178))),
        "text/plain": "A map: fox looks at dog.",
    }
    cell = code(source, "fox -> dog 0.50\n")
    size = {"image/png": {"width": 100, "height": 50}}
    drawn = v4.new_output("display_data", data=data, metadata=size)
    cell.outputs.insert(0, drawn)
    return cell


def exercise(number, minutes=8):
    task = f"task_{number}"
    return [
        prose(EXERCISE.format(number=number, minutes=minutes)),
        code(f"def {task}(x):\n    return ...", tags=["exercise"]),
        code(f"checks.{task}({task})", f"○ {task}\n", ["check"]),
        code(
            f"def solution_{task}(x):\n    return x",
            tags=["solution"],
            jupyter={"source_hidden": True},
        ),
    ]


def prediction(name):
    """A guess, and the cell that measures."""
    return [
        code(f"{name} = ...  # a number between 0 and 1", tags=["prediction"]),
        code(
            f"{name}_found = 0.125\nprint('fox', {name}_found, 0.031)\n"
            f"checks.prediction({name}, {name}_found)",
            "fox 0.125 0.031\n○ no prediction yet. Measured: 0.12\n",
        ),
    ]


def verdict(number):
    """A cell that has decided a claim."""
    found = dict(
        kind="trial",
        claim=number,
        word="True if",
        title="True if the dog is *near*",
        text="The fox keeps 0.125.",
        parts=[["if the dog is near", True], ["if it is far", False]],
    )
    shown = f"**{found['title']}.** {found['text']}"
    data = {"text/markdown": shown, "text/plain": f"{number}: {shown}"}
    cell = code(f'claims.verdict("{number}", under={{}}, fox=0.125)')
    cell.outputs = [
        v4.new_output(
            "display_data",
            data=data,
            metadata={"text/markdown": {"verdict": found}},
        )
    ]
    return cell


def claim(number, name):
    return [
        prose(CLAIM.format(claim=number)),
        *prediction(name),
        prose("The *fox* has a weight of 12.5% and the dog one of 0.031."),
        verdict(number),
    ]


def finish(cells, number):
    """A notebook of cells, executed in order."""
    notebook = v4.new_notebook(cells=cells)
    notebook.metadata.kernelspec = dict(outputs.KERNEL)
    count = 0
    for place, cell in enumerate(cells, 1):
        cell.id = f"{number}-{place:03}"
        if cell.cell_type == "code":
            count += 1
            cell.execution_count = count
    return notebook


def road():
    """With a place to stop behind its second exercise."""
    long = [prose(WORDS) for _ in range(6)]
    return finish(
        [
            prose("# 2 · A road", "**40 to 60 minutes**"),
            code(f"import numpy as np\n\n{IMPORTS}"),
            prose("## Warm-up", "Which one?"),
            picture("plots.show_map(2)"),
            *long,
            prose("## Build", "How many?"),
            *prediction("guess_mass"),
            prose("The mass is 0.125. The *fox* falls from 0.125 to 0.031."),
            *exercise(1),
            *exercise(2),
            prose("**A good place to stop:** you can now look at a fox."),
            prose("## Claims", "Two of them."),
            *claim("C15", "guess_task"),
            *claim("C16", "guess_more"),
            *exercise(3),
            prose("## Practice together", "Take turns."),
            *exercise(4),
            prose("## Break it", "Change a line."),
            code(
                "\n".join(f"checks.yours(task_{n})" for n in (1, 2, 3, 4)),
                "task_1: the course's version runs here.\n",
            ),
            prose("## Exit ticket", "A question."),
            prose("## Recap", "The mass was 0.125."),
            prose("## Further reading", "[Next](03_scaling.ipynb)"),
        ],
        "02",
    )


def room():
    return finish(
        [
            prose(
                "# Trial room 2 · More of it",
                "**5 to 10 minutes**. You need [notebook 2](../02_a.ipynb).",
            ),
            code(IMPORTS),
            *[prose(WORDS) for _ in range(2)],
            *claim("C17", "guess_task"),
            *claim("C18", "guess_more"),
            prose("Back to [notebook 2](../02_a.ipynb)."),
        ],
        "t02",
    )
