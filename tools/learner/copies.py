"""Copies of the notebooks to write in, without outputs; `make lab` makes them.

A copy is made where none is. A copy that nobody has changed, not by a byte, is
replaced when the text or code of its original changes; any other is never
written over: what a learner wrote stays. `make fresh NOTEBOOK="03 05"` asks,
puts new copies in the place of some and keeps the old ones beside them; `make
fresh ARGS=--all-newer` does so for all that have a newer original. A page in
the folder says what is new.
COPIES=student with any of them (here: COURSE_COPIES in the environment):
copies without solutions, in student/.
Nothing but Python is needed.
"""

import hashlib
import json
import os
import re
import sys
from datetime import date
from pathlib import Path

# The hub runs its own copy of this script in the clones of learners.
ROOT = Path(os.environ.get("COURSE_ROOT", Path(__file__).parents[2]))
ORIGINALS = ROOT / "notebooks"
STAMPS = ".made_from.json"  # {name: hash of the copy as it was made}
FOLDERS = "my_course", "student"  # with the solutions folded, without them
NEWS = "00_what_is_new.md"  # stands below 00_start in the list of files
ALL_NEWER = "--all-newer"
NEW_NAMES = {  # of notebooks that got another number; web addresses follow
    "07_pretrained_model.ipynb": "09_pretrained_encoder.ipynb",
    "08_long_sequences.ipynb": "10_long_sequences.ipynb",
    "09_your_own_model.ipynb": "07_your_own_model.ipynb",
    "trials/07_maps_and_answers.ipynb": "trials/09_maps_and_answers.ipynb",
    "trials/08_shares_and_machines.ipynb": (
        "trials/10_shares_and_machines.ipynb"
    ),
    "trials/09_real_text.ipynb": "trials/07_real_text.ipynb",
}


def learners(notebook, solutions=True):
    """Bytes of a notebook's copy: no outputs, with or without solutions."""
    try:
        nb = json.loads(notebook.read_text(encoding="utf-8"))
    except ValueError:
        name = notebook.relative_to(ROOT).as_posix()
        sys.exit(
            f"make: {name} is damaged; to restore it: git checkout {name}"
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
    """Make what is missing, renew what nobody changed.

    Returns the names of the copies (made, renewed, outdated).
    """
    stamps, made, renewed, outdated = read_stamps(folder), [], [], []
    for name in names():
        copy = learners(ORIGINALS / name, solutions)
        if not os.path.lexists(folder / name):
            if place(folder, name, copy, stamps):
                made.append(name)
        elif stamps.get(name, digest(copy)) == digest(copy):
            pass
        elif is_untouched(folder, name, stamps):
            renew(folder, name, copy, stamps)
            renewed.append(name)
        elif is_untouched(folder, name, {name: digest(copy)}):
            renew(folder, name, copy, stamps)  # it was, but for its stamp
        else:
            outdated.append(name)
    return made, renewed, outdated


def rename(folder):
    """Give copies the new names of their notebooks; whatever is in them stays.

    Where there already is a file of the new name, both stay as they are.
    Returns the pairs (old, new) of the copies that have a new name.
    """
    stamps, renamed = read_stamps(folder), []
    for old, new in NEW_NAMES.items():
        if not os.path.lexists(folder / old):
            continue
        if os.path.lexists(folder / new) or not (ORIGINALS / new).exists():
            continue
        if old in stamps:
            stamps[new] = stamps[old]
            write_stamps(folder, stamps)
        try:
            move(folder / old, folder / new)
        except FileExistsError:  # another make was faster
            continue
        renamed.append((old, new))
        say(
            f"notebook {short(old)} has a new number: your copy is now"
            f" {folder / new}, with all that you wrote"
        )
    return renamed


def is_untouched(folder, name, stamps):
    """Whether a file is, byte for byte, as the course made it."""
    path = folder / name
    if path.is_symlink() or not path.is_file():
        return False
    return digest(path.read_bytes()) == stamps.get(name)


def renew(folder, name, content, stamps):
    """Write over a file that nobody has changed.

    The new stamp comes last: whatever stops this, no stamp tells of a file
    that was not written.
    """
    write(folder / name, content, os.replace)
    stamps[name] = digest(content)
    write_stamps(folder, stamps)


def place(folder, name, copy, stamps):
    """Write a copy where none is; whether no other make was faster."""
    target = folder / name
    target.parent.mkdir(parents=True, exist_ok=True)
    stamps[name] = digest(copy)
    write_stamps(folder, stamps)
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


def write_stamps(folder, stamps):
    """Keep what each file was when the course made it."""
    write(folder / STAMPS, json.dumps(stamps, indent=1).encode(), os.replace)


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
    numbered = re.match(r"(trials/)?\d\d", begin)  # 1 is neither 01 nor 10
    for tried in (begin, f"trials/{begin}") if numbered else ():
        for end in (".ipynb", "_", ""):
            found = [n for n in names() if n.startswith(tried + end)]
            if len(found) == 1:
                return found[0]
    listed = ", ".join(name.split("_")[0] for name in names())
    what = f"NOTEBOOK={wanted} names no notebook"
    if not wanted:
        what = "say which, as in make fresh NOTEBOOK=03"
    sys.exit(f"make: {what}; choose from {listed}")


def fresh(folder, wanted, solutions=True):
    """Put new copies in the place of some, if the learner says yes."""
    chosen = [which(name) for name in wanted if name != ALL_NEWER]
    rename(folder)
    if ALL_NEWER in wanted:
        *_, outdated = make(folder, solutions)
        chosen += outdated
        if not chosen:
            tell(folder, [], outdated, solutions)
            return say("none of your copies has a newer original.")
    chosen = list(dict.fromkeys(chosen or [which("")]))
    there = [folder / n for n in chosen if os.path.lexists(folder / n)]
    if there:
        moved = [f"{path} becomes {free_name(path).name}" for path in there]
        new = "New copies take their place"
        new = new if len(there) > 1 else "A new copy takes its place"
        agree(f"{', '.join(moved)}. {new}.")
    for name in chosen:
        target, copy = folder / name, learners(ORIGINALS / name, solutions)
        if os.path.lexists(target):
            move(target, free_name(target))  # another may have that name now
        place(folder, name, copy, read_stamps(folder))
        say(f"{target} is new.")
    tell(folder, [], make(folder, solutions)[-1], solutions)


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
        sys.exit(f"make: {words} Run it in a terminal; nothing has changed.")
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
    """Make and renew, and say in a line each what is new."""
    try:
        renamed = rename(folder)
        made, renewed, outdated = make(folder, solutions)
        tell(folder, renewed, outdated, solutions, renamed)
    except OSError as error:
        sys.exit(
            f"make: no copies in {folder}: {error.strerror}"
            f" ({error.filename}); fix that and run make again"
        )
    if made:
        say(f"added to {folder}/: {counted(made)} to write in")
    if renewed:
        say(
            f"{counted(renewed)} in {folder}/ replaced by a newer version; you"
            " had not changed them"
        )
    if outdated:
        listed = ", ".join(map(short, outdated))
        say(
            f"there is a newer version of {listed}; yours is kept. "
            f"To get it: {way(outdated, solutions)}"
        )


def counted(listed):
    """Say how many notebooks."""
    return f"{len(listed)} notebook{'s' * (len(listed) != 1)}"


def short(name):
    """The name of a notebook without its ending."""
    return name.removesuffix(".ipynb")


def way(outdated, solutions):
    """The command that makes these copies anew."""
    first, *more = (name.split("_")[0] for name in outdated)
    wanted = f"ARGS={ALL_NEWER}" if more else f"NOTEBOOK={first}"
    return f"make fresh {wanted}" + " COPIES=student" * (not solutions)


def tell(folder, renewed, outdated, solutions, renamed=()):
    """Keep a page in the folder that says what is new; none if nothing is.

    What somebody else wrote under its name is left alone.
    """
    stamps, page = read_stamps(folder), folder / NEWS
    if os.path.lexists(page) and not is_untouched(folder, NEWS, stamps):
        return
    if renewed or outdated or renamed:
        text = news(renewed, outdated, solutions, renamed)
        renew(folder, NEWS, text.encode(), stamps)
    elif os.path.lexists(page):
        page.unlink()


def news(renewed, outdated, solutions, renamed=()):
    """What the page says."""
    parts = ["# What is new in the course"]
    if renamed:
        parts += [
            "These notebooks have new numbers. Your copies have them, too,"
            " with all that you wrote.",
            "\n".join(
                f"- {short(old)} is now [{short(new)}]({new})"
                for old, new in renamed
            ),
        ]
    if outdated:
        parts += [
            "These notebooks have newer versions. You have written in your"
            " copies, so they were left as they are.",
            listing(outdated),
            "To work in the newer versions, run this in a terminal. Your"
            " copies stay beside them, under other names.",
            f"```sh\n{way(outdated, solutions)}\n```",
        ]
    if renewed:
        parts += [
            "These notebooks were replaced by their newer versions. You had"
            " not changed them.",
            listing(renewed),
        ]
    return "\n\n".join(parts) + "\n"


def listing(listed):
    """A list of links."""
    return "\n".join(f"- [{short(name)}]({name})" for name in listed)


def chosen():
    """The folder of copies that make, or the hub, asks for."""
    name = os.environ.get("COURSE_COPIES", "my_course")
    if name not in FOLDERS:
        sys.exit(f"make: COPIES={name} is neither {' nor '.join(FOLDERS)}")
    return Path(name)


def main(arguments):
    """Copy all notebooks that are missing, or some anew (fresh)."""
    os.chdir(ROOT)
    folder = chosen()
    solutions = folder.name != "student"
    if arguments[:1] == ["fresh"]:
        try:
            fresh(folder, arguments[1:], solutions)
        except OSError as error:
            sys.exit(f"make: {error.strerror} ({error.filename})")
    else:
        copies(folder, solutions)


if __name__ == "__main__":
    main(sys.argv[1:])
