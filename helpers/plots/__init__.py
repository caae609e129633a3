"""Figures of the course: `show_x` draws one and says the same in words.

theme     type, colors and ink        output    PNG, alt text, words
inputs    argument checks             text      a figure in words
cells     the parts of a map          heatmaps  weights, scores, tables
strips    several maps of weights     lines     curves, panels of curves
bars      bars, moves                 arrays    small arrays
arrows    vectors, their shadows      maps      words as points
canvas    the parts of the next five, inches on paper
schemas   from words to context       blocks    queries, keys and values
heads     split, attend, join         layers    who gave what to whom
beside    two computations, or there and back
positions  as numbers and clocks
view      a sentence to play with     widget    the same, in the browser

`show_x(..., ax=...)` draws into Axes of your own and leaves their figure to
you. Matplotlib and seaborn are loaded when the first figure is drawn,
anywidget with the first view.
"""

from .arrays import show_grids
from .arrows import show_arrows
from .bars import show_bars, show_moves
from .beside import show_backward, show_beside
from .blocks import show_projections
from .heads import show_block
from .heatmaps import (
    show_attention,
    show_heads,
    show_scores,
    show_table,
    show_vectors,
)
from .inputs import number_repeats
from .layers import show_layers
from .lines import show_curve_panels, show_curves
from .maps import show_word_map
from .positions import show_positions
from .schemas import show_pipeline
from .strips import show_strip
from .text import (
    describe_attention,
    describe_curves,
    describe_heads,
    describe_scores,
    describe_table,
)
from .theme import HUES, style
from .view import attention_view

__all__ = [
    "HUES",
    "attention_view",
    "describe_attention",
    "describe_curves",
    "describe_heads",
    "describe_scores",
    "describe_table",
    "number_repeats",
    "show_arrows",
    "show_attention",
    "show_backward",
    "show_bars",
    "show_beside",
    "show_block",
    "show_curve_panels",
    "show_curves",
    "show_grids",
    "show_heads",
    "show_layers",
    "show_moves",
    "show_pipeline",
    "show_positions",
    "show_projections",
    "show_scores",
    "show_strip",
    "show_table",
    "show_vectors",
    "show_word_map",
    "style",
]
