"""The attention view as a Jupyter widget; loaded with the first view."""

import string
from pathlib import Path

import anywidget
import numpy as np
from traitlets import Bool, Dict, Float, Int, List, Unicode

from . import inputs
from .view import check_maps

HERE = Path(__file__).parent
LONGEST = 300  # characters of a sentence, as in widget.js
NO_NUMBERS = dict.fromkeys(inputs.SUBSCRIPTS.values())


class AttentionView(anywidget.AnyWidget):
    """What the browser shows: maps and what is chosen; see `attention_view`.

    maps: T tokens and their scores (H, T, T), null where masked. query,
    head: which word asks, in which map. can_ask: is there a box? sentence:
    the one that is shown; the box contains it when a view is drawn.
    """

    _esm, _css = HERE / "widget.js", HERE / "widget.css"
    maps = Dict().tag(sync=True)
    names = List().tag(sync=True)
    title = Unicode().tag(sync=True)
    can_ask = Bool().tag(sync=True)
    sentence = Unicode().tag(sync=True)
    query = Int().tag(sync=True)
    head = Int().tag(sync=True)
    temperature = Float(1.0).tag(sync=True)

    def __init__(self, scores, tokens, names, query, ask, title):
        self._first, self._ask = query, ask
        super().__init__(
            maps=to_send(scores, tokens),
            names=names,
            title=title,
            can_ask=ask is not None,
            sentence=" ".join(tokens).translate(NO_NUMBERS),
            query=query % len(tokens),
        )
        self.on_msg(self._answer)

    def _answer(self, _, content, buffers):
        """Show the maps of a sentence, or say why there are none."""
        try:
            sentence = str(content.get("sentence", ""))
            scores, tokens = self._maps_of(sentence)
        except ValueError as error:
            self.send({"error": str(error)})
        except Exception as error:  # nobody else would say it
            self.send({"error": f"{type(error).__name__}: {error}"})
        else:
            first, count = self._first, len(tokens)
            with self.hold_sync():
                self.query = int(np.clip(first, -count, count - 1)) % count
                self.maps = to_send(scores, tokens)
                self.sentence = sentence
            self.send({"error": ""})

    def _maps_of(self, sentence):
        """Ask, and check the answer; who types gets no shapes to read."""
        if not sentence.strip(string.punctuation + string.whitespace):
            raise ValueError("Type a sentence.")
        if len(sentence) > LONGEST:
            raise ValueError(f"Type at most {LONGEST} characters.")
        if any("\ud800" <= letter <= "\udfff" for letter in sentence):
            raise ValueError("Half of a character cannot be read.")
        scores, tokens = self._ask(sentence)
        if len(tokens) > inputs.MAX_LABELS:
            raise ValueError(
                f"{len(tokens)} words are too many: type at most"
                f" {inputs.MAX_LABELS}."
            )
        scores, tokens = check_maps(scores, tokens)
        if len(scores) != len(self.names):
            raise ValueError(
                f"ask: expected {len(self.names)} maps, got {scores.shape}"
            )
        return scores, tokens

    def __repr__(self):
        return "The attention view: run this cell to play with it."


def to_send(scores, tokens):
    """Return maps as they are sent: JSON knows no infinity."""
    rows = np.where(scores == -np.inf, None, scores)
    return {"tokens": tokens, "scores": rows.tolist()}
