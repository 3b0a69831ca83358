"""A practice deal that is over: how it ended."""

from __future__ import annotations

from dataclasses import dataclass

from device.tutoring.practice_deals import LiveDeal
from device.views.tutor.play import say_ending


@dataclass(frozen=True, slots=True)
class PlayOverView:
    """The page of a deal that is over."""

    ending: str


def play_over_view(live: LiveDeal) -> PlayOverView | None:
    """Return what the page shows; None for a deal that is still played."""
    ending = live.deal.ending
    return PlayOverView(say_ending(ending, live.record.seat)) if ending else None
