"""A figure first, then its words."""

from .theme import pyplot


def say(text):
    """Show the figures drawn so far in this cell, then print `text`.

    Without it a notebook shows figures only when the cell has ended, below
    what it printed.
    """
    if "inline" in pyplot().get_backend():
        pyplot().show()
    print(text)
