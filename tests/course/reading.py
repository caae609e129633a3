"""Read a notebook: its cells, outputs, parts, claims and minutes."""

import ast
import base64
import re
from dataclasses import dataclass, field

from helpers import claims

TRIAL = r"### Claim (C\d\d) on trial$"
COMMENT = r"(?s)<!--.*?-->"  # nobody sees it
FOLD = r"(?s)<details>\s*<summary>(.*?)</summary>(.*?)</details>"
EXERCISE = r"(?s)### Exercise \d.*"  # to the end of its cell
MINUTES = r"\*\*(?:(\d+) to )?(\d+) minutes\*\*"
STOP = r"A good place to stop:\**\s+[Yy]ou can now"
STARS = r"(?m)^[★☆]{3} · (\d+) minutes$"


def kind(notebook):
    """What sort of notebook it is: "road", "room" or "start"."""
    title = notebook.cells[0].source if notebook.cells else ""
    if title.startswith(("# Trial room", "# Workshop")):
        return "room"
    return "start" if title.startswith("# 0 ·") else "road"


def number(notebook):
    """What its title says, such as "02"; "" without a number.

    The cells' ids do not tell it: they keep the number that the notebook had
    when they were written.
    """
    title = notebook.cells[0].source if notebook.cells else ""
    found = re.match(r"# (?:Trial room )?(\d+) · ", title)
    return f"{found[1]:0>2}" if found else ""


def markdown_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "markdown"]


def folds(text):
    """(summary, content) of each fold."""
    return re.findall(FOLD, text)


def visible(text):
    """A Markdown text without folds and comments."""
    return re.sub(FOLD, "", re.sub(COMMENT, "", text))


def revealed(text):
    """A Markdown text without comments."""
    return re.sub(COMMENT, "", text)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def prose(notebook):
    """All Markdown as one text, without its comments."""
    return revealed("\n\n".join(c.source for c in markdown_cells(notebook)))


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


def stored(cell):
    """What `helpers.claims` has stored with the output of a cell, or None."""
    if isinstance(cell, str) or cell.cell_type != "code":
        return None
    for output in cell.outputs:
        of = output.get("metadata", {}).get("text/markdown", {})
        found = of.get("verdict")  # nbval compares what is shown, not this
        if found and found["text"] in output.data["text/markdown"]:
            return {"kind": claims.TRIAL} | found
    return None


def judged(piece):
    """What a trial has stored with a cell; None for an identity."""
    found = stored(piece)
    return found if found and found["kind"] == claims.TRIAL else None


def stdout(cell):
    streams = [o for o in cell.outputs if o.output_type == "stream"]
    return "".join(o.text for o in streams if o.name == "stdout")


def name(cell):
    lines = cell.source.strip().splitlines()
    return f"cell {cell.get('id', '?')} ({lines[0] if lines else 'empty'})"


def function_names(cell):
    """The functions that a cell defines, or else its last method."""
    methods = re.findall(r"(?m)^    def (\w+)\(self", cell.source)
    return re.findall(r"(?m)^def (\w+)\(", cell.source) or methods[-1:]


def imported(source):
    """Top-level names of all packages that Python source imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found.add(node.module.split(".")[0])
    return found


def imports(notebook):
    """Those of all cells."""
    return set().union(*(imported(c.source) for c in code_cells(notebook)))


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
        """The place of the cell with the verdict, None without one."""
        places = [i for i, piece in enumerate(self.pieces) if judged(piece)]
        return places[0] if places else None


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


@dataclass
class Verdict:
    """What came out of a trial, as it was stored with an output."""

    claim: str
    word: str
    title: str  # the word and its condition
    text: str
    parts: list = field(default_factory=list)

    @property
    def said(self):
        """The condition, or nothing."""
        return self.title.removeprefix(self.word).strip()

    @property
    def plain(self):
        """The first paragraph, which stands alone."""
        return self.text.split("\n\n")[0]


def verdicts(notebook):
    """{claim: Verdict}: of each trial its one verdict, where it has one."""
    given = {}
    for trial in trials(notebook):
        computed = [of for piece in trial.pieces if (of := judged(piece))]
        if [of["claim"] for of in computed] == [trial.claim]:
            given[trial.claim] = _computed(*computed)
    return given


def _computed(of):
    """The Verdict that was stored with an output."""
    keep = "claim", "word", "title", "text", "parts"
    return Verdict(**{part: of[part] for part in keep})


@dataclass
class Identity(Part):
    """What follows from arithmetic, below the nearest heading above."""

    claim: str = ""
    verdict: Verdict = None

    @property
    def quote(self):
        return claims.read(self.claim)[0]["claim"]


def identities(notebook):
    """All that the notebook shows without a trial, in order."""
    found, heading = [], ""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            heading = [heading, *re.findall(r"(?m)^#+ .+$", cell.source)][-1]
        elif (of := stored(cell)) and not judged(cell):
            verdict = _computed(of)
            found.append(Identity(heading, [cell], of["claim"], verdict))
    return found


def on_show(notebook):
    """The claims that stand in a notebook, of both kinds, in order."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            found += re.findall(rf"(?m){TRIAL}", cell.source)
        elif (of := stored(cell)) and not judged(cell):
            found.append(of["claim"])
    return found


def minutes(notebook):
    """(lower end, upper end) as the first cell states them, or None."""
    found = re.search(MINUTES, notebook.cells[0].source)
    return tuple(int(n or found[2]) for n in found.groups()) if found else None
