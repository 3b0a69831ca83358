"""The matches that are running, table by table."""

from __future__ import annotations

from dataclasses import dataclass

from device.club.tables import ClubTables
from device.matches.match import Match
from device.matches.repository import MatchRepository


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A running match with the name of its table."""

    table: str
    """Empty for the unnamed table of a box that has only one."""
    match: Match


def being_played(matches: MatchRepository, tables: ClubTables) -> tuple[PlayedMatch, ...]:
    """Return the running matches in the order of the tables."""
    names = tables.names()
    running = {match.table: match for match in matches.all_on()}
    places = ["", *(each.id for each in tables.laid())]
    return tuple(
        PlayedMatch(names.get(place, ""), running[place]) for place in places if place in running
    )
