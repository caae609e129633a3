"""Training runs of different lengths, each over steps of its own."""

import numpy as np

from . import theme
from .in_words import align_table, signed
from .inputs import check_array
from .lines import MARKERS, THEORY
from .output import page


def show_training_runs(runs, rivals, ylabel, *, form=".2f", ax=None):
    """Show the loss of up to three runs, with a ring at each lowest one.

    `runs` maps a label to (steps, losses), both (n,), where each run has its
    own n; the ring is where the weights are kept. `rivals` maps a label to
    a loss that needs no steps, a line over the whole axis. Prints a table of
    the losses in the format `form`. Returns the Axes. Raises TypeError or
    ValueError, naming the argument and its shape.
    """
    runs = check_runs(runs)
    alt = f"Line plot of {ylabel} against steps, each line over its own. "
    alt += f"Lines: {'; '.join(runs)}. A ring: the lowest, which is kept."
    alt += f" Dashed, over the whole axis: {'; '.join(rivals)}."
    with page((theme.WIDTH, 3.7), alt, describe_runs(runs, form), ax=ax) as ax:
        draw_runs(ax, runs)
        looks = zip(rivals.items(), THEORY, strict=False)
        for (label, loss), (color, dashes) in looks:
            look = {"color": color, "linestyle": dashes, "linewidth": 1.3}
            ax.axhline(loss, label=label, **look)
        ax.locator_params(axis="x", integer=True)
        ax.set(xlabel="steps", ylabel=ylabel)
        ax.grid(axis="y")
        theme.name_lines(ax.figure)
    return ax


def check_runs(runs):
    """Return {label: (steps, losses)}, each (n,) of one to three."""
    if not 1 <= len(runs) <= len(MARKERS):
        raise ValueError(f"runs must hold 1 to 3, got {len(runs)}")
    found = {}
    for label, (steps, losses) in runs.items():
        steps = check_array(f"runs[{label!r}], steps", steps, 1)
        name = f"runs[{label!r}], losses"
        found[label] = steps, check_array(name, losses, 1, shape=steps.shape)
    return found


def draw_runs(ax, runs):
    """Draw each run over its own steps, and a ring at its lowest loss."""
    ring = {"marker": "o", "markersize": 13, "linestyle": "", "zorder": 4}
    ring |= {"markerfacecolor": "none", "markeredgewidth": 1.8}
    looks = zip(runs.items(), theme.HUES, MARKERS, theme.DASHES, strict=False)
    for (label, (steps, losses)), hue, marker, dashes in looks:
        look = {"color": hue, "marker": marker, "linestyle": dashes}
        ax.plot(steps, losses, label=label, **look)
        low = losses.argmin()
        ax.plot(steps[low], losses[low], markeredgecolor=hue, **ring)
    ax.plot([], [], markeredgecolor=theme.DARK_GREY, **ring, label="kept")


def describe_runs(runs, form):
    """Return a table of all runs, a line for each step of any of them."""
    every = np.unique(np.concatenate([steps for steps, _ in runs.values()]))
    columns = [["steps", *(f"{step:g}" for step in every)]]
    for label, (steps, losses) in runs.items():
        said = dict(zip(steps, (signed(n, form) for n in losses), strict=True))
        low = steps[losses.argmin()]
        said[low] = f"kept: {said[low]}"
        columns.append([label, *(said.get(step, "") for step in every)])
    return align_table(columns)
