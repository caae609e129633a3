"""Show a learner's progress, or count what was hard for a class.

`make progress` prints what the journal in the folder of copies says and draws
it into progress.png beside it. `make class ARGS=folder` reads all journals
(progress.jsonl, under any name that ends so) that learners have handed in,
prints how many solved each exercise, after how many tries, with which named
mistakes, and writes class.html, a page to show. It keeps no names, and says of
a file only that it is refused.
"""

import sys
from pathlib import Path

from helpers import plots, records
from helpers.plots.chapters import chapters
from helpers.plots.output import png
from tools.classes import class_page, tally
from tools.learner import copies
from tools.markup import many

PICTURE = "progress.png"
PAGE = "class.html"
SHOWN = 3  # mistakes of an exercise


def show(folder):
    """Print the progress in a folder of copies, and draw it."""
    ax = plots.progress(folder)
    if ax is not None:
        path = folder / PICTURE
        path.write_bytes(png(ax.figure)[0])
        print(f"The picture is in {path}.")


def exercise_lines(each):
    """One line for an exercise, and one for each frequent mistake."""
    yield (
        f"{each.chapter} {each.name}: {each.solved} of {each.tried} solved it,"
        f" {each.tries:.1f} tries on average"
    )
    for mistake, count in each.mistakes[:SHOWN]:
        yield f"    {count} of {each.tried}: {mistake}"


def count(folder):
    """Print what a class found hard, and write the page that shows it."""
    folder = Path(folder)
    if not folder.is_dir():
        sys.exit(f"make: ARGS={folder} is not a folder")
    course = chapters(copies.ORIGINALS)
    found = tally.count(folder, course)
    print(f"{many(found.learners, 'learner')}.")
    for error in found.refused:
        print(f"Refused: {error}")
    if found.old:
        print(records.not_counted(found.old))
    for each in found.exercises:
        print(*exercise_lines(each), sep="\n")
    hard = tally.hardest_votes(found.votes)
    if hard:
        print("Guesses within reach, the hardest predictions first:")
    for vote in hard:
        cell = vote.cell.split()[0]
        print(f"{vote.heading} ({cell}): {vote.near} of {vote.guessed}")
    write(folder / PAGE, class_page.page(found, course))


def write(path, page):
    """Write the page, if the folder can be written to."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        sys.exit(f"make: the page cannot be written: {error}")
    print(f"The page to show is {path}; open it in a browser.")
    print("Look at it first: it contains words as learners typed them.")


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
