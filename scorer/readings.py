"""The ways in which a hand may be read (BMJA-H06): sets on the table stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from scorer.breakdown import SetKind, TileSet
from scorer.grouping import ALIKE, Sets, chow_from, complete, partial
from scorer.hand import Codes, Hand
from scorer.tiles import BY_CODE, SUITS, Tile

SETS_IN_A_HAND = 4
"""Besides the pair (BMJA-H01)."""


class Claim(NamedTuple):
    """A claimed winning tile in a reading: it exposes the set it completes (BMJA-K02 to K04)."""

    place: int
    """Of that set, in the reading."""
    tile: str
    lay_exposed: bool
    """Whether the set lay with the exposed ones, or among the player's own tiles."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A hand with all its tiles put in sets."""

    hand: Hand
    sets: Sets
    claim: Claim | None = None

    @property
    def codes(self) -> Codes:
        """The codes of every tile but the bonus tiles, set by set."""
        return tuple(code for each in self.sets for code in each.tiles)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Every tile but the bonus tiles, set by set."""
        return tuple(BY_CODE[code] for code in self.codes)

    @property
    def exposed_places(self) -> list[int]:
        """The places of the sets that are not concealed."""
        return [place for place, each in enumerate(self.sets) if not each.concealed]

    @property
    def loose_tiles(self) -> int:
        """How many tiles are in no set."""
        return sum(len(each.tiles) for each in self.of_kind("loose"))

    @property
    def suits(self) -> tuple[str, ...]:
        """The suit letters that occur, in the usual order."""
        families = {tile.family for tile in self.tiles}
        return tuple(suit for suit in SUITS if suit in families)

    @property
    def has_honours(self) -> bool:
        """Whether there is a wind or a dragon."""
        return any(tile.is_honour for tile in self.tiles)

    def of_kind(self, *kinds: SetKind) -> Sets:
        """Return the sets that are of one of these kinds."""
        return tuple(each for each in self.sets if each.kind in kinds)

    @property
    def pungs_and_kongs(self) -> Sets:
        """The sets that can score as sets."""
        return self.of_kind("pung", "kong")


def set_kind(codes: Codes) -> SetKind | None:
    """Return what these tiles are when they lie together; None if they are no set and no pair."""
    tiles = sorted(BY_CODE[code] for code in codes)
    if len(set(tiles)) == 1:
        return ALIKE.get(len(tiles))
    return "chow" if len(tiles) == 3 and chow_from(tiles[0]) == tuple(tiles) else None


def readings(hand: Hand) -> Iterator[Reading]:
    """Yield every reading that the rules allow; none when the winner's tiles are no Mah-Jong.

    The hand's laid-down groups must each be a set or a pair.
    """
    if not hand.winner:
        chows = hand.chows_allowed - len(_fixed(hand, "chow"))
        for sets in partial(_own(hand), chows=max(chows, 0)):
            yield Reading(hand, _laid_down(hand) + sets)
        return
    for sets in arrangements(hand):
        if sum(each.kind == "chow" for each in sets) <= hand.chows_allowed:
            yield from _claims(Reading(hand, sets))


def arrangements(hand: Hand) -> Iterator[Sets]:
    """Yield every way to read the tiles as four sets and a pair, however many chows there are."""
    pairs = len(_fixed(hand, "pair"))
    sets = len(hand.laid_down) - pairs
    own = complete(_own(hand), sets=SETS_IN_A_HAND - sets, pairs=1 - pairs)
    return (_laid_down(hand) + each for each in own)


def _own(hand: Hand) -> list[Tile]:
    return [BY_CODE[code] for code in hand.concealed]


def _fixed(hand: Hand, kind: SetKind) -> list[Codes]:
    return [codes for codes in hand.laid_down if set_kind(codes) == kind]


def _laid_down(hand: Hand) -> Sets:
    exposed = ((codes, False) for codes in hand.exposed)
    declared = ((codes, True) for codes in hand.declared_kongs)
    return tuple(
        TileSet(kind, tuple(sorted(codes, key=BY_CODE.__getitem__)), concealed)
        for codes, concealed in (*exposed, *declared)
        if (kind := set_kind(codes))
    )


def _claims(reading: Reading) -> Iterator[Reading]:
    """Yield the reading once for each way in which a claimed winning tile may have gone into it.

    Nothing for a reading in which the winning tile can have completed no set.
    """
    places = _completable(reading)
    if not reading.hand.claimed:
        if places:
            yield reading
        return
    for place in places:
        each = reading.sets[place]
        sets = (
            *reading.sets[:place],
            replace(each, concealed=False),
            *reading.sets[place + 1 :],
        )
        tile = reading.hand.winning_tile
        for code in (tile,) if tile else dict.fromkeys(each.tiles):
            yield Reading(reading.hand, sets, Claim(place, code, not each.concealed))


def _completable(reading: Reading) -> list[int]:
    """Return the places of the sets that the winning tile may have completed.

    An exposed pair must be the one. No kong can be: a kong is followed by a loose tile.
    """
    tile = reading.hand.winning_tile
    numbered = list(enumerate(reading.sets))
    exposed_pair = [n for n, each in numbered if each.kind == "pair" and not each.concealed]
    return exposed_pair or [
        n for n, each in numbered if each.kind != "kong" and tile in (None, *each.tiles)
    ]
