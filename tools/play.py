"""What the attention views of the web page need to answer without Python.

Each notebook in `NETWORKS` is run up to its last view. What every view shows
at first goes into its page; the word vectors and the trained matrices go into
scripts that the page loads when somebody types a sentence.
"""

import base64
import contextlib
import io
import json
from functools import cache
from pathlib import Path

import numpy as np

from helpers import embeddings, plots, tasks
from helpers.plots import view
from helpers.plots.widget import NO_NUMBERS, to_send
from helpers.tasks.datasets import BASE, POSITIONS

ROOT = Path(__file__).parents[1]
PLAY = Path("play")  # below the page's _static
COMMON = 6000  # words with all 384 numbers: the first ones of the list
LEVELS = 127  # of the 8 bits of a number


def first(names):
    """00: an untrained and a trained model of one head each."""
    return nouns(names["models"])


def nouns(names):
    """02, too: the two models by their names."""
    models = [names["untrained"], names["trained"]]
    return {"table": "which_noun", "maps": [_maps(m, 1)[0] for m in models]}


def raw(names):
    """01: the words themselves are compared."""
    return {"table": "words", "maps": [{"scale": 1}]}


def heads(names):
    """04: each head of one model, and positions."""
    model = names["model"]
    positions = {"size": POSITIONS, "base": BASE}
    maps = _maps(model, model.heads)
    return {"table": "who_whom", "maps": maps, "positions": positions}


NETWORKS = {"00": first, "01": raw, "02": nouns, "04": heads}


def _maps(model, count):
    """The queries' and the keys' matrix of each head, and the scale."""
    parts = (
        np.split(model.parameters[name], count, axis=1)
        for name in ("w_q", "w_k")
    )
    return [
        {
            "w_q": packed(w_q, np.float32),
            "w_k": packed(w_k, np.float32),
            "scale": float(model.scale or w_q.shape[1] ** -0.5),
        }
        for w_q, w_k in zip(*parts, strict=True)
    ]


def packed(array, kind):
    """An array as text: its bytes in base64, row by row."""
    data = np.ascontiguousarray(array, kind).tobytes()
    return base64.b64encode(data).decode("ascii")


def words():
    """All entries of the vocabulary that are words in small letters."""
    listed = embeddings.tokenizer().get_vocab()
    found = sorted(listed, key=listed.get)
    return [w for w in found if w.isascii() and w.isalpha() and w.islower()]


def table(name):
    """Words and their vectors, in 8 bits a number."""
    known = words()
    if name == "words":
        known = known[:COMMON]
        x = embeddings.vectors(known)
    else:
        x = tasks.load(name, 1000).table.vectors(known)
    scale = np.abs(x).max(axis=0) / LEVELS
    return {
        "words": " ".join(known),
        "vectors": packed(np.round(x / scale), np.int8),
        "scale": scale.round(7).tolist(),
    }


@cache
def views(path):
    """Run a notebook up to its last view.

    Returns {id of a cell: what its view shows at first}, and the network
    that answers, or None.
    """
    notebook = json.loads(Path(path).read_text(encoding="utf-8"))
    cells = notebook.get("cells", [])
    code = [c for c in cells if c["cell_type"] == "code"]
    asked = ["attention_view(" in "".join(c["source"]) for c in code]
    number = Path(path).name.split("_")[0]
    if not any(asked) or number not in NETWORKS:
        return {}, None
    last = max(i for i, found in enumerate(asked) if found)
    found, names = {}, {}
    with _watched() as shown:
        for cell in code[: last + 1]:
            tags = {*cell["metadata"].get("tags", [])}
            if not tags & {"exercise", "check", "solution"}:
                exec(compile("".join(cell["source"]), path, "exec"), names)
            if shown:
                found[cell["id"]] = shown.pop()
    return found, NETWORKS[number](names)


@contextlib.contextmanager
def _watched():
    """Keep what views would show; nothing is printed or drawn."""
    kept, usual = [], plots.attention_view

    def watch(scores, tokens, names=None, *, query=0, head=0, **more):
        scores, tokens = view.check_maps(scores, tokens)
        kept.append(
            {
                "maps": to_send(scores.round(4), tokens),
                "names": plots.text.head_names(names, len(scores)),
                "title": more.get("title", ""),
                "can_ask": more.get("ask") is not None,
                "sentence": " ".join(tokens).translate(NO_NUMBERS),
                "first": int(query),
                "query": int(query) % len(tokens),
                "head": int(head) % len(scores),
                "temperature": 1,
            }
        )

    plots.attention_view = watch
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield kept
    finally:
        plots.attention_view = usual


def markup(state, number, up):
    """A view in a page; `number` names its network, `up` leads to the top."""
    text = json.dumps(state).replace("</", "<\\/")
    return (
        f'<div class="attention-play" data-network="{number}"'
        f' data-static="{up}_static/">\n'
        f'<script type="application/json">{text}</script>\n</div>'
    )


def write(folder):
    """Write the scripts of all networks, and of the page, into `_static`."""
    target = Path(folder, PLAY)
    target.mkdir(parents=True, exist_ok=True)
    tables = set()
    for number in NETWORKS:
        [path] = ROOT.glob(f"notebooks/{number}_*.ipynb")
        _, network = views(str(path))
        if network:
            _script(target / f"network_{number}.js", number, network)
            tables.add(network["table"])
    for name in sorted(tables):
        _script(target / f"table_{name}.js", name, table(name))
    here = ROOT / "helpers" / "plots"
    widget = (here / "widget.js").read_text(encoding="utf-8")
    widget = widget.replace(
        "export default { render };",
        "globalThis.attentionWidget = { render };",
    )
    # In a function of its own, as the module that it is in notebooks.
    (target / "widget.js").write_text(
        f"(() => {{\n{widget}\n}})();\n", encoding="utf-8"
    )
    style = (here / "widget.css").read_text(encoding="utf-8")
    (target / "widget.css").write_text(style, encoding="utf-8")


def _script(path, name, data):
    """A script works where a page is opened as a file, and fetch does not."""
    text = json.dumps(data, separators=(",", ":"))
    line = f"(globalThis.attentionData ??= {{}})[{name!r}] = {text};\n"
    path.write_text(line, encoding="utf-8")
