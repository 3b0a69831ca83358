"""Recognise sets as they lie on the table, face-down tiles included, and cut rows into sets.

Face-down tiles show how a set was made (BMJA-V03 to V05, SAF-V02 and V03). Each ruleset's file
lists its own layings (`[[laying]]`).

>>> find_laying_rule(("DR", "??", "DR"), "bmja"), find_laying_rule(("DR", "DR", "DR"), "bmja")
('BMJA-V05', '')
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from scorer.breakdown import SetKind
from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.hand import Codes
from scorer.ruleset import Laying
from scorer.rulesets.builtin import load_builtin
from scorer.sets import classify_set
from scorer.tiles import FACE_DOWN, JOKER

MAX_SET_TILES = 4


@cache
def face_down_layings(rules: str) -> tuple[Laying, ...]:
    """Return a ruleset's layings with face-down tiles, the usual one first; raise KeyError."""
    layings = load_builtin(rules).layings
    return tuple(each for each in layings if "?" in each.shape and not each.promoted)


def laying_shapes(rules: str) -> tuple[str, ...]:
    """Return the shapes of a ruleset's face-down layings, such as `?XX?`; raise KeyError."""
    return tuple(laying.shape for laying in face_down_layings(rules))


def find_laying_rule(codes: Codes, rules: str) -> str:
    """Return the id of the rule that makes these tiles one set; empty when no rule does."""
    rule_ids = (each.rule for each in face_down_layings(rules) if match_shape(codes, each.shape))
    return next(rule_ids, "")


def match_shape(codes: Codes, shape: str) -> str:
    """Return the tile of a set laid in this shape; empty when the codes do not match it.

    >>> match_shape(("??", "B5", "B5", "??"), "?XX?"), match_shape(("B5", "B5"), "X?X")
    ('B5', '')
    """
    if len(codes) != len(shape):
        return ""
    if any((code == FACE_DOWN) != (mark == "?") for code, mark in zip(codes, shape, strict=True)):
        return ""
    faces = set(codes) - {FACE_DOWN}
    return faces.pop() if len(faces) == 1 else ""


def classify_group(codes: Sequence[str]) -> SetKind:
    """Return the kind of set that these tiles are; `loose` when they are none.

    Face-down tiles and jokers make any group loose.

    >>> [classify_group(codes) for codes in (("B3", "B1", "B2"), ("WE", "WE"), ("B9", "B1", "B2"))]
    ['chow', 'pair', 'loose']
    """
    if FACE_DOWN in codes or JOKER in codes:
        return "loose"
    return classify_set(tuple(codes)) or "loose"


def is_set(codes: Codes, shapes: tuple[str, ...]) -> bool:
    """Return whether these tiles are a set or a pair, or match one of the shapes."""
    return classify_group(codes) != "loose" or any(match_shape(codes, shape) for shape in shapes)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def cut_into_sets(codes: Codes, shapes: tuple[str, ...] = ()) -> tuple[slice, ...]:
    """Cut a row without gaps into sets: with the fewest loose tiles, then the fewest pieces.

    Tiles that match one of the shapes count as a set. Of two equally good cuts, the first set that
    differs is the longer one: usually it is the last tile of an exposed kong that lies face down.

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
        for end in range(min(start + MAX_SET_TILES, len(codes)), start, -1):
            loose = not is_set(codes[start:end], shapes)
            if not loose or end == start + 1:
                (rest, pieces), cut = best(end)
                ways.append(((rest + loose, pieces + 1), (slice(start, end), *cut)))
        return min(ways, key=lambda way: way[0])

    return best(0)[1]


_Piece = tuple[slice, str, str]
"""The place in the group, the shape that it matches ('' for none), and the tile of the set."""


@lru_cache(maxsize=MAX_CACHED_HANDS)
def cut_by_face_down(codes: tuple[str, ...], shapes: tuple[str, ...]) -> tuple[_Piece, ...]:
    """Cut a group into pieces so that shapes explain as many face-down tiles as possible.

    Of two equally good cuts, return the one that uses the shape listed first.
    """

    @cache
    def best(start: int) -> tuple[int, tuple[_Piece, ...]]:
        if start >= len(codes):
            return 0, ()
        ways = []
        for shape in shapes:
            end = start + len(shape)
            code = match_shape(codes[start:end], shape)
            if code:
                explained_count, after = best(end)
                piece = (slice(start, end), shape, code)
                ways.append((explained_count + shape.count("?"), (piece, *after)))
        explained_count, after = best(start + 1)
        ways.append((explained_count, ((slice(start, start + 1), "", ""), *after)))
        return max(ways, key=lambda way: way[0])

    return best(0)[1]
