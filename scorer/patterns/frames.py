"""The hands that a pattern allows: one frame for each choice of its suits, ranks and single tiles.

>>> snake = compile_pattern("x11, x2-9, each wind")
>>> [frame.written_tiles[:3] for frame in snake.frames], snake.is_of_sets
([('B1', 'B1', 'B2'), ('C1', 'C1', 'C2'), ('O1', 'O1', 'O2')], False)
>>> compile_pattern("x1-9, pung y")
Traceback (most recent call last):
scorer.patterns.notation.PatternError: The pattern has 12 tiles; a hand has 14, a kong being three.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, prod
from types import MappingProxyType
from typing import NamedTuple

from scorer.cache_sizes import MAX_CACHED_TABLES
from scorer.hand import HAND_SIZE
from scorer.message import message
from scorer.patterns.notation import (
    TILE_CLASSES,
    TILES_BY_KIND,
    GroupKind,
    Part,
    PatternError,
    WrittenTiles,
    parse_pattern,
    ranks_named,
    suits_named,
)
from scorer.tiles import RANKS, SUITS

SETS_PER_HAND = 4
"""Sets of a complete hand, besides the pair (BMJA-H01)."""

COPIES_PER_TILE = 4
"""Copies of each playing tile, and of wild tiles (BMJA-T04, G01)."""

MAX_FRAMES = 1500
"""A pattern that leaves more choices open would take too long to try."""

MAX_OPEN_FACES = 30_000
"""Limit of `open_faces` of all patterns of a ruleset together.

Sixty hands of clubs have 14,000: a hand takes 30 to 60 ms to score. At the limit it takes 150 ms,
and half a second in a goulash with four wild tiles.
"""

MAX_TRIED_CHOICES = 4 * MAX_FRAMES
"""Choices of single tiles for one choice of suits and ranks; some hold a tile too often."""

PLAYING_CODES = TILE_CLASSES["any"]
PLACE_BY_CODE = MappingProxyType({code: place for place, code in enumerate(PLAYING_CODES)})
BIT_BY_CODE = MappingProxyType({code: 1 << place for place, code in enumerate(PLAYING_CODES)})
"""A bit for each face, so that sets of faces are plain numbers."""

SET_KINDS = frozenset[GroupKind]({"chow", "pung", "kong"})


def mask_of(codes: Iterable[str]) -> int:
    """Return the union of the bits of these faces."""
    mask = 0
    for code in codes:
        mask |= BIT_BY_CODE[code]
    return mask


class Group(NamedTuple):
    """One group that a hand needs, and the faces that it may be of."""

    kinds: frozenset[GroupKind]
    codes: frozenset[str]
    label: str = ""
    """The tiles as the pattern has them, for reasons: `terminal`, `x`, `x/honour`."""

    @property
    def mask(self) -> int:
        """The faces as bits."""
        return mask_of(self.codes)

    @property
    def size(self) -> int:
        """The tiles that it counts for: three for a kong."""
        return min(min(map(TILES_BY_KIND.__getitem__, self.kinds)), 3)

    @property
    def is_set(self) -> bool:
        """Whether it is a chow, a pung or a kong."""
        return not self.kinds.isdisjoint(SET_KINDS)


@dataclass(frozen=True, slots=True)
class HandFrame:
    """What a hand needs once suits, ranks and single tiles are chosen."""

    written_tiles: tuple[str, ...]
    """The tiles that are all needed, as written."""
    chosen_tiles: tuple[str, ...]
    """The single tiles that are chosen."""
    tiles: Mapping[str, int]
    """Both, counted by face."""
    certain: tuple[tuple[int, int], ...] = field(repr=False)
    """The same, by the place of each face among all faces."""
    certain_mask: int = field(repr=False)
    """The same faces as bits."""
    groups: tuple[Group, ...]
    suits: str
    """The suits that the variables stand for."""
    mask: int = field(repr=False)
    """All faces that may occur."""
    must_have: tuple[int, ...] = field(repr=False)
    """Of each of these, some face must occur: of each suit that the pattern names (BMJA-S36)."""
    uncertain: tuple[int, ...] = field(repr=False)
    """Of these some face must occur, too, though neither the tiles nor a group brings it."""
    is_knitted: bool = field(repr=False)
    """Whether it is couples and triplets of the same suits, and nothing else is asked."""


@dataclass(frozen=True, slots=True, eq=False)
class HandPattern:
    """A pattern with all its frames."""

    text: str
    frames: tuple[HandFrame, ...]
    is_of_sets: bool
    """Whether it is four sets and a pair, and none of them must be a chow (BMJA-S10)."""
    has_sets: bool
    """Whether a chow, a pung or a kong is part of it, which may be laid down."""
    longest: int
    """The most tiles that a claim may complete: three for a run or a set, else two."""
    hands_key: object = field(repr=False)
    """Equal for patterns that allow the same hands frame by frame."""
    frames_by_mask: tuple[tuple[int, tuple[HandFrame, ...]], ...] = field(repr=False)
    """The frames by the faces that may occur in them."""

    @property
    def open_faces(self) -> int:
        """What it costs to compare a hand: the frames, and in each the faces of open groups."""
        return sum(
            1 + sum(len(group.codes) for group in frame.groups if len(group.codes) > 1)
            for frame in self.frames
        )


@lru_cache(maxsize=MAX_CACHED_TABLES)
def compile_pattern(text: str) -> HandPattern:
    """Return the pattern with its frames; raise PatternError when it is none."""
    versions = parse_pattern(text)
    for parts in versions:
        _check_count(parts)
    frames = tuple(_find_frames(versions))
    if not frames:
        raise PatternError(message("pattern-fault.no-tiles-fill-it"))
    longest = 3 if any(map(_has_three_together, frames)) else 2
    masks = dict.fromkeys(frame.mask for frame in frames)
    by_mask = tuple((mask, tuple(f for f in frames if f.mask == mask)) for mask in masks)
    hands_key = frozenset(map(_frame_key, frames))
    of_sets = all(map(_is_of_sets, frames))
    has_sets = any(group.is_set for frame in frames for group in frame.groups)
    return HandPattern(text, frames, of_sets, has_sets, longest, hands_key, by_mask)


def _check_count(parts: tuple[Part, ...]) -> None:
    count = sum(group.size for part in parts for group in _groups(part, {}, {})) + sum(
        len(_allowed_codes(tiles, {}, {}))
        for part in parts
        if not part.kinds
        for tiles in part.tiles
    )
    if count != HAND_SIZE:
        raise PatternError(message("pattern-fault.count", count=count, size=HAND_SIZE))


def _is_of_sets(frame: HandFrame) -> bool:
    sets = [group for group in frame.groups if group.is_set and group.kinds != {"chow"}]
    pairs = [group for group in frame.groups if "pair" in group.kinds]
    return len(sets) == SETS_PER_HAND and len(pairs) == 1 and not frame.tiles


def _find_frames(versions: Iterable[tuple[Part, ...]]) -> Iterator[HandFrame]:
    """Yield each different frame of the versions once."""
    keys: set[object] = set()
    for parts in versions:
        suits, ranks = suits_named(parts), ranks_named(parts)
        for suit_letters in permutations(SUITS, len(suits)):
            for rank_digits in permutations(RANKS["B"], len(ranks)):
                by_suit = dict(zip(suits, suit_letters, strict=True))
                by_rank = dict(zip(ranks, rank_digits, strict=True))
                for frame in _frames_of_choice(parts, by_suit, by_rank):
                    key = _frame_key(frame)
                    if key not in keys:
                        keys.add(key)
                        yield frame
                    if len(keys) > MAX_FRAMES:
                        raise PatternError(message("pattern-fault.too-open"))


def _frame_key(frame: HandFrame) -> object:
    groups = sorted((sorted(each.kinds), sorted(each.codes)) for each in frame.groups)
    return frozenset(frame.tiles.items()), repr(groups), frozenset(frame.must_have)


_Suits = Mapping[str, str]
_Ranks = Mapping[str, str]


def _frames_of_choice(
    parts: tuple[Part, ...], by_suit: _Suits, by_rank: _Ranks
) -> Iterator[HandFrame]:
    """Yield the frames of one choice of suits and ranks: one for each choice of single tiles."""
    try:
        written_tiles = [
            code
            for part in parts
            if not part.kinds
            for tiles in part.tiles
            for code in _allowed_codes(tiles, by_suit, by_rank)
        ]
        groups = [group for part in parts for group in _groups(part, by_suit, by_rank)]
    except IndexError:  # a rank above 9
        return
    singles = [group for group in groups if "tile" in group.kinds]
    set_groups = tuple(group for group in groups if "tile" not in group.kinds)
    suit_masks = tuple(mask_of(_suit_codes(suit)) for suit in by_suit.values())
    for choice in _choices(singles):
        tiles = Counter((*written_tiles, *choice))
        if max(tiles.values(), default=0) > COPIES_PER_TILE:
            continue
        mask = mask_of(tiles)
        for group in set_groups:
            mask |= group.mask
        certain = tuple(group.mask for group in set_groups if len(group.codes) == 1)
        uncertain = tuple(
            suit
            for suit in suit_masks
            if not mask_of(tiles) & suit and not any(_brings(each, suit) for each in set_groups)
        )
        yield HandFrame(
            tuple(written_tiles),
            choice,
            MappingProxyType(tiles),
            tuple((PLACE_BY_CODE[code], count) for code, count in tiles.items()),
            mask_of(tiles),
            set_groups,
            "".join(by_suit.values()),
            mask,
            (*suit_masks, *certain),
            uncertain,
            not uncertain and _is_knitted(tiles, set_groups),
        )


def _is_knitted(tiles: Mapping[str, int], groups: tuple[Group, ...]) -> bool:
    is_knit = all(group.kinds in ({"couple"}, {"triplet"}) for group in groups)
    return is_knit and not tiles and len({group.codes for group in groups}) == 1


def _brings(group: Group, suit: int) -> bool:
    """Return whether every group of the kind has a tile of a suit."""
    suits = len({code[0] for code in group.codes})
    in_each_suit = group.kinds == {"triplet"} or (group.kinds == {"couple"} and suits == 2)
    return bool(group.mask & suit) and (in_each_suit or not group.mask & ~suit)


def _choices(singles: list[Group]) -> Iterator[tuple[str, ...]]:
    """Yield every choice of tiles for these single ones; equal ones are not told apart.

    Raises PatternError before there are too many to be held in memory.
    """
    group_counts = Counter(singles)
    counts = (comb(len(group.codes) + count - 1, count) for group, count in group_counts.items())
    if prod(counts) > MAX_TRIED_CHOICES:
        raise PatternError(message("pattern-fault.too-open"))
    for choice in product(
        *(
            combinations_with_replacement(_in_order(group.codes), count)
            for group, count in group_counts.items()
        )
    ):
        yield tuple(code for each in choice for code in each)


def _in_order(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=BIT_BY_CODE.__getitem__)


def _groups(part: Part, by_suit: _Suits, by_rank: _Ranks) -> Iterator[Group]:
    """Yield the groups of a part; without its suits chosen they only count."""
    if not part.kinds:
        return
    kinds = frozenset(part.kinds)
    label = "/".join(tiles.text for tiles in part.tiles) or "suit"
    codes = [code for tiles in part.tiles for code in _allowed_codes(tiles, by_suit, by_rank)]
    if not part.tiles:
        codes = list(TILE_CLASSES["suit"])
    if part.each:
        for code in codes:
            yield Group(kinds, frozenset((code,)), label)
        return
    for _ in range(part.count):
        yield Group(kinds, frozenset(codes), label)


def _allowed_codes(tiles: WrittenTiles, by_suit: _Suits, by_rank: _Ranks) -> tuple[str, ...]:
    """Return tiles in the order in which they are written; raise IndexError above rank 9."""
    if tiles.codes:
        return tiles.codes
    suit = by_suit.get(tiles.suit, tiles.suit)
    suit = suit if suit in SUITS else next(iter(SUITS))
    if tiles.rank_variable:
        first = int(by_rank.get(tiles.rank_variable, "1"))
        return (suit + RANKS[suit][first - 1 + tiles.step],)
    return tuple(suit + rank for rank in tiles.ranks or RANKS[suit])


def _suit_codes(suit: str) -> tuple[str, ...]:
    return tuple(suit + rank for rank in RANKS[suit])


def _has_three_together(frame: HandFrame) -> bool:
    """Return whether a claim may complete three tiles: a run of single ones, or a group."""
    runs = any(
        all(frame.tiles.get(suit + rank) for rank in RANKS[suit][first : first + 3])
        for suit in SUITS
        for first in range(7)
    )
    return (
        runs
        or any(count >= 3 for count in frame.tiles.values())
        or any(group.size >= 3 for group in frame.groups)
    )


def fillings(group: Group, *, kongs: bool) -> Iterator[tuple[GroupKind, tuple[str, ...]]]:
    """Yield every way to fill a group: its kind, and the tiles in the order of a hand.

    A kong is a way only with `kongs`, and only where the group cannot be a pung.
    """
    kinds = group.kinds if kongs and "pung" not in group.kinds else group.kinds - {"kong"}
    for kind in sorted(kinds):
        for tiles in _fillings_of_kind(kind, group.codes):
            yield kind, tiles


def _fillings_of_kind(kind: GroupKind, codes: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """Yield the tiles of every group of a kind that these faces allow."""
    size = TILES_BY_KIND[kind]
    if kind in ("couple", "triplet"):
        for rank in RANKS["B"]:
            faces = [suit + rank for suit in SUITS if suit + rank in codes]
            yield from combinations(faces, size)
    elif kind == "chow":
        for suit in SUITS:
            for first in range(len(RANKS[suit]) - 2):
                run = tuple(suit + rank for rank in RANKS[suit][first : first + 3])
                if codes.issuperset(run):
                    yield run
    else:
        yield from ((code,) * size for code in sorted(codes))
