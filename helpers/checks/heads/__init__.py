"""The checks of notebook 04: split, join, the whole layer, positions."""

from helpers.checks.heads.layer import multi_head_attention
from helpers.checks.heads.order import add_positions
from helpers.checks.heads.splitting import join_heads, split_heads

__all__ = [
    "add_positions",
    "join_heads",
    "multi_head_attention",
    "split_heads",
]
