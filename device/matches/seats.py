"""What each seat has given in and is worth, and what comes of it: derived from match and hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from device.hands.hand import HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import total_of
from device.matches.match import GivenHand, Match
from device.matches.replay import entry_of
from scorer.match.entries import Entry, WashOut
from scorer.match.game import GameRow

_State = Literal["waiting", "reading", "doubted", "unread", "check", "agreed", "typed", "undecided"]
"""`doubted`: somebody has to say whether a spoilt photograph is taken again. `unread`: it could not
be read. `check`: somebody has to look at the tiles.
`undecided`: somebody has to say which of several counts."""


@dataclass(frozen=True, slots=True)
class SeatHand:
    """One player's hand in the deal that is being scored."""

    player: str
    wind: str
    given: GivenHand
    record: HandRecord | None
    score: int | None
    """None while there is none: a hand that is not complete has no number at all."""
    state: _State


def seat_hands(match: Match, hands: HandRepository) -> tuple[SeatHand, ...]:
    """Return the hands of the deal being scored, the winner's first, then round the table."""
    winds = match.course.next_deal.seating.winds
    return tuple(
        seat_hand(player, winds[player], match.deal.given(player), hands)
        for player in match.in_order()
    )


def seat_hand(player: str, wind: str, given: GivenHand, hands: HandRepository) -> SeatHand:
    """Return one player's hand and its worth."""
    record = hands.get_if_whole(given.hand) if given.hand else None
    if given.others:
        return SeatHand(player, wind, given, record, None, "undecided")
    if given.typed is not None:
        return SeatHand(player, wind, given, record, given.typed, "typed")
    if record is None:
        return SeatHand(player, wind, given, None, None, "waiting")
    if record.failure and not record.tiles:
        return SeatHand(player, wind, given, record, None, "unread")
    if record.doubts:
        return SeatHand(player, wind, given, record, None, "doubted")
    if not (record.is_read or record.tiles):
        return SeatHand(player, wind, given, record, None, "reading")
    state: _State = "agreed" if given.agreed else "check"
    return SeatHand(player, wind, given, record, total_of(record), state)


def as_agreed(match: Match, hands: HandRepository) -> Match:
    """Return a match in which nobody has agreed to a hand that has come to another score since.

    A tile that is put right, or a change that is taken back, makes another hand of it: then
    somebody has to look at it again.
    """
    given = match.deal.hands
    again = {
        player: replace(each, agreed=False)
        for player, each in given.items()
        if each.agreed
        and each.typed is None
        and each.agreed_to not in (None, _comes_to(each, hands))
    }
    return replace(match, deal=replace(match.deal, hands={**given, **again})) if again else match


def _comes_to(given: GivenHand, hands: HandRepository) -> int | None:
    record = hands.get_if_whole(given.hand)
    return total_of(record) if record else None


def scores(seats: tuple[SeatHand, ...]) -> dict[str, int]:
    """Return the scores that there are, by player."""
    return {seat.player: seat.score for seat in seats if seat.score is not None}


def previewed(match: Match, found: Mapping[str, int]) -> GameRow:
    """Return the line of the score sheet that the deal would make; raise GameError."""
    ending = match.deal.ending
    entry: Entry = WashOut()
    if ending and ending.winner is not None:
        entry = entry_of(ending.winner, found)
    return match.game.with_entry(entry).course.rows[-1]
