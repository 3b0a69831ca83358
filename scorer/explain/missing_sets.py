"""Which tiles the special hands of four sets and a pair still lack, from what a player holds.

Each function returns the groups that are not whole yet in the target nearest to the hand, or None
where what lies on the table rules the hand out (BMJA-S05, S07). The hands of other shapes are in
`scorer.explain.missing_tiles`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scorer.decompose.grouping import Sets
from scorer.decompose.readings import SETS_IN_A_HAND, laid_down
from scorer.decompose.wilds import PLAYING
from scorer.hand import Codes, Hand
from scorer.ruleset import Ruleset
from scorer.sets import GREEN, WILD_IN
from scorer.tiles import BY_CODE, SUITS

PUNG, KONG = 3, 4
GREEN_CHOW = ("B2", "B3", "B4")
"""The one chow of green tiles (BMJA-C14)."""

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


class Lack(NamedTuple):
    """A group that is not whole."""

    tiles: Codes
    wilds: int = 1
    """How many of them may be wild (BMJA-G05)."""


Lacks = list[Lack] | None
Target = Callable[[Held, Ruleset], Iterable[Lacks]]
"""Yields what is lacking for each kind of target, such as each suit."""


def held_by(hand: Hand) -> Held:
    """Return what the player of this hand has."""
    wild = hand.wild_codes
    count = Counter(code for code in hand.concealed if code not in wild)
    faces = sorted((code for code in PLAYING if code not in wild), key=lambda code: -count[code])
    wilds = len(hand.concealed) - count.total()
    return Held(count, tuple(faces), laid_down(hand) or (), wilds, wild, hand)


def sets_and_pair(
    held: Held,
    others: frozenset[str],
    required: frozenset[str] = NONE,
    *,
    size: int = PUNG,
    sets: int = SETS_IN_A_HAND,
) -> Lacks:
    """Return what the sets and the pair lack: one set of each required face, the rest of others.

    Sets and pair are of five different faces, for nobody has five alike; so those that the player
    holds most of serve best.
    """
    on_table = {each.tile.code for each in held.fixed}
    if any(each.kind == "chow" for each in held.fixed) or not on_table <= others | required:
        return None
    free = sets - len(on_table | required)
    if free < 0:
        return None
    fit = [face for face in held.faces if face in others and face not in on_table | required]
    of_sets, of_pair = fit[:free], fit[free]
    lacks = [_alike(held, face, size) for face in (*sorted(required - on_table), *of_sets)]
    lacks += [
        Lack((face,) * (size - len(each.tiles) - held.own.get(face, 0)), 0)
        for each in held.fixed
        for face in (each.tile.code,)
    ]
    return [*lacks, _alike(held, of_pair, 2)]


def _alike(held: Held, face: str, size: int) -> Lack:
    return Lack((face,) * (size - held.own.get(face, 0)), WILD_IN["kong"] if size == KONG else 1)


def purity(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S11."""
    return (sets_and_pair(held, suit) for suit in OF_SUIT.values())


def buried_treasure(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S15: nothing may lie on the table, for no claim came before the last tile.

    Of the five faces four may be honours: at least the pair is of the suit (BMJA-S36).
    """
    if held.fixed:
        return ()
    honours = {*[face for face in held.faces if face in HONOURS][:SETS_IN_A_HAND]}
    return (sets_and_pair(held, suit | honours) for suit in OF_SUIT.values())


def heads_and_tails(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S16."""
    return (sets_and_pair(held, TERMINALS),)


def imperial_jade(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S18; with a chow where the table plays so (BMJA-C14)."""
    yield sets_and_pair(held, GREEN)
    if rules.is_on("jade_chows") and rules.chows_for(held.hand):
        yield _with_green_chow(held)


def _with_green_chow(held: Held) -> Lacks:
    """Let the chow stand for one set, and look at the rest of the tiles without it."""
    chows = [each for each in held.fixed if each.tiles == GREEN_CHOW]
    fixed = tuple(each for each in held.fixed if each not in chows)
    count = dict(held.own)
    lacking = []
    for code in () if chows else GREEN_CHOW:
        if count.get(code, 0):
            count[code] -= 1
        else:
            lacking.append(code)
    faces = tuple(sorted(held.faces, key=lambda code: -count.get(code, 0)))
    held = held._replace(own=count, faces=faces, fixed=fixed)
    rest = sets_and_pair(held, GREEN, sets=SETS_IN_A_HAND - 1)
    return rest if rest is None else [Lack(tuple(lacking)), *rest]


def three_great_scholars(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S19."""
    return (sets_and_pair(held, frozenset(PLAYING), DRAGONS),)


def four_blessings(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S20."""
    return (sets_and_pair(held, frozenset(PLAYING), WINDS),)


def all_winds_and_dragons(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S21."""
    return (sets_and_pair(held, HONOURS),)


def fourfold_plenty(held: Held, rules: Ruleset) -> Iterable[Lacks]:
    """BMJA-S22: a pung on the table may yet become a kong (BMJA-K07)."""
    return (sets_and_pair(held, frozenset(PLAYING), size=KONG),)


SET_TARGETS = MappingProxyType[str, Target](
    {
        "purity": purity,
        "buried-treasure": buried_treasure,
        "heads-and-tails": heads_and_tails,
        "imperial-jade": imperial_jade,
        "three-great-scholars": three_great_scholars,
        "four-blessings": four_blessings,
        "all-winds-and-dragons": all_winds_and_dragons,
        "fourfold-plenty": fourfold_plenty,
    }
)
"""The functions by the names that a ruleset's file gives the hands' tests."""
