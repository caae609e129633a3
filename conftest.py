"""Compare what nbval leaves out: pictures, and the text of timing cells.

nbval compares the text of each cell with the stored text. This adds that the
pictures agree, but for smoothed edges. A cell with the tag `timing` prints
what the clock says: its numbers may differ, and its pictures are not compared.

Some training runs amplify rounding errors, and print other digits on another
processor. So before a new run's accuracy is printed, train a second time with
all initial weights times 1 + 1e-13. If the answers differ, take smaller steps,
or print fewer decimals and say why.
"""

import base64
import io
import os
import re
from functools import partial

import pytest

from helpers.chat_model import file as chat_model

os.environ["COURSE_UNWATCHED"] = "1"  # nobody: helpers/progress_bar.py
NO_MODEL = "no chat model here; `make model` brings it"
TOO_NOISY = "too noisy, run again"
NUMBER = r"[-−+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?"
# A channel (0 to 255) may be off by more than this in this part of the pixels.
# One digit that changes in a map is ten times as much.
CHANNEL, PART = 64, 2e-5
# The mean of a square field may be off by as much: a smoothed edge in it
# changes less, a color a fiftieth of its range away changes more.
FIELD, SHADE = 20, 4  # pixels a side, of 255


def pytest_itemcollected(item):
    """Let the cells of a notebook compare more than nbval does.

    Notebooks of the chat model are skipped where its file is not.
    """
    if type(item).__name__ == "IPyNbCell":
        item.compare_outputs = partial(compare, item, item.compare_outputs)
        if "chat_model" in item.path.name and not chat_model.is_here():
            item.add_marker(pytest.mark.skip(reason=NO_MODEL))


def compare(item, compare_texts, found, stored):
    """Return whether a cell's outputs are the stored ones; say if not."""
    if "timing" in item.cell.metadata.get("tags", []):
        if any(TOO_NOISY in output.get("text", "") for output in found):
            return True
        return compare_texts(masked(found), masked(stored))
    if not compare_texts(found, stored):
        return False
    problem = difference(pictures(found), pictures(stored))
    item.comparison_traceback += [problem] if problem else []
    return not problem


def masked(outputs):
    """Copies of outputs with a # for each number, one space for several."""

    def mask(text):
        return re.sub(" +", " ", re.sub(NUMBER, "#", text))

    copies = [type(output)(output) for output in outputs]
    for copy in copies:
        if "text" in copy:
            copy["text"] = mask(copy["text"])
        if "data" in copy:
            texts = {k: t for k, t in copy["data"].items() if "text/" in k}
            copy["data"] = {kind: mask(text) for kind, text in texts.items()}
    return copies


def pictures(outputs):
    """The PNGs among outputs, base64."""
    data = [output.get("data", {}) for output in outputs]
    return [part["image/png"] for part in data if "image/png" in part]


def difference(found, stored):
    """Say how two lists of pictures differ; nothing if they agree."""
    if len(found) != len(stored):
        return f"{len(found)} pictures, but {len(stored)} are stored"
    for number, (new, old) in enumerate(zip(found, stored, strict=True), 1):
        if new.strip() != old.strip() and not alike(pixels(new), pixels(old)):
            return f"picture {number} of the cell is not the stored one"
    return ""


def pixels(png):
    """The channels of a base64 PNG, (height, width, 4)."""
    import numpy as np
    from PIL import Image

    with Image.open(io.BytesIO(base64.b64decode(png))) as image:
        return np.asarray(image.convert("RGBA"), dtype=int)


def alike(one, two):
    """Whether two pictures differ in smoothed edges only."""
    if one.shape != two.shape:
        return False
    change = one - two  # (height, width, 4)
    sharp = (abs(change).max(axis=-1) > CHANNEL).mean() <= PART
    return sharp and abs(field_means(change)).max() <= SHADE


def field_means(change):
    """The mean of each field of FIELD x FIELD pixels, for each channel."""
    import numpy as np

    height, width = (-size % FIELD for size in change.shape[:2])
    whole = np.pad(change, ((0, height), (0, width), (0, 0)))
    rows, columns = (size // FIELD for size in whole.shape[:2])
    fields = whole.reshape(rows, FIELD, columns, FIELD, -1)
    return fields.mean(axis=(1, 3))
