"""Copies of the notebooks to write in, without outputs; `make lab` makes them.

A copy is made where none is, and never written over: what a learner wrote
stays. `make fresh NOTEBOOK=03` puts a new copy in the place of one and keeps
the old one beside it. COPIES=student with either: copies without solutions,
in student/. Nothing but Python is needed.
"""

import hashlib
import json
import os
import re
import sys
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
ORIGINALS = ROOT / "notebooks"
STAMPS = ".made_from.json"  # {name: hash of the copy as it was made}
FOLDERS = "my_course", "student"  # with the solutions folded, without them


def learners(notebook, solutions=True):
    """Bytes of a notebook's copy: no outputs, with or without solutions."""
    try:
        nb = json.loads(notebook.read_text(encoding="utf-8"))
    except ValueError:
        name = notebook.relative_to(ROOT).as_posix()
        sys.exit(
            f"make: {name} is damaged; to have it as it was: "
            f"git checkout {name}"
        )
    if not solutions:
        nb["cells"] = [
            cell
            for cell in nb["cells"]
            if "solution" not in cell["metadata"].get("tags", [])
        ]
    for cell in nb["cells"]:
        if cell["cell_type"] == "code":
            cell.update(outputs=[], execution_count=None)
    return (json.dumps(nb, indent=1, ensure_ascii=False) + "\n").encode()


def names():
    """Of all notebooks, as 02_….ipynb and trials/02_….ipynb."""
    found = [*ORIGINALS.glob("*.ipynb"), *ORIGINALS.glob("trials/*.ipynb")]
    return sorted(path.relative_to(ORIGINALS).as_posix() for path in found)


def make(folder, solutions=True):
    """Make the copies that are missing; return (made, outdated) names."""
    stamps, made, outdated = read_stamps(folder), [], []
    for name in names():
        copy = learners(ORIGINALS / name, solutions)
        if not os.path.lexists(folder / name):
            if place(folder, name, copy, stamps):
                made.append(name)
        elif stamps.get(name, digest(copy)) != digest(copy):
            outdated.append(name)
    return made, outdated


def place(folder, name, copy, stamps):
    """Write a copy where none is; whether no other make was faster."""
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    stamps[name] = digest(copy)
    write(folder / STAMPS, json.dumps(stamps, indent=1).encode(), os.replace)
    try:
        write(target, copy, move)
    except FileExistsError:
        return False
    return True


def write(target, content, move):
    """No half a file is left where writing fails."""
    part = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        part.write_bytes(content)
        move(part, target)
    finally:
        part.unlink(missing_ok=True)


def move(source, target):
    """Rename; raise FileExistsError where something is, never write over."""
    target.open("x").close()  # the name is ours from here on
    try:
        os.replace(source, target)
    except OSError:
        target.unlink()
        raise


def read_stamps(folder):
    """Without them, or where they are broken, no copy counts as outdated."""
    try:
        stamps = json.loads((folder / STAMPS).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return stamps if isinstance(stamps, dict) else {}


def digest(copy):
    """Tell one copy from another."""
    return hashlib.sha256(copy).hexdigest()


def which(wanted):
    """The one notebook that is meant by 03, 03_scaling.ipynb, t03, 02b, …"""
    for folder in ("notebooks", *FOLDERS):
        wanted = wanted.removeprefix(f"{folder}/")
    begin = re.sub(r"^t(?=\d)", "trials/", wanted.removesuffix(".ipynb"))
    # 02 is on the road, 02b in a trial room only; both begin with what is said
    for tried in (begin, f"trials/{begin}") if begin else ():
        for end in (".ipynb", "_", ""):
            found = [n for n in names() if n.startswith(tried + end)]
            if len(found) == 1:
                return found[0]
    listed = ", ".join(name.split("_")[0] for name in names())
    what = f"NOTEBOOK={wanted} names no notebook"
    if not wanted:
        what = "say which, as in make fresh NOTEBOOK=03"
    sys.exit(f"make: {what}; one of {listed}")


def fresh(folder, wanted, solutions=True):
    """Put a new copy in the place of one, if the learner says yes."""
    name = which(wanted)
    target, copy = folder / name, learners(ORIGINALS / name, solutions)
    if os.path.lexists(target):
        agree(f"{target} becomes {free_name(target).name}, and is made anew.")
        move(target, free_name(target))  # another may have that name by now
    place(folder, name, copy, read_stamps(folder))
    say(f"{target} is new.")


def free_name(target):
    """…_before_2026-11-22.ipynb, with a number where that is taken."""
    before = f"{target.stem}_before_{date.today()}"
    tried = target.with_name(f"{before}.ipynb")
    number = 1
    while os.path.lexists(tried):
        number += 1
        tried = target.with_name(f"{before}_{number}.ipynb")
    return tried


def agree(words):
    """Ask; exit without a yes."""
    if not sys.stdin.isatty():
        sys.exit(f"make: {words} Ask me in a terminal; nothing has changed.")
    try:
        answer = input(f"make: {words} Do it? [y/N] ")
    except (EOFError, KeyboardInterrupt):
        answer = ""
    if not answer.strip().lower().startswith("y"):
        sys.exit("make: nothing has changed.")


def say(words):
    """Print a line at once, as make would."""
    print(f"make: {words}", flush=True)


def copies(folder, solutions=True):
    """Make what is missing and say in a line each what is new."""
    try:
        made, outdated = make(folder, solutions)
    except OSError as error:
        sys.exit(
            f"make: no copies in {folder}: {error.strerror}"
            f" ({error.filename}); mend that and run make again"
        )
    if made:
        number = "1 notebook" if len(made) == 1 else f"{len(made)} notebooks"
        say(f"{number} to write in, new in {folder}/")
    if outdated:
        listed = ", ".join(name.removesuffix(".ipynb") for name in outdated)
        way = f"make fresh NOTEBOOK={outdated[0].split('_')[0]}"
        if not solutions:
            way += " COPIES=student"
        say(
            f"a newer version exists of {listed}; yours is kept. "
            f"To have it: {way}"
        )


def chosen():
    """The folder of copies that make, or the hub, asks for."""
    name = os.environ.get("COURSE_COPIES", "my_course")
    if name not in FOLDERS:
        sys.exit(f"make: COPIES={name} is neither of {', '.join(FOLDERS)}")
    return Path(name)


def main(arguments):
    """Copy all notebooks that are missing, or one anew (fresh)."""
    os.chdir(ROOT)
    folder = chosen()
    solutions = folder.name != "student"
    if arguments[:1] == ["fresh"]:
        try:
            fresh(folder, "".join(arguments[1:]), solutions)
        except OSError as error:
            sys.exit(f"make: {error.strerror} ({error.filename})")
    else:
        copies(folder, solutions)


if __name__ == "__main__":
    main(sys.argv[1:])
