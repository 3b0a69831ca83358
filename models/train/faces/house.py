"""The set that the page shows."""

from __future__ import annotations

from .brush import Hand
from .letters import Typeface
from .style import Style

HOUSE_STYLE = Style(
    hand=Hand(weight=11.5),
    bamboo_size=0.92,
    circle_size=0.96,
    index_height=14.0,
    index_type=Typeface(weight=2.1, stretch=0.86),
    dragon_index="RGw",
    bonus_index="FS",
)
"""For older eyes at 44 x 58 pixels: strong ink, little detail, large indices."""
