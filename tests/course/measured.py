"""Rules: what the prose says in numbers was printed, or stands in code.

On trial that holds for all numbers but 0 and 1, written out ones from three on
included; elsewhere for percentages and decimals. They must stand there as
printed, in the same part. A printed fraction may be a percentage: 94.0% for
0.940. After ± comes the standard deviation of a sample, and the text says how
large it is. (The numbers of a verdict are filled in by the run.)
Free are hints and solutions, and answers outside of trials, and what is
written as code. What a run was set up with may stand in the code of a helper
(`settings`). A number after *about* may be a rounded one. A part without code
has measured nothing itself, so its numbers may stand anywhere.

What no rule sees: whole numbers outside of claims, decimals without a leading
0, and whether the right number of the output was taken.
"""

import re

from . import reading, settings

WORDS = "three four five six seven eight nine ten eleven twelve".split()
VALUES = {word: str(i) for i, word in enumerate(WORDS, 3)} | {"twenty": "20"}
DIGITS = r"(?<![\w.])[-−]?\d+(?:[,_]\d{3})*(?:\.\d+)?(?:e[-−]?\d+)?"
POINTS = r"(?:%|\spercentage\spoints)"
PERCENTAGES = rf"{DIGITS}(?:%?(?: ± |–| to | and | or ){DIGITS})*{POINTS}"
NUMBER = rf"{DIGITS}|\b(?:{'|'.join(VALUES)})\b"
NOT_MEASURED = {  # a new line may stand where a space does
    "a quotation": r"(?m:^>.*$)",
    "a heading": r"(?m:^#+ .*$)",
    "the summary of a fold": r"<summary>.*?</summary>",
    "the target of a link": r"\]\([^()]*\)",
    "a claim, notebook or rule": r"\bC\d\d\b|\b(?:[Nn]otebook|Rule)\s+\d",
    "a year": r"\b(?:19|20)\d\d\)",
    "the time of an exercise": r"\d+ minutes",
    "the time that a cell takes": r"\(about \d+ seconds\)",
    "what one types": r"`[^`]+`",
    "how often it was tried": (
        rf"\b(?:\d+|{'|'.join(WORDS)}) (?:training )?(?:seeds|runs|models)\b"
    ),
    "the number of an item": r"(?m:^\d\. )",
}
# Folds and sections whose numbers are examples of the authors.
ALWAYS_FREE = r"Hint|Solution"
FREE_OFF_TRIAL = r"Answer|More|Hint|Solution"
FREE = ("Warm-up", "Exit ticket", "Practice", "Further reading")
GIVEN = "A puzzle"  # without code: what is to be explained
NAME = r"(?<!\*)\*([\w -]+)\*(?!\*)|`([^`]+)`"
UP = "rises?|rose|climbs?|grows?|grown|lifts?|gains?|increases?"
DOWN = "falls?|fell|drops?|dropped|shrinks?|sinks?|loses|lost|decreases?"
VERBS = "up", "rises", "down", "falls", "moves"
NEUTRAL = "moves?|moved|changes?|turns?|costs?|takes?"
MORE = "larger|more|higher|farther|better"
STEPS = (
    rf"(?P<old>{DIGITS})(?:,| (?P<rises>{UP})| (?P<falls>{DOWN}))?"
    rf" (?:to|then) (?P<new>{DIGITS})"
    rf"|\b(?:(?P<up>{UP})|(?P<down>{DOWN})|(?P<moves>{NEUTRAL}))\b"
    rf"|\b(?:{MORE})\b[^()]*\((?P<high>{DIGITS}) against (?P<low>{DIGITS})"
)


def fractions(text):
    """A text with its percentages as fractions: 94.0% is 0.940, 94% 0.94.

    In "19.0 ± 5.2%" and in "19 to 94%" the first is a percentage as well, and
    "10.9 percentage points" are 0.109.
    """

    def fraction(found):
        digits = found[0].replace(",", "").replace("−", "-")
        places = len(digits.partition(".")[2])
        value = f"{float(digits) / 100:.{places + 2}f}"
        return value if places else f"{float(value):g}"

    return re.sub(
        PERCENTAGES,
        lambda found: re.sub(DIGITS, fraction, found[0]).replace("%", ""),
        text,
    )


def numbers(text):
    """The numbers of a text, all written in one way."""
    found = re.findall(NUMBER, fractions(text).lower())
    return [
        VALUES.get(number, re.sub("[,_]", "", number).replace("−", "-"))
        for number in found
    ]


def stated(text, free=ALWAYS_FREE):
    """What a Markdown text says itself, links apart.

    free: the summaries of folds that are left out.
    """
    text = re.sub(
        reading.FOLD,
        lambda f: "" if re.search(free, f[1]) else f[0],
        reading.revealed(text),
    )
    for pattern in NOT_MEASURED.values():
        text = re.sub(pattern, " ", text)
    return text


def known(pieces):
    """The numbers in the code and in the outputs of cells; no clock's.

    Zeros at the end may be left out: who reads 0.940 may say 94%.
    """
    cells = [piece for piece in pieces if not isinstance(piece, str)]
    texts = [cell.source for cell in cells]
    texts += [
        reading.printed(cell)
        for cell in cells
        if "timing" not in reading.tags(cell)
    ]
    found = set(numbers("\n".join(texts)))
    short = {n.rstrip("0").rstrip(".") for n in found if "." in n}
    return found | short | {f"{n}0" for n in found if re.search(r"\.\d$", n)}


def _unknown(text, seen, wanted, free=ALWAYS_FREE):
    """Problems of one text: the numbers that were not seen."""
    said = stated(text, free)
    for match in re.finditer(rf"\babout ({DIGITS})", said):
        [number] = numbers(match[1])
        if any(_rounds_to(known, number) for known in seen):
            said = said.replace(match[0], "", 1)
    return [
        f"{number} is neither printed nor in the code here: {text[:50]!r}"
        for number in numbers(said)
        if wanted(number) and number not in seen
    ]


def _rounds_to(exact, number):
    """Whether a number has more decimals than another, and rounds to it."""
    places = len(number.partition(".")[2])
    longer = len(exact.partition(".")[2]) > places
    return longer and f"{float(exact):.{places}f}" == number


def _setup(notebook, pieces):
    """What cells have printed, their code, and that of the helpers there."""
    cells = [piece for piece in pieces if not isinstance(piece, str)]
    modules = settings.of(notebook, cells)
    return known(pieces).union(
        *(numbers(settings.constants(module)) for module in modules)
    )


def numbers_on_trial_were_measured(notebook):
    """In a claim, every number was printed or is code, below its heading."""
    problems = []
    for trial in reading.trials(notebook):
        own = trial.pieces[: trial.own]
        seen = _setup(notebook, own)
        for text in (piece for piece in own if isinstance(piece, str)):
            text = re.sub(reading.EXERCISE, "", text)
            problems += _unknown(text, seen, lambda n: n not in "01")
    return problems


def decimals_were_measured(notebook):
    """Outside of trials, percentages and decimals, in the same section."""
    problems = []
    everything = known(reading.code_cells(notebook))
    for part in reading.parts(notebook):
        title = part.heading.lstrip("# ")
        if title.startswith(FREE) or re.match(reading.TRIAL, part.heading):
            continue
        if title.startswith(GIVEN) and not part.code:
            continue
        seen = everything
        if part.code and title != "Recap":
            seen = _setup(notebook, part.pieces)
        for text in part.texts:
            problems += _unknown(
                text, seen, lambda n: "." in n, FREE_OFF_TRIAL
            )
    return problems


def named_numbers_belong_to_their_name(notebook):
    """A *word* and the number after it stand in one line of the outputs."""
    problems = []
    for part in reading.parts(notebook):
        printed = "\n".join(map(reading.printed, part.code))
        lines = [line for line in printed.splitlines() if numbers(line)]
        for text in part.texts:
            flat = " ".join(fractions(stated(text, FREE_OFF_TRIAL)).split())
            for match in re.finditer(
                rf"(?:{NAME})[^.;:*`\d]{{0,40}}?({DIGITS})", flat
            ):
                [number] = numbers(match[3])
                word = re.escape(match[1] or match[2])
                mine = [x for x in lines if re.search(rf"\b{word}\b", x)]
                about = "\n".join(mine)
                elsewhere = set(numbers(printed)) - set(numbers(about))
                if mine and number in elsewhere - {"0", "1"}:
                    problems.append(f"no output has both: {match[0]}")
    return problems


def directions_are_right(notebook):
    """What falls ends lower; a range starts low; more is more (… against …).

    In a sentence, the last verb before two numbers says which is larger;
    after one like "moves" either may be.
    """
    problems = []
    own = fractions(stated(reading.prose(notebook), FREE_OFF_TRIAL))
    own = re.sub(r"\n\s*\n|</?details>", ". ", own)
    for sentence in re.split(r"[.;:]\)?\s", " ".join(own.split())):
        rising = True  # None: not said
        for match in re.finditer(STEPS, sentence):
            say = match.groupdict()
            if verb := [key for key in VERBS if say[key]]:
                rising = {"up": True, "rises": True, "moves": None}.get(
                    verb[0], False
                )
            if not (say["old"] or say["high"]):
                continue
            old, new = say["old"] or say["low"], say["new"] or say["high"]
            old, new = (float(numbers(number)[0]) for number in (old, new))
            wanted = True if say["high"] else rising
            if wanted is not None and old != new and (new > old) != wanted:
                problems.append(f"wrong direction: {sentence}")
    return problems


RULES = [
    numbers_on_trial_were_measured,
    decimals_were_measured,
    named_numbers_belong_to_their_name,
    directions_are_right,
]
