"""The ways in which the hand of a player who did not win may be scored (BMJA section F)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorer.breakdown import TileSet
from scorer.decompose.grouping import Sets
from scorer.decompose.readings import Reading, other_readings
from scorer.hand import Hand
from scorer.predicates.waits import is_one_short, with_each_tile
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Way, special_way
from scorer.scoring.pricing import bonus_price, set_prices, sets_price, win_price
from scorer.scoring.winning import winning_ways
from scorer.sets import has_extra_wild, make_set

Completions = Mapping[str, list[Way]]
"""For each tile that would complete the hand, the ways in which it would then score."""


def completions(hand: Hand, rules: Ruleset) -> Completions:
    """Return what each tile that completes the hand would make of it."""
    if not is_one_short(hand):
        return {}
    made = {
        str(each.winning_tile): winning_ways(each, rules) for each in with_each_tile(hand, rules)
    }
    return {code: ways for code, ways in made.items() if ways}


def losing_ways(hand: Hand, rules: Ruleset, completions: Completions) -> list[Way]:
    """Return every way to score a hand that did not win: ordinary ones first, then fished for."""
    readings = list(
        other_readings(hand, rules, set_prices(rules, hand.seat_wind, hand.prevailing_wind))
    )
    fished = list(_fished(hand, rules, completions))
    apart = bool(fished) and not rules.is_on("fishing_intrinsic_includes_bonus")
    return [_ordinary(each, rules, bonus_apart=apart) for each in readings] + fished


def _ordinary(reading: Reading, rules: Ruleset, *, bonus_apart: bool) -> Way:
    """Sum a reading; a table may sum the bonus tiles of a fishing hand apart (BMJA-C01)."""
    hand = reading.hand
    sets, win, bonus = sets_price(rules, reading), win_price(rules, hand), bonus_price(rules, hand)
    doubles = sets.doubles + win.doubles  # of the ways to win, an original call alone counts here
    if bonus_apart:
        return Way(reading, sets.points, doubles, bonus.points, bonus.doubles)
    return Way(reading, sets.points + bonus.points, doubles + bonus.doubles)


def _fished(hand: Hand, rules: Ruleset, completions: Completions) -> Iterator[Way]:
    """Yield the special hands that one more tile would make, each once, for what it gives most."""
    best: dict[str, Way] = {}
    for code, ways in completions.items():
        for special, made in ((way.special, way) for way in ways if way.special):
            for way in _fishing_ways(special, made.reading, code, hand, rules):
                if special.id not in best or way.worth > best[special.id].worth:
                    best[special.id] = way
    yield from best.values()


def _fishing_ways(
    special: SpecialHand, made: Reading, code: str, hand: Hand, rules: Ruleset
) -> Iterator[Way]:
    """Yield what the hand scores for lacking this tile of a special hand (BMJA-F02, S33)."""
    for sets in _lacking(code, made, hand):
        reading = Reading(hand, sets)
        if special.fishing:
            yield special_way(special, reading, rules, points=special.fishing)
        elif special.doubles:
            points = sets_price(rules, reading).points
            yield special_way(special, reading, rules, points=points, doubles=special.doubles)


def _lacking(code: str, made: Reading, hand: Hand) -> Iterator[Sets]:
    """Yield the sets of a completed hand without the tile, once for each that it can complete.

    A set with a wild tile too many is the one that the drawn tile completed (BMJA-G05).
    """
    overfull = [
        place for place, each in enumerate(made.sets) if has_extra_wild(each, hand.wild_codes)
    ]
    for place, each in enumerate(made.sets):
        if place not in overfull[:1] and overfull:
            continue
        if each.concealed and code in each.tiles:
            rest = list(each.tiles)
            rest.remove(code)
            left = make_set(tuple(rest), concealed=True, wild=hand.wild_codes)
            without = left or TileSet("loose", tuple(rest), concealed=True)
            yield (*made.sets[:place], without, *made.sets[place + 1 :])
