"""Keep out of stored notebooks what a widget needs only while it lives.

`make execute` calls this; the picture and the words of the widget stay.
"""

import json
import sys
from pathlib import Path

WIDGET = "application/vnd.jupyter.widget-"


def plain(notebook):
    """Change a notebook in place; return whether anything had to go."""
    found = notebook["metadata"].pop("widgets", None) is not None
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            for kind in [kind for kind in data if kind.startswith(WIDGET)]:
                del data[kind]
                found = True
    return found


def main(paths):
    """Rewrite only the notebooks that hold a widget."""
    for path in map(Path, paths):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        if plain(notebook):
            text = json.dumps(notebook, indent=1, ensure_ascii=False)
            path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
