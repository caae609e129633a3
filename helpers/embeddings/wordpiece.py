"""From what a learner types to vocabulary entries, losing nothing.

Words outside the vocabulary are split into pieces (WordPiece: Wu et al.
2016, section 4.1); the model is uncased, so capitals and accents fall
away: "Café" is read as "cafe".
"""

import re
import unicodedata

from helpers import validation
from helpers.embeddings import files

UNKNOWN = "[UNK]"
# Accents and formatting marks may go: the letters they belong to stay.
MARKS = {"Mn", "Mc", "Cf"}
# What may stand between words; an apostrophe between letters does not.
BETWEEN = re.compile(r"(?<!\w)'|'(?!\w)|[^\w\s']")


def words(text, name="text"):
    """Cut a text into lower-cased words: a list of strings.

    Punctuation is left out, and nothing else: an emoji is a word, too, so
    that looking it up can say that it is unknown. A word keeps its
    apostrophe, and a typographic one is read as a plain one. The web page
    cuts in the same way (`read` in play.js).

    Raises TypeError if text is no string, ValueError if it has no words.
    """
    plain = validation.string(name, text).lower().replace("’", "'")
    found = BETWEEN.sub(_unless_punctuation, plain).split()
    if not found:
        raise ValueError(f"{name} has no words, only {text!r:.40}")
    return found


def encode(text, name="text"):
    """Encode a text: an object with .tokens and .ids, as long as the text.

    No [CLS] and [SEP] are added, nothing is cut or padded.

    Raises TypeError if text is no string, ValueError if it is empty or
    holds something that the tokenizer would drop.
    """
    words = validation.string(name, text).split()
    if not words:
        raise ValueError(f"{name} is empty or only spaces: nothing to read")
    tokenizer = files.tokenizer()
    lost = [part for word in words for part in _lost(word, tokenizer)]
    if lost:
        raise ValueError(
            f"{name} holds {', '.join(map(ascii, lost))}, which the "
            f"tokenizer would drop without notice; remove it"
        )
    return tokenizer.encode(" ".join(words), add_special_tokens=False)


def entries(words, name="words"):
    """Look up words that are one entry each: a list of row numbers.

    Raises TypeError if words is not a list of strings, ValueError naming
    every word that is unknown or split, with its pieces.
    """
    words = validation.strings(name, words)
    encodings = {
        word: encode(word, f"{name}[{i}]") for i, word in enumerate(words)
    }
    split = [
        f"{word!r} ({_pieces(encoding.tokens)})"
        for word, encoding in encodings.items()
        if len(encoding) != 1 or encoding.tokens == [UNKNOWN]
    ]
    if split:
        raise ValueError(
            f"{name} not in the model's list: {', '.join(split)}. Try others."
        )
    return [encodings[word].ids[0] for word in words]


def _pieces(tokens):
    """Say what a word is split into; "##" is a mark, not a part of it."""
    if UNKNOWN in tokens:
        return "not even in pieces"
    pieces = [token.removeprefix("##") for token in tokens]
    return f"only in pieces: {', '.join(pieces)}"


def _lost(word, tokenizer):
    """The parts of a word that would leave no trace in its tokens."""
    if word.isascii() and word.isprintable():
        return []
    halves = [c for c in word if unicodedata.category(c) == "Cs"]
    if halves:  # half a character: no library can read it
        return halves
    clean = tokenizer.normalizer.normalize_str
    if not clean(word).strip():
        return [word]
    dropped = [c for c in word if not clean(c).strip()]
    return [c for c in dropped if unicodedata.category(c) not in MARKS]


def _unless_punctuation(sign):
    is_punctuation = unicodedata.category(sign[0]).startswith("P")
    return " " if is_punctuation else sign[0]
