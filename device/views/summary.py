"""Show a hand in one line, for the list of recent ones."""

from __future__ import annotations

from dataclasses import dataclass

from device.hands.record import HandRecord
from device.hands.scoring import score_total
from device.i18n.words import say
from device.views.tableau import symbol
from vision.reading import RowName

_ORDER: dict[RowName, int] = {"exposed": 0, "concealed": 1, "bonus": 2}


@dataclass(frozen=True, slots=True)
class HandSummary:
    """One hand in the list."""

    id: str
    time: str
    total: int | None
    state: str
    """The text that replaces a missing total."""
    symbols: tuple[str, ...]
    has_photo: bool
    asked: bool
    """It is an enquiry about tiles, not a hand to score."""


def summarise(record: HandRecord) -> HandSummary:
    """Return the list's entry for a hand."""
    read = record.is_read
    hand = record.assembled()
    laid = sorted(hand.sets, key=lambda s: _ORDER[s.row])
    return HandSummary(
        id=record.id,
        time=f"{record.taken_at.astimezone():%H:%M}",
        total=score_total(record) if read and not record.asked else None,
        state=say(_state(record)),
        symbols=tuple(symbol(code) for s in laid for code in s.codes),
        has_photo=record.photo is not None,
        asked=record.asked,
    )


def _state(record: HandRecord) -> str:
    if record.doubts:
        return "recent.doubted"
    if not record.is_read:
        return "recent.unread"
    return "asking.recent" if record.asked else "recent.incomplete"
