"""Turn tiles and sets as they lie into the parts of a hand, for photo and page alike.

Face-down tiles show how a set was made, according to the ruleset (`scorer.layings`). Each takes the
identity of its visible neighbours. One whose neighbours do not tell is reported, never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorer.breakdown import SetKind
from scorer.layings import classify_group, cut_by_face_down, cut_into_sets, face_down_layings
from scorer.ruleset import Laying
from scorer.tiles import CODES, FACE_DOWN, Tile
from vision.reading import RowName

MAX_CACHED_HANDS = 256
"""Assembled hands in memory: those of a long evening. A page asks for the same few again."""


@dataclass(frozen=True, slots=True)
class LaidSet:
    """Tiles that lie together in a row: the input of `assemble`."""

    tiles: tuple[int, ...]
    """Positions in the list of codes, left to right."""
    row: RowName
    placed_by_hand: bool = False
    """The player chose the row; this overrides what face-down tiles say."""


@dataclass(frozen=True, slots=True)
class AssembledSet:
    """Tiles that lie together, as the rules see them."""

    tiles: tuple[int, ...]
    codes: tuple[str, ...]
    """A code for each of `tiles`; `??` only where the neighbours do not tell."""
    row: RowName
    kind: SetKind
    source: int
    """Position of its set among those given to `assemble`."""

    @property
    def is_declared_kong(self) -> bool:
        """Whether it is a concealed kong by itself, which is declared (BMJA-V04, BMJA-V07)."""
        return self.row == "concealed" and self.kind == "kong"


@dataclass(frozen=True, slots=True)
class AssembledHand:
    """The parts of a hand as codes, in the order in which they lie."""

    sets: tuple[AssembledSet, ...]

    @property
    def exposed(self) -> tuple[tuple[str, ...], ...]:
        """The exposed sets."""
        return tuple(s.codes for s in self.sets if s.row == "exposed")

    @property
    def declared_kongs(self) -> tuple[tuple[str, ...], ...]:
        """The declared concealed kongs."""
        return tuple(s.codes for s in self.sets if s.is_declared_kong)

    @property
    def concealed(self) -> tuple[str, ...]:
        """The concealed tiles, without declared kongs."""
        return tuple(
            code
            for s in self.sets
            if s.row == "concealed" and not s.is_declared_kong
            for code in s.codes
        )

    @property
    def bonus(self) -> tuple[str, ...]:
        """The flowers and seasons, wherever they lie (BMJA-T05)."""
        bonus_codes = (code for s in self.sets if s.row == "bonus" for code in s.codes)
        return tuple(code for code in bonus_codes if code != FACE_DOWN)

    @property
    def unresolved_tiles(self) -> tuple[int, ...]:
        """Positions of face-down tiles whose neighbours do not tell what they are."""
        return tuple(
            position
            for s in self.sets
            for position, code in zip(s.tiles, s.codes, strict=True)
            if code == FACE_DOWN
        )


def assemble(codes: Sequence[str], sets: Iterable[LaidSet], rules: str = "bmja") -> AssembledHand:
    """Return the parts of the hand whose tile `i` has the code `codes[i]`.

    A bonus tile counts as one wherever it lies. Other tiles in the bonus row join the concealed
    ones, unless they are unknown. Raises KeyError for an unknown ruleset.
    """
    return _assemble(tuple(codes), tuple(sets), rules)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _assemble(codes: tuple[str, ...], sets: tuple[LaidSet, ...], rules: str) -> AssembledHand:
    layings = face_down_layings(rules)
    parts = [
        part
        for source, laid in enumerate(sets)
        for part in _split_group(codes, laid, source, layings)
        if part.tiles
    ]
    return AssembledHand(tuple(parts))


def _split_group(
    codes: Sequence[str], laid_set: LaidSet, source: int, layings: tuple[Laying, ...]
) -> Iterator[AssembledSet]:
    """Yield the sets of one group of tiles: bonus tiles and face-down patterns separately."""
    face_down_name = FACE_DOWN if laid_set.row == "bonus" else None
    bonus = tuple(t for t in laid_set.tiles if _is_bonus(codes[t]) or codes[t] == face_down_name)
    playing_tiles = tuple(t for t in laid_set.tiles if t not in bonus)
    row: RowName = "concealed" if laid_set.row == "bonus" else laid_set.row
    concealed = {laying.shape: laying.concealed for laying in layings}
    rest: list[int] = []
    for span, shape, code in cut_by_face_down(
        tuple(codes[t] for t in playing_tiles), tuple(concealed)
    ):
        tiles = playing_tiles[span]
        if not shape:
            rest.extend(tiles)
            continue
        by_rule: RowName = "concealed" if concealed[shape] else "exposed"
        set_row = row if laid_set.placed_by_hand else by_rule
        yield _to_assembled_set(tiles, (code,) * len(tiles), set_row, source)
    # Exposed tiles must be cut into sets even without gaps; concealed tiles need not.
    names = tuple(codes[t] for t in rest)
    for span in _cut_without_rest(names) if row == "exposed" else (slice(None),):
        tiles = tuple(rest[span])
        yield _to_assembled_set(tiles, tuple(codes[t] for t in tiles), row, source)
    yield _to_assembled_set(bonus, tuple(codes[t] for t in bonus), "bonus", source)


def _cut_without_rest(codes: tuple[str, ...]) -> tuple[slice, ...]:
    """Cut tiles into sets, or keep them in one piece if some would be left over."""
    pieces = cut_into_sets(codes)
    return pieces if all(classify_group(codes[p]) != "loose" for p in pieces) else (slice(None),)


def _to_assembled_set(
    tiles: tuple[int, ...], codes: tuple[str, ...], row: RowName, source: int
) -> AssembledSet:
    kind = "loose" if row == "bonus" else classify_group(codes)
    return AssembledSet(tiles, codes, row, kind, source)


def _is_bonus(code: str) -> bool:
    return code in CODES and Tile.parse(code).is_bonus
