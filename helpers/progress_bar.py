"""A progress bar that leaves nothing behind."""

import os
import sys
import time

# Set where somebody has opened a notebook: by Jupyter, Colab and Kaggle. (The
# last two were looked up, and not tried.)
OPENED = "JPY_SESSION_NAME", "COLAB_RELEASE_TAG", "KAGGLE_KERNEL_RUN_TYPE"
COLAB, VS_CODE = "google.colab", "__vsc_ipynb_file__"  # as above; a module
UNWATCHED = "COURSE_UNWATCHED"  # set where outputs are stored or compared
PATIENCE = 20  # seconds; who waits for longer may be somebody
_seen = []  # not empty when a loop found that somebody may watch
BAR = "{desc}: {percentage:3.0f}% |{bar:24}| {n_fmt} of {total_fmt} {postfix}"


def progress_bar(steps, label, *, show=True):
    """Yield from `steps`, a sequence, and draw a bar while it runs.

    The bar shows in an opened notebook and in a terminal, and goes when the
    loop ends or breaks off. Elsewhere, as when a notebook is executed to be
    stored or tested, nothing is drawn, so that outputs stay comparable. Where
    nobody can tell, as in an editor that we do not know, it comes late.
    """
    watch, bar = Watch(), None
    try:
        for done, step in enumerate(steps):
            if show and not bar and (screen := _screen(watch)):
                bar = _bar(len(steps), done, label, screen)
            yield step
            if bar:
                bar.update()
    finally:
        if bar:
            bar.close()


def _bar(total, done, label, screen):
    from tqdm import tqdm  # costs time to import

    return tqdm(
        total=total,
        initial=done,
        desc=label,
        file=screen,
        leave=False,
        bar_format=BAR,
        mininterval=0.2,
    )


class Watch:
    """Whether somebody watches a loop: known at once, or after a while.

    A notebook's kernel that runs for longer than `PATIENCE` may have a reader
    before it, in a program that leaves none of the signs that we know.
    """

    def __init__(self):
        self.began = time.monotonic()

    def somebody(self):
        """Return whether to show something now."""
        if is_watched():
            return True
        late = time.monotonic() - self.began > PATIENCE
        kernel = "ipykernel" in sys.modules and not os.environ.get(UNWATCHED)
        if late and kernel:
            _seen.append("late")
        return bool(_seen)


def _screen(watch):
    if watch.somebody():
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
    """Whether somebody has opened this notebook, as far as one can tell."""
    if "IPython" not in sys.modules:
        return False
    if _seen or any(map(os.environ.get, OPENED)) or COLAB in sys.modules:
        return True
    shell = sys.modules["IPython"].get_ipython()
    return VS_CODE in getattr(shell, "user_ns", ())


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
