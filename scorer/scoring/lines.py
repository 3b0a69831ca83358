"""Write the lines of a score: what each rule gave, in the order of the ruleset's file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from scorer.breakdown import Line, LinePart
from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.hand import Codes
from scorer.message import Message, message
from scorer.predicates.tile_tests import SeatWinds
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate
from scorer.scoring.pricing import (
    Award,
    awards_for_ways,
    bonus_awards,
    hand_awards,
    set_awards,
    win_awards,
)


def write_lines(candidate: Candidate, rules: Ruleset) -> tuple[Line, ...]:
    """Return the lines whose points and doubles add up to a candidate's score."""
    special = candidate.special
    if special is None:
        return _ordinary_lines(candidate, rules)
    if special.value:
        lines = [_value_line(special, candidate)]
    else:
        lines = [
            *_lines(_awards_for_purity(candidate, rules), doubling=False),
            *_lines(awards_for_ways(rules.rules_for_special(special), candidate.arrangement.hand)),
            _doubles_line(special, candidate),
        ]
        lines.sort(key=lambda line: line.doubles > 0)
    hand = candidate.arrangement.hand
    separate_awards = [*bonus_awards(rules, hand)]
    separate_awards += (
        awards_for_ways(rules.bonus_rules_for_special(special), hand) if hand.bonus else []
    )
    return (*lines, *_lines(separate_awards, part="bonus"))


def _ordinary_lines(candidate: Candidate, rules: Ruleset) -> tuple[Line, ...]:
    arrangement = candidate.arrangement
    awards = _awards_of_sets(candidate, rules)
    awards += win_awards(rules, arrangement.hand)
    awards += hand_awards(rules, arrangement)
    bonus = bonus_awards(rules, arrangement.hand)
    # a fishing hand at a table that sums them apart (BMJA-C01)
    if candidate.bonus_points or candidate.bonus_doubles:
        return (*_lines(_sort_awards(awards, rules)), *_lines(bonus, part="bonus"))
    return tuple(_lines(_sort_awards([*awards, *bonus], rules)))


def _sort_awards(awards: list[Award], rules: Ruleset) -> list[Award]:
    return sorted(awards, key=lambda award: rules.place_of[id(award.rule)])


def _awards_of_sets(candidate: Candidate, rules: Ruleset) -> list[Award]:
    seat = SeatWinds(
        candidate.arrangement.hand.seat_wind, candidate.arrangement.hand.prevailing_wind
    )
    return [award for each in candidate.arrangement.sets for award in set_awards(rules, seat, each)]


def _awards_for_purity(candidate: Candidate, rules: Ruleset) -> list[Award]:
    """Return what Purity doubles: the points of sets, of Mah-Jong, of the drawn tile (BMJA-S30)."""
    win = win_awards(rules, candidate.arrangement.hand)
    return _sort_awards([*_awards_of_sets(candidate, rules), *win], rules)


def _lines(
    awards: Iterable[Award], *, part: LinePart = "hand", doubling: bool = True
) -> Iterator[Line]:
    for award in awards:
        if award.points or (doubling and award.rule.doubles):
            yield _line(award, part, doubling)


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _line(award: Award, part: LinePart, doubling: bool) -> Line:
    rule = award.rule
    return Line(
        rule=rule.id,
        label=rule.label_for(concealed=award.concealed),
        points=award.points,
        doubles=rule.doubles if doubling else 0,
        tiles=award.tiles,
        sentence=rule.sentence,
        part=part,
    )


def _value_line(special: SpecialHand, candidate: Candidate) -> Line:
    return Line(
        rule=special.id,
        label=name_special(special, fishing=candidate.fishing),
        points=candidate.points,
        doubles=0,
        tiles=_hand_tiles(candidate),
        sentence=special.sentence,
    )


def _doubles_line(special: SpecialHand, candidate: Candidate) -> Line:
    return Line(
        rule=special.id,
        label=name_special(special, fishing=candidate.fishing),
        points=0,
        doubles=special.doubles,
        tiles=_hand_tiles(candidate),
        sentence=special.sentence,
    )


def name_special(special: SpecialHand, *, fishing: bool) -> Message:
    """Return the hand's name, or that the player was one tile short of it."""
    return message("line.fishing", special=special.name) if fishing else special.name


def _hand_tiles(candidate: Candidate) -> Codes:
    return candidate.arrangement.hand.tiles
