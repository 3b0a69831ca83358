"""From tiles and sets as they lie to the parts of a hand: pure, and the same for photo and page.

Face-down tiles say how a set was made (BMJA-V03 to V05, SAF-V02 and V03): each takes the identity
of its visible neighbours, and one whose neighbours do not tell is reported, never guessed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from scorer.sets import set_kind as rules_set_kind
from scorer.tiles import CODES, FACE_DOWN, JOKER, Tile
from vision.reading import Row, SetKind

LONGEST_SET = 4


@dataclass(frozen=True, slots=True)
class LaidSet:
    """Tiles that lie together in a row: what `assemble` reads."""

    tiles: tuple[int, ...]
    """Positions in the list of codes, left to right."""
    row: Row
    placed_by_hand: bool = False
    """The player said which row it belongs to; that outranks what face-down tiles say."""


@dataclass(frozen=True, slots=True)
class AssembledSet:
    """Tiles that lie together, as the rules see them."""

    tiles: tuple[int, ...]
    codes: tuple[str, ...]
    """One code for each of `tiles`; `??` only where the neighbours do not tell."""
    row: Row
    kind: SetKind
    source: int
    """Which of the sets handed to `assemble` it came from."""

    @property
    def is_declared_kong(self) -> bool:
        """A concealed kong that lies by itself counts as declared (BMJA-V04, BMJA-V07)."""
        return self.row == "concealed" and self.kind == "kong"


@dataclass(frozen=True, slots=True)
class AssembledHand:
    """The parts of a hand, in codes, in the order in which they lie."""

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
        """The concealed tiles, declared kongs left out."""
        return tuple(
            code
            for s in self.sets
            if s.row == "concealed" and not s.is_declared_kong
            for code in s.codes
        )

    @property
    def bonus(self) -> tuple[str, ...]:
        """The flowers and seasons, wherever they lay (BMJA-T05)."""
        return tuple(code for s in self.sets if s.row == "bonus" for code in s.codes)

    @property
    def unresolved(self) -> tuple[int, ...]:
        """Positions of face-down tiles whose neighbours do not tell what they are."""
        return tuple(
            position
            for s in self.sets
            for position, code in zip(s.tiles, s.codes, strict=True)
            if code == FACE_DOWN
        )


@dataclass(frozen=True, slots=True)
class Laying:
    """How a set with face-down tiles is laid: X is face up, ? face down."""

    shape: str
    row: Row
    """Where a set that lies so belongs, whichever row it lies in."""
    rule: str


_PATTERNS: dict[str, tuple[Laying, ...]] = {
    "bmja": (
        Laying("?XX?", "concealed", "BMJA-V04"),
        Laying("XXX?", "exposed", "BMJA-V03"),
        Laying("?XXX", "exposed", "BMJA-V03"),
        Laying("X?X", "concealed", "BMJA-V05"),
    ),
    "safalra": (
        Laying("XXX?", "concealed", "SAF-V02"),
        Laying("XX?X", "concealed", "SAF-V02"),
        Laying("X?XX", "concealed", "SAF-V02"),
        Laying("?XXX", "concealed", "SAF-V02"),
        Laying("XX?", "concealed", "SAF-V03"),
        Laying("X?X", "concealed", "SAF-V03"),
        Laying("?XX", "concealed", "SAF-V03"),
    ),
}
"""By ruleset; of two ways to read a group, the one that explains more face-down tiles wins, and
among equals the one listed first."""


def assemble(codes: Sequence[str], sets: Iterable[LaidSet], rules: str = "bmja") -> AssembledHand:
    """Return the parts of the hand whose tile `i` has `codes[i]`.

    A bonus tile goes with the bonus tiles wherever it lies, any other tile in the bonus row with
    the concealed ones. Raises KeyError for a ruleset that has no laying patterns.
    """
    patterns = _PATTERNS[rules]
    parts = [
        part
        for source, laid in enumerate(sets)
        for part in _split(codes, laid, source, patterns)
        if part.tiles
    ]
    return AssembledHand(tuple(parts))


def set_kind(codes: Sequence[str]) -> SetKind:
    """Return what these tiles are together; face-down and odd ones make them loose.

    >>> set_kind(["B3", "B1", "B2"]), set_kind(["WE", "WE"]), set_kind(["B9", "B1", "B2"])
    ('chow', 'pair', 'loose')
    """
    if FACE_DOWN in codes or JOKER in codes:
        return "loose"
    return rules_set_kind(tuple(codes)) or "loose"


def _split(
    codes: Sequence[str], laid: LaidSet, source: int, patterns: tuple[Laying, ...]
) -> Iterator[AssembledSet]:
    """Yield the sets that one group of tiles holds: bonus tiles apart, patterns by themselves."""
    bonus = tuple(t for t in laid.tiles if _is_bonus(codes[t]))
    playing = tuple(t for t in laid.tiles if not _is_bonus(codes[t]))
    row: Row = "concealed" if laid.row == "bonus" else laid.row
    shapes = {pattern.shape: pattern for pattern in patterns}
    rest: list[int] = []
    for span, pattern, code in _explain(tuple(codes[t] for t in playing), tuple(shapes)):
        tiles = playing[span]
        if not pattern:
            rest.extend(tiles)
            continue
        set_row = row if laid.placed_by_hand else shapes[pattern].row
        yield _assembled(tiles, (code,) * len(tiles), set_row, source)
    # Exposed sets must be told apart even where no gap does it; concealed tiles need no sets.
    names = tuple(codes[t] for t in rest)
    for span in _wholly_sets(names) if row == "exposed" else (slice(None),):
        tiles = tuple(rest[span])
        yield _assembled(tiles, tuple(codes[t] for t in tiles), row, source)
    yield _assembled(bonus, tuple(codes[t] for t in bonus), "bonus", source)


def layings(rules: str) -> tuple[Laying, ...]:
    """Return how a ruleset lays sets with face-down tiles, the usual way first. Raises KeyError."""
    return _PATTERNS[rules]


def laying_shapes(rules: str) -> tuple[str, ...]:
    """Return how a ruleset lays sets with face-down tiles: `?XX?`. Raises KeyError."""
    return tuple(pattern.shape for pattern in _PATTERNS[rules])


def laying_rule(codes: Sequence[str], rules: str) -> str:
    """Return the rule by which tiles that lie so are one set; empty where none says so.

    >>> laying_rule(("DR", "??", "DR"), "bmja"), laying_rule(("DR", "DR", "DR"), "bmja")
    ('BMJA-V05', '')
    """
    laid = (each.rule for each in _PATTERNS[rules] if _matches(tuple(codes), each.shape))
    return next(laid, "")


def cut_into_sets(codes: tuple[str, ...], shapes: tuple[str, ...] = ()) -> tuple[slice, ...]:
    """Cut tiles that lie without gaps so that the fewest are loose, then into the fewest pieces.

    Tiles that lie in one of the shapes are a set, too. Of two ways as good, the first set that
    differs is the longer: an exposed kong's last tile is the one that lies down, as a rule.

    >>> cut_into_sets(("B2", "B2", "B2", "O9", "C7", "C8", "C9"))
    (slice(0, 3, None), slice(3, 4, None), slice(4, 7, None))
    >>> cut_into_sets(("B2", "B2", "B2", "??", "O9", "O9", "??"), ("XXX?", "?XX?"))
    (slice(0, 3, None), slice(3, 7, None))
    """

    @cache
    def best(start: int) -> tuple[tuple[int, int], tuple[slice, ...]]:
        if start == len(codes):
            return (0, 0), ()
        ways = []
        for end in range(min(start + LONGEST_SET, len(codes)), start, -1):
            loose = not is_set(codes[start:end], shapes)
            if not loose or end == start + 1:
                (others, pieces), cut = best(end)
                ways.append(((others + loose, pieces + 1), (slice(start, end), *cut)))
        return min(ways, key=lambda way: way[0])

    return best(0)[1]


def is_set(codes: tuple[str, ...], shapes: tuple[str, ...]) -> bool:
    """Whether these tiles are a set or a pair, or lie in one of the shapes."""
    return set_kind(codes) != "loose" or any(_matches(codes, shape) for shape in shapes)


def _wholly_sets(codes: tuple[str, ...]) -> tuple[slice, ...]:
    """Cut tiles into sets, or leave them in one piece if that cannot be done without remainder."""
    pieces = cut_into_sets(codes)
    return pieces if all(set_kind(codes[p]) != "loose" for p in pieces) else (slice(None),)


def _assembled(
    tiles: tuple[int, ...], codes: tuple[str, ...], row: Row, source: int
) -> AssembledSet:
    kind = "loose" if row == "bonus" else set_kind(codes)
    return AssembledSet(tiles, codes, row, kind, source)


_Piece = tuple[slice, str, str]
"""Where in the group, by which pattern ('' for none), and the tile that it is a set of."""


def _explain(codes: tuple[str, ...], shapes: tuple[str, ...]) -> tuple[_Piece, ...]:
    """Cut a group into pieces so that the most face-down tiles are explained."""

    @cache
    def best(start: int) -> tuple[int, tuple[_Piece, ...]]:
        if start >= len(codes):
            return 0, ()
        ways = []
        for shape in shapes:
            end = start + len(shape)
            code = _matches(codes[start:end], shape)
            if code:
                explained, after = best(end)
                piece = (slice(start, end), shape, code)
                ways.append((explained + shape.count("?"), (piece, *after)))
        explained, after = best(start + 1)
        ways.append((explained, ((slice(start, start + 1), "", ""), *after)))
        return max(ways, key=lambda way: way[0])

    return best(0)[1]


def _matches(codes: tuple[str, ...], shape: str) -> str:
    """Return the tile that these codes make a set of when laid in this shape, else ''."""
    if len(codes) != len(shape):
        return ""
    if any((code == FACE_DOWN) != (mark == "?") for code, mark in zip(codes, shape, strict=True)):
        return ""
    counted = Counter(code for code in codes if code != FACE_DOWN)
    return next(iter(counted)) if len(counted) == 1 else ""


def _is_bonus(code: str) -> bool:
    return code in CODES and Tile.parse(code).is_bonus
