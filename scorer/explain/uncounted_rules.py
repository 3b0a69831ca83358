"""Explain rules that were not counted though a player may expect them (BMJA-H06, S03, S08).

A reason names the one thing in the way. A special hand is near when only one set keeps the hand
from being it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from scorer.breakdown import UncountedRule
from scorer.decompose.arrangements import HandArrangement
from scorer.hand import Hand
from scorer.message import Message, message
from scorer.predicates.bonus_tests import bonus_tiles, why_no_bonus
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import SET_REASONS, SeatWinds
from scorer.reasons import Reason, make_reason
from scorer.ruleset import Rule, Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate, choose_best
from scorer.scoring.pricing import (
    Award,
    awards_for_ways,
    bonus_awards,
    bonus_price,
    hand_awards,
    set_awards,
    win_awards,
)
from scorer.special.base import explain_exposed_set, sets_exposed_early
from scorer.special.registry import EVENT_HANDS, find_tiles_hands
from scorer.special.set_patterns import find_near_hands, why_not_special

Reasons = Iterator[tuple[str, Reason]]


def find_uncounted_rules(
    best: Candidate, candidates: Sequence[Candidate], rules: Ruleset
) -> tuple[UncountedRule, ...]:
    """Return the rules that give nothing here though a player might expect it, each once.

    `candidates` are all ways of scoring; `best` is the one that counts.
    """
    limit = rules.limit_for(best.arrangement.hand)
    plain = [each for each in candidates if each.special is None]
    ordinary = choose_best(plain or [best], limit)
    reasons: dict[str, Message] = {}
    for rule, reason in chain(
        _ordinary_rules(best, rules),
        _options_off(best, rules),
        _beside_a_special_hand(best, ordinary, rules),
        _the_other_sum(best, ordinary, candidates, limit),
        _special_hands(best, ordinary, candidates, rules),
    ):
        if reason:
            reasons.setdefault(rule, reason)
    return tuple(UncountedRule(rule, reason) for rule, reason in reasons.items())


def _ordinary_rules(best: Candidate, rules: Ruleset) -> Reasons:
    """Yield why rules that could have counted in this sum gave nothing."""
    arrangement = best.arrangement
    awarded_ids = {id(award.rule) for award in _find_awards(best, rules)}
    reasons: dict[str, list[Message]] = {}
    for rule in rules.rules:
        if (rule.winner_only and not arrangement.hand.winner) or not _is_part_of(
            rule, best.special
        ):
            continue
        if id(rule) not in awarded_ids:
            reason = why_rule_gave_nothing(rule, arrangement, rules)
        else:
            reason = None if rule.gives else make_reason("as-said", sentence=rule.sentence)
        if reason and reason not in reasons.setdefault(rule.id, []):
            reasons[rule.id].append(reason)
    for rule_id, rule_reason in reasons.items():
        yield (
            rule_id,
            rule_reason[0]
            if len(rule_reason) == 1
            else make_reason("both", one=rule_reason[0], two=rule_reason[1]),
        )


def _is_part_of(rule: Rule, special: SpecialHand | None) -> bool:
    """Return whether a rule can count in this sum.

    With a special hand only bonus tiles count (BMJA-S02); Purity also counts its sets (BMJA-S30).
    """
    if special is None or rule.of == "bonus":
        return True
    return not special.value and rule.of == "set" and not rule.doubles


def _find_awards(best: Candidate, rules: Ruleset) -> Iterator[Award]:
    """Yield every award in the sum."""
    arrangement, special = best.arrangement, best.special
    hand = arrangement.hand
    yield from bonus_awards(rules, hand)
    if special:
        yield from awards_for_ways(rules.rules_for_special(special), hand)
    if special is None or not special.value:
        seat = SeatWinds(hand.seat_wind, hand.prevailing_wind)
        for each in arrangement.sets:
            yield from set_awards(rules, seat, each)
    if special is None:
        yield from win_awards(rules, hand)
        yield from hand_awards(rules, arrangement)


def _options_off(best: Candidate, rules: Ruleset) -> Reasons:
    """Yield the rules that most tables count, but this table has switched off."""
    for option in rules.options_in_force:
        if option.default and not option.value:
            usual = rules.with_choices((f"{option.name}:on",))
            for award in _find_awards(best, usual):
                if award.rule.option == option.name:
                    yield award.rule.id, make_reason("switched-off", sentence=option.sentence)


def _beside_a_special_hand(best: Candidate, ordinary: Candidate, rules: Ruleset) -> Reasons:
    """Yield the doubles that do not count with a special hand (BMJA-S03)."""
    if best.special is None:
        return
    hand, special = best.arrangement.hand, best.special
    lost_doubles = ordinary.doubles - (
        0 if ordinary.bonus_points else bonus_price(rules, hand).doubles
    )
    if ordinary.special is None and lost_doubles:
        key = "doubles-of-a-fixed-value" if special.value else "doubles-of-purity"
        yield "BMJA-S03", make_reason(key, count=lost_doubles)
    bonus_ways = {
        award.rule.ways for award in awards_for_ways(rules.bonus_rules_for_special(special), hand)
    }
    own_ways = {
        a.rule.ways
        for a in awards_for_ways(rules.rules_for_special(special), hand)
        if a.rule.doubles
    }
    for rule in (award.rule for award in win_awards(rules, hand)):
        if rule.doubles and rule.ways in bonus_ways - own_ways:
            yield rule.id, make_reason("doubles-bonus-tiles-alone", label=rule.label)
        elif rule.doubles and rule.ways not in own_ways:
            yield rule.id, make_reason("no-double-of-a-special-hand", label=rule.label)


def _the_other_sum(
    best: Candidate, ordinary: Candidate, candidates: Sequence[Candidate], limit: int | None
) -> Reasons:
    """Yield the other score: as an ordinary or as a special hand (BMJA-S08)."""
    special = best
    if best.special is None:
        specials = [each for each in candidates if each.special]
        if not specials:
            return
        special = choose_best(specials, limit)
    if ordinary.special is None and special.special:
        ordinary_score, other = ordinary.capped_score(limit), special.capped_score(limit)
        comparison = (
            "less" if ordinary_score < other else "more" if ordinary_score > other else "as-much"
        )
        name = special.special.name
        if special.fishing:
            name = message("not-counted.fishing-for", special=name)
        yield (
            "BMJA-S08",
            make_reason(f"as-ordinary-{comparison}", one=ordinary_score, other=other, special=name),
        )


def _special_hands(
    best: Candidate, ordinary: Candidate, candidates: Sequence[Candidate], rules: Ruleset
) -> Reasons:
    """Yield the special hands of higher value that a winner's hand nearly is."""
    if best.arrangement.hand.winner and ordinary.special is None:
        made_ids = frozenset(each.special.id for each in candidates if each.special)
        min_value = best.special.value if best.special else 0
        yield from why_no_special_hands(ordinary.arrangement, rules, made_ids, min_value)


def why_rule_gave_nothing(rule: Rule, arrangement: HandArrangement, rules: Ruleset) -> Reason:
    """Return the one thing that kept a rule from giving anything.

    None when the hand is too far from the rule, or when nobody would expect it.
    """
    match rule.of:
        case "hand":
            return HAND_TESTS[rule.when].explain(arrangement, rules)
        case "bonus":
            return why_no_bonus(rule.when, bonus_tiles(arrangement.hand, rules))
        case "set":
            find_reason = SET_REASONS.get((rule.when, rule.kinds[0]))
            return find_reason(arrangement, rules) if find_reason else None
        case _:
            return _explain_missing_draw(rule, arrangement.hand)


def _explain_missing_draw(rule: Rule, hand: Hand) -> Reason:
    """BMJA-B12, SAF-R08: a claimed tile does not count as drawn; for B12 nor does a loose tile."""
    if "wall" not in rule.ways:
        return None
    loose_too = "loose" in rule.ways
    if hand.is_claimed:
        return make_reason("claimed" if loose_too else "claimed-not-from-the-live-wall")
    return make_reason("loose-tile") if hand.on_loose_tile and not loose_too else None


def why_no_special_hands(
    arrangement: HandArrangement, rules: Ruleset, made_ids: frozenset[str], min_value: int
) -> Iterator[tuple[str, Reason]]:
    """Yield the id of each special hand that the arrangement is not, and the reason if it is near.

    Hands in `made_ids` are skipped, because the hand is these too. Hands worth no more than
    `min_value` are skipped as well, unless it is 0.
    """
    reasons = _explain_early_exposure(arrangement, rules)
    near_ids = find_near_hands(arrangement, rules)
    for special in rules.specials:
        if special.id in made_ids or (min_value and special.value <= min_value):
            continue
        if special.id in reasons:
            yield special.id, reasons[special.id]
        elif special.id in near_ids:
            yield special.id, why_not_special(special, arrangement)
        elif special.when:
            yield special.id, EVENT_HANDS[special.when].explain(arrangement, rules)


def _explain_early_exposure(arrangement: HandArrangement, rules: Ruleset) -> dict[str, Reason]:
    """Return the concealed hands that one set, claimed too early, prevents (BMJA-S05)."""
    early_sets = sets_exposed_early(arrangement)
    if len(early_sets) != 1:
        return {}
    claim, hand = arrangement.claim, arrangement.hand
    by_claim = hand.exposed[claim.place : claim.place + 1] if claim and claim.lay_exposed else ()
    concealed_hand = replace(
        hand, exposed=by_claim, concealed=(*hand.concealed, *early_sets[0].tiles)
    )
    return {
        each.id: explain_exposed_set(early_sets[0])
        for each in find_tiles_hands(concealed_hand, rules)
    }
