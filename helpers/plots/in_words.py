"""A figure in words: lines and tables of at most 60 columns."""

import textwrap

import numpy as np

from ..validation import positive_integer
from . import inputs

COLUMNS = 60


def describe_heads(weights, key_tokens):
    """Say where every head looks: ``head 1 -> boots 0.93, by 0.04``.

    The arguments are those of `show_heads`.
    """
    weights, _ = inputs.check_weights("weights", weights)
    titles = head_names(None, len(weights))
    labels = inputs.check_labels(titles, key_tokens, weights.shape)
    return weight_lines(weights, labels, 3)


def head_names(titles, count):
    """Return the titles, or "head 1", "head 2" and so on."""
    if titles is None:
        titles = [f"head {head + 1}" for head in range(count)]
    return inputs.check_tokens("titles", titles, count)


def weight_lines(weights, labels, top):
    """Say the largest weights of each row of checked weights (T_q, T_k).

    ``bank -> bank 0.57, river 0.15``; `top` is how many keys a line names.
    Weights that print as 0.00 are left out; equal ones keep their order.
    """
    top = positive_integer("top", top)
    lines = []
    for row in weights:
        best = [key for key in rank(row)[:top] if round(row[key], 2) > 0]
        parts = [f"{labels[1][key]} {row[key]:.2f}" for key in best]
        lines.append(parts or ["nothing"])
    return join_lines(labels[0], lines)


def describe_table(values, rows, columns, sd=None):
    """Return results as a table of text: what `show_table` says.

    `values` is (R, C) and may come with `sd` of the same shape.
    """
    values = inputs.check_array("values", values, 2)
    rows = inputs.check_tokens("rows", rows, len(values))
    columns = inputs.check_tokens("columns", columns, values.shape[1])
    if sd is not None:
        sd = inputs.check_array("sd", sd, 2, shape=values.shape)
    cells = np.vstack([columns, results(values, sd, ".2f")])
    return align_table([["", *rows], *cells.T.tolist()])


def describe_curves(x, series, xlabel="x", *, form=".3f"):
    """Return the numbers of `show_curves` as a table, a line for each x.

    `form` is the format of a number.
    """
    x, lines, _ = inputs.check_curves(x, series)
    cells = [
        [label, *results(line.mean, line.sd, form)]
        for label, line in lines.items()
    ]
    table = align_table([[xlabel, *(f"{value:g}" for value in x)], *cells])
    counts = {len(line.seeds) for line in lines.values()} - {0, 1}
    numbers = " or ".join(map(str, sorted(counts)))
    return f"{table}\n± is the sd of {numbers} seeds" if counts else table


def signed(value, form=".2f"):
    """Return a number with a true minus sign and never a minus zero."""
    text = f"{value:{form}}"
    return text.replace("-", "−" if set(text) & set("123456789") else "")


def results(mean, sd=None, form=".3f"):
    """Return each number as text, ``0.991 ± 0.004`` with sd; any shape."""
    texts = np.vectorize(signed)(mean, form)
    if sd is None:
        return texts
    return np.char.add(np.char.add(texts, " ± "), results(sd, form=form))


def rank(row):
    """Return the positions of `row`, largest first, ties in order.

    Equal to 6 decimals is a tie, so that the order does not depend on the
    last bits of a computation.
    """
    return np.argsort(-np.round(row, 6), kind="stable")


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
        wide = table_width([*blocks[-1], column]) > COLUMNS
        if wide and len(blocks[-1]) > 1:
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


def pad(texts):
    """Return texts padded on the right to one width."""
    texts = [*map(str, texts)]
    return [*np.char.ljust(texts, max(map(len, texts)))]


def align_block(columns):
    """Return columns as lines: the first to the left, others to the right."""
    first, *rest = ([*map(str, column)] for column in columns)
    padded = [pad(first)]
    padded += [np.char.rjust(cells, max(map(len, cells))) for cells in rest]
    lines = zip(*padded, strict=True)
    return "\n".join("  ".join(line).rstrip() for line in lines)
