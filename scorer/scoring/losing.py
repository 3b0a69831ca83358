"""The candidates of a player who did not win (BMJA section F)."""

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
"""The candidates that each completing tile would give."""


def completions(hand: Hand, rules: Ruleset) -> Completions:
    """Return the candidates with each tile that would complete the hand."""
    if not is_one_short(hand):
        return {}
    made = {
        str(each.winning_tile): winning_candidates(each, rules)
        for each in with_each_tile(hand, rules)
    }
    return {code: candidates for code, candidates in made.items() if candidates}


def losing_candidates(hand: Hand, rules: Ruleset, completions: Completions) -> list[Candidate]:
    """Return every candidate of a losing hand: ordinary ones first, then fishing ones."""
    arrangements = list(
        other_readings(hand, rules, set_prices(rules, hand.seat_wind, hand.prevailing_wind))
    )
    fished = list(_fished(hand, rules, completions))
    apart = bool(fished) and not rules.is_on("fishing_intrinsic_includes_bonus")
    return [_ordinary(each, rules, bonus_apart=apart) for each in arrangements] + fished


def _ordinary(arrangement: HandReading, rules: Ruleset, *, bonus_apart: bool) -> Candidate:
    """Return an ordinary sum; a table may sum a fishing hand's bonus tiles apart (BMJA-C01)."""
    hand = arrangement.hand
    sets, win, bonus = (
        sets_price(rules, arrangement),
        win_price(rules, hand),
        bonus_price(rules, hand),
    )
    doubles = sets.doubles + win.doubles  # of all ways, only an original call counts for a loser
    if bonus_apart:
        return Candidate(arrangement, sets.points, doubles, bonus.points, bonus.doubles)
    return Candidate(arrangement, sets.points + bonus.points, doubles + bonus.doubles)


def _fished(hand: Hand, rules: Ruleset, completions: Completions) -> Iterator[Candidate]:
    """Yield each special hand that one more tile would make, with its highest score."""
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
    """Yield the candidates for waiting for this tile of a special hand (BMJA-F02, S33)."""
    for sets in _without(code, made, hand):
        arrangement = HandReading(hand, sets)
        if special.fishing:
            yield special_candidate(special, arrangement, rules, points=special.fishing)
        elif special.doubles:
            points = sets_price(rules, arrangement).points
            yield special_candidate(
                special, arrangement, rules, points=points, doubles=special.doubles
            )


def _without(code: str, made: HandReading, hand: Hand) -> Iterator[Sets]:
    """Yield the sets without the completing tile, once for each set that it may complete.

    If a set has a wild tile too many, the drawn tile completed that one (BMJA-G05).
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
