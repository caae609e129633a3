"""Figures of the course, and the same figures in words."""

from .arrows import describe_arrows, plot_arrows
from .bars import describe_bars, plot_bars
from .curves import describe_curves, plot_curve_panels, plot_curves
from .grids import describe_grid, plot_grid, plot_grids
from .heads import describe_heads, plot_heads
from .inputs import number_repeats
from .maps import (
    plot_attention,
    plot_scores,
    plot_vectors,
)
from .moves import describe_moves, plot_moves
from .output import say
from .strips import (
    describe_pair,
    describe_strip,
    plot_pair,
    plot_strip,
)
from .tables import describe_table, plot_table
from .theme import HUES, style
from .words import describe_attention, describe_scores, describe_vectors

__all__ = [
    "HUES",
    "describe_arrows",
    "describe_attention",
    "describe_bars",
    "describe_curves",
    "describe_grid",
    "describe_heads",
    "describe_moves",
    "describe_pair",
    "describe_scores",
    "describe_strip",
    "describe_table",
    "describe_vectors",
    "number_repeats",
    "plot_arrows",
    "plot_attention",
    "plot_bars",
    "plot_curve_panels",
    "plot_curves",
    "plot_grid",
    "plot_grids",
    "plot_heads",
    "plot_moves",
    "plot_pair",
    "plot_scores",
    "plot_strip",
    "plot_table",
    "plot_vectors",
    "say",
    "style",
]
