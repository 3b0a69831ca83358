"""What all special hands share: the tiles they look at, their base classes, common reasons.

`PlayerTiles` is what a player holds towards a hand, and `MissingTiles` what the hand still needs.
`TileCounts` is fourteen tiles that are not arranged in sets. In a goulash, every set in them (a
pair, a pung or a knitted group) may have one wild tile. A set that a drawn wild tile completed may
have two. Single tiles may all be wild (BMJA-G05).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar, NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.arrangements import SETS_PER_HAND, HandArrangement, read_fixed_sets
from scorer.decompose.splits import Sets
from scorer.decompose.wild_splits import PLAYING_CODES
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.reasons import Reason, make_reason, make_set_reason
from scorer.ruleset import Ruleset
from scorer.sets import MAX_WILDS_BY_KIND, HandTraits
from scorer.tile_names import name_plural
from scorer.tiles import BY_CODE, CODES, RANKS, SUITS, Tile

PUNG_TILES, KONG_TILES = 3, 4

MAX_MISSING_TILES = 6
"""A special hand that needs more tiles than this is not near."""

ALL_CODES = frozenset(PLAYING_CODES)
HONOUR_CODES = frozenset(code for code in PLAYING_CODES if BY_CODE[code].is_honour)
DRAGON_CODES = frozenset(code for code in HONOUR_CODES if code[0] == "D")
ALL_WIND_CODES = HONOUR_CODES - DRAGON_CODES
TERMINAL_CODES = frozenset(code for code in PLAYING_CODES if BY_CODE[code].is_terminal)
CODES_BY_SUIT = {
    suit: frozenset(code for code in PLAYING_CODES if code[0] == suit) for suit in SUITS
}
NO_CODES: frozenset[str] = frozenset()


class PlayerTiles(NamedTuple):
    """The tiles that a player has towards a special hand."""

    own: Mapping[str, int]
    """The number of concealed tiles of each face, without wild tiles."""
    faces: Codes
    """The faces that sets may have; those that the player holds most of come first."""
    fixed: Sets
    """The sets on the table."""
    wilds: int
    """The number of concealed wild tiles."""
    unreachable: frozenset[str]
    """Faces that exist only as wild tiles (BMJA-G07)."""
    hand: Hand


class MissingTiles(NamedTuple):
    """The missing tiles of one group of a hand."""

    tiles: Codes
    wilds: int = 1
    """How many of them wild tiles may replace (BMJA-G05)."""


def tiles_of_player(hand: Hand) -> PlayerTiles:
    """Return the tiles that the player of this hand has."""
    wild = hand.wild_codes
    count = Counter(code for code in hand.concealed if code not in wild)
    faces = sorted(
        (code for code in PLAYING_CODES if code not in wild), key=lambda code: -count[code]
    )
    wilds = len(hand.concealed) - count.total()
    return PlayerTiles(count, tuple(faces), read_fixed_sets(hand) or (), wilds, wild, hand)


def missing_singles(codes: Iterable[str]) -> list[MissingTiles]:
    """Return each missing tile as a group of its own.

    Wild tiles can split groups of equal tiles, so most missing tiles count singly.
    """
    return [MissingTiles((code,)) for code in codes]


def missing_from_sets(
    held: PlayerTiles,
    others: frozenset[str],
    required: frozenset[str] = NO_CODES,
    *,
    size: int = PUNG_TILES,
    sets: int = SETS_PER_HAND,
) -> list[MissingTiles] | None:
    """Return what the sets and the pair need: a set of each required face, the rest of `others`.

    The sets and the pair have five different faces, since no face has five tiles. So the faces
    that the player holds most of are best. None when a set on the table does not fit.
    """
    on_table = {each.tile.code for each in held.fixed}
    if any(each.kind == "chow" for each in held.fixed) or not on_table <= others | required:
        return None
    free = sets - len(on_table | required)
    if free < 0:
        return None
    fit = [face for face in held.faces if face in others and face not in on_table | required]
    of_sets, of_pair = fit[:free], fit[free]
    missing = [
        _missing_alike(held, face, size) for face in (*sorted(required - on_table), *of_sets)
    ]
    missing += [
        MissingTiles((face,) * (size - len(each.tiles) - held.own.get(face, 0)), 0)
        for each in held.fixed
        for face in (each.tile.code,)
    ]
    return [*missing, _missing_alike(held, of_pair, 2)]


def _missing_alike(held: PlayerTiles, face: str, size: int) -> MissingTiles:
    wilds = MAX_WILDS_BY_KIND["kong"] if size == KONG_TILES else 1
    return MissingTiles((face,) * (size - held.own.get(face, 0)), wilds)


SUIT_RANKS = RANKS["B"]
SUIT_LETTERS = frozenset(SUITS)
WIND_CODES = tuple(f"W{wind}" for wind in RANKS["W"])
MAJOR_CODES = tuple(each for each in CODES if BY_CODE[each].is_major)
"""Every 1, 9, wind and dragon."""


class TileCounts(NamedTuple):
    """Fourteen tiles, counted by face."""

    natural: Counter[str]
    wilds: int
    spare: int
    """1 when one set may hold a second wild tile, the winning one; else 0."""
    families: frozenset[str]
    """The first letters of the natural tiles' codes."""


def count_tiles(codes: Codes, wild: frozenset[str], *, spare: bool) -> TileCounts:
    """Count fourteen tiles by face; tiles short of fourteen count as wild."""
    natural = Counter([code for code in codes if code not in wild] if wild else codes)
    families = frozenset([code[0] for code in natural])
    return TileCounts(natural, HAND_SIZE - natural.total(), int(spare), families)


def counts_by_rank(natural: Mapping[str, int], suits: tuple[str, ...]) -> Iterator[tuple[int, ...]]:
    """Yield for each rank, from 1 to 9, the number of tiles in each of these suits."""
    for rank in SUIT_RANKS:
        yield tuple([natural.get(suit + rank, 0) for suit in suits])


MissingFromTarget = list[MissingTiles] | None
"""The missing tiles of one version of a hand; None when the player cannot reach it."""


class SetsHand(ABC):
    """Four sets and a pair."""

    @abstractmethod
    def matches(self, arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
        """Return whether an arrangement, with these traits, is this hand."""

    @abstractmethod
    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        """Return the one thing that keeps an arrangement from being this hand."""

    @abstractmethod
    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        """Yield what is missing from each version of the hand: one for each suit, for example."""


class TilesHand(ABC):
    """Fourteen tiles of another shape, kept concealed until the last (BMJA-S05)."""

    largest_claim: ClassVar[int] = 2
    """How many tiles, the winning tile included, may be laid down with a claim."""

    @abstractmethod
    def matches(self, holding: TileCounts, rules: Ruleset) -> bool:
        """Return whether the tiles are this hand."""

    def may_end_with(self, claimed: Tile, rules: Ruleset) -> bool:
        """Return whether this tile may be claimed to complete the hand."""
        return True

    @abstractmethod
    def missing(self, held: PlayerTiles, rules: Ruleset) -> Iterable[MissingFromTarget]:
        """Yield what is missing from each version of the hand; no set is on the table."""


class EventHand(ABC):
    """Any Mah-Jong, won in a particular way (BMJA-S40)."""

    @abstractmethod
    def matches(self, arrangement: HandArrangement, rules: Ruleset) -> bool:
        """Return whether the hand was won in this way."""

    def why_not(self, arrangement: HandArrangement, rules: Ruleset) -> Reason:
        """Return the one thing that keeps the win from being of this kind."""
        return None


def why_not_pung(each: TileSet) -> Reason:
    """Return the reason against a chow where a pung or a kong is needed."""
    return make_set_reason("no-pung-or-kong", each) if each.kind == "chow" else None


def why_not_of_suit(each: TileSet, suit: str) -> Reason:
    """Return the reason against a set of another suit."""
    foreign = each.tile.is_suit and each.tile.family != suit
    return make_set_reason("another-suit", each) if foreign else None


def main_suit(arrangement: HandArrangement) -> str:
    """Return the suit that most sets have; bamboo when no set has a suit."""
    suits = Counter(each.tile.family for each in arrangement.sets if each.tile.is_suit)
    return max(SUITS, key=lambda suit: suits[suit])


def sets_exposed_early(arrangement: HandArrangement) -> Sets:
    """Return the sets that were exposed before the winning tile."""
    claimed_at = arrangement.claim.place if arrangement.claim else None
    return tuple(
        arrangement.sets[place] for place in arrangement.exposed_places if place != claimed_at
    )


def why_not_concealed(each: TileSet) -> Reason:
    """Return the reason against a set that should have stayed concealed (BMJA-S05)."""
    return make_set_reason("claimed-early", each)


def missing_pungs(arrangement: HandArrangement, faces: frozenset[str]) -> list[Reason]:
    """Return a reason for each of these faces without a pung or kong.

    A face without even a pair gives two reasons, so that the hand counts as far.
    """
    absent = faces - {each.tile.code for each in arrangement.pungs_and_kongs}
    pairs = {each.tile.code for each in arrangement.of_kind("pair")}
    faults: list[Reason] = []
    for face in sorted(absent):
        faults += [make_reason("only-a-pair", tiles=name_plural(face))] * (
            1 if face in pairs else 2
        )
    return faults
