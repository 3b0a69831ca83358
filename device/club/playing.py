"""The matches that are being played in the room, for whoever shows all of them at once."""

from __future__ import annotations

from device.matches.match import Match
from device.matches.repository import MatchRepository


def being_played(matches: MatchRepository) -> tuple[Match, ...]:
    """Return the matches that go on, table by table."""
    match = matches.current()
    return (match,) if match else ()
