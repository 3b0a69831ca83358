"""Print the QR codes of a club's tables: two labels on each sheet of A4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from device.host.page_links import PageLink
from device.i18n.words import say
from device.paper.label import draw_label
from device.paper.pages import A4_UPRIGHT, Pages

PER_SHEET = 2


@dataclass(frozen=True, slots=True)
class TableCode:
    """The code that a phone scans to join a table."""

    name: str
    path: str
    """Path of its page, without the leading `/`."""


def table_codes(codes: Sequence[TableCode], way: PageLink) -> bytes:
    """Return a label for each table as PDF; an empty page for none."""
    pages = Pages(say("club.sheet.title"), A4_UPRIGHT)
    for number, code in enumerate(codes):
        if number and number % PER_SHEET == 0:
            pages.end()
        draw_label(pages, number % PER_SHEET, way, code.name, code.path)
    pages.end()
    return pages.pdf()
