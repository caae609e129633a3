"""Build the environment in .venv; make calls this when a list has changed.

Any Python from 3.7 on can read it, to say which one the course needs.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

PYTHONS = (3, 11), (3, 13)
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
LISTS = "environment.yml", "constraints.txt", "pyproject.toml"
VENV = Path(".venv")
SETTINGS = {  # of JupyterLab: no pop-up about news, and widgets are kept
    "@jupyterlab/apputils-extension:notification": {
        "fetchNews": "false",
        "checkForUpdates": False,
    },
    "@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": True},
}


def main(stamp):
    """Bring .venv up to date, one process at a time; touch the stamp last.

    The stamp has the folder in its name, for an environment cannot be moved.
    Without it the environment is not whole, and a new one is made.
    """
    check_python()
    stamp = Path(stamp)
    import fcntl  # where make runs, this is there

    with open(".venv.lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("another make builds the environment; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not is_newer(stamp):
            if not stamp.exists():
                make_environment()
            install()
            write_settings()
            stamp.touch()


def make_environment():
    """Make an empty environment in the place of any other."""
    if run(sys.executable, "-m", "venv", "--clear", VENV).returncode:
        sys.exit("make: no environment could be made; Python says why above")


def install():
    """Install the pins, then the course itself, or exit with what pip said."""
    pins, course = requirements()
    if sys.platform == "linux":
        # The usual torch is several GB of CUDA, the CPU build 200 MB.
        torch = [pin for pin in pins if pin.startswith("torch==")]
        index = "--no-deps --retries 0 --timeout 15 --index-url".split()
        if pip(*index, CPU_INDEX, *torch):
            say(f"no CPU build of PyTorch at {CPU_INDEX}; taking pip's own.")
    # The course comes last: the pinned setuptools builds it, offline.
    local = "--no-deps", "--no-build-isolation", *course
    failure = pip(*pins) or pip(*local)
    if failure:
        free = shutil.disk_usage(".").free // 2**20
        sys.exit(
            f"make: the packages could not be installed; pip says: {failure}\n"
            f"make: (the disk has {free} MB free) mend that and run make again"
        )


def write_settings():
    """Set JupyterLab as the course needs it; a learner's choice wins."""
    folder = VENV / "share" / "jupyter" / "lab" / "settings"
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


def pip(*arguments):
    """Run pip install; return "" or the last thing that it complained of."""
    python = VENV / "bin" / "python"
    # Python compiles what is imported, once; all of torch would take long.
    command = [python, "-m", "pip", "install", "--no-compile", *arguments]
    done = run(*command, stderr=subprocess.PIPE)
    if done.returncode == 0:
        return ""
    sys.stderr.write(done.stderr)
    lines = done.stderr.strip().splitlines() or ["nothing."]
    errors = [line for line in lines if line.startswith("ERROR:")]
    return (errors or lines)[-1]


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
    low, high = PYTHONS
    if not low <= sys.version_info[:2] <= high:
        sys.exit(
            f"make: this is Python 3.{sys.version_info[1]} and the course "
            "needs 3.11, 3.12 or 3.13; name one: make lab PYTHON=python3.12"
        )
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        sys.exit(
            "make: this Python cannot make an environment; on Debian or "
            "Ubuntu first run: sudo apt install python3-venv"
        )


def say(words):
    """Print a line at once, as make would."""
    print(f"make: {words}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
