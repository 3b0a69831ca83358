"""A hand as it lies when a deal ends, with the circumstances that tiles do not show.

>>> hand = Hand(exposed=(("B2", "B2", "B2"),), concealed=("WE", "WE"), bonus=("F1",))
>>> hand.tiles
('B2', 'B2', 'B2', 'WE', 'WE')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from scorer.tiles import JOKER

Codes = tuple[str, ...]
"""Tile codes, as in `scorer.tiles.CODES`."""

SOURCES = MappingProxyType(
    {
        "wall": "wall",
        "last-tile": "wall",
        "discard": "discard",
        "last-discard": "discard",
        "earth": "discard",
        "robbed-kong": "robbed-kong",
        "loose": "kong-box",
        "kong-of-kong": "kong-box",
        "heaven": "deal",
    }
)
"""Ways of winning that say where the winning tile came from, and that place."""


def _ways_from(*places: str) -> frozenset[str]:
    return frozenset(way for way, place in SOURCES.items() if place in places)


CLAIMED_WAYS, LOOSE_TILE_WAYS, LIVE_WALL_WAYS = (
    _ways_from("discard", "robbed-kong"),
    _ways_from("kong-box"),
    _ways_from("wall"),
)

WAYS_OF_WINNING: Codes = (*SOURCES, "original-call")
"""Every word that `Hand.won_by` may contain."""

HAND_SIZE = 14
"""Tiles of a winner, plus one for each kong; the other players hold one fewer (BMJA-H04)."""

WILD_CODES = frozenset({JOKER, "B2"})
"""The tiles that are wild in a goulash: the four jokers take the place of the 2s of bamboo."""

NO_TILES: frozenset[str] = frozenset()

RULESETS = ("bmja", "safalra")
"""The rulesets that a hand may name."""

PLAYER_COUNTS = (2, 3, 4, 5)
"""The possible numbers of players; of five, one sits out (BMJA-N03)."""


def remove_tiles(codes: Iterable[str], tiles: Iterable[str]) -> Codes:
    """Return the codes without one copy of each of these tiles, which must be among them.

    >>> remove_tiles(("B1", "B1", "B2"), ("B1",))
    ('B1', 'B2')
    """
    rest = list(codes)
    for tile in tiles:
        rest.remove(tile)
    return tuple(rest)


@dataclass(frozen=True, slots=True)
class Hand:
    """One player's tiles and circumstances. Any codes are accepted; `score` checks them."""

    exposed: tuple[Codes, ...] = ()
    """The exposed sets, each as its tile codes."""
    declared_kongs: tuple[Codes, ...] = ()
    """Concealed kongs that were declared (BMJA-K05)."""
    concealed: Codes = ()
    """The player's own tiles, in any order."""
    bonus: Codes = ()
    """Flowers and seasons."""
    winner: bool = False
    won_by: Codes = ()
    """How the hand won: words of `WAYS_OF_WINNING`; empty for a hand that did not win."""
    winning_tile: str | None = None
    """Code of the tile that completed the hand, when known."""
    seat_wind: str = "E"
    """The player's seat wind: E, S, W or N."""
    prevailing_wind: str = "E"
    ruleset: str = "bmja"
    players: int = 4
    goulash: bool = False
    original_call: bool = False
    """Whether the player was fishing after the first discard and kept the hand (BMJA-D08)."""
    limit: int | None = 1000
    """The most that a hand may score (BMJA-L01); None when the table plays without a limit."""
    house: Codes = ()
    """The table's own choices: `name:on` or `name:off`, with the ruleset's option names."""

    @property
    def sets_on_table(self) -> tuple[Codes, ...]:
        """The sets that are fixed: exposed ones first, then the declared kongs."""
        return self.exposed + self.declared_kongs

    @property
    def tiles(self) -> Codes:
        """Every tile but the bonus tiles."""
        return (*chain.from_iterable(self.sets_on_table), *self.concealed)

    @property
    def made_original_call(self) -> bool:
        """Whether the player made an original call, by either field that can say so."""
        return self.original_call or "original-call" in self.won_by

    @property
    def sources(self) -> frozenset[str]:
        """The sources of the winning tile; more than one is a contradiction."""
        return frozenset(SOURCES[way] for way in self.won_by if way in SOURCES)

    @property
    def is_claimed(self) -> bool:
        """Whether the winning tile was a discard or a robbed kong (BMJA-K02, K04)."""
        return self.winner and not CLAIMED_WAYS.isdisjoint(self.won_by)

    @property
    def may_be_claimed(self) -> bool:
        """Whether the winning tile was claimed, or its source is unknown."""
        return self.is_claimed or (self.winner and not self.sources)

    @property
    def on_loose_tile(self) -> bool:
        """Whether the winning tile came from the kong box (BMJA-D11)."""
        return self.winner and not LOOSE_TILE_WAYS.isdisjoint(self.won_by)

    @property
    def drawn_from_wall(self) -> bool:
        """Whether the winning tile came from the live wall (BMJA-B12)."""
        return self.winner and not LIVE_WALL_WAYS.isdisjoint(self.won_by)

    @property
    def wild_codes(self) -> frozenset[str]:
        """The wild codes: in a goulash the jokers and the 2s of bamboo (BMJA-G01), else none."""
        return WILD_CODES if self.goulash else NO_TILES

    @property
    def may_have_drawn_wild(self) -> bool:
        """Whether the winning tile was, or may have been, a wild tile that was drawn (BMJA-G05)."""
        return self.drawn_from_wall and (
            self.winning_tile is None or self.winning_tile in self.wild_codes
        )

    @property
    def wilds(self) -> Codes:
        """The wild tiles of the hand."""
        return tuple(code for code in self.tiles if code in self.wild_codes)
