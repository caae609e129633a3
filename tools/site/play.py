"""What the attention views of the web page need to answer without Python.

Of each notebook in `NETWORKS`, the cells that its views need are run. What a
view shows at first goes into its page; the word vectors and the trained
matrices go into scripts that the page loads when somebody types a sentence.
"""

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
from tools.markup import Html, filled
from tools.site import writers
from tools.site.needed import needed

ROOT = Path(__file__).parents[2]
PLAY = Path("play")  # below the page's _static
COMMON = 6000  # words with all 384 numbers: the first ones of the list
PRACTICE = {"check", "solution"}  # stubs stay: the course answers for them


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


def language(names):
    """06: the model that also writes; its weights are read by the page."""
    return {"writer": "06"}


def fixed(names):
    """09: what is shown at first is all; the model is too large."""
    return {}


NETWORKS = {
    "00": first,
    "01": raw,
    "02": nouns,
    "04": heads,
    "06": language,
    "09": fixed,
}


def _maps(model, count):
    """The queries' and the keys' matrix of each head, and the scale."""
    parts = (
        np.split(model.parameters[name], count, axis=1)
        for name in ("w_q", "w_k")
    )
    return [
        {
            "w_q": writers.packed(w_q, np.float32),
            "w_k": writers.packed(w_k, np.float32),
            "scale": float(model.scale or w_q.shape[1] ** -0.5),
        }
        for w_q, w_k in zip(*parts, strict=True)
    ]


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
    scale = np.abs(x).max(axis=0) / writers.LEVELS
    return {
        "words": " ".join(known),
        "vectors": writers.packed(np.round(x / scale), np.int8),
        "scale": scale.round(7).tolist(),
    }


@cache
def views(path):
    """Run what the views of a notebook need.

    Returns {id of a cell: what its view shows at first}, and the network
    that answers, which may be empty, or None.
    """
    notebook = json.loads(Path(path).read_text(encoding="utf-8"))
    code = [
        cell
        for cell in notebook.get("cells", [])
        if cell["cell_type"] == "code"
        and not {*cell["metadata"].get("tags", [])} & PRACTICE
    ]
    sources = ["".join(cell["source"]) for cell in code]
    number = Path(path).name.split("_")[0]
    if number not in NETWORKS:
        return {}, None
    found, names = {}, {}
    with _watched() as shown:
        for i in needed(sources, "attention_view("):
            exec(compile(sources[i], path, "exec"), names)
            if shown:
                found[code[i]["id"]] = shown.pop()
    return found, NETWORKS[number](names)


@contextlib.contextmanager
def _watched():
    """Keep what views would show; nothing is printed or drawn."""
    kept, usual = [], plots.attention_view

    def watch(scores, tokens, names=None, *, query=0, **more):
        scores, tokens = view.check_maps(scores, tokens)
        kept.append(
            {
                "maps": to_send(scores.round(4), tokens),
                "names": plots.in_words.head_names(names, len(scores)),
                "title": more.get("title", ""),
                "can_ask": more.get("ask") is not None,
                "sentence": " ".join(tokens).translate(NO_NUMBERS),
                "first": int(query),
                "query": int(query) % len(tokens),
                "head": 0,
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
    can_ask = state["can_ask"] and bool(views_network(number))
    text = json.dumps(state | {"can_ask": can_ask}).replace("</", "<\\/")
    is_fixed = state["can_ask"] and not can_ask
    return filled(
        "site/view.html",
        number=number, up=up, state=Html(text), is_fixed=is_fixed,
    )  # fmt: skip


def views_network(number):
    """The network that answers in a notebook."""
    [path] = ROOT.glob(f"notebooks/{number}_*.ipynb")
    return views(str(path))[1]


def write(folder):
    """Write the scripts of all networks, and of the page, into `_static`."""
    target = Path(folder, PLAY)
    target.mkdir(parents=True, exist_ok=True)
    tables = set()
    for number in NETWORKS:
        if network := views_network(number):
            writers.script(target / f"network_{number}.js", number, network)
            tables.add(network.get("table"))
    for name in sorted(tables - {None}):
        writers.script(target / f"table_{name}.js", name, table(name))
    for number in writers.MODELS:
        name = f"writer_{number}"
        writers.script(target / f"{name}.js", name, writers.data(number))
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
