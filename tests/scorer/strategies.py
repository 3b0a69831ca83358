"""Hypothesis strategies: hands that are hands, and hands of any codes at all."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from hypothesis import assume
from hypothesis import strategies as st

from scorer.hand import PLAYER_COUNTS, WAYS_OF_WINNING, Hand
from scorer.notation import parse_hand
from scorer.rulesets.builtin import load_builtin
from scorer.sets import KIND_BY_SIZE, MAX_WILDS_BY_KIND
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILES

PLAYING_CODES = [tile.code for tile in TILES if not tile.is_bonus]
BONUS = [tile.code for tile in TILES if tile.is_bonus]

winds = st.sampled_from("ESWN")
bonus_tiles = st.lists(st.sampled_from(BONUS), unique=True).map(tuple)

OPTIONS = [option.name for option in load_builtin("bmja").options]
choices = st.lists(
    st.builds("{}:{}".format, st.sampled_from(OPTIONS), st.sampled_from(["on", "off"])),
    unique_by=lambda word: word.partition(":")[0],
    max_size=4,
).map(tuple)
"""What a table plays differently: each choice once."""


Codes = tuple[str, ...]


def _equal_tiles(size: int) -> st.SearchStrategy[Codes]:
    return st.sampled_from(PLAYING_CODES).map(lambda code: (code,) * size)


def _chow(first: str) -> Codes:
    return tuple(f"{first[0]}{int(first[1]) + step}" for step in range(3))


chows = st.sampled_from([suit + rank for suit in "BCO" for rank in "1234567"]).map(_chow)
pairs, pungs, kongs = _equal_tiles(2), _equal_tiles(3), _equal_tiles(4)


@dataclass(frozen=True)
class WonHand:
    """A winning hand, and the sets that it was made of."""

    hand: Hand
    concealed_sets: tuple[Codes, ...]
    """What was put among the concealed tiles: pungs, a chow, the pair."""


@st.composite
def won_hands(draw: st.DrawFn) -> WonHand:
    """Four sets and a pair, some of them laid down, won by a drawn or a claimed tile."""
    sets = draw(st.lists(st.one_of(pungs, kongs), min_size=3, max_size=3))
    sets.append(draw(st.one_of(chows, pungs)))
    pair = draw(pairs)
    assume(max(Counter(code for each in (*sets, pair) for code in each).values()) <= 4)
    exposed: list[Codes] = []
    kong_sets: list[Codes] = []
    concealed: list[Codes] = [pair]
    for tile_set in sets:
        if draw(st.booleans()):
            exposed.append(tile_set)
        elif len(tile_set) == 4:
            kong_sets.append(tile_set)
        else:
            concealed.append(tile_set)
    tiles = draw(st.permutations([code for each in concealed for code in each]))
    hand = Hand(
        exposed=tuple(exposed),
        declared_kongs=tuple(kong_sets),
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
    return WonHand(hand, tuple(concealed))


@st.composite
def goulash_wins(draw: st.DrawFn) -> WonHand:
    """Four pungs or kongs and a pair of a goulash, with up to four jokers among them (G05)."""
    sets = [list(each) for each in draw(st.lists(st.one_of(pungs, kongs), min_size=4, max_size=4))]
    sets.append(list(draw(pairs)))
    assume(all("B2" not in each for each in sets))
    for place in draw(st.lists(st.integers(0, 4), max_size=4)):
        tile_set = sets[place]
        if tile_set.count(JOKER) < MAX_WILDS_BY_KIND[KIND_BY_SIZE[len(tile_set)]]:
            tile_set[-1 - tile_set.count(JOKER)] = JOKER
    naturals = Counter(code for each in sets for code in each if code != JOKER)
    assume(max(naturals.values()) <= 4)
    are_exposed = [draw(st.booleans()) for _ in range(4)]
    exposed = [tuple(each) for each, down in zip(sets[:4], are_exposed, strict=True) if down]
    concealed = [tuple(each) for each, down in zip(sets[:4], are_exposed, strict=True) if not down]
    kong_sets = tuple(each for each in concealed if len(each) == 4)
    loose_tiles = (*(each for each in concealed if len(each) < 4), tuple(sets[4]))
    tiles = draw(st.permutations([code for each in loose_tiles for code in each]))
    hand = Hand(
        exposed=tuple(exposed),
        declared_kongs=kong_sets,
        concealed=tuple(tiles),
        bonus=draw(bonus_tiles),
        winner=True,
        won_by=(draw(st.sampled_from(["wall", "discard", "loose"])),),
        winning_tile=draw(st.sampled_from(tiles)),
        seat_wind=draw(winds),
        prevailing_wind=draw(winds),
        goulash=True,
        limit=None,
    )
    return WonHand(hand, loose_tiles)


PATTERNS = [
    parse_hand(f"| {tiles} |").concealed
    for tiles in (
        "B11 B99 C11 WEE WSS DRR DGG",
        "B1111 C99 WSSSS DRR DGG",
        "B22 C22 B33 C33 B4 O4 C5 O5 B9 C9",
        "B1234 C1234 O1234 B5 C5",
        "C11 C23456789 WESWN",
        "O111 O2345678 O999 O5",
        "B19 C19 O19 WESWN DRGW DR",
        "B222 B333 B555 DRRR B99",
        "B222 B333 B444 B666 B88",
        "DRRR DGGG DWWW B222 C99",
        "WEEE WSSS WWWW WNNN C99",
        "WEEE WSSS WWWW DRRR DGG",
        "B111 B999 C111 C999 O11",
    )
]
"""Special hands, whole and concealed."""


@st.composite
def one_short_hands(draw: st.DrawFn) -> Hand:
    """Take a concealed tile out of a Mah-Jong, ordinary or special."""
    win = draw(st.one_of(won_hands(), goulash_wins()))
    base = win.hand
    if draw(st.booleans()):
        base = Hand(concealed=draw(st.sampled_from(PATTERNS)), bonus=base.bonus)
    tiles = list(base.concealed)
    tiles.pop(draw(st.integers(0, len(tiles) - 1)))
    return replace(
        base,
        concealed=tuple(tiles),
        winner=False,
        won_by=(),
        winning_tile=None,
        limit=draw(st.sampled_from([None, 1000])),
    )


@st.composite
def safalra_wins(draw: st.DrawFn) -> WonHand:
    """Four sets and a pair of one suit and honours, with any number of chows (SAF-H02, H03)."""
    suit = draw(st.sampled_from("BCO"))
    usable = [code for code in PLAYING_CODES if code[0] in (suit, "W", "D")]
    equal_sets = st.builds(
        lambda code, n: (code,) * n, st.sampled_from(usable), st.sampled_from([3, 4])
    )
    runs = st.sampled_from("1234567").map(lambda rank: _chow(suit + rank))
    sets = draw(st.lists(st.one_of(runs, equal_sets), min_size=4, max_size=4))
    pair = (draw(st.sampled_from(usable)),) * 2
    assume(max(Counter(code for each in (*sets, pair) for code in each).values()) <= 4)
    kong_sets = tuple(each for each in sets if len(each) == 4)
    concealed = (*(each for each in sets if len(each) == 3), pair)
    tiles = draw(st.permutations([code for each in concealed for code in each]))
    hand = Hand(
        declared_kongs=kong_sets,
        concealed=tuple(tiles),
        winner=True,
        won_by=(draw(st.sampled_from(["wall", "discard"])),),
        winning_tile=draw(st.sampled_from(tiles)),
        seat_wind=draw(winds),
        ruleset="safalra",
        players=draw(st.sampled_from([3, 4])),
    )
    return WonHand(hand, concealed)


@st.composite
def lost_hands(draw: st.DrawFn) -> Hand:
    """Tiles of one set of tiles, as they may lie before a player who did not win."""
    exposed = draw(st.lists(st.one_of(chows, pungs, kongs), max_size=2))
    concealed = draw(st.lists(st.sampled_from(PLAYING_CODES), max_size=13))
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
    ways = st.lists(st.sampled_from(WAYS_OF_WINNING), unique=True, max_size=3).map(tuple)
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
        players=draw(st.sampled_from(PLAYER_COUNTS)),
        goulash=draw(st.booleans()),
        original_call=draw(st.booleans()),
        limit=draw(st.none() | st.integers(1, 10_000)),
        house=draw(choices),
    )


@st.composite
def twisted_hands(draw: st.DrawFn) -> Hand:
    """Take a hand that can be scored, and say other things of it: many can be scored still."""
    wins = st.one_of(won_hands(), goulash_wins(), safalra_wins()).map(lambda win: win.hand)
    patterns = st.sampled_from(PATTERNS).map(
        lambda codes: Hand(concealed=codes, winner=True, won_by=("wall",))
    )
    hand = draw(st.one_of(wins, one_short_hands(), patterns))
    ways = st.lists(st.sampled_from(WAYS_OF_WINNING), unique=True, max_size=2).map(tuple)
    return replace(
        hand,
        won_by=draw(ways) if hand.winner else (),
        winning_tile=draw(st.sampled_from([None, *hand.tiles])) if hand.winner else None,
        seat_wind=draw(winds),
        players=draw(st.sampled_from(PLAYER_COUNTS)),
        goulash=draw(st.booleans()),
        ruleset=draw(st.sampled_from(["bmja", "bmja", "safalra"])),
        original_call=draw(st.booleans()),
        house=draw(choices),
    )
