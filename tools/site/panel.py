"""The form on the web page with which a language model writes."""

import json

import numpy as np

from tools.site import play, writers

SECTION = "## Let it write"  # where the form is, in 06 and 09
FIELD = """<label>{label} <input name="{name}" value="{value}"
 autocomplete="off" inputmode="decimal"></label>"""
PANEL = """\
<form class="writer" data-writer="{number}" data-static="{up}_static/"
 aria-label="The model writes">
<p class="title">Let it write on this page</p>
<label class="wide">The text begins with <textarea name="prompt" rows="{rows}"
 maxlength="2000" spellcheck="false" autocomplete="off"
 autocapitalize="off">{prompt}</textarea></label>
{fields}
<button name="write">Write</button>
<button name="another" type="button">Another text</button>
<button name="stop" type="button">Stop</button>
<p class="reply" role="status"></p>
<noscript>{none}</noscript>
<div class="written" role="region" aria-label="What the model wrote"></div>
<p class="close">{close}</p>
</form>"""
CLOSE = (
    "The page loads the model ({size:.1f} MB) when you first press Write."
    " To keep the model small, every entry of a matrix is stored in 8 bits. On"
    " {count:,} {unit}s that were not used for training, the page's model has"
    " a loss of {small:.4f}"
    " nats per {unit}, and the original has {own:.4f} nats. On this"
    " text, their probabilities differ by at most {gap:.3f}. The page draws"
    " its own random numbers: a seed always gives the same text here, but a"
    " different one in the notebook."
)
PROMPTS = {"06": "the", "09": "MACHINE:&#10;I am"}
LOOKS = {
    "06": {"temperature": 1, "top_k": 426},
    "09": {"temperature": 0.8, "top_p": 0.9},
}


def panel(number, up):
    """A form in a page; `up` leads to the top."""
    fields = "\n".join(
        FIELD.format(
            label=name.replace("_", "-").capitalize(), name=name, value=value
        )
        for name, value in (LOOKS[number] | {"seed": 1}).items()
    )
    own, other, gap, count = writers.closeness(number)
    gap = np.ceil(1000 * gap) / 1000  # a bound is rounded up
    close = CLOSE.format(
        size=len(json.dumps(writers.data(number))) / 1e6,
        count=count,
        unit="word" if number == "06" else "character",
        own=own,
        small=other,
        gap=gap,
    )
    prompt = PROMPTS[number]
    rows = 1 + prompt.count("&#10;")
    return PANEL.format(
        number=number, up=up, prompt=prompt, rows=rows, fields=fields,
        close=close, none=play.NO_SCRIPT,
    )  # fmt: skip


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
