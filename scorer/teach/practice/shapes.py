"""Draw the tiles of random Mah-Jongs: four sets and a pair, or special hands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

from scorer.breakdown import SetKind
from scorer.hand import Codes
from scorer.sets import GREEN, chow_from
from scorer.teach.practice.dice import SeededDice
from scorer.tiles import BY_CODE, SUITS, TILES

PLAYING: Codes = tuple(tile.code for tile in TILES if not tile.is_bonus)
BONUS: Codes = tuple(tile.code for tile in TILES if tile.is_bonus)
MAJOR: Codes = tuple(code for code in PLAYING if BY_CODE[code].is_major)
WIND_TILES: Codes = tuple(code for code in PLAYING if code[0] == "W")
DRAGON_TILES: Codes = tuple(code for code in PLAYING if code[0] == "D")
HONOURS: Codes = WIND_TILES + DRAGON_TILES
TERMINALS: Codes = tuple(code for code in PLAYING if BY_CODE[code].is_terminal)

Groups = tuple[Codes, ...]
"""Four sets, then a pair; or any sets and pairs."""


def of_suit(suit: str) -> Codes:
    """Return the nine tiles of a suit."""
    return tuple(code for code in PLAYING if code[0] == suit)


POOLS = MappingProxyType[str, Callable[[SeededDice], Codes]](
    {
        "any": lambda dice: PLAYING,
        "plain": lambda dice: tuple(c for c in PLAYING if c[0] not in "D"),
        "honours-often": lambda dice: PLAYING + HONOURS + HONOURS,
        "clean": lambda dice: of_suit(dice.pick(tuple(SUITS))) + HONOURS,
        "one-suit": lambda dice: of_suit(dice.pick(tuple(SUITS))),
        "major": lambda dice: MAJOR,
        "dear": lambda dice: (*dice.some(of_suit(dice.pick(tuple(SUITS))), 3), *HONOURS),
    }
)
"""The tiles that sets may be drawn from, by name."""

ALIKE: dict[SetKind, int] = {"pair": 2, "pung": 3, "kong": 4}


def group(dice: SeededDice, kind: SetKind, pool: Sequence[str]) -> Codes:
    """Return a set of this kind from the pool; a pung instead of an impossible chow."""
    if kind == "chow":
        runs = [run for code in pool if (run := _run(code)) and set(run) <= set(pool)]
        return dice.pick(runs) if runs else group(dice, "pung", pool)
    return (dice.pick(pool),) * ALIKE[kind]


def _run(code: str) -> Codes:
    return tuple(tile.code for tile in chow_from(BY_CODE[code]) or ())


def _pungs(
    dice: SeededDice, pool: Sequence[str], kinds: Sequence[SetKind] = ("pung", "kong")
) -> Groups:
    """Return four pungs or kongs of different tiles and a pair."""
    *faces, pair = dice.some(pool, 5)
    return (*((face,) * ALIKE[dice.pick(kinds)] for face in faces), (pair,) * 2)


def _all_of(dice: SeededDice, must: Sequence[str], pool: Sequence[str]) -> Groups:
    """Return a pung or kong of each required tile, and others of the pool up to four."""
    rest = dice.some([code for code in pool if code not in must], 5 - len(must))
    kinds: Sequence[SetKind] = ("pung", "pung", "kong")
    faces = [*must, *rest[:-1]]
    return (*((face,) * ALIKE[dice.pick(kinds)] for face in faces), (rest[-1],) * 2)


def buried_treasure(dice: SeededDice) -> Groups:
    """Return pungs of a suit and perhaps honours, without kongs."""
    return _pungs(dice, (*of_suit(dice.pick(tuple(SUITS))), *HONOURS), ("pung",))


SETS_OF = MappingProxyType[str, Callable[[SeededDice], Groups]](
    {
        "purity": lambda dice: _pungs(
            dice, of_suit(dice.pick(tuple(SUITS))), ("pung", "pung", "kong")
        ),
        "buried-treasure": buried_treasure,
        "heads-and-tails": lambda dice: _pungs(dice, TERMINALS, ("pung", "pung", "kong")),
        "imperial-jade": lambda dice: _pungs(dice, sorted(GREEN), ("pung", "pung", "kong")),
        "three-great-scholars": lambda dice: _all_of(dice, DRAGON_TILES, PLAYING),
        "four-blessings": lambda dice: _all_of(dice, WIND_TILES, PLAYING),
        "all-winds-and-dragons": lambda dice: _pungs(dice, HONOURS, ("pung", "pung", "kong")),
        "fourfold-plenty": lambda dice: _pungs(dice, PLAYING, ("kong",)),
    }
)
"""Special hands of four sets and a pair, by the names of their tests."""


def _snake(dice: SeededDice) -> Codes:
    suit = of_suit(dice.pick(tuple(SUITS)))
    return (suit[0], *suit, *WIND_TILES)


def _gates(dice: SeededDice) -> Codes:
    suit = of_suit(dice.pick(tuple(SUITS)))
    return (suit[0],) * 2 + suit + (suit[-1],) * 2 + (dice.pick(suit[1:-1]),)


def _wonders(dice: SeededDice) -> Codes:
    return (*MAJOR, dice.pick(MAJOR))


def _pairs_of_majors(dice: SeededDice) -> Codes:
    return tuple(code for code in dice.some(MAJOR, 7) for _ in range(2))


def _knitting(dice: SeededDice) -> Codes:
    """Return a Knitting of two suits, which every table accepts (BMJA-C08)."""
    suits = dice.some(tuple(SUITS), 2)
    return tuple(suit + rank for rank in dice.some("123456789", 7) for suit in suits)


def _triple_knitting(dice: SeededDice) -> Codes:
    *ranks, last = dice.some("123456789", 5)
    couple = (suit + last for suit in dice.some(tuple(SUITS), 2))
    return (*(suit + rank for rank in ranks for suit in SUITS), *couple)


TILES_OF = MappingProxyType[str, Callable[[SeededDice], Codes]](
    {
        "wriggling-snake": _snake,
        "gates-of-heaven": _gates,
        "thirteen-unique-wonders": _wonders,
        "all-pair-honours": _pairs_of_majors,
        "knitting": _knitting,
        "triple-knitting": _triple_knitting,
    }
)
"""Special hands of other shapes, by the names of their tests."""
