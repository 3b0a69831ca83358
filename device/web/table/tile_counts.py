"""Tiles of which the hands of a deal hold more than there are, in words."""

from __future__ import annotations

from device.i18n.words import say, tile_name
from device.matches.match import Match
from device.matches.tile_counts import too_many
from device.web.box import box
from scorer.tiles import BY_CODE, copies


def too_many_in_words(match: Match) -> tuple[str, ...]:
    """Return a sentence for each such tile, with who holds how many."""
    return tuple(
        say(
            "counted.too-many",
            tile=tile_name(each.code),
            count=sum(each.by_player.values()),
            most=copies(BY_CODE[each.code]),
            who=", ".join(f"{player} {number}" for player, number in each.by_player.items()),
        )
        for each in too_many(match, box().hands)
    )
