"""Count what a class solved and predicted, from the journals handed in.

`tools.learner.progress` prints the counts, `class_page` shows them. Nothing
here keeps a name.
"""

import math
import statistics
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from helpers import guesses, records

VALUES = 12  # so many different guesses are counted each by itself
SHARES = 10  # parts of the line from 0 to 1


@dataclass(frozen=True)
class Exercise:
    """What a class did with an exercise.

    `tried` and `solved` count learners, `tries` is their mean number of tries,
    `mistakes` has (name, learners who made it), the most frequent first.
    """

    chapter: str
    name: str
    heading: str
    tried: int
    solved: int
    tries: float
    mistakes: list


@dataclass(frozen=True)
class Vote:
    """What a class predicted, and what was measured.

    `bars` has (label, learners, whether the result lies there), in order;
    `near` counts the learners whose guess was within reach.
    """

    chapter: str
    cell: str
    heading: str
    guessed: int
    near: int
    measured: object
    bars: list


@dataclass(frozen=True)
class Counts:
    """What a class did.

    `learners` counts journals, `refused` has a sentence for each file that is
    none, and `old` counts predictions that are left out.
    """

    learners: int
    refused: list
    old: int
    exercises: list
    votes: list


def count(folder, chapters):
    """Return the Counts of all journals below a folder."""
    found, refused = [], []
    for path in sorted(Path(folder).rglob("*.jsonl")):
        try:
            found.append(records.read(path))
        except ValueError as error:
            refused.append(str(error).removeprefix("path: "))
    return Counts(
        len(found),
        refused,
        sum(len(each.old) for each in found),
        exercises(found, chapters),
        votes(found, chapters),
    )


def exercises(found, chapters):
    """An Exercise for each one that somebody tried, in order."""
    return [
        exercise(chapter.number, name, heading, tried)
        for chapter in chapters
        for name, heading in chapter.exercises.items()
        if (tried := [each for each in found if each.tries[name]])
    ]


def exercise(chapter, name, heading, tried):
    """An Exercise, from the Records of all who tried it."""
    return Exercise(
        chapter,
        name,
        heading,
        tried=len(tried),
        solved=sum(name in each.solved for each in tried),
        tries=statistics.mean(each.tries[name] for each in tried),
        mistakes=mistakes(tried, name),
    )


def mistakes(tried, name):
    """(mistake, how many learners made it), the most frequent first."""
    made = Counter(m for each in tried for n, m in each.mistakes if n == name)
    return made.most_common()


def votes(found, chapters):
    """A Vote for each prediction that somebody made, in order."""
    return [
        vote(chapter.number, cell, heading, pairs)
        for chapter in chapters
        for cell, heading in chapter.predictions.items()
        if (pairs := [p for e in found if (p := e.predictions.get(cell))])
    ]


def vote(chapter, cell, heading, pairs):
    """A Vote, from all pairs of a guess and what was measured.

    Where most measured a number, words are left out, and the other way round.
    """
    measured = typical([each for _, each in pairs])
    kind = isinstance(measured, str)
    pairs = [pair for pair in pairs if isinstance(pair[1], str) == kind]
    return Vote(
        chapter,
        cell,
        heading,
        guessed=len(pairs),
        near=sum(guesses.distance(*pair) <= guesses.NEAR for pair in pairs),
        measured=measured,
        bars=bars([typed for typed, _ in pairs], measured),
    )


def hardest_votes(votes, most=5):
    """The predictions that were out of reach most often."""
    far = [each for each in votes if each.near < each.guessed]
    return sorted(far, key=lambda v: (v.near / v.guessed, -v.guessed))[:most]


def hardest_exercises(exercises, most=5):
    """The exercises that fewest of those who tried have solved."""
    hard = [each for each in exercises if each.solved < each.tried]
    return sorted(hard, key=lambda e: (e.solved / e.tried, -e.tries))[:most]


def typical(measured):
    """What most learners measured: of clocks, the one in the middle."""
    words = [value for value in measured if isinstance(value, str)]
    if 2 * len(words) > len(measured):
        return statistics.mode(words)
    numbers = (value for value in measured if not isinstance(value, str))
    return statistics.median_low(numbers)


def bars(found, measured):
    """[(label, learners, whether the result lies there)], in order.

    Shares are counted in tenths, other numbers by their first two digits, or
    one if they are many. Words are counted in any spelling, and shown in the
    most frequent one.
    """
    plain = [guesses.comparable(guess, measured) for guess in found]
    target = guesses.comparable(measured, measured)
    typed = {}
    for word, guess in [*zip(plain, found, strict=True), (target, measured)]:
        typed.setdefault(word, []).append(str(guess))
    digits = 2 if len({*plain}) <= VALUES else 1

    def place(value):
        if isinstance(value, str):
            return math.inf, statistics.mode(typed[value])
        if guesses.is_share(measured):
            return tenth(value)
        number = float(f"{value:.{digits - 1}e}")
        return number, f"{number:,g}"

    counts = Counter(map(place, plain))
    if guesses.is_share(measured):
        counts.update({tenth(part / SHARES): 0 for part in range(SHARES)})
    counts[place(target)] += 0
    return [
        (bar[1], counts[bar], bar == place(target)) for bar in sorted(counts)
    ]


def tenth(value):
    """(place in the order, label) of a guess among the tenths from 0 to 1."""
    if not 0 <= value <= 1:
        return (SHARES, "above 1") if value > 1 else (-1, "below 0")
    part = min(int(value * SHARES + 1e-9), SHARES - 1)
    return part, f"{part / SHARES:g} to {(part + 1) / SHARES:g}"
