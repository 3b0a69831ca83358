"""What a player holds towards a special hand, and what four sets and a pair still need."""

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
"""A special hand that needs more tiles is not near."""

ALL = frozenset(PLAYING)
HONOURS = frozenset(code for code in PLAYING if BY_CODE[code].is_honour)
DRAGONS = frozenset(code for code in HONOURS if code[0] == "D")
WINDS = HONOURS - DRAGONS
TERMINALS = frozenset(code for code in PLAYING if BY_CODE[code].is_terminal)
OF_SUIT = {suit: frozenset(code for code in PLAYING if code[0] == suit) for suit in SUITS}
NONE: frozenset[str] = frozenset()


class Held(NamedTuple):
    """What a player has towards a special hand."""

    own: Mapping[str, int]
    """How many of each face are his own, wild tiles left out."""
    faces: Codes
    """The faces that a set may be made of, those that he holds most of first."""
    fixed: Sets
    """What lies on the table as sets."""
    wilds: int
    """Wild tiles among his own."""
    unreachable: frozenset[str]
    """Tiles that do not exist but as wild ones (BMJA-G07)."""
    hand: Hand


class Missing(NamedTuple):
    """Tiles that stand together and have not all come."""

    tiles: Codes
    wilds: int = 1
    """How many of them may be wild (BMJA-G05)."""


def held_by(hand: Hand) -> Held:
    """Return what the player of this hand has."""
    wild = hand.wild_codes
    count = Counter(code for code in hand.concealed if code not in wild)
    faces = sorted((code for code in PLAYING if code not in wild), key=lambda code: -count[code])
    wilds = len(hand.concealed) - count.total()
    return Held(count, tuple(faces), laid_down(hand) or (), wilds, wild, hand)


def singly(codes: Iterable[str]) -> list[Missing]:
    """Return tiles that are missing one by one.

    Groups of like tiles can be parted with wild ones in between, so that most stand alone.
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
    """Return what the sets and the pair need: one set of each required face, the rest of others.

    Sets and pair are of five different faces, for nobody has five alike; so those that the player
    holds most of serve best. None where what lies on the table is no part of it.
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
