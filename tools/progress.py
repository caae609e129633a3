"""Show a learner's progress, or count what was hard for a class.

`make progress` prints what the journal in the folder of copies says and draws
it into progress.png beside it. `make class ARGS=folder` reads all journals
(progress.jsonl, under any name that ends so) that learners have handed in,
and prints how many solved each exercise, after how many tries, with which
named mistakes. It keeps no names, and says of a file only that it is refused.
"""

import sys
from collections import Counter
from pathlib import Path

from helpers import journal, plots
from helpers.plots.output import png
from tools import copies

PICTURE = "progress.png"
SHOWN = 3  # mistakes of an exercise


def show(folder):
    """Print the progress in a folder of copies, and draw it."""
    ax = plots.progress(folder)
    if ax is not None:
        path = folder / PICTURE
        path.write_bytes(png(ax.figure)[0])
        print(f"The picture is in {path}.")


def collect(folder):
    """Return the Progress of each journal below a folder, and refusals."""
    found, refused = [], []
    for path in sorted(Path(folder).rglob("*.jsonl")):
        try:
            found.append(journal.progress(journal.read(path)))
        except (ValueError, OSError) as error:
            refused.append(str(error).removeprefix("path: "))
    return found, refused


def table(found, chapters):
    """Lines for each exercise that somebody tried: counts, mistakes."""
    lines = []
    for chapter in chapters:
        for name in chapter.exercises:
            tried = [each for each in found if each.tries[name]]
            if tried:
                lines += exercise_lines(
                    f"{chapter.number} {name}", name, tried
                )
    return lines


def exercise_lines(label, name, tried):
    """One line for an exercise, and one for each frequent mistake."""
    solved = [each for each in tried if name in each.solved]
    tries = sum(each.tries[name] for each in tried) / len(tried)
    yield (
        f"{label}: {len(solved)} of {len(tried)} solved it,"
        f" {tries:.1f} tries each"
    )
    made = Counter()
    for each in tried:
        made.update({m for n, m in each.mistakes if n == name})
    for mistake, count in made.most_common(SHOWN):
        yield f"    {count} of {len(tried)}: {mistake}"


def guesses(found, chapters):
    """Lines for the predictions that were out of reach most often."""
    made, near = Counter(), Counter()
    for each in found:
        made.update(each.predictions.keys())
        near.update(each.within_reach)
    headings = {k: v for c in chapters for k, v in c.predictions.items()}
    hard = sorted(
        (cell for cell in made if cell in headings),
        key=lambda cell: (near[cell] / made[cell], -made[cell]),
    )
    return [
        f"{headings[cell]} ({cell}): {near[cell]} of {made[cell]}"
        for cell in hard[:5]
    ]


def count(folder):
    """Print what a class found hard."""
    if not Path(folder).is_dir():
        sys.exit(f"make: ARGS={folder} is no folder")
    found, refused = collect(folder)
    chapters = journal.chapters(copies.ORIGINALS)
    print(f"{len(found)} learners.")
    for error in refused:
        print(f"Refused: {error}")
    print(*table(found, chapters), sep="\n")
    far = guesses(found, chapters)
    if far:
        print("Guesses within reach, the hardest predictions first:")
        print(*far, sep="\n")


def main(arguments):
    """Show the progress in the learner's folder, or count that of a class."""
    if arguments[:1] == ["--help"]:
        sys.exit("make: say where the files are, as in make class ARGS=folder")
    if arguments:
        count(" ".join(arguments))
    else:
        show(copies.ROOT / copies.chosen())


if __name__ == "__main__":
    main(sys.argv[1:])
