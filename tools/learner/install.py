"""Build the environment in .venv; make calls this when a list has changed.

Where there is no make: `python tools/learner/install.py`. With `--here` it
installs into the Python that runs it, of conda or a container, say; with
`--model` it brings that Python the chat model alone. Any Python from 3.7 on
can read it, to say which one the course needs.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for tools
from tools.learner import place

WINDOWS = sys.platform == "win32"
if WINDOWS:
    import msvcrt
else:
    import fcntl

PYTHONS = (3, 11), (3, 14)  # tested: from, to
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
LISTS = "environment.yml", "constraints.txt", "pyproject.toml"
VENV = Path(".venv")
WHEELS = Path("wheels")  # of a stick; where it is, no network is asked
PYTHON = VENV / ("Scripts" if WINDOWS else "bin") / "python"
SETTINGS = {  # of JupyterLab: no pop-up about news, and widgets are kept
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}


def main(arguments):
    """Install what the arguments say, until it is done or stopped."""
    try:
        bring(arguments)
    except KeyboardInterrupt:
        sys.exit("make: stopped; run make again to go on")


def bring(arguments):
    """Install into this Python (--here), or bring .venv up to date.

    The argument may be a stamp for .venv, as make names it.
    """
    if arguments == ["--model"]:
        bring_model(sys.executable)
        return
    check_python()
    if arguments == ["--here"]:
        install(sys.executable)
        write_settings(Path(sys.prefix))
        bring_model(sys.executable)
        return
    if arguments and VENV not in Path(arguments[0]).parents:
        sys.exit(__doc__)
    place.check(".", VENV)
    if arguments:
        update(Path(arguments[0]))
    else:
        update(VENV / f"made-{zlib.crc32(os.fsencode(os.getcwd()))}")
        say(f"all is installed; now: {PYTHON} -m tools.learner.lab")


def update(stamp):
    """Bring .venv up to date, one process at a time; touch the stamp last.

    The stamp has the folder in its name, for an environment cannot be moved.
    Without it the environment is not whole, and a new one is made.
    """
    with open(".venv.lock", "w", encoding="utf-8") as lock:
        wait_for(lock)
        if not is_newer(stamp):
            if not stamp.exists():
                make_environment()
            install(PYTHON)
            write_settings(VENV)
            stamp.touch()
            os.utime(stamp, (1, 1))  # whoever stops now lacks the model alone
            bring_model(PYTHON)
            stamp.touch()


def wait_for(lock):
    """Lock an open file until it is closed, as soon as no other does."""
    said = False
    while True:
        try:
            if WINDOWS:
                msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except OSError:
            if not said:
                say("another make builds the environment; waiting for it.")
            said = True
            time.sleep(0.5)


def make_environment():
    """Make an empty environment in the place of any other."""
    command = sys.executable, "-m", "venv", "--clear", VENV
    done = run(*command, stderr=subprocess.PIPE)
    if done.returncode:
        sys.stderr.write(done.stderr)
        sys.exit("make: no environment could be made; Python says why above")


def install(python):
    """Install the pins, then the course itself, or exit with what pip said."""
    pins, course = requirements()
    say(
        "installing packages; the first time this loads about 400 MB, takes "
        "1.5 GB of the disk and a few minutes."
    )
    if sys.platform == "linux":
        # The usual torch is several GB of CUDA, the CPU build 200 MB.
        torch = [pin for pin in pins if pin.startswith("torch==")]
        index = "--no-deps --retries 0 --timeout 15 --index-url".split()
        if pip(python, *index, CPU_INDEX, *torch):
            say(
                f"no CPU build of PyTorch at {CPU_INDEX}; taking pip's own,"
                " which is several GB."
            )
    # The course comes last: the pinned setuptools builds it, offline.
    local = "--no-deps", "--no-build-isolation", *course
    failure = pip(python, *pins) or pip(python, *local)
    if failure:
        print(failure, file=sys.stderr)
        sys.exit(f"make: {way_out(failure)}")


def bring_model(python):
    """Bring the chat model; what fails says so, and the rest goes on."""
    if os.environ.get("MODEL") == "off":
        return
    say("the chat model: 93 MB, unless it is there; MODEL=off leaves it out.")
    stick = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(WHEELS)}
    environ = {**os.environ, **(stick if WHEELS.is_dir() else {})}
    run(python, "-m", "helpers.chat_model.fetch", env=environ)


def way_out(failure):
    """Say what to do when pip has failed with these words."""
    lines = failure.splitlines()
    errors = [line for line in lines if line.startswith("ERROR:")]
    last = (errors or lines)[-1]
    missing = re.search(r"No matching distribution found for (\S+)", failure)
    if missing and sys.version_info[:2] > PYTHONS[1]:
        return (
            f"{missing[1]} cannot be had for {this_python()}; take an older "
            f"one: make clean, then {another_python()}"
        )
    free = shutil.disk_usage(".").free // 2**20
    return (
        f"the packages could not be installed; pip says: {last}\n"
        f"make: (the disk has {free} MB free) mend that and run make again\n"
        "make: without a network: see teaching/offline.md"
    )


def write_settings(prefix):
    """Set JupyterLab as the course needs it; a learner's choice wins."""
    folder = prefix / "share" / "jupyter" / "lab" / "settings"
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(SETTINGS, indent=1) + "\n"
    (folder / "overrides.json").write_text(text, encoding="utf-8")


def requirements():
    """Return pip's arguments from environment.yml: the pins, the course."""
    text = Path("environment.yml").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.split("- pip:\n")[1].splitlines()]
    items = [line[2:].split() for line in lines if line.startswith("- ")]
    *pins, course = items
    return [word for item in pins for word in item], course


def pip(python, *arguments):
    """Run pip install; return "" or what it complained of, unsaid."""
    # Python compiles what is imported, once; all of torch would take long.
    command = [python, "-m", "pip", "install", "--quiet", "--no-compile"]
    command += arguments
    if WHEELS.is_dir():
        command += ["--no-index", f"--find-links={WHEELS}"]
    done = run(*command, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return ""
    return done.stderr.strip() or "nothing"


def run(*command, **options):
    """Run a command to its end."""
    command = [str(word) for word in command]
    return subprocess.run(command, text=True, **options)


def is_newer(stamp):
    """Whether a stamp is there, and no list is newer."""
    if not stamp.exists():
        return False
    return all(
        Path(name).stat().st_mtime <= stamp.stat().st_mtime for name in LISTS
    )


def check_python():
    """Exit with the way out if this Python cannot build the environment."""
    oldest, newest = PYTHONS
    tested = ".".join(map(str, oldest)) + " to " + ".".join(map(str, newest))
    if sys.version_info[:2] < oldest:
        sys.exit(
            f"make: this is {this_python()} and the course needs {tested}; "
            f"name one: {another_python()}"
        )
    if sys.version_info[:2] > newest:
        say(f"tested with Python {tested}; trying it with {this_python()}.")
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        sudo = "sudo " * (not place.is_root())  # a bare container has none
        sys.exit(
            "make: this Python cannot make an environment; on Debian or "
            f"Ubuntu first run: {sudo}apt install python3-venv"
        )


def this_python():
    """Name the Python that runs this."""
    return "Python {}.{}".format(*sys.version_info)


def another_python():
    """Return the command that takes another Python."""
    if WINDOWS:
        return "py -3.13 tools\\learner\\install.py"
    return "make lab PYTHON=python3.13"


def say(words):
    """Print a line at once, as make would."""
    print(f"make: {words}", flush=True)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[2])
    main(sys.argv[1:])
