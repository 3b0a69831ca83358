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
    running = {match.table: match for match in matches.all_on()}
    places = ["", *(each.id for each in tables.laid())]
    return tuple(
        PlayedMatch(names.get(place, ""), running[place]) for place in places if place in running
    )
