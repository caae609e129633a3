"""The form on the web page with which a language model writes."""

import json

import numpy as np

from tools.markup import filled
from tools.site import writers

SECTION = "## Let it write"  # where the form is, in 06 and 07
PROMPTS = {"06": "the", "07": "MACHINE:\nI am"}
LOOKS = {
    "06": {"temperature": 1, "top_k": 426},
    "07": {"temperature": 0.8, "top_p": 0.9},
}


def panel(number, up):
    """A form in a page; `up` leads to the top."""
    own, small, gap, count = writers.closeness(number)
    return filled(
        "site/panel.html",
        number=number,
        up=up,
        prompt=PROMPTS[number],
        fields=LOOKS[number] | {"seed": 1},
        size=len(json.dumps(writers.data(number))) / 1e6,
        count=count,
        unit="word" if number == "06" else "character",
        own=own,
        small=small,
        gap=np.ceil(1000 * gap) / 1000,  # a bound is rounded up
    )


def place(cells):
    """After which of a notebook's cells the panel is: the last code cell of
    the section in which the model writes."""
    inside, last = False, None
    for i, cell in enumerate(cells):
        source = "".join(cell["source"])
        if inside and cell["cell_type"] == "code":
            last = i
        elif inside and "\n## " in f"\n{source}":
            break
        inside = inside or SECTION in source
    return last
