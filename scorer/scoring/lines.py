"""The lines of a score: what each rule gave, in the order of the ruleset's file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scorer.breakdown import Line, Part
from scorer.hand import Codes
from scorer.predicates.tile_tests import Seat
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Way
from scorer.scoring.pricing import (
    Award,
    bonus_awards,
    hand_awards,
    said_awards,
    set_awards,
    sets_price,
    win_awards,
)


def lines_of(way: Way, rules: Ruleset) -> tuple[Line, ...]:
    """Return the lines whose points and doubles make the sum of a way."""
    special = way.special
    if special is None:
        return _ordinary_lines(way, rules)
    if special.value:
        lines = [_value_line(special, way)]
    else:
        lines = [*_lines(_doubled_awards(special, way, rules)), _doubles_line(special, way)]
        lines.sort(key=lambda line: line.doubles > 0)
    hand = way.reading.hand
    apart = [*bonus_awards(rules, hand)]
    apart += said_awards(rules.apart_with(special), hand) if hand.bonus else []
    return (*lines, *_lines(apart, part="bonus"))


def _ordinary_lines(way: Way, rules: Ruleset) -> tuple[Line, ...]:
    reading = way.reading
    awards = _sets(way, rules)
    awards += win_awards(rules, reading.hand)
    awards += hand_awards(rules, reading, sets_price(rules, reading).traits)
    bonus = list(bonus_awards(rules, reading.hand))
    if way.bonus_points:  # a fishing hand at a table that sums them apart (BMJA-C01)
        return (*_lines(_in_order(awards, rules)), *_lines(bonus, part="bonus"))
    return tuple(_lines(_in_order(awards + bonus, rules)))


def _in_order(awards: list[Award], rules: Ruleset) -> list[Award]:
    return sorted(awards, key=lambda award: rules.place_of[id(award.rule)])


def _sets(way: Way, rules: Ruleset) -> list[Award]:
    seat = Seat(way.reading.hand.seat_wind, way.reading.hand.prevailing_wind)
    return [award for each in way.reading.sets for award in set_awards(rules, seat, each)]


def _doubled_awards(special: SpecialHand, way: Way, rules: Ruleset) -> Iterator[Award]:
    """Yield what Purity doubles: sets, going Mah-Jong, the drawn tile (BMJA-S30)."""
    hand = way.reading.hand
    awards = [*_sets(way, rules), *win_awards(rules, hand)]
    yield from (award for award in _in_order(awards, rules) if award.points)
    yield from said_awards(rules.only_with(special), hand)


def _lines(awards: Iterable[Award], *, part: Part = "hand") -> Iterator[Line]:
    for award in awards:
        rule = award.rule
        if award.points or rule.doubles:
            yield Line(
                rule=rule.id,
                label=rule.label_for(concealed=award.concealed),
                points=award.points,
                doubles=rule.doubles,
                tiles=award.tiles,
                sentence=rule.sentence,
                part=part,
            )


def _value_line(special: SpecialHand, way: Way) -> Line:
    return Line(
        rule=special.id,
        label=name_of(special, fishing=way.fishing),
        points=way.points,
        doubles=0,
        tiles=_tiles(way),
        sentence=special.sentence,
    )


def _doubles_line(special: SpecialHand, way: Way) -> Line:
    return Line(
        rule=special.id,
        label=name_of(special, fishing=way.fishing),
        points=0,
        doubles=special.doubles,
        tiles=_tiles(way),
        sentence=special.sentence,
    )


def name_of(special: SpecialHand, *, fishing: bool) -> str:
    """Return the hand's name, or that the player was one tile short of it."""
    return f"Fishing for {special.name}" if fishing else special.name


def _tiles(way: Way) -> Codes:
    return way.reading.hand.tiles
