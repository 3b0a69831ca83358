"""Random hands under the BMJA rules, without wild tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

from scorer.hand import Hand
from tests.scorer.oracle.build import (
    Codes,
    LaidSet,
    UnluckyError,
    bonus,
    chow,
    deal_equal,
    fits_set,
    flavour,
    lay,
    put,
    put_in_seat,
    standard_groups,
    win,
)
from tests.scorer.oracle.groups import HONOURS, PLAYING_CODES, SUIT_TILES
from tests.scorer.oracle.special_tiles import EXPOSABLE, SPECIALS


def ordinary_winner(rng: Random) -> Hand:
    """Return four sets and a pair of any flavour, at most one chow."""
    chows = rng.choice([0, 0, 1])
    groups = standard_groups(rng, flavour(rng), chows, rng.choice([0, 0.2, 0.6]))
    return win(rng, lay(rng, groups, rng.choice([0, 0.3, 0.7])))


def winner_undeclared_kong(rng: Random) -> Hand:
    """Return a winner with a four of a kind among his own tiles that no bracket marks."""
    groups = standard_groups(rng, flavour(rng), rng.choice([0, 1]), 0.5)
    laid_sets = lay(rng, groups, 0.2)
    return win(rng, [replace(e, place="hand") if e.place == "declared" else e for e in laid_sets])


def ambiguous_winner(rng: Random) -> Hand:
    """Return few kinds of tile, so that pungs and chows can be read in more than one way."""
    suit = rng.choice("BCO")
    low = rng.randint(1, 6)
    pool = tuple(f"{suit}{rank}" for rank in range(low, low + 4))
    pool_of_few = (*pool, *rng.sample(HONOURS, 2), rng.choice(SUIT_TILES))
    for _ in range(200):
        groups = [chow(rng, pool[:2]), *(deal_equal(rng, pool_of_few, 3) for _ in range(3))]
        groups.append(deal_equal(rng, pool_of_few, 2))
        if fits_set(groups):
            return win(rng, lay(rng, groups, 0.15))
    raise UnluckyError


def unsaid_winner(rng: Random) -> Hand:
    """Return a winner of whom nobody said how he won."""
    name = rng.choice(list(SPECIALS))
    hand = ordinary_winner(rng) if rng.random() < 0.6 else special_winner(rng, name)
    return replace(hand, won_by=())


def event_winner(rng: Random) -> Hand:
    """Return heaven, earth, plum blossom, moon and kong of kong, some spoilt."""
    event = rng.choice(["heaven", "earth", "plum", "moon", "kong-of-kong"])
    exposed_share = 0.0 if event in ("heaven", "earth") else 0.4
    kongs = 0.7 if event == "kong-of-kong" else 0.1
    groups = standard_groups(rng, flavour(rng), rng.choice([0, 1]), kongs)
    if event in ("plum", "moon"):
        groups[-1] = ("O5" if event == "plum" else "O1",) * 2
        if not fits_set(groups):
            raise UnluckyError
    hand = put_in_seat(rng, put(lay(rng, groups, exposed_share), rng))
    way = {"plum": "loose", "moon": "last-tile"}.get(event, event)
    tile: str | None = rng.choice(hand.concealed)
    if event in ("plum", "moon"):
        tile = rng.choice([groups[-1][0], groups[-1][0], groups[-1][0], None])
    seat = hand.seat_wind
    if event == "heaven":
        seat = "E"
        hand = hand if rng.random() < 0.3 else replace(hand, bonus=())
    if event == "earth" and seat == "E":
        seat = "W"
    if event in ("heaven", "earth"):
        hand = replace(hand, original_call=False)
    return replace(hand, winner=True, won_by=(way,), winning_tile=tile, seat_wind=seat)


def _special_laid(rng: Random, name: str) -> list[LaidSet]:
    groups = SPECIALS[name](rng)
    return lay(rng, groups, rng.choice([0, 0.3, 0.7]) if name in EXPOSABLE else 0.0)


def special_winner(rng: Random, name: str) -> Hand:
    """Return a completed special hand, legally exposed."""
    return win(rng, _special_laid(rng, name))


def special_fishing(rng: Random, name: str) -> Hand:
    """Return a special hand one tile short, now and then of a fourth one of its own."""
    laid_sets = _special_laid(rng, name)
    return put_in_seat(rng, _remove_tiles(rng, laid_sets, 1))


def special_near_miss(rng: Random, name: str) -> Hand:
    """Return a special hand with one tile exchanged, won or not."""
    laid_sets = _special_laid(rng, name)
    hand = (
        win(rng, laid_sets)
        if rng.random() < 0.3
        else put_in_seat(rng, _remove_tiles(rng, laid_sets, 1))
    )
    place = rng.randrange(len(hand.concealed)) if hand.concealed else 0
    concealed = list(hand.concealed)
    concealed[place : place + 1] = [rng.choice(PLAYING_CODES)]
    hand = replace(hand, concealed=tuple(concealed), winning_tile=None)
    return hand if max(Counter(hand.tiles).values()) <= 4 else special_near_miss(rng, name)


def special_exposed(rng: Random, name: str) -> Hand:
    """Return a special hand with one set laid down too early, won or one tile short."""
    laid_sets = _special_laid(rng, name)
    sets = [
        at for at, each in enumerate(laid_sets) if len(each.tiles) >= 3 and each.place == "hand"
    ]
    for at in sets[:1]:
        laid_sets[at] = replace(laid_sets[at], place="exposed")
    if rng.random() < 0.5:
        return win(rng, laid_sets)
    return put_in_seat(rng, _remove_tiles(rng, laid_sets, 1))


def _remove_tiles(rng: Random, laid_sets: list[LaidSet], short: int) -> Hand:
    hand = put(laid_sets, rng)
    if len(hand.concealed) < short:
        raise UnluckyError
    return replace(hand, concealed=hand.concealed[short:])


def loser(rng: Random) -> Hand:
    """Return thirteen tiles of a pool, some sets of them exposed or declared."""
    pool = list(rng.choice([flavour(rng), flavour(rng)[:9], PLAYING_CODES]))
    laid_sets: list[LaidSet] = []
    for _ in range(rng.choice([0, 0, 1, 1, 2, 3])):
        tiles = deal_equal(rng, pool, rng.choice([3, 3, 4]))
        if rng.random() < 0.2:
            tiles = chow(rng, pool)
        place = rng.choice(["exposed", "declared"]) if len(tiles) == 4 else "exposed"
        laid_sets.append(LaidSet(tiles, place))
    if sum(each.tiles[0] != each.tiles[1] for each in laid_sets) > 1:
        raise UnluckyError
    if not fits_set([each.tiles for each in laid_sets]):
        raise UnluckyError
    wall = list(pool * 4)
    for laid_set in laid_sets:
        for tile in laid_set.tiles:
            if tile in wall:
                wall.remove(tile)
    wall = [tile for tile in wall if pool.count(tile) == 1]
    size = 13 - 3 * len(laid_sets)
    if len(wall) < size:
        raise UnluckyError
    return put_in_seat(rng, put([*laid_sets, LaidSet(tuple(rng.sample(wall, size)))], rng))


def heavy_loser(rng: Random) -> Hand:
    """Return a loser with sets, pairs and undeclared fours among his own tiles."""
    pool = flavour(rng)
    for _ in range(200):
        groups: list[Codes] = []
        while sum(map(len, groups)) < 13:
            groups.append(deal_equal(rng, pool, rng.choice([2, 2, 3, 3, 4, 1])))
        if fits_set(groups):
            concealed = tuple(tile for group in groups for tile in group)[:13]
            return put_in_seat(rng, put([LaidSet(concealed)], rng))
    raise UnluckyError


def partial_loser(rng: Random) -> Hand:
    """Return a loser with too few or too many tiles, or none at all."""
    hand = loser(rng)
    keep = rng.choice([0, rng.randint(0, len(hand.concealed)), len(hand.concealed)])
    extra = tuple(rng.sample(PLAYING_CODES, rng.choice([0, 0, 1, 2])))
    hand = replace(hand, concealed=hand.concealed[:keep] + extra, bonus=bonus(rng))
    if max(Counter(hand.tiles).values(), default=0) > 4:
        raise UnluckyError
    return hand


def break_hand(rng: Random) -> Hand:
    """Return a hand that is no hand: five alike, short, two chows, odd sets, odd claims."""
    groups = standard_groups(rng, flavour(rng), 1, 0.2)
    fault = rng.choice(["five", "few", "many", "chows", "odd set", "bonus twice", "sources"])
    if fault == "chows":
        groups[1] = chow(rng, SUIT_TILES)
    if fault == "five":
        groups[1] = groups[2] = (groups[2][0],) * 3
    hand = win(rng, lay(rng, groups, 0.3))
    if fault == "few":
        if not hand.concealed:
            raise UnluckyError
        hand = replace(hand, concealed=hand.concealed[:-1], winning_tile=None)
    if fault == "many":
        concealed = [*hand.concealed, rng.choice(PLAYING_CODES)]
        hand = replace(hand, concealed=tuple(concealed), winning_tile=None)
    if fault == "odd set":
        odd = tuple(rng.sample(PLAYING_CODES, 3))
        hand = replace(hand, exposed=(*hand.exposed, odd), winner=False, won_by=())
        hand = replace(hand, winning_tile=None)
    if fault == "bonus twice":
        hand = replace(hand, bonus=(*hand.bonus, "F1", "F1"))
    if fault == "sources":
        hand = replace(hand, won_by=("wall", "discard"))
    return hand


Deal = Callable[[Random], Hand]


def _of_each_special(deal: Callable[[Random, str], Hand]) -> Iterator[tuple[str, Deal]]:
    for name in SPECIALS:
        yield name, lambda rng, name=name: deal(rng, name)  # type: ignore[misc]


def _kinds() -> dict[str, Deal]:
    kinds: dict[str, Deal] = {
        "winner": ordinary_winner,
        "winner-undeclared-kong": winner_undeclared_kong,
        "winner-ambiguous": ambiguous_winner,
        "winner-unsaid": unsaid_winner,
        "event": event_winner,
        "loser": loser,
        "loser-heavy": heavy_loser,
        "loser-partial": partial_loser,
        "broken": break_hand,
    }
    for prefix, deal in (
        ("special", special_winner),
        ("fishing", special_fishing),
        ("near-miss", special_near_miss),
        ("exposed", special_exposed),
    ):
        kinds |= {f"{prefix}:{name}": each for name, each in _of_each_special(deal)}
    return kinds


BMJA_KINDS = _kinds()
"""Every kind of hand that is played without wild tiles."""
