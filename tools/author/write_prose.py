"""Write data/prose.txt: the prose of notebooks 00 to 08 as one plain text.

python -m tools.author.write_prose

Notebook 07 fine-tunes on it until a learner brings a text. It is a copy of
one day and does not follow the notebooks, whose stored outputs would
otherwise change with every sentence; run `tools.author.sums` after it.
"""

import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GONE = (
    r"<!--.*?-->",  # comments
    r"</?(?:details|summary)>",
    r"\$\$.*?\$\$",  # displayed formulas
    r"(?m)^\|.*$",  # tables
    r"(?m)^★.*$",
    r"!\[[^\]]*\]\([^)]*\)",
    r"(?m)^ *(?:#+|>|- |\d+\. )",
    r"[*`$]",
)


def plain(text):
    """Return a Markdown text as sentences and nothing else."""
    for pattern in GONE:
        text = re.sub(pattern, "", text, flags=re.S)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)  # links
    lines = [" ".join(part.split()) for part in text.split("\n\n")]
    return "\n".join(line for line in lines if line)


def main():
    """Write the file."""
    paths = sorted((ROOT / "notebooks").glob("0[0-8]_*.ipynb"))
    cells = [
        "".join(cell["source"])
        for path in paths
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "markdown"
    ]
    text = "\n".join(filter(None, map(plain, cells)))
    (ROOT / "data" / "prose.txt").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
