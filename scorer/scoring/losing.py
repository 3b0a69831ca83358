"""The ways in which the hand of a player who did not win may be scored (BMJA section F)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorer.breakdown import TileSet
from scorer.decompose.grouping import Sets
from scorer.decompose.readings import HandReading, other_readings
from scorer.hand import Hand
from scorer.predicates.waits import is_one_short, with_each_tile
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.candidates import Candidate, special_candidate
from scorer.scoring.pricing import bonus_price, set_prices, sets_price, win_price
from scorer.scoring.winning import winning_candidates
from scorer.sets import has_extra_wild, make_set

Completions = Mapping[str, list[Candidate]]
"""For each tile that would complete the hand, the ways in which it would then score."""


def completions(hand: Hand, rules: Ruleset) -> Completions:
    """Return what each tile that completes the hand would make of it."""
    if not is_one_short(hand):
        return {}
    made = {
        str(each.winning_tile): winning_candidates(each, rules)
        for each in with_each_tile(hand, rules)
    }
    return {code: candidates for code, candidates in made.items() if candidates}


def losing_candidates(hand: Hand, rules: Ruleset, completions: Completions) -> list[Candidate]:
    """Return every way to score a hand that did not win: ordinary ones first, then fished for."""
    readings = list(
        other_readings(hand, rules, set_prices(rules, hand.seat_wind, hand.prevailing_wind))
    )
    fished = list(_fished(hand, rules, completions))
    apart = bool(fished) and not rules.is_on("fishing_intrinsic_includes_bonus")
    return [_ordinary(each, rules, bonus_apart=apart) for each in readings] + fished


def _ordinary(reading: HandReading, rules: Ruleset, *, bonus_apart: bool) -> Candidate:
    """Sum a reading; a table may sum the bonus tiles of a fishing hand apart (BMJA-C01)."""
    hand = reading.hand
    sets, win, bonus = sets_price(rules, reading), win_price(rules, hand), bonus_price(rules, hand)
    doubles = sets.doubles + win.doubles  # of the ways to win, an original call alone counts here
    if bonus_apart:
        return Candidate(reading, sets.points, doubles, bonus.points, bonus.doubles)
    return Candidate(reading, sets.points + bonus.points, doubles + bonus.doubles)


def _fished(hand: Hand, rules: Ruleset, completions: Completions) -> Iterator[Candidate]:
    """Yield the special hands that one more tile would make, each once, for what it gives most."""
    best: dict[str, Candidate] = {}
    for code, candidates in completions.items():
        for special, made in ((each.special, each) for each in candidates if each.special):
            for fished in _fished_for(special, made.reading, code, hand, rules):
                if special.id not in best or fished.worth > best[special.id].worth:
                    best[special.id] = fished
    yield from best.values()


def _fished_for(
    special: SpecialHand, made: HandReading, code: str, hand: Hand, rules: Ruleset
) -> Iterator[Candidate]:
    """Yield what the hand scores for waiting for this tile of a special hand (BMJA-F02, S33)."""
    for sets in _without(code, made, hand):
        reading = HandReading(hand, sets)
        if special.fishing:
            yield special_candidate(special, reading, rules, points=special.fishing)
        elif special.doubles:
            points = sets_price(rules, reading).points
            yield special_candidate(special, reading, rules, points=points, doubles=special.doubles)


def _without(code: str, made: HandReading, hand: Hand) -> Iterator[Sets]:
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
