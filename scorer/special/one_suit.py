"""Special hands of one suit in sets: Purity (BMJA-S11) and Buried treasure (BMJA-S15)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.breakdown import TileSet
from scorer.decompose.readings import SETS_IN_A_HAND, HandReading
from scorer.message import message
from scorer.reasons import Reason, about, because, only
from scorer.ruleset import Ruleset
from scorer.sets import ONE_SUIT, SUIT_TRAITS, Trait
from scorer.special.faults import (
    claimed_early,
    exposed_early,
    is_a_chow,
    is_of_another_suit,
    main_suit,
)
from scorer.special.held import HONOURS, OF_SUIT, Held, sets_and_pair
from scorer.special.shapes import SetsHand, Target

CHOW, KONG, HONOUR = int(Trait.CHOW), int(Trait.KONG), int(Trait.HONOUR)
SUITS = int(SUIT_TRAITS)


class Purity(SetsHand):
    """BMJA-S11: one suit throughout, without chow or honours."""

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        return not traits & (CHOW | HONOUR) and traits & SUITS in ONE_SUIT

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        main = main_suit(reading)
        return only(
            fault
            for each in reading.sets
            for fault in (is_a_chow(each), is_of_another_suit(each, main), _is_of_honours(each))
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        return (sets_and_pair(held, suit) for suit in OF_SUIT.values())


def _is_of_honours(each: TileSet) -> Reason:
    return about("not-of-a-suit", each) if each.tile.is_honour else None


class BuriedTreasure(SetsHand):
    """BMJA-S15: four concealed pungs of one suit and honours; the last set may be claimed.

    Of the five faces four may be honours: at least the pair is of the suit (BMJA-S36).
    """

    def made(self, reading: HandReading, traits: int, rules: Ruleset) -> bool:
        if traits & (CHOW | KONG) or traits & SUITS not in ONE_SUIT:
            return False
        exposed = reading.exposed_places
        if exposed != ([reading.claim.place] if reading.claim else []):
            return False
        return not _pung_claimed_against_the_rules(reading, rules)

    def why_not(self, reading: HandReading, rules: Ruleset) -> Reason:
        return only(
            (
                *(_is_no_pung(each) for each in reading.sets),
                *map(claimed_early, exposed_early(reading)),
                _pung_claimed_against_the_rules(reading, rules),
                *_suit_faults(reading),
            )
        )

    def missing(self, held: Held, rules: Ruleset) -> Iterable[Target]:
        """Nothing may lie on the table, for no claim came before the last tile."""
        if held.fixed:
            return ()
        honours = {*[face for face in held.faces if face in HONOURS][:SETS_IN_A_HAND]}
        return (sets_and_pair(held, suit | honours) for suit in OF_SUIT.values())


def _is_no_pung(each: TileSet) -> Reason:
    return about("no-pung", each) if each.kind in ("chow", "kong") else None


def _pung_claimed_against_the_rules(reading: HandReading, rules: Ruleset) -> Reason:
    """Return the fault of a last pung at a table that lets only the pair be claimed (BMJA-C09)."""
    claim = reading.claim
    if not claim or rules.is_on("buried_treasure_last_pung_claimable"):
        return None
    of_pair = reading.sets[claim.place].kind == "pair"
    return None if of_pair else because("last-pung-claimed")


def _suit_faults(reading: HandReading) -> Iterator[Reason]:
    """Yield what is wrong with the suits: no suit, one set of another, two; three twice over."""
    main = main_suit(reading)
    foreign = [fault for each in reading.sets if (fault := is_of_another_suit(each, main))]
    match reading.suits:
        case ():
            yield because("no-suit-tile")
        case (first, second) if len(foreign) > 1:
            yield because(
                "two-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            yield from foreign
