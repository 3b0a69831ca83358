"""The matches that are being played in the room, for whoever shows all of them at once."""

from __future__ import annotations

from dataclasses import dataclass

from device.club.tables import ClubTables
from device.matches.match import Match
from device.matches.repository import MatchRepository


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match that goes on, and where."""

    table: str
    """What its table is called; empty for the one table of a box that has no others."""
    match: Match


def being_played(matches: MatchRepository, tables: ClubTables) -> tuple[PlayedMatch, ...]:
    """Return the matches that go on, table by table in the order in which those were laid."""
    names = tables.names()
    places = ["", *(each.id for each in tables.laid())]
    running = [(place, matches.at(place).current()) for place in places]
    return tuple(PlayedMatch(names.get(place, ""), match) for place, match in running if match)
