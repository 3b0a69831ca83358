"""The seats of a match: what each has given for the current deal, and whose phone is at which.

A seat has given in a hand, or has still to enter it, on its own phone or another one. Whose a phone
is stands in the log, so all processes know it, and still know it after a restart.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal

from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import find_total
from device.matches.match import GivenHand, Match
from device.matches.replay import entry_from
from device.store import Envelope, Store, TornEventError
from device.store.errors import UnknownStreamError
from device.store.events import Event, PhonePlayerChosen
from device.store.projection import Projection, get_if_whole, get_projector
from scorer.match.entries import Entry, WashOut
from scorer.match.game import GameRow

_PHONE_ID_PATTERN = re.compile("[0-9a-f]{8}")

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
    hand_ids = [each.hand for each in match.deal.hands.values() if each.hand]
    get = hands.load_together(hand_ids)
    records = (get_if_whole(get, hand) for hand in hand_ids)
    return {record.id: match.situate(record) for record in records if record}


def seat_hands(match: Match, hands: HandRepository) -> tuple[SeatHand, ...]:
    """Return the hands of the current deal, the winner first, then in playing order."""
    winds, records = match.course.next_deal.seating.winds, load_deal_hands(match, hands)
    given_hands = {player: match.deal.given_hand(player) for player in match.in_order()}
    return tuple(
        _seat_hand(player, winds[player], each, records.get(each.hand))
        for player, each in given_hands.items()
    )


def seat_hand(player: str, wind: str, given_hand: GivenHand, hands: HandRepository) -> SeatHand:
    """Return one player's hand with its score and state."""
    record = hands.get_if_whole(given_hand.hand) if given_hand.hand else None
    return _seat_hand(player, wind, given_hand, record)


def _seat_hand(
    player: str, wind: str, given_hand: GivenHand, record: HandRecord | None
) -> SeatHand:
    if given_hand.others:
        return SeatHand(player, wind, given_hand, record, None, "undecided")
    if given_hand.typed is not None:
        return SeatHand(player, wind, given_hand, record, given_hand.typed, "typed")
    if record is None:
        return SeatHand(player, wind, given_hand, None, None, "waiting")
    if record.failure and not record.tiles:
        return SeatHand(player, wind, given_hand, record, None, "unread")
    if record.doubts:
        return SeatHand(player, wind, given_hand, record, None, "doubted")
    if not (record.is_read or record.tiles):
        return SeatHand(player, wind, given_hand, record, None, "reading")
    state: _State = "agreed" if given_hand.agreed else "check"
    return SeatHand(player, wind, given_hand, record, find_total(record), state)


def withdraw_stale_agreement(match: Match, records: DealHands) -> Match:
    """Return the match without agreements to hands whose score has changed since.

    After a corrected tile or an undone change, somebody must look at the hand again.
    """
    given_hands = match.deal.hands
    changed_hands = {
        player: replace(each, agreed=False)
        for player, each in given_hands.items()
        if each.agreed
        and each.typed is None
        and each.agreed_to not in (None, _current_score(records.get(each.hand)))
    }
    return (
        replace(match, deal=replace(match.deal, hands={**given_hands, **changed_hands}))
        if changed_hands
        else match
    )


def _current_score(record: HandRecord | None) -> int | None:
    return find_total(record) if record else None


def scores_by_player(seats: tuple[SeatHand, ...]) -> dict[str, int]:
    """Return the known scores by player."""
    return {seat.player: seat.score for seat in seats if seat.score is not None}


def preview_row(match: Match, scores: Mapping[str, int]) -> GameRow:
    """Return the score sheet's row that the deal would make; raise GameError."""
    ending = match.deal.ending
    entry: Entry = WashOut()
    if ending and ending.winner is not None:
        entry = entry_from(ending.winner, scores)
    return match.game.with_entry(entry).course.rows[-1]


def parse_phone_id(phone_id: str) -> str:
    """Return a phone's id: the one it sent if that is valid, else a new one."""
    return phone_id if _PHONE_ID_PATTERN.fullmatch(phone_id) else secrets.token_hex(4)


class Phones:
    """The phones of all matches."""

    def __init__(self, store: Store) -> None:
        self._projector = get_projector(store, PHONES)

    def say(self, match: str, phone: str, number: int | None) -> None:
        """Record whose phone this is in a match; None for nobody's. Repeating it does nothing.

        It is valid whatever other phones say meanwhile.
        """
        if self._numbers_by_phone(match).get(phone) != number:
            # if this stream is damaged, phones are unknown, but the match goes on
            with suppress(TornEventError, UnknownStreamError):
                self._projector.add(_stream(match), PhonePlayerChosen(match, phone, number))

    def players_with_phone(self, match: str) -> frozenset[int]:
        """Return the numbers of a match's players who have a phone."""
        return frozenset(
            number for number in self._numbers_by_phone(match).values() if number is not None
        )

    def _numbers_by_phone(self, match: str) -> Mapping[str, int | None]:
        return self._projector.state_of(_stream(match)).record or {}


def _stream(match: str) -> str:
    return f"phones-{match}"


def _begin_seats(envelope: Envelope[Event]) -> Mapping[str, int | None]:
    return _apply({}, envelope)


def _apply(seats: Mapping[str, int | None], envelope: Envelope[Event]) -> Mapping[str, int | None]:
    event = envelope.event
    if not isinstance(event, PhonePlayerChosen):
        raise ValueError("a phone says nothing else")
    return {**seats, event.phone: event.number}


PHONES = Projection("phones", _begin_seats, _apply, UnknownStreamError)
"""Builds the player number of each phone in a match, by phone id."""


def next_hand_wanted(match: Match, own_player: str, with_phone: Collection[str]) -> str | None:
    """Return the player whose hand a phone has to enter next; None if none is left."""
    missing_players = missing_hands(match)
    return next(
        (each for each in hands_to_enter(match, own_player, with_phone) if each in missing_players),
        None,
    )


def hands_to_enter(match: Match, own_player: str, with_phone: Collection[str]) -> tuple[str, ...]:
    """Return the players whose hands a phone enters, its own player first.

    A phone enters its own player's hand, and those of the following seats up to the next seat with
    a phone. A phone whose player does not sit at the table, or without a player, enters all hands
    of seats without a phone.
    """
    players = match.in_order()
    if own_player not in players:
        return tuple(player for player in players if player not in with_phone)
    place = players.index(own_player)
    following = players[place + 1 :] + players[:place]
    phoneless_players = set(takewhile(lambda player: player not in with_phone, following))
    return (own_player, *(player for player in players if player in phoneless_players))


def may_own_camera_hand(match: Match, player: str, with_phone: Collection[str]) -> bool:
    """Whether the hand in front of the box's camera may be this player's.

    If several phones wait at once, only the playing order can tell whose hand it is.
    """
    if len(with_phone) < 2:
        return True
    return player == next(
        (p for p in match.in_order() if not match.deal.given_hand(p).counts), None
    )


def missing_hands(match: Match) -> tuple[str, ...]:
    """Return the players whose hands nobody has agreed to yet, the winner first."""
    if match.stage != "hands":
        return ()
    return tuple(each for each in match.in_order() if not match.deal.given_hand(each).agreed)
