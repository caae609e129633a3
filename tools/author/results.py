"""Write RESULTS.md from what the notebooks have stored; `make results`.

Verdicts and numbers are in the claims of the notebooks, the scoreboard and the
figures in their outputs; results.toml has the questions in their order, the
surprises, the tasks and the larger studies. The README gets its numbers here,
too.
"""

import tomllib
from pathlib import Path

import nbformat

from tests.course import reading
from tools.author import board, number, readme
from tools.author.blocks import (
    COUNTED,
    block,
    bold,
    counted,
    entries,
    pitch,
    pointer,
    same,
    slug,
)

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "RESULTS.md"
FIGURES = ROOT / "data" / "results"  # one PNG for each surprise
TEXTS = tomllib.loads(
    (ROOT / "tools" / "author" / "results.toml").read_text(encoding="utf-8")
)
WORDS = "true", "true if", "half true", "false", "undecided"
SHORT = dict(zip(COUNTED, WORDS, strict=True))
ARITHMETIC = "What follows from arithmetic"
SURPRISES = "What surprised us"
# Below the last claim of a section; a rule keeps it from being read as a part
LARGER = "---\n\n**What larger studies add.**"


def notebooks():
    """{name: notebook}, roads first."""
    return {
        path.relative_to(ROOT / "notebooks").as_posix(): nbformat.read(path, 4)
        for path in number.notebooks()
    }


def others(listed):
    """ "37 are true if a condition holds, …": how many have another word."""
    rest = [e for e in listed.values() if e.verdict.word != "True"]
    first, *more, last = counted(rest).split(", ")
    first, last = (each.replace(" ", " are ", 1) for each in (first, last))
    return f"{', '.join([first, *more])}, and {last}"


def questions(listed):
    """[(part of results.toml, its entries)], without what is arithmetic."""
    return [
        (part, [e for c in part["claims"].split()
                if (e := listed.get(c)) and not e.follows])
        for part in TEXTS["question"]
    ]  # fmt: skip


def contents(listed):
    """Links to all sections, with how many verdicts of each word they have."""
    follow = [entry for entry in listed.values() if entry.follows]
    sections = [(p["title"], mine) for p, mine in questions(listed) if mine]
    sections += [(ARITHMETIC, follow)] if follow else []
    lines = ["- [How to read this page](#how-to-read-this-page)"]
    lines += [f"- [{SURPRISES}](#{slug(SURPRISES)})"]
    lines += ["- [Tasks](#tasks)"]
    for title, mine in sections:
        noun = "claim" if len(mine) == 1 else "claims"
        lines.append(
            f"- [{title}](#{slug(title)}) {len(mine)} {noun}"
            f" ({counted(mine, SHORT)})"
        )
    lines += ["- [Scoreboard](#scoreboard)"]
    return ["## Contents\n", "\n".join(lines) + "\n"]


def question(part, mine):
    """A question: how its claims hang together, and what studies add."""
    parts = [f"## {part['title']}\n", part["opens"].strip() + "\n"]
    parts += map(block, mine)
    decided = same()
    claims = part["claims"].split()
    parts += [pointer(c, decided[c]) for c in claims if c in decided]
    if studies := part.get("studies"):
        parts.append(f"{LARGER} {studies.strip()}\n")
    return parts


def arithmetic(listed):
    """What could not have gone another way, in the order of the claims."""
    mine = [block(entry) for entry in listed.values() if entry.follows]
    if not mine:
        return []
    return [f"## {ARITHMETIC}\n", TEXTS["arithmetic"].strip() + "\n", *mine]


def chosen(listed):
    """The surprises whose claim still has the word that they go with."""
    words = {claim: entry.verdict.word for claim, entry in listed.items()}
    return [s for s in TEXTS["surprise"] if words.get(s["claim"]) == s["word"]]


def figure(surprise, listed):
    """The PNG of a surprise, or None: of the trial, by its number."""
    part = listed[surprise["claim"]].part
    end = part.verdict if isinstance(part, reading.Trial) else None
    drawn = [
        output
        for piece in part.pieces[:end]
        if not isinstance(piece, str)
        for output in reading.figures(piece)
    ]
    if not drawn:
        return None
    return reading.png(drawn[surprise.get("figure", 0)])


def surprises(listed):
    """What surprises, with its figure."""
    parts = [f"## {SURPRISES}\n", TEXTS["surprising"].strip() + "\n"]
    for surprise in chosen(listed):
        claim = surprise["claim"]
        entry = listed[claim]
        parts.append(f"### {surprise['title']}\n")
        said = f"“{entry.part.quote}” {bold(entry.verdict)}"
        said = f"{said} {entry.verdict.plain}"
        here = f"[{claim}](#{claim.lower()})"
        parts.append(f"{' '.join(said.split())} ({here}, {entry.place})\n")
        if figure(surprise, listed):
            said = surprise["alt"]  # the figure in words
            parts.append(f"![{said}](data/results/{claim}.png)\n")
    return parts


def task(described):
    """A task as an item of a list."""
    return (
        f"- **{described['name']}**<br>*{described['example']}*<br>"
        f"{described['asks']} Guessing: {described['guessing']}.\n"
    )


def page(found):
    """The whole page."""
    listed = entries(found)
    parts = [
        "# Results\n",
        pitch(listed) + "\n",
        TEXTS["start"].strip().format(others=others(listed)) + "\n",
        *contents(listed),
        "## How to read this page\n",
        TEXTS["how"].strip() + "\n",
        *surprises(listed),
        "## Tasks\n",
        TEXTS["tasks"].strip() + "\n",
        "".join(map(task, TEXTS["task"])),
    ]
    for part, mine in questions(listed):
        parts += question(part, mine)
    parts += [*arithmetic(listed), *board.section(found, TEXTS["board"])]
    return "\n".join(parts)


def pictures(found):
    """{name of the file: PNG} of the surprises."""
    listed = entries(found)
    drawn = {s["claim"]: figure(s, listed) for s in chosen(listed)}
    return {f"{claim}.png": each for claim, each in drawn.items() if each}


def write_map(found):
    """Write the minutes into the map of notebook 00, if any is another."""
    file, start = next(iter(found.items()))
    before = nbformat.writes(start)
    for cell in reading.markdown_cells(start):
        cell.source = readme.with_minutes(cell.source, found)
    if nbformat.writes(start) != before:
        nbformat.write(start, ROOT / "notebooks" / file)


def main():
    """Write both pages, the pictures, and the map in notebook 00."""
    found = notebooks()
    write_map(found)
    FIGURES.mkdir(exist_ok=True)
    drawn = pictures(found)
    for path in FIGURES.glob("*.png"):
        if path.name not in drawn:
            path.unlink()
    for name, png in drawn.items():
        (FIGURES / name).write_bytes(png)
    RESULTS.write_text(page(found), encoding="utf-8")
    text = readme.README.read_text(encoding="utf-8")
    readme.README.write_text(readme.readme(text, found), encoding="utf-8")


if __name__ == "__main__":
    main()
