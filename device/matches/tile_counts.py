"""Check how many of each tile the hands of a deal hold together (BMJA-T04).

If they hold more of a face than a set has, `propose_mends` suggests which tiles were misread.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from device.hands.by_hand import held
from device.hands.hand import HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import is_miscounted, total_of
from device.matches.match import Match
from scorer.tiles import BY_CODE, copies_in_set

Records = Mapping[str, HandRecord]
"""The hands of a deal by player."""


@dataclass(frozen=True, slots=True)
class TooMany:
    """A tile of which the hands hold more than a set has."""

    code: str
    by_player: Mapping[str, int]

    @property
    def excess(self) -> int:
        """Number of tiles above what a set has."""
        return sum(self.by_player.values()) - copies_in_set(BY_CODE[self.code])


def counted_hands(match: Match, hands: HandRepository) -> Records:
    """Return the hands of the current deal whose tiles count.

    Typed scores have no tiles, and damaged hands are left out.
    """
    counting = (
        (player, hands.get_if_whole(given.hand))
        for player, given in match.deal.hands.items()
        if given.hand and given.typed is None and not given.others
    )
    return {player: record for player, record in counting if record}


def too_many(records: Records) -> tuple[TooMany, ...]:
    """Return the tiles of which these hands hold too many, in catalogue order."""
    by_player = {player: held(record) for player, record in records.items()}
    return tuple(
        TooMany(code, {player: own[code] for player, own in by_player.items() if own[code]})
        for code, tile in BY_CODE.items()
        if sum(own[code] for own in by_player.values()) > copies_in_set(tile)
    )


def is_possible(record: HandRecord) -> bool:
    """Whether a hand has a score and the right number of tiles."""
    return total_of(record) is not None and not is_miscounted(record)


def adding_up(records: Records, players: Collection[str]) -> int | None:
    """Return how many tiles all these players hold together.

    None if a hand is missing or invalid, or if there are too many of a tile.
    """
    if not players or records.keys() < set(players) or too_many(records):
        return None
    if not all(is_possible(records[player]) for player in players):
        return None
    return sum(held(records[player]).total() for player in players)
