"""Matches that were played, for the tests of what is shown of them afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import reduce

from msgspec import structs

from device.matches.match import Match
from device.matches.replay import MATCHES
from device.matches.repository import MatchRepository
from device.store import Envelope, Store
from device.store.events import (
    ChargeMade,
    DealSettled,
    HandGiven,
    MatchBegun,
    MatchEvent,
    PhotoTaken,
    WinnerEntered,
)
from device.store.projection import replay_all

PLAYERS = ["Ann", "Bob", "Cy", "Di"]
AGREED_TERMS = MatchBegun(players=tuple(PLAYERS), ruleset="bmja", limit=1000, house=())
SCORES = {"Ann": 80, "Bob": 84, "Cy": 208, "Di": 416}
FEE = ChargeMade(payer="Ann", amounts={"Bob": 50}, why="Looked at Bob's tiles")


def settle(tables: MatchRepository, match: str, winner: str | None, tap_id: str = "") -> None:
    """Play one deal: this player, or nobody, goes out, and all have the usual scores."""
    tables.change(match, WinnerEntered(winner=winner, by=tap_id))
    tables.change(match, DealSettled(winner=winner, scores=SCORES, by=tap_id))


def give_hand(
    tables: MatchRepository, match: str, store: Store, read_hand: str, player: str, winner: str
) -> str:
    """Begin a deal that somebody won, and give in a copy of a hand that was read; return its id."""
    hand = secrets.token_hex(6)
    first, reading = (each.event for each in store.events(read_hand)[:2])
    assert isinstance(first, PhotoTaken)
    store.append(hand, structs.replace(first, match=match))
    store.append(hand, reading)
    tables.change(match, WinnerEntered(winner=winner))
    tables.change(match, HandGiven(player=player, hand=hand))
    return hand


def played_match(winners: Iterable[str | None]) -> Match:
    """Return a match of which these deals were settled, without any store."""
    return play(AGREED_TERMS, winners)


def play(
    match: Match | MatchBegun, winners: Iterable[str | None], scores: Mapping[str, int] = SCORES
) -> Match:
    """Return a match after these deals were settled, too, without any store."""
    new_events: list[MatchEvent] = [match] if isinstance(match, MatchBegun) else []
    for winner in winners:
        new_events += WinnerEntered(winner), DealSettled(winner, scores)
    time, first = datetime.now(UTC), 1 if isinstance(match, MatchBegun) else match.version + 1
    events = [Envelope(n, "m", event, time) for n, event in enumerate(new_events, first)]
    if isinstance(match, MatchBegun):
        return replay_all(MATCHES, events)
    return reduce(MATCHES.apply, events, match)
