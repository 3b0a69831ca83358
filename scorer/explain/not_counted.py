"""What was not counted, and why: rules that a player may have hoped for (BMJA-H06, S03, S08).

Why an ordinary rule gave nothing is in `scorer.explain.ordinary_rules`; why the hand is no
special hand, though it nearly is, in `scorer.explain.special_hands`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from scorer.breakdown import NotCounted
from scorer.explain.ordinary_rules import NEAR_MISSES, SEVERAL_IN_ONE, Reason
from scorer.explain.special_hands import special_misses
from scorer.predicates.tile_tests import Seat
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.scoring.candidates import Way, best_way
from scorer.scoring.pricing import (
    Award,
    bonus_awards,
    bonus_price,
    hand_awards,
    said_awards,
    set_awards,
    sets_price,
    win_awards,
)

Missed = Iterator[tuple[str, Reason]]


def not_counted(best: Way, ways: Sequence[Way], rules: Ruleset) -> tuple[NotCounted, ...]:
    """Return the rules that give nothing here though a player might think so, each once.

    `ways` are all that were weighed, `best` the one that is scored.
    """
    limit = rules.limit_for(best.reading.hand)
    ordinary = best_way([way for way in ways if way.special is None] or [best], limit)
    reasons: dict[str, str] = {}
    for rule, reason in chain(
        _ordinary_rules(best, rules),
        _switched_off(best, rules),
        _beside_a_special_hand(best, ordinary, rules),
        _the_other_sum(best, ordinary, ways, limit),
        _special_hands(best, ordinary, ways, rules),
    ):
        if reason:
            reasons.setdefault(rule, reason)
    return tuple(NotCounted(rule, reason) for rule, reason in reasons.items())


def _ordinary_rules(best: Way, rules: Ruleset) -> Missed:
    """Yield why rules that could have given points or doubles to this sum gave none."""
    reading = best.reading
    awarded = [award.rule for award in _awards(best, rules)]
    places = {id(rule) for rule in awarded}
    given = {rule.id for rule in awarded if rule.gives} - SEVERAL_IN_ONE
    for rule in rules.rules:
        if (rule.winner_only and not reading.hand.winner) or not _part_of(rule, best.special):
            continue
        if id(rule) in places:
            yield rule.id, None if rule.gives else rule.sentence
        elif rule.id in NEAR_MISSES and rule.id not in given:
            yield rule.id, NEAR_MISSES[rule.id](reading, rules)


def _part_of(rule: Rule, special: SpecialHand | None) -> bool:
    """Return whether the rule counts in this sum: of a special hand, bonus tiles alone (BMJA-S02).

    Purity has the points of its sets too (BMJA-S30).
    """
    if special is None or rule.of == "bonus":
        return True
    return not special.value and rule.of == "set" and not rule.doubles


def _awards(best: Way, rules: Ruleset) -> Iterator[Award]:
    """Yield what the rules find in the sum."""
    reading, special = best.reading, best.special
    hand = reading.hand
    yield from bonus_awards(rules, hand)
    if special:
        yield from said_awards(rules.only_with(special), hand)
    if special is None or not special.value:
        seat = Seat(hand.seat_wind, hand.prevailing_wind)
        for each in reading.sets:
            yield from set_awards(rules, seat, each)
    if special is None:
        yield from win_awards(rules, hand)
        yield from hand_awards(rules, reading, sets_price(rules, reading).traits)


def _switched_off(best: Way, rules: Ruleset) -> Missed:
    """Yield what most tables would have counted, and this one does not."""
    for option in rules.options_in_force:
        if option.default and not option.value:
            usual = rules.with_choices((f"{option.name}:on",))
            for award in _awards(best, usual):
                if award.rule.option == option.name:
                    reason = f"{option.sentence.removesuffix('.')}, but not at this table."
                    yield award.rule.id, reason


def _beside_a_special_hand(best: Way, ordinary: Way, rules: Ruleset) -> Missed:
    """Yield the doubles that a special hand does not have (BMJA-S03)."""
    if best.special is None:
        return
    hand, special = best.reading.hand, best.special
    lost = ordinary.doubles - (0 if ordinary.bonus_points else bonus_price(rules, hand).doubles)
    if ordinary.special is None and lost:
        doubles = "double" if lost == 1 else f"{lost} doubles"
        verb = "does" if lost == 1 else "do"
        own = "a special hand has a fixed value" if special.value else "Purity has its own three"
        yield "BMJA-S03", f"The {doubles} of an ordinary hand {verb} not count: {own}."
    apart = {award.rule.ways for award in said_awards(rules.apart_with(special), hand)}
    own_ways = {a.rule.ways for a in said_awards(rules.only_with(special), hand) if a.rule.doubles}
    for rule in (award.rule for award in win_awards(rules, hand)):
        if rule.doubles and rule.ways in apart - own_ways:
            yield rule.id, f"{rule.label} doubles flowers and seasons alone, not the special hand."
        elif rule.doubles and rule.ways not in own_ways:
            yield rule.id, f"{rule.label} does not double a special hand."


def _the_other_sum(best: Way, ordinary: Way, ways: Sequence[Way], limit: int | None) -> Missed:
    """Yield what the hand would score otherwise, as ordinary or as special (BMJA-S08)."""
    special = best
    if best.special is None:
        found = [way for way in ways if way.special]
        if not found:
            return
        special = best_way(found, limit)
    if ordinary.special is None and special.special:
        one, other = (
            way.worth if limit is None else min(way.worth, limit) for way in (ordinary, special)
        )
        than = "less than" if one < other else "more than" if one > other else "as much as"
        name = ("fishing for " if special.fishing else "") + special.special.name
        yield "BMJA-S08", f"As an ordinary hand it scores {one}, {than} the {other} of {name}."


def _special_hands(best: Way, ordinary: Way, ways: Sequence[Way], rules: Ruleset) -> Missed:
    """Yield the special hands that a winner's hand nearly is, of those worth more."""
    if best.reading.hand.winner and ordinary.special is None:
        made = frozenset(way.special.id for way in ways if way.special)
        above = best.special.value if best.special else 0
        yield from special_misses(ordinary.reading, rules, made, above)
