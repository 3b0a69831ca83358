"""Make Python's garbage collection rare, and exclude what was loaded at the start."""

from __future__ import annotations

import gc

OFTEN = (10_000, 10, 10)
"""New objects before the youngest generation is collected; then collections before the next."""


def look_seldom() -> None:
    """Collect garbage less often than by default.

    By default, a correction in a long match makes Python scan everything that the box remembers,
    while all phones wait. Unused objects are still freed at once; only reference cycles wait.
    """
    gc.set_threshold(*OFTEN)


def take_as_lasting() -> None:
    """Exclude all present objects from garbage collection."""
    gc.collect()
    gc.freeze()
