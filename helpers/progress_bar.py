"""A progress bar that leaves nothing behind."""

import os
import sys

# Set where somebody has opened a notebook: by Jupyter, Colab and Kaggle. (The
# last two were looked up, and not tried.)
OPENED = "JPY_SESSION_NAME", "COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"
BAR = "{desc}: {percentage:3.0f}% |{bar:24}| {n_fmt} of {total_fmt} {postfix}"


def progress_bar(steps, label, *, show=True):
    """Yield from `steps`, a sequence, and draw a bar while it runs.

    The bar shows in an opened notebook and in a terminal, and goes when the
    loop ends or breaks off. Elsewhere, as when a notebook is executed to be
    stored or tested, nothing is drawn, so that outputs stay comparable.
    """
    screen = _screen() if show else None
    if screen is None:
        yield from steps
        return
    from tqdm import tqdm  # costs time to import

    bar = tqdm(
        steps,
        desc=label,
        file=screen,
        leave=False,
        bar_format=BAR,
        mininterval=0.2,
    )
    try:
        yield from bar
    finally:
        bar.close()


def _screen():
    if any(map(os.environ.get, OPENED)) and "IPython" in sys.modules:
        return _Output()
    if sys.stderr is not None and sys.stderr.isatty():
        return sys.stderr
    return None


class _Output:
    """One output of a notebook cell, rewritten in place."""

    def __init__(self):
        self._handle = None

    def write(self, text):
        from IPython.display import display

        content = {"text/plain": text.strip()}
        if self._handle is None:
            self._handle = display(content, raw=True, display_id=True)
        else:
            self._handle.update(content, raw=True)

    def flush(self):
        """Nothing is held back."""


def is_watched():
    """Whether somebody has opened this notebook."""
    return isinstance(_screen(), _Output)


def note(text, place=None):
    """Show a text where somebody watches, in the place of an earlier one.

    Returns the place, to be handed over the next time. Where a notebook is
    executed to be stored or tested, nothing is shown.
    """
    if not is_watched():
        return None
    place = place or _Output()
    place.write(text)
    return place
