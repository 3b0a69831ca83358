"""Hypothesis strategies: hands that are hands, and hands of any codes at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from hypothesis import assume
from hypothesis import strategies as st

from scorer.hand import PLAYERS, WON_BY, Hand
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILES

PLAYING = [tile.code for tile in TILES if not tile.is_bonus]
BONUS = [tile.code for tile in TILES if tile.is_bonus]

winds = st.sampled_from("ESWN")
bonus_tiles = st.lists(st.sampled_from(BONUS), unique=True).map(tuple)


Codes = tuple[str, ...]


def _alike(size: int) -> st.SearchStrategy[Codes]:
    return st.sampled_from(PLAYING).map(lambda code: (code,) * size)


def _chow(first: str) -> Codes:
    return tuple(f"{first[0]}{int(first[1]) + step}" for step in range(3))


chows = st.sampled_from([suit + rank for suit in "BCO" for rank in "1234567"]).map(_chow)
pairs, pungs, kongs = _alike(2), _alike(3), _alike(4)


@dataclass(frozen=True)
class Won:
    """A winning hand, and the sets that it was made of."""

    hand: Hand
    concealed_sets: tuple[Codes, ...]
    """What was put among the concealed tiles: pungs, a chow, the pair."""


@st.composite
def won_hands(draw: st.DrawFn) -> Won:
    """Four sets and a pair, some of them laid down, won by a drawn or a claimed tile."""
    sets = draw(st.lists(st.one_of(pungs, kongs), min_size=3, max_size=3))
    sets.append(draw(st.one_of(chows, pungs)))
    pair = draw(pairs)
    assume(max(Counter(code for each in (*sets, pair) for code in each).values()) <= 4)
    exposed: list[Codes] = []
    declared: list[Codes] = []
    concealed: list[Codes] = [pair]
    for each in sets:
        if draw(st.booleans()):
            exposed.append(each)
        elif len(each) == 4:
            declared.append(each)
        else:
            concealed.append(each)
    tiles = draw(st.permutations([code for each in concealed for code in each]))
    hand = Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(declared),
        concealed=tuple(tiles),
        bonus=draw(bonus_tiles),
        winner=True,
        won_by=(draw(st.sampled_from(["wall", "discard", "last-tile", "last-discard", "loose"])),),
        winning_tile=draw(st.sampled_from([*tiles, None])),
        seat_wind=draw(winds),
        prevailing_wind=draw(winds),
        original_call=draw(st.booleans()),
        limit=draw(st.sampled_from([None, 500, 1000])),
    )
    return Won(hand, tuple(concealed))


@st.composite
def lost_hands(draw: st.DrawFn) -> Hand:
    """Tiles of one set of tiles, as they may lie before a player who did not win."""
    exposed = draw(st.lists(st.one_of(chows, pungs, kongs), max_size=2))
    concealed = draw(st.lists(st.sampled_from(PLAYING), max_size=13))
    assume(max(Counter([*concealed, *(c for s in exposed for c in s)]).values(), default=0) <= 4)
    return Hand(
        exposed=tuple(exposed),
        concealed=tuple(concealed),
        bonus=draw(bonus_tiles),
        seat_wind=draw(winds),
        prevailing_wind=draw(winds),
        original_call=draw(st.booleans()),
    )


@st.composite
def any_hands(draw: st.DrawFn) -> Hand:
    """Whatever a hand text can say, sense or nonsense."""
    codes = st.sampled_from([*CODES, FACE_DOWN, JOKER])
    sets = st.lists(st.lists(codes, min_size=1, max_size=5).map(tuple), max_size=5).map(tuple)
    winner = draw(st.booleans())
    ways = st.lists(st.sampled_from(WON_BY), unique=True, max_size=3).map(tuple)
    return Hand(
        exposed=draw(sets),
        declared_kongs=draw(sets),
        concealed=draw(st.lists(codes, max_size=20).map(tuple)),
        bonus=draw(st.lists(codes, max_size=9).map(tuple)),
        winner=winner,
        won_by=draw(ways) if winner else (),
        winning_tile=draw(st.none() | codes),
        seat_wind=draw(winds),
        prevailing_wind=draw(winds),
        ruleset=draw(st.sampled_from(["bmja", "safalra"])),
        players=draw(st.sampled_from(PLAYERS)),
        goulash=draw(st.booleans()),
        original_call=draw(st.booleans()),
        limit=draw(st.none() | st.integers(1, 10_000)),
    )
