"""Running text, character by character: a file, its numbers, its two parts.

A model of such a text predicts the next character. The last tenth is never
trained on: it measures the model (validation).
"""

from pathlib import Path

import numpy as np

from helpers import validation
from helpers.embeddings import data_file

VALIDATION_PART = 0.1
SHORTEST = 2000  # characters, of a text to train on
WORDS_FROM = 100_000  # characters; of fewer, a model learns few words


class Characters:
    """The different characters of a text, in the order of their code points.

    text : str
        Its characters become the vocabulary.

    vocabulary : tuple of strings with one character each.
    """

    def __init__(self, text):
        self.vocabulary = tuple(sorted(set(validation.string("text", text))))
        self._place = {c: i for i, c in enumerate(self.vocabulary)}

    def __len__(self):
        return len(self.vocabulary)

    def ids(self, text):
        """Return the number of each character: (T,) of int64.

        Raises ValueError naming characters that are not in the vocabulary.
        """
        text = validation.string("text", text)
        if unknown := sorted(set(text) - self._place.keys()):
            raise ValueError(
                "text: these characters are not in the vocabulary:"
                f" {', '.join(map(repr, unknown[:20]))}"
            )
        return np.array([self._place[c] for c in text], dtype=np.int64)

    def text(self, ids):
        """Return the text of numbers (T,)."""
        ids = validation.tokens("ids", ids, len(self))
        return "".join(self.vocabulary[i] for i in ids.ravel())


def split(ids):
    """Return the numbers to train on, and the last tenth, to validate on."""
    end = int((1 - VALIDATION_PART) * len(ids))
    return ids[:end], ids[end:]


def shakespeare():
    """Return passages of Shakespeare's plays: 1,115,394 characters.

    Known as "Tiny Shakespeare": A. Karpathy's char-rnn (2015),
    data/tinyshakespeare/input.txt. The plays are in the public domain.
    """
    return read_text(data_file("shakespeare.txt"))


def read_text(path):
    """Return the text of a UTF-8 file, with one kind of line break.

    Raises FileNotFoundError if there is no file, and ValueError if it is
    binary, empty, or shorter than `SHORTEST` characters.
    """
    path = Path(path).expanduser()
    if not path.is_file():
        seen = "a folder, not a file" if path.is_dir() else "no such file"
        raise FileNotFoundError(f"{path}: there is {seen}")
    return decoded(path.read_bytes(), str(path))


def decoded(data, name="text"):
    """Return the text of bytes; raises ValueError as `read_text` does."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(
            f"{name}: byte {error.start + 1} is not UTF-8 text; if it is a"
            " text, save it as UTF-8 in an editor"
        ) from None
    return checked_text(text, name)


def checked_text(text, name="text"):
    """Return a text that can be trained on, or raise ValueError."""
    text = validation.string(name, text).replace("\r\n", "\n")
    text = text.replace("\r", "\n")
    if "\0" in text:
        raise ValueError(f"{name}: a binary file, not a text")
    if not text.strip():
        raise ValueError(f"{name}: it is empty")
    if len(text) < SHORTEST:
        raise ValueError(
            f"{name}: {len(text):,} characters; a model needs at least"
            f" {SHORTEST:,}, and learns words from about {WORDS_FROM:,}"
        )
    return text


def prose():
    """Return the prose of notebooks 00 to 08, as it was on one day.

    Written by `tools.author.write_prose`; about 100,000 characters.
    """
    return read_text(data_file("prose.txt"))


def unseen():
    """Return eight passages that were written for this course: strings.

    They are made up, so that no older model can have read them.
    """
    text = data_file("unseen.txt").read_text(encoding="utf-8")
    return text.strip().split("\n\n---\n\n")
