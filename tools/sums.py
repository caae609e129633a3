"""Write data/SHA256SUMS anew, after a file of data/ was changed on purpose.

python tools/sums.py
"""

import hashlib
import os
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
PATTERNS = ("all-MiniLM-L6-v2/*.safetensors", "all-MiniLM-L6-v2/*.json")
PATTERNS += ("*.safetensors", "*.json", "*.txt")


def write_sums(folder=DATA):
    """Hash the files of `PATTERNS`; return the lines."""
    paths = [p for pattern in PATTERNS for p in sorted(folder.glob(pattern))]
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}"
        f"  {path.relative_to(folder).as_posix()}\n"
        for path in paths
    ]
    replace_file(folder / "SHA256SUMS", "".join(lines))
    return "".join(lines)


def replace_file(path, text):
    """Write a file whole or not at all: a full disk leaves the old one."""
    draft = path.with_name(f"{path.name}.part")
    try:
        with open(draft, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


if __name__ == "__main__":
    print(write_sums(), end="")
