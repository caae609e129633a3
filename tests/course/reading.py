"""Read a notebook: its cells, outputs, parts, claims and minutes."""

import ast
import base64
import re
from dataclasses import dataclass, field

# **Verdict C15: holds for the task: 0.92 falls to 0.03.** (5 seeds)
VERDICT = r"\*\*Verdict (C\d\d):\s+((?:holds|does not hold as said)[^*]*)\*\*"
EVIDENCE = VERDICT + r"\s+\(([^()]+)\)"
TRIAL = r"### Claim (C\d\d) on trial$"
COMMENT = r"(?s)<!--.*?-->"  # nobody sees it
FOLD = r"(?s)<details>\s*<summary>(.*?)</summary>(.*?)</details>"
EXERCISE = r"(?s)### Exercise \d.*"  # to the end of its cell
STARS = r"(?m)^[★☆]{3} · (\d+) minutes$"


def kind(notebook):
    """What sort of notebook it is: "road", "room" or "start"."""
    title = notebook.cells[0].source if notebook.cells else ""
    if title.startswith("# Trial room"):
        return "room"
    return "start" if title.startswith("# 0 ·") else "road"


def markdown_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def folds(text):
    """(summary, content) of each fold."""
    return re.findall(FOLD, text)


def visible(text):
    """A Markdown text without folds and comments."""
    return re.sub(FOLD, "", re.sub(COMMENT, "", text))


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    """All Markdown as one text, without its comments."""
    cells = [c.source for c in notebook.cells if c.cell_type == "markdown"]
    return re.sub(COMMENT, "", "\n\n".join(cells))


def tags(cell):
    return set(cell.metadata.get("tags", []))


def tagged(notebook, tag):
    return [cell for cell in code_cells(notebook) if tag in tags(cell)]


def figures(cell):
    """The outputs with a picture."""
    return [o for o in cell.outputs if "image/png" in o.get("data", {})]


def png(output):
    return base64.b64decode(output.data["image/png"])


def printed(cell):
    """All text that a cell has stored."""
    texts = [output.get("text", "") for output in cell.outputs]
    texts += [o.get("data", {}).get("text/plain", "") for o in cell.outputs]
    return "\n".join(text for text in texts if text)


def stdout(cell):
    streams = [o for o in cell.outputs if o.output_type == "stream"]
    return "".join(o.text for o in streams if o.name == "stdout")


def name(cell):
    lines = cell.source.strip().splitlines()
    return f"cell {cell.get('id', '?')} ({lines[0] if lines else 'empty'})"


def function_name(cell):
    """The name of the first function that a cell defines."""
    found = re.search(r"(?m)^def (\w+)\(", cell.source)
    return found[1] if found else None


def imports(notebook):
    """Top-level names of all packages that the cells import."""
    nodes = [
        node
        for cell in code_cells(notebook)
        for node in ast.walk(ast.parse(cell.source))
    ]
    plain = [a.name for n in nodes if isinstance(n, ast.Import)
             for a in n.names]  # fmt: skip
    origin = [n.module for n in nodes if isinstance(n, ast.ImportFrom)]
    return {module.split(".")[0] for module in plain + origin}


@dataclass
class Part:
    """What stands between a heading (`##`, or a claim) and the next one."""

    heading: str
    pieces: list = field(default_factory=list)  # Markdown texts, code cells

    @property
    def texts(self):
        return [piece for piece in self.pieces if isinstance(piece, str)]

    @property
    def code(self):
        return [piece for piece in self.pieces if not isinstance(piece, str)]


def parts(notebook):
    """The notebook, cut at each section and each claim."""
    found = [Part("")]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            found[-1].pieces.append(cell)
            continue
        for text in re.split(r"(?m)^(?=## |### Claim )", cell.source):
            if re.match(r"## |### Claim ", text):
                found.append(Part(text.split("\n")[0]))
            found[-1].pieces.append(text)
    return found


@dataclass
class Trial(Part):
    """A part with a claim, and all up to its verdict where that is later."""

    claim: str = ""
    own: int = 0  # so many pieces stand before the next heading

    @property
    def quote(self):
        """What others say, as one line."""
        lines = re.findall(r"(?m)^> ?(.*)$", "\n".join(self.texts[:1]))
        return " ".join(lines)

    @property
    def verdict(self):
        """The place of the piece with the verdict, None without one."""
        for place, piece in enumerate(self.pieces):
            if isinstance(piece, str) and re.search(VERDICT, piece):
                return place
        return None


def trials(notebook):
    """All claims on trial, in order."""
    cut = parts(notebook)
    found = []
    for i, part in enumerate(cut):
        if not (match := re.match(TRIAL, part.heading)):
            continue
        trial = Trial(part.heading, [*part.pieces], match[1], len(part.pieces))
        for later in cut[i + 1 :]:
            if trial.verdict is not None or "### Claim" in later.heading:
                break
            trial.pieces += later.pieces
        found.append(trial)
    return found


def verdicts(notebook):
    """{claim: (bold words, evidence)} of its one verdict, where it has one."""
    given = {}
    for trial in trials(notebook):
        found = re.findall(EVIDENCE, "\n".join(trial.texts))
        if len(found) == 1 and found[0][0] == trial.claim:
            bold, evidence = (" ".join(part.split()) for part in found[0][1:])
            given[trial.claim] = bold.rstrip("."), evidence
    return given


def minutes(notebook):
    """(total, reading, practice) as the first cell declares them, or None.

    Where the total is not divided, all of it is for reading.
    """
    found = re.search(
        r"\*\*(\d+) minutes\*\*(?:: (\d+) .+?, (\d+) to practice)?",
        notebook.cells[0].source,
    )
    if not found:
        return None
    total, read, practice = found.groups()
    return int(total), int(read or total), int(practice or 0)
