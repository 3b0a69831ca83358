"""The candidates of a winner (BMJA-H06, S08, S09)."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.decompose.readings import HandReading, winning_readings
from scorer.hand import Hand
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate, as_they_lie, special_candidate
from scorer.scoring.pricing import bonus_price, said_awards, sets_price, total_price, win_price
from scorer.sets import ONE_SUIT_TRAITS, SUIT_TRAITS
from scorer.special.made import made_by_event, made_of_sets, made_of_tiles

AT_MOST_ONE_SUIT_TRAITS = ONE_SUIT_TRAITS | {0}


def winning_candidates(hand: Hand, rules: Ruleset) -> list[Candidate]:
    """Return every candidate of a winner's hand; none when it is no Mah-Jong."""
    candidates = [
        candidate
        for each in winning_readings(hand, rules)
        for candidate in _of_reading(each, rules)
    ]
    of_tiles = made_of_tiles(hand, rules)
    if of_tiles:
        lying = as_they_lie(hand)
        candidates += [
            special_candidate(each, lying, rules, points=each.value) for each in of_tiles
        ]
        candidates += _events(lying, rules)
    return candidates


def _events(arrangement: HandReading, rules: Ruleset) -> Iterator[Candidate]:
    for special in made_by_event(arrangement, rules):
        yield special_candidate(special, arrangement, rules, points=special.value)


def _of_reading(arrangement: HandReading, rules: Ruleset) -> Iterator[Candidate]:
    """Yield the ordinary sum of an arrangement, and the special hands that it makes."""
    sets = sets_price(rules, arrangement)
    if rules.one_suit and sets.traits & SUIT_TRAITS not in AT_MOST_ONE_SUIT_TRAITS:
        return
    hand = arrangement.hand
    win, bonus = win_price(rules, hand), bonus_price(rules, hand)
    points = sets.points + win.points + bonus.points
    doubles = sets.doubles + win.doubles + bonus.doubles
    for rule in rules.by_subject["hand"]:
        if HAND_TESTS[rule.when].holds(arrangement, sets.traits, rules):
            points += rule.concealed_points
            doubles += rule.doubles
    yield Candidate(arrangement, points, doubles)
    for special in made_of_sets(arrangement, sets.traits, rules):
        if special.value:
            yield special_candidate(special, arrangement, rules, points=special.value)
        else:
            yield _doubled(special, arrangement, sets.points + win.points, rules)
    yield from _events(arrangement, rules)


def _doubled(
    special: SpecialHand, arrangement: HandReading, points: int, rules: Ruleset
) -> Candidate:
    """Return the candidate that doubles only sets and going Mah-Jong (BMJA-S30, S31)."""
    own = total_price(said_awards(rules.only_with(special), arrangement.hand))
    return special_candidate(
        special,
        arrangement,
        rules,
        points=points + own.points,
        doubles=special.doubles + own.doubles,
    )
