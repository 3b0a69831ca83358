"""The named tests of a winner's whole hand, and why a hand fails one.

A ruleset's file names them (`when = "all-major"`). Each test takes an arrangement, what holds for
any of its tiles and sets, and the rules in force. Its reason may be asked for only when the test
failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType

from scorer.decompose.arrangements import HandArrangement
from scorer.message import message
from scorer.patterns.notation import TILE_CLASSES
from scorer.predicates.waits import completing_tiles
from scorer.reasons import Reason, make_reason, make_set_reason, sole_reason
from scorer.ruleset import Ruleset
from scorer.sets import HandTraits


def no_reason(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """Return no reason: the hand is too far from the rule, or nobody expects it."""
    return None


@dataclass(frozen=True, slots=True)
class HandTest:
    """A test of a hand, and the reason when the hand fails it."""

    holds: Callable[[HandArrangement, HandTraits, Ruleset], bool]
    explain: Callable[[HandArrangement, Ruleset], Reason] = no_reason


def no_chows(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """SAF-R08."""
    return not traits.has_chows


def why_not_chowless(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """Name the only chow, or give the number of chows."""
    chows = arrangement.of_kind("chow")
    return (
        make_reason("has-chows", count=len(chows))
        if chows[1:]
        else make_set_reason("has-a-chow", chows[0])
    )


def no_chows_where_allowed(
    arrangement: HandArrangement, traits: HandTraits, rules: Ruleset
) -> bool:
    """BMJA-D09: no chows, at a table that allows chows."""
    return not traits.has_chows and rules.chows_for(arrangement.hand) > 0


def why_not_chowless_where_allowed(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """BMJA-H03: where chows are not allowed, having none earns nothing."""
    hand = arrangement.hand
    if rules.chows_for(hand):
        return why_not_chowless(arrangement, rules)
    if not hand.goulash:
        return make_reason("no-chows-with-few-players")
    usual_chows = rules.chows_for(replace(hand, goulash=False))
    return make_reason("no-chows-in-a-goulash") if usual_chows else None


def one_suit_with_honours(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-D10: one suit and honours; a pair of either is enough."""
    return traits.suits == 1 and traits.has_honours


def why_not_one_suit_with_honours(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """BMJA-D10."""
    match arrangement.suits, arrangement.has_honours:
        case (), _:
            return make_reason("no-suit-tile")
        case (suit,), _:
            return make_reason("one-suit-no-honour", suit=message(f"suit.{suit}"))
        case (first, second), True:
            return make_reason(
                "mixes-suits", one=message(f"suit.{first}"), other=message(f"suit.{second}")
            )
        case _:
            return None


def one_suit_only(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """SAF-R09."""
    return traits.suits == 1 and not traits.has_honours


def why_not_one_suit_only(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """SAF-R09: blame the one set of honours in a hand of one suit."""
    honours = [each for each in arrangement.sets if each.tile.is_honour]
    if len(arrangement.suits) != 1 or len(honours) != 1:
        return None
    return make_set_reason("set-of-honours", honours[0])


def one_suit_with_chow(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-C18: one suit with a chow, which is neither Purity nor a clean hand."""
    return traits.has_chows and one_suit_only(arrangement, traits, rules)


def all_major(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-D15: only 1s, 9s and honours, with at least a pair of suit tiles and of honours."""
    return not traits.has_minors and traits.has_honours and traits.suits > 0


def why_not_all_major(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """BMJA-D15."""
    with_minors = [each for each in arrangement.sets if not _MINORS.isdisjoint(each.faces)]
    if not with_minors:
        return make_reason("majors-no-honour" if arrangement.suits else "majors-no-terminal")
    return None if with_minors[1:] else make_set_reason("set-of-minors", with_minors[0])


_MINORS = frozenset(TILE_CLASSES["minor"])


def all_concealed(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-D16: concealed, with a pair or set of a suit and of honours; with C06, a set of each."""
    if traits.has_exposed or not traits.has_honours or not traits.suits:
        return False
    return not rules.is_on("concealed_needs_sets") or _has_sets_of_both(arrangement)


def _has_sets_of_both(arrangement: HandArrangement) -> bool:
    sets = arrangement.of_kind("chow", "pung", "kong")
    return len({each.tile.is_honour for each in sets}) == 2


def why_not_all_concealed(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """BMJA-D16."""
    return sole_reason(_explain_exposure(arrangement, rules))


def _explain_exposure(arrangement: HandArrangement, rules: Ruleset) -> Iterator[Reason]:
    claimed_at = arrangement.claim.place if arrangement.claim else None
    for place in arrangement.exposed_places:
        exposed = arrangement.sets[place]
        if place == claimed_at:
            yield make_reason("claim-exposes", kind=message(f"set-kind.{exposed.kind}"))
        else:
            yield make_set_reason("not-concealed", exposed)
    yield _why_incomplete(arrangement, rules)


def _why_incomplete(arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """Name what a concealed hand lacks; some tables require a set instead of a pair (C06)."""
    if not arrangement.suits:
        return make_reason("concealed-no-suit-tile")
    if not arrangement.has_honours:
        return make_reason("concealed-no-honour")
    if rules.is_on("concealed_needs_sets") and not _has_sets_of_both(arrangement):
        return make_set_reason("pair-must-be-a-set", arrangement.of_kind("pair")[0])
    return None


def fully_concealed(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """Nothing exposed, whatever the tiles: other families count it (BMJA-D16, B13)."""
    return not traits.has_exposed


def three_concealed_pungs(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """Three pungs or kongs that are concealed: other families count them (BMJA-B13)."""
    return sum(each.concealed for each in arrangement.pungs_and_kongs) >= 3


def purity_concealed(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-S32: Purity counted as an ordinary hand doubles for all concealed without honours."""
    return one_suit_only(arrangement, traits, rules) and not (
        traits.has_exposed or traits.has_chows
    )


def only_possible_tile(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-C16: no other tile would have completed the hand."""
    return len(completing_tiles(arrangement, rules)) == 1


def pair_completed(arrangement: HandArrangement, traits: HandTraits, rules: Ruleset) -> bool:
    """BMJA-C16: the winning tile completed the pair, not a set that its claim exposed."""
    if arrangement.claim and arrangement.hand.winning_tile:
        return arrangement.sets[arrangement.claim.place].kind == "pair"
    return any(arrangement.hand.winning_tile in each.tiles for each in arrangement.of_kind("pair"))


HAND_TESTS = MappingProxyType[str, HandTest](
    {
        "no-chows": HandTest(no_chows, why_not_chowless),
        "no-chows-where-allowed": HandTest(no_chows_where_allowed, why_not_chowless_where_allowed),
        "one-suit-with-honours": HandTest(one_suit_with_honours, why_not_one_suit_with_honours),
        "one-suit-only": HandTest(one_suit_only, why_not_one_suit_only),
        "one-suit-with-chow": HandTest(one_suit_with_chow),
        "all-major": HandTest(all_major, why_not_all_major),
        "all-concealed": HandTest(all_concealed, why_not_all_concealed),
        "purity-concealed": HandTest(purity_concealed),
        "fully-concealed": HandTest(fully_concealed),
        "three-concealed-pungs": HandTest(three_concealed_pungs),
        "only-possible-tile": HandTest(only_possible_tile),
        "pair-completed": HandTest(pair_completed),
    }
)
"""The tests by the names that ruleset files use."""
