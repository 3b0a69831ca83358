"""What all special hands share: the tiles they look at, what is missing, common reasons.

`PlayerTiles` is what a player holds towards a hand, and `MissingTiles` what the hand still needs.
`TileCounts` is fourteen tiles that are not arranged in sets. In a goulash, every group of a hand (a
pair, a pung or a couple) may have one wild tile. A group that a drawn wild tile completed may have
two. Single tiles may all be wild (BMJA-G05).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.arrangements import HandArrangement, read_fixed_sets
from scorer.decompose.splits import Sets
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.patterns.frames import mask_of
from scorer.patterns.notation import TILES_BY_KIND, GroupKind
from scorer.reasons import Reason, make_set_reason
from scorer.sets import MAX_WILDS_BY_KIND

PUNG_TILES, KONG_TILES = 3, 4

MAX_MISSING_TILES = 6
"""A special hand that needs more tiles than this is not near."""


class TooLongError(Exception):
    """Raised when a search takes more steps than it may."""


class Effort:
    """The steps of a search, counted; a check of patterns limits them."""

    def __init__(self, max_steps: int = sys.maxsize) -> None:
        self.steps, self.max_steps = 0, max_steps

    def step(self) -> None:
        """Count a step; raise TooLongError when it is one too many."""
        self.steps += 1
        if self.steps > self.max_steps:
            raise TooLongError


class PlayerTiles(NamedTuple):
    """The tiles that a player has towards a special hand."""

    counts: Mapping[str, int]
    """The number of concealed tiles of each face, without wild tiles."""
    fixed_sets: Sets
    """The sets on the table."""
    wilds: int
    """The number of concealed wild tiles."""
    unreachable: frozenset[str]
    """Faces that exist only as wild tiles (BMJA-G07)."""
    layers: tuple[int, ...]
    """The faces held at least once, twice, … as bits."""

    @property
    def has_exposed(self) -> bool:
        """Whether a set lies exposed; a declared kong does not."""
        return any(not each.concealed for each in self.fixed_sets)

    def is_near(self, mask: int) -> bool:
        """Return whether enough of the tiles are of these faces for a hand of them to be near."""
        useful = self.wilds + MAX_MISSING_TILES + PUNG_TILES * len(self.fixed_sets)
        for layer in self.layers:
            useful += (layer & mask).bit_count()
        return useful >= HAND_SIZE


class MissingTiles(NamedTuple):
    """The missing tiles of one group of a hand."""

    tiles: Codes
    wilds: int = 1
    """How many of them wild tiles may replace (BMJA-G05)."""


def tiles_of_player(hand: Hand) -> PlayerTiles:
    """Return the tiles of this hand's player."""
    wild = hand.wild_codes
    count = Counter(code for code in hand.concealed if code not in wild)
    wilds = len(hand.concealed) - count.total()
    layers = tuple(
        mask_of(code for code, n in count.items() if n > least)
        for least in range(max(count.values(), default=0))
    )
    return PlayerTiles(count, read_fixed_sets(hand) or (), wilds, wild, layers)


def most_wilds(kind: GroupKind) -> int:
    """Return how many wild tiles a group may hold; single tiles may all be wild (BMJA-G05)."""
    if kind in ("tile", "chow"):
        return TILES_BY_KIND[kind]
    return MAX_WILDS_BY_KIND["kong"] if kind == "kong" else 1


ALIKE_KINDS: tuple[GroupKind, ...] = ("tile", "pair", "pung", "kong")
"""The kinds of group of equal tiles, from one to four of them."""


def kind_alike(count: int) -> GroupKind:
    """Return the kind of a group of `count` equal tiles."""
    return ALIKE_KINDS[count - 1]


class TileCounts(NamedTuple):
    """Fourteen tiles, counted by face."""

    natural: Mapping[str, int]
    wilds: int
    spare: int
    """1 when one group may hold a second wild tile, the winning one; else 0."""
    mask: int
    """The faces of the natural tiles as bits."""


def count_tiles(
    codes: Codes, wild: frozenset[str], *, spare: bool, total: int = HAND_SIZE
) -> TileCounts:
    """Count tiles by face; those short of the total count as wild."""
    natural = Counter([code for code in codes if code not in wild] if wild else codes)
    return TileCounts(natural, total - natural.total(), int(spare), mask_of(natural))


def sets_exposed_early(arrangement: HandArrangement) -> Sets:
    """Return the sets that were exposed before the winning tile."""
    claimed_at = arrangement.claim.place if arrangement.claim else None
    return tuple(
        arrangement.sets[place] for place in arrangement.exposed_places if place != claimed_at
    )


def explain_exposed_set(tile_set: TileSet) -> Reason:
    """Return the reason against a set that should have stayed concealed (BMJA-S05)."""
    return make_set_reason("claimed-early", tile_set)
