"""Explain rules that were not counted though a player may expect them (BMJA-H06, S03, S08).

A reason names the one thing in the way. A special hand is near when only one set keeps the hand
from being it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from scorer.breakdown import NotCounted
from scorer.explain.ordinary_rules import why_nothing
from scorer.explain.special_hands import why_no_special_hands
from scorer.message import Message, message, of_rules
from scorer.predicates.tile_tests import SeatWinds
from scorer.reasons import Reason, because
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate, best_candidate
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

Reasons = Iterator[tuple[str, Reason]]


def not_counted(
    best: Candidate, candidates: Sequence[Candidate], rules: Ruleset
) -> tuple[NotCounted, ...]:
    """Return the rules that give nothing here though a player might expect it, each once.

    `candidates` are all ways of scoring; `best` is the one that counts.
    """
    limit = rules.limit_for(best.reading.hand)
    plain = [each for each in candidates if each.special is None]
    ordinary = best_candidate(plain or [best], limit)
    reasons: dict[str, Message] = {}
    for rule, reason in chain(
        _ordinary_rules(best, rules),
        _switched_off(best, rules),
        _beside_a_special_hand(best, ordinary, rules),
        _the_other_sum(best, ordinary, candidates, limit),
        _special_hands(best, ordinary, candidates, rules),
    ):
        if reason:
            reasons.setdefault(rule, reason)
    return tuple(NotCounted(rule, reason) for rule, reason in reasons.items())


def _ordinary_rules(best: Candidate, rules: Ruleset) -> Reasons:
    """Yield why rules that could have counted in this sum gave nothing."""
    arrangement = best.reading
    awarded = {id(award.rule) for award in _awards(best, rules)}
    reasons: dict[str, list[Message]] = {}
    for rule in rules.rules:
        if (rule.winner_only and not arrangement.hand.winner) or not _part_of(rule, best.special):
            continue
        if id(rule) not in awarded:
            reason = why_nothing(rule, arrangement, rules)
        else:
            reason = None if rule.gives else because("as-said", sentence=of_rules(rule.sentence))
        if reason and reason not in reasons.setdefault(rule.id, []):
            reasons[rule.id].append(reason)
    for rule_id, found in reasons.items():
        yield rule_id, found[0] if len(found) == 1 else because("both", one=found[0], two=found[1])


def _part_of(rule: Rule, special: SpecialHand | None) -> bool:
    """Return whether a rule can count in this sum.

    With a special hand only bonus tiles count (BMJA-S02); Purity also counts its sets (BMJA-S30).
    """
    if special is None or rule.of == "bonus":
        return True
    return not special.value and rule.of == "set" and not rule.doubles


def _awards(best: Candidate, rules: Ruleset) -> Iterator[Award]:
    """Yield every award in the sum."""
    arrangement, special = best.reading, best.special
    hand = arrangement.hand
    yield from bonus_awards(rules, hand)
    if special:
        yield from said_awards(rules.only_with(special), hand)
    if special is None or not special.value:
        seat = SeatWinds(hand.seat_wind, hand.prevailing_wind)
        for each in arrangement.sets:
            yield from set_awards(rules, seat, each)
    if special is None:
        yield from win_awards(rules, hand)
        yield from hand_awards(rules, arrangement, sets_price(rules, arrangement).traits)


def _switched_off(best: Candidate, rules: Ruleset) -> Reasons:
    """Yield the rules that most tables count, but this table has switched off."""
    for option in rules.options_in_force:
        if option.default and not option.value:
            usual = rules.with_choices((f"{option.name}:on",))
            for award in _awards(best, usual):
                if award.rule.option == option.name:
                    yield award.rule.id, because("switched-off", sentence=of_rules(option.sentence))


def _beside_a_special_hand(best: Candidate, ordinary: Candidate, rules: Ruleset) -> Reasons:
    """Yield the doubles that do not count with a special hand (BMJA-S03)."""
    if best.special is None:
        return
    hand, special = best.reading.hand, best.special
    lost = ordinary.doubles - (0 if ordinary.bonus_points else bonus_price(rules, hand).doubles)
    if ordinary.special is None and lost:
        key = "doubles-of-a-fixed-value" if special.value else "doubles-of-purity"
        yield "BMJA-S03", because(key, count=lost)
    apart = {award.rule.ways for award in said_awards(rules.apart_with(special), hand)}
    own_ways = {a.rule.ways for a in said_awards(rules.only_with(special), hand) if a.rule.doubles}
    for rule in (award.rule for award in win_awards(rules, hand)):
        if rule.doubles and rule.ways in apart - own_ways:
            yield rule.id, because("doubles-bonus-tiles-alone", label=of_rules(rule.label))
        elif rule.doubles and rule.ways not in own_ways:
            yield rule.id, because("no-double-of-a-special-hand", label=of_rules(rule.label))


def _the_other_sum(
    best: Candidate, ordinary: Candidate, candidates: Sequence[Candidate], limit: int | None
) -> Reasons:
    """Yield the other score: as an ordinary or as a special hand (BMJA-S08)."""
    special = best
    if best.special is None:
        found = [each for each in candidates if each.special]
        if not found:
            return
        special = best_candidate(found, limit)
    if ordinary.special is None and special.special:
        one, other = ordinary.within(limit), special.within(limit)
        than = "less" if one < other else "more" if one > other else "as-much"
        name = of_rules(special.special.name)
        if special.fishing:
            name = message("not-counted.fishing-for", special=name)
        yield "BMJA-S08", because(f"as-ordinary-{than}", one=one, other=other, special=name)


def _special_hands(
    best: Candidate, ordinary: Candidate, candidates: Sequence[Candidate], rules: Ruleset
) -> Reasons:
    """Yield the special hands of higher value that a winner's hand nearly is."""
    if best.reading.hand.winner and ordinary.special is None:
        made = frozenset(each.special.id for each in candidates if each.special)
        above = best.special.value if best.special else 0
        yield from why_no_special_hands(ordinary.reading, rules, made, above)
