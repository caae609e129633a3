"""Write data/SHA256SUMS anew, after a file of data/ was changed on purpose.

python tools/sums.py
"""

import hashlib
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "data"
NAMES = (
    "all-MiniLM-L6-v2/model.safetensors",
    "all-MiniLM-L6-v2/tokenizer.json",
    "encoder_reference.safetensors",
    "fact_runs.json",
    "encoder_runs.json",
    "head_runs.json",
    "hop_runs.json",
    "block_runs.json",
    "language_runs.json",
    "control_runs.json",
    "distance_runs.json",
    "induction_runs.json",
    "position_runs.json",
    "scaling_runs.json",
    "senses.json",
    "variant_runs.json",
    "words.json",
)


def write_sums(folder=DATA):
    """Hash the files of `NAMES` that are there; return the lines."""
    lines = [
        f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
        for name in NAMES
        if (folder / name).exists()
    ]
    (folder / "SHA256SUMS").write_bytes("".join(lines).encode())
    return "".join(lines)


if __name__ == "__main__":
    print(write_sums(), end="")
