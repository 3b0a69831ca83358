"""The ways in which a winner's hand may be scored (BMJA-H06, S08, S09)."""

from __future__ import annotations

from collections.abc import Iterator

from scorer.decompose.readings import HandReading, winning_readings
from scorer.hand import Hand
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate, as_they_lie, special_candidate
from scorer.scoring.pricing import bonus_price, said_awards, sets_price, total_price, win_price
from scorer.sets import ONE_SUIT, SUIT_TRAITS
from scorer.special.made import made_by_event, made_of_sets, made_of_tiles

SUITS = int(SUIT_TRAITS)
AT_MOST_ONE_SUIT = ONE_SUIT | {0}


def winning_candidates(hand: Hand, rules: Ruleset) -> list[Candidate]:
    """Return every way to score a winner's hand; none when it is no Mah-Jong."""
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


def _events(reading: HandReading, rules: Ruleset) -> Iterator[Candidate]:
    for special in made_by_event(reading, rules):
        yield special_candidate(special, reading, rules, points=special.value)


def _of_reading(reading: HandReading, rules: Ruleset) -> Iterator[Candidate]:
    """Yield the ordinary sum of a reading, and the special hands that it makes."""
    sets = sets_price(rules, reading)
    if rules.one_suit and sets.traits & SUITS not in AT_MOST_ONE_SUIT:
        return
    hand = reading.hand
    win, bonus = win_price(rules, hand), bonus_price(rules, hand)
    points = sets.points + win.points + bonus.points
    doubles = sets.doubles + win.doubles + bonus.doubles
    for rule in rules.by_subject["hand"]:
        if HAND_TESTS[rule.when].holds(reading, sets.traits, rules):
            points += rule.concealed_points
            doubles += rule.doubles
    yield Candidate(reading, points, doubles)
    for special in made_of_sets(reading, sets.traits, rules):
        if special.value:
            yield special_candidate(special, reading, rules, points=special.value)
        else:
            yield _doubled(special, reading, sets.points + win.points, rules)
    yield from _events(reading, rules)


def _doubled(special: SpecialHand, reading: HandReading, points: int, rules: Ruleset) -> Candidate:
    """Double the points of the sets and of going Mah-Jong, and no others (BMJA-S30, S31)."""
    own = total_price(said_awards(rules.only_with(special), reading.hand))
    return special_candidate(
        special,
        reading,
        rules,
        points=points + own.points,
        doubles=special.doubles + own.doubles,
    )
