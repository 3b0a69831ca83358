"""How often Python looks for garbage: seldom, and never through what was there at the start.

Left to itself it goes through all that a box remembers whenever a quarter has come anew, which a
correction in a long match does each time, and all phones wait meanwhile. What is given up is freed
at once all the same; only rings of objects wait.
"""

from __future__ import annotations

import gc

OFTEN = (10_000, 10, 10)
"""New objects until the youngest are looked through; how many times that until the next older."""


def look_seldom() -> None:
    """Look for garbage less often than Python does by itself."""
    gc.set_threshold(*OFTEN)


def take_as_lasting() -> None:
    """Never again go through what is there now."""
    gc.collect()
    gc.freeze()
