"""Sets as rules have them laid on the table, in tile codes: `??` lies face down."""

from __future__ import annotations

from types import MappingProxyType

from scorer.tiles import FACE_DOWN
from vision.assemble import laid_by

SHOWN = "C3"
"""The tile that pungs and kongs are shown with."""

_FACE_UP = MappingProxyType(
    {
        "BMJA-V01": ("C3", "C4", "C5"),
        "BMJA-V02": (SHOWN,) * 3,
        "SAF-V01": (SHOWN,) * 3,
        "SAF-V04": (SHOWN,) * 3,
    }
)
"""What lies with no tile face down."""

_AS = MappingProxyType({"BMJA-V07": "BMJA-V04", "BMJA-V10": "BMJA-V03"})
"""What is laid as another rule has it."""


def laid(rule: str) -> tuple[str, ...]:
    """Return the tiles of a set that is laid by this rule; none for rules about other things.

    >>> laid("BMJA-V05")
    ('C3', '??', 'C3')
    """
    shapes = laid_by(_AS.get(rule, rule))
    if not shapes:
        return _FACE_UP.get(rule, ())
    return tuple(FACE_DOWN if place == "?" else SHOWN for place in shapes[0])
