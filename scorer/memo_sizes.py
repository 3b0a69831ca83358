"""How much the scorer may remember: the sizes of its memo tables, in entries.

Nothing else is kept between calls; a table of this size takes a few megabytes at most.
"""

from __future__ import annotations

MANY = 8192
"""For what differs from hand to hand: sets, suits, bonus tiles."""

FEW = 256
"""For what differs from table to table: winds, choices."""
