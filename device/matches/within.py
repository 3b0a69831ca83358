"""What an older version kept of a match beyond all bounds, read as the most that there may be.

Such a score or payment is refused today (`scorer.match.settle.MOST`). Were it refused when it is
read, the whole match would be torn, and could be put right by nobody; so it counts as the most, is
seen by everybody, and can be taken back or corrected like any other slip.
"""

from __future__ import annotations

from dataclasses import replace

from msgspec import structs

from device.store import Envelope, Event
from device.store.events import ChargeMade, ScoreTyped
from scorer.match.settle import MOST


def within(envelope: Envelope[Event]) -> Envelope[Event]:
    """Return an event as it was kept, but for numbers above the most."""
    match envelope.event:
        case ScoreTyped(score=score) as typed if score > MOST:
            return replace(envelope, event=structs.replace(typed, score=MOST))
        case ChargeMade(amounts=amounts) as charge if max(amounts.values(), default=0) > MOST:
            most = {player: min(amount, MOST) for player, amount in amounts.items()}
            return replace(envelope, event=structs.replace(charge, amounts=most))
    return envelope
