"""How many of each tile the hands of a deal hold between them (BMJA-T04)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from device.hands.repository import HandRepository
from device.matches.match import Match
from scorer.tiles import BY_CODE, copies


@dataclass(frozen=True, slots=True)
class TooMany:
    """A tile of which the hands hold more than there are: one of them must be wrong."""

    code: str
    by_player: Mapping[str, int]


def too_many(match: Match, hands: HandRepository) -> tuple[TooMany, ...]:
    """Return the tiles of which the deal's hands hold too many, in the project's order.

    A score that was typed names no tiles, and a hand whose events are torn counts for none.
    """
    held: dict[str, Counter[str]] = {}
    for player, given in match.deal.hands.items():
        counts = given.hand and given.typed is None and not given.others
        record = hands.get_if_whole(given.hand) if counts else None
        if record:
            laid = record.assembled().sets
            held[player] = Counter(code for each in laid for code in each.codes)
    return tuple(
        TooMany(code, {player: own[code] for player, own in held.items() if own[code]})
        for code, tile in BY_CODE.items()
        if sum(own[code] for own in held.values()) > copies(tile)
    )
