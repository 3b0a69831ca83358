"""What each seat has given in and is worth, and what comes of it: derived from match and hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from device.hands.hand import HandRecord
from device.hands.repository import Records
from device.hands.scoring import total_of
from device.matches.match import GivenHand, Match
from device.matches.replay import entry_of
from scorer.match.entries import Entry, WashOut
from scorer.match.game import Row

State = Literal["waiting", "reading", "unread", "check", "agreed", "typed"]
"""`unread`: the photograph could not be read. `check`: somebody has to look at the tiles."""


@dataclass(frozen=True, slots=True)
class SeatHand:
    """One player's hand in the deal that is being scored."""

    player: str
    wind: str
    given: GivenHand
    record: HandRecord | None
    score: int | None
    """None while there is none: a hand that is not complete has no number at all."""
    state: State


def seat_hands(match: Match, records: Records) -> tuple[SeatHand, ...]:
    """Return the hands of the deal being scored, the winner's first, then round the table."""
    winds = match.course.next_deal.seating.winds
    return tuple(
        seat_hand(player, winds[player], match.deal.given(player), records)
        for player in match.in_order()
    )


def seat_hand(player: str, wind: str, given: GivenHand, records: Records) -> SeatHand:
    """Return one player's hand and its worth."""
    record = records.get_if_whole(given.hand) if given.hand else None
    if given.typed is not None:
        return SeatHand(player, wind, given, record, given.typed, "typed")
    if record is None:
        return SeatHand(player, wind, given, None, None, "waiting")
    if record.failure and not record.tiles:
        return SeatHand(player, wind, given, record, None, "unread")
    if not (record.is_read or record.tiles):
        return SeatHand(player, wind, given, record, None, "reading")
    state: State = "agreed" if given.agreed else "check"
    return SeatHand(player, wind, given, record, total_of(record), state)


def scores(seats: tuple[SeatHand, ...]) -> dict[str, int]:
    """Return the scores that there are, by player."""
    return {seat.player: seat.score for seat in seats if seat.score is not None}


def previewed(match: Match, found: Mapping[str, int]) -> Row:
    """Return the line of the score sheet that the deal would make; raise GameError."""
    ending = match.deal.ending
    entry: Entry = WashOut()
    if ending and ending.winner is not None:
        entry = entry_of(ending.winner, found)
    return match.game.with_entry(entry).course.rows[-1]
