"""How sets lie on the table: what tiles face down say of a set, and where one set ends.

Tiles face down say how a set was made (BMJA-V03 to V05, SAF-V02 and V03); each ruleset's file has
its own ways (`[[laying]]`).

>>> laying_rule(("DR", "??", "DR"), "bmja"), laying_rule(("DR", "DR", "DR"), "bmja")
('BMJA-V05', '')
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from scorer.breakdown import SetKind
from scorer.hand import Codes
from scorer.memo_sizes import MANY
from scorer.ruleset import Laying
from scorer.rulesets.shipped import shipped
from scorer.sets import set_kind as kind_of_set
from scorer.tiles import FACE_DOWN, JOKER

LONGEST_SET = 4


@cache
def face_down_layings(rules: str) -> tuple[Laying, ...]:
    """Return how a ruleset lays sets with face-down tiles, the usual way first; or KeyError."""
    layings = shipped(rules).layings
    return tuple(each for each in layings if "?" in each.shape and not each.promoted)


def laying_shapes(rules: str) -> tuple[str, ...]:
    """Return how a ruleset lays sets with face-down tiles: `?XX?`. Raises KeyError."""
    return tuple(laying.shape for laying in face_down_layings(rules))


def laying_rule(codes: Codes, rules: str) -> str:
    """Return the rule by which tiles that lie so are one set; empty where none says so."""
    laid = (each.rule for each in face_down_layings(rules) if tile_laid_as(codes, each.shape))
    return next(laid, "")


def tile_laid_as(codes: Codes, shape: str) -> str:
    """Return the tile that these codes make a set of when laid in this shape, else ''.

    >>> tile_laid_as(("??", "B5", "B5", "??"), "?XX?"), tile_laid_as(("B5", "B5"), "X?X")
    ('B5', '')
    """
    if len(codes) != len(shape):
        return ""
    if any((code == FACE_DOWN) != (mark == "?") for code, mark in zip(codes, shape, strict=True)):
        return ""
    faces = set(codes) - {FACE_DOWN}
    return faces.pop() if len(faces) == 1 else ""


def set_kind(codes: Sequence[str]) -> SetKind:
    """Return what these tiles are together; face-down and odd ones make them loose.

    >>> set_kind(("B3", "B1", "B2")), set_kind(("WE", "WE")), set_kind(("B9", "B1", "B2"))
    ('chow', 'pair', 'loose')
    """
    if FACE_DOWN in codes or JOKER in codes:
        return "loose"
    return kind_of_set(tuple(codes)) or "loose"


def is_set(codes: Codes, shapes: tuple[str, ...]) -> bool:
    """Whether these tiles are a set or a pair, or lie in one of the shapes."""
    return set_kind(codes) != "loose" or any(tile_laid_as(codes, shape) for shape in shapes)


@lru_cache(maxsize=MANY)
def cut_into_sets(codes: Codes, shapes: tuple[str, ...] = ()) -> tuple[slice, ...]:
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


_Piece = tuple[slice, str, str]
"""Where in the group, by which pattern ('' for none), and the tile that it is a set of."""


@lru_cache(maxsize=MANY)
def by_face_down(codes: tuple[str, ...], shapes: tuple[str, ...]) -> tuple[_Piece, ...]:
    """Cut a group into pieces so that the most face-down tiles are explained.

    Of two ways that explain as many, the one by the shape listed first.
    """

    @cache
    def best(start: int) -> tuple[int, tuple[_Piece, ...]]:
        if start >= len(codes):
            return 0, ()
        ways = []
        for shape in shapes:
            end = start + len(shape)
            code = tile_laid_as(codes[start:end], shape)
            if code:
                explained, after = best(end)
                piece = (slice(start, end), shape, code)
                ways.append((explained + shape.count("?"), (piece, *after)))
        explained, after = best(start + 1)
        ways.append((explained, ((slice(start, start + 1), "", ""), *after)))
        return max(ways, key=lambda way: way[0])

    return best(0)[1]
