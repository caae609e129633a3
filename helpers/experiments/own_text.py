"""A text that somebody brings: what to train on, and what is to be beaten."""

from hashlib import sha256
from pathlib import Path

from helpers.experiments import text_baselines
from helpers.tasks import running_text


class Refused(ValueError):
    """A text that cannot be used; a notebook shows one line of it."""

    def _render_traceback_(self):
        return [f"Not done. {self}"]  # IPython asks for it


class OwnText:
    """A text, its characters, its two parts, and its rivals.

    text : str
    name : str
        Of the model that is trained on it.
    kept : bool
        Whether that model goes on the next time, or begins anew.

    `ids` are trained on and `held_out` is not, both (N,) of int64. `rivals`
    is what `text_baselines.rivals` returns, and `mark` is a short hash of it.
    Raises Refused for a text that has fewer than two different characters.
    """

    def __init__(self, text, name="trial", *, kept=False):
        characters = running_text.Characters(text)
        if len(characters) < 2:
            raise Refused(
                f"{name}: the text has a single character,"
                f" {characters.vocabulary[0]!r}: nothing to predict"
            )
        self.text, self.name, self.kept = text, name, kept
        self.vocabulary = characters.vocabulary
        self.ids, self.held_out = running_text.split(characters.ids(text))
        self.rivals = text_baselines.rivals(text)
        self.mark = sha256(text.encode()).hexdigest()[:16]

    def __str__(self):
        first = f"{len(self.text):,} characters"
        few = len(self.text) < running_text.WORDS_FROM
        warning = "\nenough for letters, too few for words" if few else ""
        rivals = (f"{name}: {loss:.2f}" for name, loss in self.rivals.items())
        return (
            f"{first}, {len(self.vocabulary)} different ones\n"
            f"{', '.join(rivals)}{warning}"
        )


def read(path, instead):
    """Return the text of a file as `OwnText`; without a path, of `instead`.

    path: None, or where a text in UTF-8 is; the model gets the file's name.
    Raises Refused, which says what is wrong with the file.
    """
    if path is None:
        return OwnText(instead)
    if not path or not isinstance(path, str | Path):
        raise Refused(f'expected a path such as "~/notes.txt", got {path!r}')
    try:
        text = running_text.read_text(path)
    except (OSError, ValueError) as error:
        missing = isinstance(error, FileNotFoundError)
        where = f" (searched from {Path.cwd()})" if missing else ""
        raise Refused(f"{error}{where}") from None
    return OwnText(text, Path(path).name, kept=True)
