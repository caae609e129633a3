"""The one place where a figure becomes a PNG with alt text, and words."""

import base64
import io
from contextlib import contextmanager

import numpy as np

from .theme import TYPE, set_title, style

SCREEN = 100  # dots an inch on the screen; the file has twice as many


@contextmanager
def page(size, alt, text, *, title=None, words=None, ax=None, **grid):
    """Draw on the axes it yields, show the figure, then print its words.

    `size` is width and height in inches, `alt` the figure in a sentence,
    `text` the words (`words` replaces them), `grid` the arguments of
    ``Figure.subplots``. With an `ax` of the learner's own it yields that,
    and leaves the figure to its owner.
    """
    if ax is not None and not hasattr(ax, "get_xlim"):
        raise TypeError(f"ax: expected matplotlib Axes, got {type(ax)}")
    with style():
        axes = ax or new_axes(size, title, alt, grid)
        yield axes
        if title:
            set_title(axes, title)
        if ax is None:
            publish(np.ravel(axes)[0].figure)
        else:  # the type of its labels was chosen before
            ax.tick_params(labelsize=TYPE)
            for label in (ax.xaxis.label, ax.yaxis.label):
                label.set_size(TYPE)
    print(text if words is None else words)


def new_axes(size, title, alt, grid):
    """Return the axes of a new figure, one that pyplot does not know.

    The first of them is silent as the last value of a cell; a cell that
    ends in ``ax.figure`` shows the figure again.
    """
    from matplotlib.figure import Figure

    figure = Figure((size[0], size[1] + (0.3 if title else 0)))
    figure.alt_text = f"{alt} Title: “{title}”." if title else alt
    figure._ipython_display_ = lambda: publish(figure)
    axes = figure.subplots(**grid)
    np.ravel(axes)[0]._ipython_display_ = lambda: None
    return axes


def publish(figure):
    """Send a figure of this package to the notebook, if there is one."""
    from IPython import get_ipython
    from IPython.display import display

    if get_ipython() is not None:
        data, size = png(figure)
        data = base64.b64encode(data).decode("ascii")
        look = {"image/png": size | {"alt": figure.alt_text}}
        shown = {"image/png": data, "text/plain": figure.alt_text}
        display(shown, metadata=look, raw=True)


def png(figure):
    """Return a PNG of 256 colors, and its size on the screen in pixels.

    A palette takes a third of the bytes; twice the dots of the screen are
    sharp on screens of high density.
    """
    from PIL import Image

    raw, small, dpi = io.BytesIO(), io.BytesIO(), 2 * SCREEN
    look = {"dpi": dpi, "bbox_inches": "tight", "pad_inches": 0.08}
    figure.savefig(raw, **look, pil_kwargs={"compress_level": 0})
    image = Image.open(raw).convert("RGB")
    palette = image.quantize(256, dither=Image.Dither.NONE)
    palette.save(small, format="png", dpi=(dpi, dpi))
    size = {"width": image.width // 2, "height": image.height // 2}
    return small.getvalue(), size
