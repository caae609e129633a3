"""The attention view: point at a word and see where it looks."""

from .. import validation
from ..attention import softmax
from . import heatmaps, in_words, inputs


def attention_view(scores, tokens, names=None, *, query=0, ask=None, title=""):
    """Show a sentence to play with: bars say where the chosen word looks.

    A word is chosen with the mouse or the arrow keys; the softmax is taken
    in the browser, at a temperature that a slider sets. Where no widget can
    run, and in stored notebooks, stand a figure and its words instead.

    Parameters
    ----------
    scores : array (T, T), or (H, T, T)
        As they go into the softmax: scaled, -inf where masked.
    tokens : list of T strings
    names : list of H strings, optional
        Names of the maps, "head 1" and so on unless you give them.
    query : int
        Which word asks at first; -1 is the last one, of every sentence.
    ask : callable, optional
        ``ask(sentence) -> (scores, tokens)`` with as many maps, called with
        what is typed into a box. The text of a ValueError is shown there.
    title : str

    Raises
    ------
    TypeError, ValueError
        Naming the argument and its shape.
    """
    scores, tokens = check_maps(scores, tokens)
    if names is not None:
        names = inputs.check_tokens("names", names, len(scores))
    names = in_words.head_names(names, len(scores))
    query = inputs.check_place("query", query, len(tokens), -len(tokens))
    if ask is not None:
        validation.function("ask", ask)
    validation.string("title", title)
    if not show_widget(scores, tokens, names, query, ask, title):
        show_figure(scores, tokens, names, query, title)


def show_widget(scores, tokens, *look):
    """Display the widget and return True, if a front end can draw one."""
    if not has_front_end():
        return False
    try:
        from .widget import AttentionView
    except ImportError:
        return False
    from IPython.display import display

    display(AttentionView(scores, tokens, *look))
    return True


def has_front_end():
    """Say whether somebody looks on while the cell runs.

    JupyterLab, Notebook and VS Code name the cell in the message that runs
    it. nbconvert and nbval do not: they store outputs, and draw nothing.
    """
    from IPython import get_ipython

    get_parent = getattr(get_ipython(), "get_parent", dict)
    return "cellId" in get_parent().get("metadata", {})


def show_figure(scores, tokens, names, query, title):
    """Show one map whole, of several the row of the word that asks."""
    who = f"{tokens[query]} asks"
    title = f"{title} ({who})" if title else who
    weights = softmax(scores)
    if len(weights) == 1:
        look = {"frame": query % len(tokens), "title": title}
        heatmaps.show_attention(weights[0], tokens, **look)
    else:
        heatmaps.show_heads(weights[:, query], tokens, names, title=title)


def check_maps(scores, tokens):
    """Return scores (H, T, T) and the T tokens, repeated ones numbered."""
    scores = validation.float_array("scores", scores, ndim=2, finite=False)
    validation.no_positive_infinity("scores", scores)
    maps = scores[None] if scores.ndim == 2 else scores
    if maps.ndim != 3 or maps.shape[1] != maps.shape[2]:
        raise ValueError(
            f"scores: expected (H, T, T) or (T, T), got {scores.shape}"
        )
    if len(maps[0]) > inputs.MAX_LABELS:
        raise ValueError(
            f"scores {scores.shape}: {len(maps[0])} words, but only "
            f"{inputs.MAX_LABELS} can be shown"
        )
    tokens = inputs.check_tokens("tokens", tokens, maps.shape[1])
    return maps.astype(float), inputs.number_repeats(tokens)
