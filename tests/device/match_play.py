"""Matches that were played, for the tests of what is shown of them afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime

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
    events: list[MatchEvent] = [AGREED_TERMS]
    for winner in winners:
        events += WinnerEntered(winner), DealSettled(winner, SCORES)
    current_time = datetime.now(UTC)
    return replay_all(
        MATCHES, [Envelope(n, "m", event, current_time) for n, event in enumerate(events, 1)]
    )
