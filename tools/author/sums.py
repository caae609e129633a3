"""Write data/SHA256SUMS anew, after a file of data/ was changed on purpose.

python -m tools.author.sums
"""

import hashlib
from pathlib import Path

from helpers.models.files import replace_file

DATA = Path(__file__).resolve().parents[2] / "data"
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
    replace_file(folder / "SHA256SUMS", "".join(lines).encode())
    return "".join(lines)


if __name__ == "__main__":
    print(write_sums(), end="")
