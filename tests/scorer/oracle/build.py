"""Small tools for dealing random hands: sets within four of each tile, and how they lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random

from scorer.hand import Hand
from tests.scorer.oracle.groups import BONUS, HONOURS, MAJORS, PLAYING_CODES, SUIT_TILES

Codes = tuple[str, ...]


class UnluckyError(Exception):
    """The tiles ran out; deal again."""


@dataclass(frozen=True, slots=True)
class LaidSet:
    """One set of a dealt hand, and where it lies."""

    tiles: Codes
    place: str = "hand"
    """`hand`, `exposed` or `declared`."""


def choose(rng: Random, options: Sequence[str], weights: Sequence[int]) -> str:
    """Return one option, each as likely as its weight."""
    return rng.choices(options, weights)[0]


def flavour(rng: Random) -> Codes:
    """Return the tiles that a hand is made of: any, or some that earn doubles."""
    suit = rng.choice("BCO")
    one_suit = tuple(tile for tile in SUIT_TILES if tile[0] == suit)
    return rng.choice(
        [
            PLAYING_CODES,
            PLAYING_CODES,
            SUIT_TILES,
            one_suit,
            (*one_suit, *HONOURS),
            (*one_suit, *HONOURS),
            MAJORS,
            HONOURS,
            (*HONOURS, *HONOURS, *one_suit),
            ("B1", "C1", "O9", *HONOURS, *rng.sample(SUIT_TILES, 4)),
        ]
    )


def fits_set(groups: Sequence[Codes]) -> bool:
    """Whether one set of tiles holds all of these."""
    counts = Counter(tile for group in groups for tile in group)
    return max(counts.values(), default=0) <= 4


def deal_equal(rng: Random, pool: Sequence[str], size: int) -> Codes:
    """Return a pair, pung or kong of a tile from the pool."""
    return (rng.choice(pool),) * size


def chow(rng: Random, pool: Sequence[str]) -> Codes:
    """Return a chow in a suit of the pool, or of any suit when it has none."""
    suits = [tile[0] for tile in pool if tile not in HONOURS] or ["B", "C", "O"]
    low = rng.randint(1, 7)
    suit = rng.choice(suits)
    return tuple(f"{suit}{rank}" for rank in range(low, low + 3))


def standard_groups(rng: Random, pool: Sequence[str], chows: int, kong_share: float) -> list[Codes]:
    """Return four sets and a pair from the pool that one set of tiles holds."""
    for _ in range(200):
        groups = [chow(rng, pool) for _ in range(chows)]
        while len(groups) < 4:
            groups.append(deal_equal(rng, pool, 4 if rng.random() < kong_share else 3))
        groups.append(deal_equal(rng, pool, 2))
        if fits_set(groups):
            return groups
    raise UnluckyError


def lay(rng: Random, groups: Sequence[Codes], exposed_share: float) -> list[LaidSet]:
    """Lay sets down at random: pairs stay in hand, concealed kongs are declared."""
    laid_sets = []
    for tiles in groups:
        open_ = len(tiles) > 2 and rng.random() < exposed_share
        place = "exposed" if open_ else "declared" if len(tiles) == 4 else "hand"
        laid_sets.append(LaidSet(tiles, place))
    return laid_sets


def bonus(rng: Random) -> Codes:
    """Return flowers and seasons, now and then a bouquet."""
    kind = rng.random()
    if kind < 0.35:
        return ()
    if kind < 0.8:
        return tuple(rng.sample(BONUS, rng.randint(1, 3)))
    if kind < 0.95:
        family = rng.choice("FS")
        rest = [tile for tile in BONUS if tile[0] != family]
        return (*(family + n for n in "1234"), *rng.sample(rest, rng.randint(0, 2)))
    return BONUS


def players(rng: Random) -> int:
    """Return how many play: mostly four."""
    return rng.choices([4, 5, 3, 2], [16, 1, 2, 2])[0]


def put_in_seat(rng: Random, hand: Hand) -> Hand:
    """Return the hand with random winds, bonus tiles, table and limit."""
    table = players(rng)
    return replace(
        hand,
        bonus=bonus(rng),
        seat_wind=rng.choice("EW" if table == 2 else "ESWN"),
        prevailing_wind=rng.choice("ESWN"),
        players=table,
        limit=rng.choices([1000, None, 500, 2000], [4, 4, 1, 1])[0],
        original_call=rng.random() < 0.12,
    )


def put(laid_sets: Sequence[LaidSet], rng: Random) -> Hand:
    """Return a hand with these sets, its own tiles shuffled."""
    concealed = [tile for each in laid_sets if each.place == "hand" for tile in each.tiles]
    rng.shuffle(concealed)
    return Hand(
        exposed=tuple(each.tiles for each in laid_sets if each.place == "exposed"),
        declared_kongs=tuple(each.tiles for each in laid_sets if each.place == "declared"),
        concealed=tuple(concealed),
    )


DRAWN_WAYS = ("wall", "loose", "last-tile", "wall+last-tile", "loose+original-call", "kong-of-kong")
CLAIMED_WAYS = (
    "discard",
    "last-discard",
    "robbed-kong",
    "discard+last-discard",
    "discard+original-call",
)


def win(rng: Random, laid_sets: Sequence[LaidSet]) -> Hand:
    """Return a winner: a random way, the winning tile said or not, on either side of the bar."""
    laid_sets = list(laid_sets)
    if rng.random() < 0.5:
        way = choose(rng, DRAWN_WAYS, [8, 4, 4, 1, 1, 2])
        is_claimed = False
    else:
        way = choose(rng, CLAIMED_WAYS, [8, 4, 2, 1, 1])
        is_claimed = True
    if way == "kong-of-kong" and sum(len(each.tiles) == 4 for each in laid_sets) < 2:
        way = "loose"
    set_places = [at for at, each in enumerate(laid_sets) if each.place == "hand"]
    if not set_places:
        raise UnluckyError
    place = rng.choice(set_places)
    tile = rng.choice(laid_sets[place].tiles)
    if is_claimed and len(laid_sets[place].tiles) < 4 and rng.random() < 0.35:
        laid_sets[place] = replace(laid_sets[place], place="exposed")
    hand = put_in_seat(rng, put(laid_sets, rng))
    return replace(
        hand,
        winner=True,
        won_by=tuple(way.split("+")),
        winning_tile=tile if rng.random() < 0.7 else None,
    )


def retry(deal: Callable[[Random], Hand]) -> Callable[[Random], Hand]:
    """Return the deal, repeated until its tiles suffice."""

    def lucky(rng: Random) -> Hand:
        while True:
            try:
                return deal(rng)
            except UnluckyError:
                continue

    return lucky
