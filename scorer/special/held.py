"""What all special hands share: the tiles they look at, their base classes, common reasons.

`PlayerTiles` is what a player holds towards a hand, and `MissingTiles` what the hand still needs.
`TileCounts` is fourteen tiles that are not arranged in sets. In a goulash, every set in them (a
pair, a pung or a knitted group) may have one wild tile. A set that a drawn wild tile completed may
have two. Single tiles may all be wild (BMJA-G05).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scorer.decompose.grouping import Sets
from scorer.decompose.readings import SETS_IN_A_HAND, laid_down
from scorer.decompose.wilds import PLAYING
from scorer.hand import Codes, Hand
from scorer.sets import WILD_IN
from scorer.tiles import BY_CODE, SUITS

PUNG, KONG = 3, 4

MOST_MISSING = 6
"""A special hand that needs more tiles than this is not near."""

ALL = frozenset(PLAYING)
HONOURS = frozenset(code for code in PLAYING if BY_CODE[code].is_honour)
DRAGONS = frozenset(code for code in HONOURS if code[0] == "D")
WINDS = HONOURS - DRAGONS
TERMINALS = frozenset(code for code in PLAYING if BY_CODE[code].is_terminal)
OF_SUIT = {suit: frozenset(code for code in PLAYING if code[0] == suit) for suit in SUITS}
NONE: frozenset[str] = frozenset()


class Held(NamedTuple):
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


class Missing(NamedTuple):
    """The missing tiles of one group of a hand."""

    tiles: Codes
    wilds: int = 1
    """How many of them wild tiles may replace (BMJA-G05)."""


def held_by(hand: Hand) -> Held:
    """Return the tiles that the player of this hand has."""
    wild = hand.wild_codes
    count = Counter(code for code in hand.concealed if code not in wild)
    faces = sorted((code for code in PLAYING if code not in wild), key=lambda code: -count[code])
    wilds = len(hand.concealed) - count.total()
    return Held(count, tuple(faces), laid_down(hand) or (), wilds, wild, hand)


def singly(codes: Iterable[str]) -> list[Missing]:
    """Return each missing tile as a group of its own.

    Wild tiles can split groups of equal tiles, so most missing tiles count singly.
    """
    return [Missing((code,)) for code in codes]


def sets_and_pair(
    held: Held,
    others: frozenset[str],
    required: frozenset[str] = NONE,
    *,
    size: int = PUNG,
    sets: int = SETS_IN_A_HAND,
) -> list[Missing] | None:
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
    missing = [_alike(held, face, size) for face in (*sorted(required - on_table), *of_sets)]
    missing += [
        Missing((face,) * (size - len(each.tiles) - held.own.get(face, 0)), 0)
        for each in held.fixed
        for face in (each.tile.code,)
    ]
    return [*missing, _alike(held, of_pair, 2)]


def _alike(held: Held, face: str, size: int) -> Missing:
    wilds = WILD_IN["kong"] if size == KONG else 1
    return Missing((face,) * (size - held.own.get(face, 0)), wilds)
