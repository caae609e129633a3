"""Patterns that no text of the course has; they are a help, not the goal.

Private words and sentences without a subject, which readers had to read
twice. What is in “quotation marks” or in `code` may say what others say.
"""

import re

from . import measured, reading

OPENS = r"(?:^|(?<=[.!?:] )|(?<=[.!?:]\n)|(?<=\n\n)|(?<=\*\* ))[*_]{0,2}"
NOT_ENGLISH = {  # how it is said instead: what nobody says
    "temperature": r"\bheat\b(?!\s*-?maps?)",
    "backward pass, forward pass": r"\bway (?:back|forward)\b",
    "GPU": r"\bgraphics cards?\b",
    "an accuracy of 94%": (
        rf"\b(?:gets?|is|are|leaves?|has|have) {measured.DIGITS}%? right\b"
    ),
    "what is the accuracy now?": r"\b[Ww]hich fraction\b",
    "training runs": r"\b[Tt]rainings\b",
    "looks past": r"\blooks? over\b",
    "is in, comes before, comes after": (
        r"\b(?:stand|stands|stood|standing) (?:in|for|before|behind|there)\b"
    ),
    "large norm, large gradient": r"\blouder\b|\bloudest\b|\bloud\b",
    "the task asks for": r"\b[Aa]sked for (?:is|are)\b",
    "the full sentence": (
        r"\bhere is another one\b|\b[Bb]y the clock\b"
        r"|\bit says nothing\b|\bsays nothing about\b"
    ),
    "instead of": r"\band no longer \d",
    "a sentence that begins with its subject": r"(?<!what) \bit shows\b",
    "different": r"\bnot nearly equal\b",
    "a sentence with a subject": (
        rf"{OPENS}(?:Refuted|Lost|Asked for|Had an?)\b"
    ),
    "If the model always says": rf"{OPENS}Who says [^.?!]*[.!]",
    "the one that": (rf"{OPENS}Who (?!and whom)[^.?!]*[.!](?=\s|$)"),
}
BELITTLING = {"nothing": r"(?i)\b(?:simply|just|obviously|trivial\w*)\b"}
QUOTED = r"(?s:```.*?```)|`[^`\n]*`|“[^”]*”|(?m:^ {0,3}>.*$)"


def problems(text, patterns=NOT_ENGLISH):
    """What a text says that the course would say otherwise."""
    text = re.sub(QUOTED, " ", text)
    text = re.sub(r"[ \t]*\n(?!\s*\n)[ \t]*", "\n", text)
    flat = re.sub(r"(?<!\n)\n(?!\n)", " ", text)
    return [
        f"{found[0].strip()!r}: say {better!r}"
        for better, pattern in patterns.items()
        for found in re.finditer(pattern, flat)
    ]


def texts_are_english(notebook):
    """No pattern of english.py, in prose, folds, hints and printed lines."""
    printed = map(reading.printed, reading.code_cells(notebook))
    prose = reading.prose(notebook)
    found = problems("\n\n".join([prose, *printed]))
    return found + problems(prose, BELITTLING)


RULES = [texts_are_english]
