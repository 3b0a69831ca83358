"""What the special hands look like, so that none is taken for less than it is (BMJA section S).

They are recognised here; their scores are another matter. Each hand is one short test, named in a
table by its rule id.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from types import MappingProxyType

from scorer.hand import Hand
from scorer.readings import Reading
from scorer.rules import SPECIAL_HANDS, SpecialHand
from scorer.tiles import BY_CODE, RANKS, SUITS

Count = Counter[str]
"""How many of each tile code a hand holds, bonus tiles apart."""

HAND_SIZE = 14
JADE = frozenset({"DG", "B2", "B3", "B4", "B6", "B8"})
"""The green tiles (BMJA-S18)."""
WIND_CODES = tuple(f"W{wind}" for wind in RANKS["W"])
DRAGON_CODES = tuple(f"D{colour}" for colour in RANKS["D"])
TERMINALS = tuple(code for code, tile in BY_CODE.items() if tile.is_terminal)
ONE_TO_NINE = RANKS["B"]


def of_readings(hand: Hand, readings: Iterable[Reading]) -> SpecialHand | None:
    """Return the dearest special hand that a winner's ordinary hand also makes."""
    by_sets = [rule for each in readings for rule, test in OF_SETS.items() if test(each)]
    by_event = [rule for rule, test in EVENTS.items() if test(hand)]
    return dearest([*by_sets, *by_event, *_patterns(hand)])


def of_tiles(hand: Hand) -> SpecialHand | None:
    """Return the dearest special hand that a winner's tiles make without being four sets."""
    return dearest(_patterns(hand))


def dearest(rules: Iterable[str]) -> SpecialHand | None:
    """Return the hand of these rule ids that is worth most (BMJA-S09)."""
    rules = set(rules)
    return next((each for rule, each in SPECIAL_HANDS.items() if rule in rules), None)


def _patterns(hand: Hand) -> list[str]:
    """Return the hands that must stay concealed until the winning tile (BMJA-S05)."""
    early = [s for s in hand.exposed if not hand.claimed or hand.winning_tile not in (None, *s)]
    count = Counter(hand.tiles)
    if hand.declared_kongs or early or len(hand.exposed) > 1 or count.total() != HAND_SIZE:
        return []
    return [rule for rule, test in OF_TILES.items() if test(count)]


# --- hands of four sets and a pair -----------------------------------------------------------


def purity(reading: Reading) -> bool:
    """One suit throughout, without chow or honours (BMJA-S11)."""
    return len(reading.suits) == 1 and not reading.has_honours and not reading.of_kind("chow")


def buried_treasure(reading: Reading) -> bool:
    """Four concealed pungs of one suit and honours; the last set may be claimed (BMJA-S15)."""
    kept = set(reading.exposed_places) <= ({reading.claim.place} if reading.claim else set())
    return kept and len(reading.of_kind("pung")) == 4 and len(reading.suits) == 1


def heads_and_tails(reading: Reading) -> bool:
    """Nothing but 1s and 9s (BMJA-S16)."""
    return all(tile.is_terminal for tile in reading.tiles)


def imperial_jade(reading: Reading) -> bool:
    """Nothing but green tiles, without chow (BMJA-S18)."""
    return JADE.issuperset(reading.codes) and not reading.of_kind("chow")


def three_great_scholars(reading: Reading) -> bool:
    """All three dragons in sets, and no chow (BMJA-S19)."""
    dragons = [each for each in reading.pungs_and_kongs if each.tile.family == "D"]
    return len(dragons) == 3 and not reading.of_kind("chow")


def four_blessings(reading: Reading) -> bool:
    """All four winds in sets (BMJA-S20)."""
    return sum(each.tile.family == "W" for each in reading.pungs_and_kongs) == 4


def all_winds_and_dragons(reading: Reading) -> bool:
    """Nothing but honours (BMJA-S21)."""
    return all(tile.is_honour for tile in reading.tiles)


def fourfold_plenty(reading: Reading) -> bool:
    """Four kongs (BMJA-S22)."""
    return len(reading.of_kind("kong")) == 4


OF_SETS = MappingProxyType[str, Callable[[Reading], bool]](
    {
        "BMJA-S11": purity,
        "BMJA-S15": buried_treasure,
        "BMJA-S16": heads_and_tails,
        "BMJA-S18": imperial_jade,
        "BMJA-S19": three_great_scholars,
        "BMJA-S20": four_blessings,
        "BMJA-S21": all_winds_and_dragons,
        "BMJA-S22": fourfold_plenty,
    }
)

# --- hands of other shapes: fourteen tiles, no kong ------------------------------------------


def all_pair_honours(count: Count) -> bool:
    """Seven pairs of major tiles; four alike are two pairs (BMJA-S12)."""
    return all(n % 2 == 0 and BY_CODE[code].is_major for code, n in count.items())


def knitting(count: Count) -> bool:
    """Seven couples, each one rank in two suits (BMJA-S13, S35)."""
    by_rank = [[count[suit + rank] for suit in SUITS] for rank in ONE_TO_NINE]
    coupled = all(sum(n) % 2 == 0 and 2 * max(n) <= sum(n) for n in by_rank)
    return coupled and _suit_tiles_only(count)


def triple_knitting(count: Count) -> bool:
    """Four triplets, each one rank in three suits, and one rank in two suits (BMJA-S14)."""
    if not _suit_tiles_only(count):
        return False
    by_rank = ([count[suit + rank] for suit in SUITS] for rank in ONE_TO_NINE)
    # Once the triplets are out, a rank has as many of each suit: all but the couple's rank, which
    # has one more of two suits than of the third.
    uneven = [sorted(n) for n in by_rank if len(set(n)) > 1]
    return len(uneven) == 1 and uneven[0][0] + 1 == uneven[0][1] == uneven[0][2]


def wriggling_snake(count: Count) -> bool:
    """One suit from 1 to 9, with a pair of 1s, and one of each wind (BMJA-S17)."""
    return any(count == Counter([*_ranks(suit, "1" + ONE_TO_NINE), *WIND_CODES]) for suit in SUITS)


def gates_of_heaven(count: Count) -> bool:
    """One suit: three 1s, 2 to 8 with one of them doubled, three 9s (BMJA-S23, S37)."""
    return any(
        count == Counter(_ranks(suit, "1112345678999" + extra))
        for suit in SUITS
        for extra in "2345678"
    )


def thirteen_unique_wonders(count: Count) -> bool:
    """Every 1, 9, wind and dragon, and any one of them again (BMJA-S24)."""
    return set(count) == {*TERMINALS, *WIND_CODES, *DRAGON_CODES}


def _ranks(suit: str, ranks: str) -> list[str]:
    return [suit + rank for rank in ranks]


def _suit_tiles_only(count: Count) -> bool:
    return all(BY_CODE[code].is_suit for code in count)


OF_TILES = MappingProxyType[str, Callable[[Count], bool]](
    {
        "BMJA-S12": all_pair_honours,
        "BMJA-S13": knitting,
        "BMJA-S14": triple_knitting,
        "BMJA-S17": wriggling_snake,
        "BMJA-S23": gates_of_heaven,
        "BMJA-S24": thirteen_unique_wonders,
    }
)

# --- events: the way of winning makes the hand -----------------------------------------------

EVENTS = MappingProxyType[str, Callable[[Hand], bool]](
    {
        "BMJA-S25": lambda hand: "heaven" in hand.won_by,
        "BMJA-S26": lambda hand: "earth" in hand.won_by,
        "BMJA-S27": lambda hand: hand.on_loose_tile and hand.winning_tile == "O5",
        "BMJA-S28": lambda hand: "last-tile" in hand.won_by and hand.winning_tile == "O1",
        "BMJA-S29": lambda hand: "kong-of-kong" in hand.won_by,
    }
)
