"""Figures of the course: `show_x` draws one and says the same in words.

theme     type, colors and ink        output    PNG, alt text, words
inputs    argument checks             in_words  what a figure shows
cells     the parts of a map          heatmaps  weights, scores, tables
bars      bars, moves                 lines     curves, panels of curves
arrows    vectors, their shadows      arrays    small arrays
word_scatter  words as points         positions as numbers and clocks
asking    keys as points, queries as arrows
canvas    the parts of the next six, inches on paper
schema_pipeline     from words to context
schema_projections  queries, keys and values
schema_heads        split, attend, join
schema_layers       who gave what to whom
schema_stream       what a block adds to its stream
schema_exchange     one row goes from run to run
training_runs       runs of different lengths, each over its own steps
side_by_side        two computations, or there and back
course_map          a language model, and what a notebook builds of it
view      a sentence to play with     widget    the same, in the browser
journey   what a learner has done of the course, by chapters

`show_x(..., ax=...)` draws into Axes of your own and leaves their figure to
you. Matplotlib is loaded when the first figure is drawn, anywidget with the
first view.
"""

from .arrays import show_grids
from .arrows import show_arrows
from .asking import show_asking
from .bars import show_bars, show_moves
from .course_map import show_map
from .heatmaps import (
    show_attention,
    show_heads,
    show_table,
)
from .in_words import describe_curves, describe_heads, describe_table
from .inputs import number_repeats
from .journey import progress
from .lines import show_curve_panels, show_curves
from .output import page
from .positions import show_positions
from .schema_exchange import show_exchange
from .schema_heads import show_block
from .schema_layers import show_layers
from .schema_pipeline import show_pipeline
from .schema_projections import show_projections
from .schema_stream import show_stream
from .side_by_side import show_backward, show_beside
from .theme import HUES, style
from .training_runs import show_training_runs
from .view import attention_view
from .word_scatter import show_word_map
