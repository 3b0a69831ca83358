"""What the special hands of four sets and a pair look like, and those of an event (BMJA section S).

Each is one short test, named in a table; the ruleset's file says what each is worth. The hands of
other shapes are in `scorer.predicates.special_tiles`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from scorer.decompose.readings import Reading
from scorer.hand import HAND_SIZE, Hand
from scorer.predicates.special_tiles import LARGEST_GROUP, PATTERNS, holding_of
from scorer.ruleset import Ruleset, SpecialHand
from scorer.sets import ONE_SUIT, SUIT_TRAITS, Trait
from scorer.tiles import BY_CODE

CHOW, HONOUR, MINOR = int(Trait.CHOW), int(Trait.HONOUR), int(Trait.MINOR)
KONG, NOT_GREEN, SUITS = int(Trait.KONG), int(Trait.NOT_GREEN), int(SUIT_TRAITS)

PatternTest = Callable[[Reading, int, Ruleset], bool]


def purity(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """One suit throughout, without chow or honours (BMJA-S11)."""
    return not traits & (CHOW | HONOUR) and traits & SUITS in ONE_SUIT


def buried_treasure(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Four concealed pungs of one suit and honours; the last set may be claimed (BMJA-S15, S36)."""
    if traits & (CHOW | KONG) or traits & SUITS not in ONE_SUIT:
        return False
    exposed = reading.exposed_places
    if exposed != ([reading.claim.place] if reading.claim else []):
        return False
    return (
        not exposed
        or reading.sets[exposed[0]].kind == "pair"
        or rules.is_on("buried_treasure_last_pung_claimable")
    )


def heads_and_tails(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Nothing but 1s and 9s (BMJA-S16)."""
    return not traits & (HONOUR | MINOR)


def imperial_jade(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Nothing but green tiles, without chow (BMJA-S18, C14)."""
    return not traits & NOT_GREEN and (not traits & CHOW or rules.is_on("jade_chows"))


def three_great_scholars(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """All three dragons in sets, and no chow (BMJA-S19)."""
    return not traits & CHOW and _sets_of(reading, "D") == 3


def four_blessings(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """All four winds in sets (BMJA-S20)."""
    return not traits & CHOW and _sets_of(reading, "W") == 4


def all_winds_and_dragons(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Nothing but honours (BMJA-S21)."""
    return not traits & SUITS


def fourfold_plenty(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Four kongs (BMJA-S22)."""
    return bool(traits & KONG) and len(reading.of_kind("kong")) == 4


def _sets_of(reading: Reading, family: str) -> int:
    """Return how many different winds or dragons are sets; wild tiles can make one twice."""
    return len({each.tile for each in reading.pungs_and_kongs if each.tile.family == family})


SET_TESTS = MappingProxyType[str, PatternTest](
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
"""The tests of a reading and the traits of its sets."""


def made_of_sets(reading: Reading, traits: int, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that a reading of a winner's hand is."""
    return [
        each for each in rules.specials_of["sets"] if SET_TESTS[each.when](reading, traits, rules)
    ]


def made_of_tiles(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands of other shapes that a winner's tiles make.

    They must be concealed until the winning tile, which may be claimed (BMJA-S05); so none has a
    declared kong, or a set laid down before.
    """
    if hand.declared_kongs or len(hand.exposed) > 1 or not rules.specials_of["tiles"]:
        return []
    laid = hand.exposed[0] if hand.exposed else ()
    claimed = hand.may_be_claimed and hand.winning_tile in (None, *laid)
    if (laid and not claimed) or len(hand.tiles) != HAND_SIZE:
        return []
    holding = holding_of(hand.tiles, hand.wild_codes, spare=hand.may_have_drawn_wild)
    return [
        each
        for each in rules.specials_of["tiles"]
        if len(laid) <= LARGEST_GROUP[each.when]
        and PATTERNS[each.when](holding, rules)
        and _may_claim(hand, each, rules)
    ]


def _may_claim(hand: Hand, special: SpecialHand, rules: Ruleset) -> bool:
    """Keep the gates of heaven to a claimed 1 or 9 where the table plays so (BMJA-C13)."""
    tile = BY_CODE.get(hand.winning_tile or "")
    minor = hand.claimed and tile is not None and tile.is_minor
    return not (
        minor and special.when == "gates-of-heaven" and rules.is_on("gates_only_terminal_claimable")
    )


def heaven(reading: Reading, rules: Ruleset) -> bool:
    """East wins as dealt: no kong declared, no bonus tile replaced (BMJA-S25, S39)."""
    hand = reading.hand
    replaced = bool(hand.bonus) and not rules.is_on("heaven_after_bonus_tiles")
    return "heaven" in hand.won_by and not hand.laid_down and not replaced


def earth(reading: Reading, rules: Ruleset) -> bool:
    """Won with East's first discard (BMJA-S26)."""
    return "earth" in reading.hand.won_by


def plum_blossom(reading: Reading, rules: Ruleset) -> bool:
    """Won with a loose tile, the 5 of circles (BMJA-S27)."""
    return reading.hand.on_loose_tile and reading.hand.winning_tile == "O5"


def moon(reading: Reading, rules: Ruleset) -> bool:
    """Won with the last tile of the live wall, the 1 of circles (BMJA-S28)."""
    return "last-tile" in reading.hand.won_by and reading.hand.winning_tile == "O1"


def twofold_fortune(reading: Reading, rules: Ruleset) -> bool:
    """Won with the loose tile of a kong that a kong's loose tile made (BMJA-S29)."""
    return "kong-of-kong" in reading.hand.won_by and len(reading.of_kind("kong")) >= TWO_KONGS


TWO_KONGS = 2

EVENTS = MappingProxyType[str, Callable[[Reading, Ruleset], bool]](
    {
        "heaven": heaven,
        "earth": earth,
        "plum-blossom": plum_blossom,
        "moon": moon,
        "twofold-fortune": twofold_fortune,
    }
)
"""The hands that the way of winning makes, whatever Mah-Jong it is (BMJA-S40)."""

EVENTFUL = frozenset({"heaven", "earth", "loose", "last-tile", "kong-of-kong"})
"""The ways of winning that such a hand may have."""


def made_by_event(reading: Reading, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    if EVENTFUL.isdisjoint(reading.hand.won_by):
        return []
    return [each for each in rules.specials_of["event"] if EVENTS[each.when](reading, rules)]
