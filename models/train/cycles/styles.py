"""The tile sets of the pictures: whose art, its index, its ink. No network was trained on any."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scorer.tiles import CODES

Corner = Literal["", "left", "right"]
Ink = Literal["", "black", "colours"]


@dataclass(frozen=True, slots=True)
class Style:
    """One set's faces."""

    name: str
    art: str = ""
    """A folder of the shared art that is for tests alone; empty for faces drawn here."""
    index: Corner = ""
    """Where a Western index is added."""
    ink: Ink = ""
    """How art in one ink is coloured; empty for art with colours of its own."""
    trim: float = 0.0
    """Share of the art's width that is cut off all round: a drawn frame or shaded edge."""
    missing: tuple[str, ...] = ()
    """Codes without art."""
    blank: bool = False
    """Its white dragon is a bare face, so that its backs must be of another colour."""
    drawing: str = ""
    """Of `drawn.DRAWINGS`, for faces drawn here."""

    @property
    def codes(self) -> tuple[str, ...]:
        """The faces that the set has."""
        return tuple(code for code in CODES if code not in self.missing)

    @property
    def bonus(self) -> tuple[str, ...]:
        """Its flowers and seasons."""
        return tuple(code for code in self.codes if code[0] in "FS")


_FLOWERS = ("F1", "F2", "F3", "F4")

STYLES: tuple[Style, ...] = (
    Style("kde-default", art="kde-default", blank=True),
    Style("kde-traditional", art="kde-traditional"),
    Style("gnome-smooth", art="gnome-smooth", trim=0.05),
    Style("gnome-postmodern", art="gnome-postmodern", index="left"),
    Style("taksuyu", art="taksuyu", trim=0.045, index="right", missing=_FLOWERS, blank=True),
    Style("freeserif", art="freeserif", ink="colours", index="left", missing=("F4",)),
    Style("xmahjongg-real", art="xmahjongg-real", trim=0.03),
    Style("navy", drawing="navy", blank=True),
    Style("club", drawing="club"),
    Style("spare", drawing="spare", blank=True),
)
