"""What the special hands of four sets and a pair look like, and those of an event (BMJA section S).

Each is one short test, named in a table; the ruleset's file says what each is worth. The hands of
other shapes are in `scorer.patterns`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from types import MappingProxyType

from scorer.hand import Hand
from scorer.patterns import PATTERNS, Holding
from scorer.readings import Reading
from scorer.ruleset import Ruleset, SpecialHand
from scorer.sets import ONE_SUIT, SUIT_TRAITS, Trait
from scorer.tiles import BY_CODE

CHOW, HONOUR, MINOR = int(Trait.CHOW), int(Trait.HONOUR), int(Trait.MINOR)
KONG, NOT_GREEN, SUITS = int(Trait.KONG), int(Trait.NOT_GREEN), int(SUIT_TRAITS)

HAND_SIZE = 14
PatternTest = Callable[[Reading, int, Ruleset], bool]


def purity(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """One suit throughout, without chow or honours (BMJA-S11)."""
    return not traits & (CHOW | HONOUR) and traits & SUITS in ONE_SUIT


def buried_treasure(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Four concealed pungs of one suit and honours; the last set may be claimed (BMJA-S15, S36)."""
    if traits & (CHOW | KONG) or traits & SUITS not in ONE_SUIT:
        return False
    for place, each in enumerate(reading.sets):
        if not each.concealed and not (reading.claim and reading.claim.place == place):
            return False
        if not each.concealed and each.kind == "pung":
            return rules.is_on("buried_treasure_last_pung_claimable")
    return True


def heads_and_tails(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Nothing but 1s and 9s (BMJA-S16)."""
    return not traits & (HONOUR | MINOR)


def imperial_jade(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Nothing but green tiles, without chow (BMJA-S18, C14)."""
    return not traits & NOT_GREEN and (not traits & CHOW or rules.is_on("jade_chows"))


def three_great_scholars(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """All three dragons in sets, and no chow (BMJA-S19)."""
    return bool(traits & HONOUR) and not traits & CHOW and _sets_of(reading, "D") == 3


def four_blessings(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """All four winds in sets (BMJA-S20)."""
    return bool(traits & HONOUR) and not traits & CHOW and _sets_of(reading, "W") == 4


def all_winds_and_dragons(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Nothing but honours (BMJA-S21)."""
    return not traits & SUITS


def fourfold_plenty(reading: Reading, traits: int, rules: Ruleset) -> bool:
    """Four kongs (BMJA-S22)."""
    return bool(traits & KONG) and len(reading.of_kind("kong")) == 4


def _sets_of(reading: Reading, family: str) -> int:
    return sum(each.tile.family == family for each in reading.pungs_and_kongs)


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
    if not rules.specials_of["tiles"] or len(hand.tiles) != HAND_SIZE:
        return []
    early = [
        codes
        for codes in hand.exposed
        if not (hand.claimed and hand.winning_tile in (None, *codes))
    ]
    if hand.declared_kongs or early or len(hand.exposed) > 1:
        return []
    holding = _holding(hand)
    return [
        each
        for each in rules.specials_of["tiles"]
        if PATTERNS[each.when](holding, rules) and _may_claim(hand, each, rules)
    ]


def _holding(hand: Hand) -> Holding:
    natural = Counter(code for code in hand.tiles if code not in hand.wild_codes)
    spare = hand.drawn_from_wall and hand.winning_tile in hand.wild_codes
    return Holding(natural, HAND_SIZE - natural.total(), int(spare))


def _may_claim(hand: Hand, special: SpecialHand, rules: Ruleset) -> bool:
    """Keep the gates of heaven to a claimed 1 or 9 where the table plays so (BMJA-C13)."""
    tile = BY_CODE.get(hand.winning_tile or "")
    minor = hand.claimed and tile is not None and tile.is_minor
    return not (
        minor and special.when == "gates-of-heaven" and rules.is_on("gates_only_terminal_claimable")
    )


EVENTS = MappingProxyType[str, Callable[[Hand, Ruleset], bool]](
    {
        "heaven": lambda hand, rules: (
            "heaven" in hand.won_by
            and not hand.laid_down
            and (not hand.bonus or rules.is_on("heaven_after_bonus_tiles"))
        ),
        "earth": lambda hand, rules: "earth" in hand.won_by,
        "plum-blossom": lambda hand, rules: hand.on_loose_tile and hand.winning_tile == "O5",
        "moon": lambda hand, rules: "last-tile" in hand.won_by and hand.winning_tile == "O1",
        "twofold-fortune": lambda hand, rules: "kong-of-kong" in hand.won_by,
    }
)
"""The hands that the way of winning makes, whatever Mah-Jong it is (BMJA-S39, S40)."""


def made_by_event(hand: Hand, rules: Ruleset) -> list[SpecialHand]:
    """Return the special hands that the way of winning makes."""
    return [each for each in rules.specials_of["event"] if EVENTS[each.when](hand, rules)]
