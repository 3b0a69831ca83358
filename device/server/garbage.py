"""How often Python looks for garbage: seldom, and never through what was there at the start.

Left to itself it goes through all that a box remembers whenever a quarter has come anew, which a
correction in a long match does each time, and all phones wait meanwhile.
"""

from __future__ import annotations

import gc

OFTEN = (10_000, 10, 10)
"""New objects until the youngest are looked through; how many times that until the next older."""


def settle() -> None:
    """Take all that is there for lasting, and look less often from now on.

    What is given up is freed at once all the same; only rings of objects wait.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OFTEN)
