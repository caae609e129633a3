"""Figures of the course, and the same figures in words."""

from .inputs import number_repeats
from .maps import plot_attention, plot_scores, plot_vectors
from .moves import describe_moves, plot_moves
from .theme import HUES, style
from .words import describe_attention, describe_scores

__all__ = [
    "HUES",
    "describe_attention",
    "describe_moves",
    "describe_scores",
    "number_repeats",
    "plot_attention",
    "plot_moves",
    "plot_scores",
    "plot_vectors",
    "style",
]
