"""Matches that were played, for the tests of what is shown of them afterwards."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from device.matches.match import Match
from device.matches.replay import replay_match
from device.matches.repository import Tables
from device.store import Event, Store

PLAYERS = ["Ann", "Bob", "Cy", "Di"]
AGREED: dict[str, Any] = {"players": PLAYERS, "ruleset": "bmja", "limit": 1000, "house": []}
SCORES = {"Ann": 80, "Bob": 84, "Cy": 208, "Di": 416}
FEE: dict[str, Any] = {"payer": "Ann", "amounts": {"Bob": 50}, "why": "Looked at Bob's tiles"}


def settle(tables: Tables, match: str, winner: str | None, by: str = "") -> None:
    """Play one deal: this player, or nobody, goes out, and all have the usual scores."""
    tables.change(match, "winner-said", {"winner": winner}, by=by)
    tables.change(match, "deal-settled", {"winner": winner, "scores": SCORES}, by=by)


def give_hand(
    tables: Tables, match: str, store: Store, read_hand: str, player: str, winner: str
) -> str:
    """Begin a deal that somebody won, and give in a copy of a hand that was read; return its id."""
    hand = secrets.token_hex(6)
    photo, reading = store.events(read_hand)[:2]
    store.append(hand, "photo-taken", {**photo.data, "match": match})
    store.append(hand, "reading-made", reading.data)
    tables.change(match, "winner-said", {"winner": winner})
    tables.change(match, "hand-given", {"player": player, "hand": hand})
    return hand


def played(winners: Iterable[str | None]) -> Match:
    """Return a match of which these deals were settled, without any store."""
    said: list[tuple[str, dict[str, Any]]] = [("match-begun", AGREED)]
    for winner in winners:
        said.append(("winner-said", {"winner": winner}))
        said.append(("deal-settled", {"winner": winner, "scores": SCORES}))
    now = datetime.now(UTC)
    return replay_match(
        Event(seq, "m", kind, data, now) for seq, (kind, data) in enumerate(said, 1)
    )
