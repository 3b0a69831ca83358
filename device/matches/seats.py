"""What each seat has given for the current deal, and the resulting scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import find_total
from device.matches.match import GivenHand, Match
from device.matches.replay import entry_from
from device.store.projection import get_if_whole
from scorer.match.entries import Entry, WashOut
from scorer.match.game import GameRow

_State = Literal["waiting", "reading", "doubted", "unread", "check", "agreed", "typed", "undecided"]
"""`doubted`: choose whether to take a bad photograph again. `unread`: it could not be read.
`check`: look at the tiles. `undecided`: choose which of several hands counts."""


@dataclass(frozen=True, slots=True)
class SeatHand:
    """One player's hand in the current deal."""

    player: str
    wind: str
    given: GivenHand
    record: HandRecord | None
    score: int | None
    """None while there is none: an incomplete hand has no score."""
    state: _State


DealHands = Mapping[str, HandRecord]
"""The hands that count for the players of a deal, by id."""


def load_deal_hands(match: Match, hands: HandRepository) -> DealHands:
    """Return the hands of the current deal, read together, with what the match knows.

    Damaged hands are left out.
    """
    given = [each.hand for each in match.deal.hands.values() if each.hand]
    get = hands.load_together(given)
    found = (get_if_whole(get, hand) for hand in given)
    return {record.id: match.situate(record) for record in found if record}


def seat_hands(match: Match, hands: HandRepository) -> tuple[SeatHand, ...]:
    """Return the hands of the current deal, the winner first, then in playing order."""
    winds, records = match.course.next_deal.seating.winds, load_deal_hands(match, hands)
    given = {player: match.deal.given(player) for player in match.in_order()}
    return tuple(
        _seat_hand(player, winds[player], each, records.get(each.hand))
        for player, each in given.items()
    )


def seat_hand(player: str, wind: str, given: GivenHand, hands: HandRepository) -> SeatHand:
    """Return one player's hand with its score and state."""
    record = hands.get_if_whole(given.hand) if given.hand else None
    return _seat_hand(player, wind, given, record)


def _seat_hand(player: str, wind: str, given: GivenHand, record: HandRecord | None) -> SeatHand:
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
    return SeatHand(player, wind, given, record, find_total(record), state)


def withdraw_stale_agreement(match: Match, records: DealHands) -> Match:
    """Return the match without agreements to hands whose score has changed since.

    After a corrected tile or an undone change, somebody must look at the hand again.
    """
    given = match.deal.hands
    again = {
        player: replace(each, agreed=False)
        for player, each in given.items()
        if each.agreed
        and each.typed is None
        and each.agreed_to not in (None, _current_score(records.get(each.hand)))
    }
    return replace(match, deal=replace(match.deal, hands={**given, **again})) if again else match


def _current_score(record: HandRecord | None) -> int | None:
    return find_total(record) if record else None


def scores_by_player(seats: tuple[SeatHand, ...]) -> dict[str, int]:
    """Return the known scores by player."""
    return {seat.player: seat.score for seat in seats if seat.score is not None}


def preview_row(match: Match, found: Mapping[str, int]) -> GameRow:
    """Return the score sheet's row that the deal would make; raise GameError."""
    ending = match.deal.ending
    entry: Entry = WashOut()
    if ending and ending.winner is not None:
        entry = entry_from(ending.winner, found)
    return match.game.with_entry(entry).course.rows[-1]
