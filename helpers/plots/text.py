"""A figure in words: lines and tables of at most 60 columns."""

import textwrap

import numpy as np

from ..validation import positive_integer
from .inputs import (
    check_array,
    check_curves,
    check_labels,
    check_scores,
    check_tokens,
    check_weights,
)

COLUMNS = 60


def describe_attention(
    weights, query_tokens, key_tokens=None, top=3, *, mask=None, strict=True
):
    """Say each query's largest weights: ``bank -> bank 0.57, river 0.15``.

    The arguments are those of `show_attention`; `top` is how many keys a
    line names. Weights that print as 0.00 are left out; equal ones keep the
    order of the sentence. Returns a string.
    """
    weights, allowed = check_weights("weights", weights, mask, strict)
    labels = check_labels(query_tokens, key_tokens, weights.shape)
    return weight_lines(np.where(allowed, weights, 0.0), labels, top)


def describe_heads(weights, key_tokens, titles=None, top=3):
    """Say where every head looks: ``head 1 -> boots 0.93, by 0.04``."""
    titles = head_names(titles, len(check_array("weights", weights, 2)))
    return describe_attention(weights, titles, key_tokens, top)


def head_names(titles, count):
    """Return the titles, or "head 1", "head 2" and so on."""
    if titles is None:
        return [f"head {head + 1}" for head in range(count)]
    return check_tokens("titles", titles, count)


def weight_lines(weights, labels, top):
    """Return a line for each row of checked weights (T_q, T_k)."""
    top = positive_integer("top", top)
    lines = []
    for row in weights:
        best = [key for key in rank(row)[:top] if round(row[key], 2) > 0]
        parts = [f"{labels[1][key]} {row[key]:.2f}" for key in best]
        lines.append(parts or ["nothing"])
    return join_lines(labels[0], lines)


def describe_scores(
    scores, query_tokens, key_tokens=None, top=3, *, mask=None
):
    """Say each query's highest scores and its lowest one.

    The arguments are those of `show_scores`. Returns a string, one line a
    query: ``bank -> bank 1.20, river 0.31, the₁ 0.02; lowest of −0.40``.
    """
    scores, allowed = check_scores(scores, mask)
    labels = check_labels(query_tokens, key_tokens, scores.shape)
    return score_lines(scores, allowed, labels, top)


def score_lines(scores, allowed, labels, top):
    """Return a line for each row of checked scores (T_q, T_k)."""
    top = positive_integer("top", top)
    lines = []
    for row, open_keys in zip(scores, allowed, strict=True):
        order = [key for key in rank(row) if open_keys[key]]
        best = [f"{labels[1][key]} {signed(row[key])}" for key in order]
        parts = best[:top] or ["nothing"]
        if len(best) > top:
            parts[-1] += f"; lowest {best[-1]}"
        lines.append(parts)
    return join_lines(labels[0], lines)


def vector_lines(x, tokens, top=3):
    """Say the length and the largest entries of each row of x (T, d)."""
    lines = []
    for row in x:
        parts = [f"{d}: {signed(row[d])}" for d in rank(abs(row))[:top]]
        length = f"length {np.linalg.norm(row):.2f}"
        lines.append([f"{length}; dimension {parts[0]}", *parts[1:]])
    return join_lines(tokens, lines)


def describe_table(values, rows, columns, sd=None):
    """Return results as a table of text; the arguments of `show_table`."""
    values, sd = check_table(values, sd)
    rows = check_tokens("rows", rows, len(values))
    columns = check_tokens("columns", columns, values.shape[1])
    spreads = [None] * len(columns) if sd is None else sd.T
    cells = [
        [name, *results(mean, spread, ".2f")]
        for name, mean, spread in zip(columns, values.T, spreads, strict=True)
    ]
    return align_table([["", *rows], *cells])


def describe_curves(x, series, xlabel="x", *, form=".3f"):
    """Return the numbers of `show_curves` as a table, a line for each x.

    `form` is the format of a number.
    """
    x, lines, _ = check_curves(x, series)
    cells = [
        [label, *results(line.mean, line.sd, form)]
        for label, line in lines.items()
    ]
    return align_table([[xlabel, *(f"{value:g}" for value in x)], *cells])


def check_table(values, sd):
    """Return values (R, C) and sd (R, C) or None, both checked."""
    values = check_array("values", values, 2)
    if sd is None:
        return values, None
    sd = check_array("sd", sd, 2)
    if sd.shape != values.shape:
        raise ValueError(
            f"sd has shape {sd.shape}, but values has {values.shape}"
        )
    return values, sd


def results(mean, sd=None, form=".3f"):
    """Return each number as text, ``0.991 ± 0.004`` with sd; any shape."""
    texts = np.vectorize(lambda value: minus(f"{value:{form}}"))(mean)
    if sd is None:
        return texts
    return [f"{t} ± {s:{form}}" for t, s in zip(texts, sd, strict=True)]


def rank(row):
    """Return the positions of `row`, largest first, ties in order.

    Equal to 6 decimals is a tie, so that the order does not depend on the
    last bits of a computation.
    """
    return np.argsort(-np.round(row, 6), kind="stable")


def signed(value, decimals=2):
    """Return a number with a true minus sign and never a minus zero."""
    return minus(f"{value:.{decimals}f}")


def minus(text):
    """Return the text of a number with a true minus sign, zero without."""
    return text.replace("-", "−" if set(text) & set("123456789") else "")


def join_lines(labels, lines):
    """Return ``label -> part, part`` for each row, wrapped between parts."""
    width = max(map(len, labels))
    texts = []
    for label, parts in zip(labels, lines, strict=True):
        whole = ", ".join(part.replace(" ", "\xa0") for part in parts)
        text = textwrap.fill(
            whole.replace(";\xa0", "; "),
            COLUMNS,
            initial_indent=f"{label:>{width}} -> ",
            subsequent_indent=" " * (width + 4),
            break_long_words=False,
            break_on_hyphens=False,
        )
        texts.append(text.replace("\xa0", " "))
    return "\n".join(texts)


def align_table(columns):
    """Return columns of cells, headings first, as text of 60 columns.

    Headings are wrapped where a line would be longer; columns that still do
    not fit continue below, beside the first column again.
    """
    if table_width(columns) > COLUMNS:
        columns = wrap_headings(columns)
    first, *rest = columns
    blocks = [[first]]
    for column in rest:
        if len(blocks[-1]) > 1:
            if table_width([*blocks[-1], column]) > COLUMNS:
                blocks.append([first])
        blocks[-1].append(column)
    return "\n\n".join(map(align_block, blocks))


def table_width(columns):
    """Return how many characters a line of the table takes."""
    return sum(max(map(len, column)) + 2 for column in columns) - 2


def wrap_headings(columns):
    """Break headings that are wider than their cells into two lines."""
    heads = []
    for head, *cells in columns:
        fits = len(head) <= max(map(len, cells))
        half = max(len(head) // 2 + 1, *map(len, head.split()), 1)
        heads.append([head] if fits else textwrap.wrap(head, half))
    height = max(map(len, heads))
    return [
        [""] * (height - len(head)) + head + column[1:]
        for head, column in zip(heads, columns, strict=True)
    ]


def align_block(columns):
    """Return columns as lines: the first to the left, others to the right."""
    widths = [max(map(len, column)) for column in columns]
    lines = []
    for first, *rest in zip(*columns, strict=True):
        cells = map(str.rjust, rest, widths[1:])
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)
