"""Describe conflicts between the hands of a deal: too many of a tile, or a photo used twice."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say, tile_name
from device.matches.duplicate_photos import DuplicatePhoto, find_duplicates
from device.matches.match import Match
from device.matches.tile_counts import find_excess_tiles, load_counted_hands
from device.web.box import box
from device.web.table.mending import proposed
from scorer.tiles import BY_CODE, copies_in_set


@dataclass(frozen=True, slots=True)
class Doubt:
    """One conflict between hands."""

    players: frozenset[str]
    """The players whose hands conflict."""
    says: str


def doubts(match: Match) -> tuple[Doubt, ...]:
    """Return all conflicts in the current deal, those of photographs first."""
    met = tuple(
        Doubt(
            frozenset({each.player, each.other} if each.deal is None else {each.player}), _met(each)
        )
        for each in find_duplicates(match, box().hands)
    )
    return met + tuple(
        Doubt(
            frozenset(each.by_player),
            say(
                "counted.too-many",
                tile=tile_name(each.code),
                count=sum(each.by_player.values()),
                most=copies_in_set(BY_CODE[each.code]),
                who=", ".join(f"{player} {number}" for player, number in each.by_player.items()),
            ),
        )
        for each in find_excess_tiles(load_counted_hands(match, box().hands))
    )


def doubts_in_words(match: Match, player: str = "") -> tuple[str, ...]:
    """Return a sentence for each conflict.

    With a player, only for those of that player's hand, followed by the likely misreading.
    """
    if not player:
        return tuple(doubt.says for doubt in doubts(match))
    own = tuple(doubt.says for doubt in doubts(match) if player in doubt.players)
    mending = proposed(match) if own else None
    return (*own, mending.says) if mending and player in mending.players else own


def _met(each: DuplicatePhoto) -> str:
    if each.deal is not None:
        return say("counted.photo-of-deal", player=each.player, other=each.other, deal=each.deal)
    if each.player == each.other:
        return say("counted.photo-again", player=each.player)
    return say("counted.photo-twice", player=each.player, other=each.other)
