"""The codes of a club's tables, to lay on them: two labels on each sheet of A4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.host.ways_in import WayIn
from device.i18n.words import say
from device.paper.label import draw_label
from device.paper.pages import A4_UPRIGHT, Pages

PER_SHEET = 2


@dataclass(frozen=True, slots=True)
class TableCode:
    """What a phone scans to sit at a table."""

    name: str
    path: str
    """Of the page that it leads to, without the first `/`."""


def table_codes(codes: Sequence[TableCode], way: WayIn) -> bytes:
    """Return sheets with a label for each table, by one way in, as PDF; an empty one for none."""
    pages = Pages(say("club.sheet.title"), A4_UPRIGHT)
    for number, code in enumerate(codes):
        if number and number % PER_SHEET == 0:
            pages.end()
        draw_label(pages, number % PER_SHEET, way, code.name, code.path)
    pages.end()
    return pages.pdf()
