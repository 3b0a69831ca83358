"""Sizes of the scorer's caches, in entries.

The scorer keeps nothing else between calls. A full cache takes a few megabytes at most.
"""

from __future__ import annotations

MAX_CACHED_HANDS = 8192
"""For caches whose keys differ from hand to hand: sets, suits, bonus tiles."""

MAX_CACHED_TABLES = 256
"""For caches whose keys differ from table to table: winds, choices."""

MAX_CACHED_SETS = 512
"""For caches whose keys are sets, and whose entries are large: the British rules have 430."""

MAX_CACHED_FILES = 8
"""For caches whose keys are whole files of rules: those that one request changes step by step."""
