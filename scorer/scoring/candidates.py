"""Find every way to score a hand, of a winner (BMJA-H06, S08, S09) or a loser (section F).

A candidate is one such way: the sum of an ordinary hand in one arrangement, or a special hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorer.breakdown import TileSet
from scorer.decompose.arrangements import HandArrangement, losing_arrangements, winning_arrangements
from scorer.decompose.splits import Sets
from scorer.hand import Hand, remove_tiles
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.waits import is_one_short, win_with_each_tile
from scorer.ruleset import Ruleset, SpecialHand
from scorer.scoring.pricing import (
    Price,
    SetsPrice,
    awards_for_ways,
    bonus_price,
    set_prices,
    sets_price,
    sum_awards,
    win_price,
)
from scorer.sets import has_extra_wild, make_set
from scorer.special.registry import find_event_hands, find_tiles_hands
from scorer.special.set_patterns import find_sets_hands


class Candidate(NamedTuple):
    """A sum: points × 2^doubles; for special hands, plus the bonus tiles in a sum of their own."""

    arrangement: HandArrangement
    points: int
    doubles: int
    bonus_points: int = 0
    bonus_doubles: int = 0
    special: SpecialHand | None = None
    fishing: bool = False
    ordinary_limit: int | None = None
    """The most that an ordinary hand may score; None for a special hand, or no such limit."""

    @property
    def worth(self) -> int:
        """The score before the limit."""
        return (self.points << self.doubles) + (self.bonus_points << self.bonus_doubles)

    def limit_under(self, limit: int | None) -> int | None:
        """Return the limit in force: that of all hands, or the lower one of ordinary hands."""
        ordinary_limit = self.ordinary_limit
        return (
            limit
            if ordinary_limit is None or (limit is not None and limit < ordinary_limit)
            else ordinary_limit
        )

    def capped_score(self, limit: int | None) -> int:
        """Return the score, cut to the limit if there is one (BMJA-L01)."""
        worth, limit = self.worth, self.limit_under(limit)
        return worth if limit is None or worth < limit else limit


def make_special_candidate(
    special: SpecialHand,
    arrangement: HandArrangement,
    rules: Ruleset,
    *,
    points: int,
    doubles: int = 0,
) -> Candidate:
    """Return the candidate of a special hand; its bonus tiles count apart (BMJA-S01 to S04)."""
    hand = arrangement.hand
    bonus = bonus_price(rules, hand)
    award_sum = (
        sum_awards(awards_for_ways(rules.bonus_rules_for_special(special), hand)).doubles
        if hand.bonus
        else 0
    )
    return Candidate(
        arrangement,
        points,
        doubles,
        bonus.points,
        bonus.doubles + award_sum,
        special,
        fishing=not hand.winner,
    )


def leave_unarranged(hand: Hand) -> HandArrangement:
    """Return the hand with all tiles loose, for hands that are not arranged in sets."""
    loose_sets = tuple(TileSet("loose", codes, concealed=False) for codes in hand.sets_on_table)
    return HandArrangement(hand, (*loose_sets, TileSet("loose", hand.concealed, concealed=True)))


def choose_best(candidates: list[Candidate], limit: int | None) -> Candidate:
    """Return the candidate with the highest score.

    When the limit makes two equal, a special hand comes before an ordinary sum. When they are equal
    before the limit, the arrangement with fewer loose tiles comes first.
    """
    return max(candidates, key=lambda candidate: _rank(candidate, limit))


def _rank(candidate: Candidate, limit: int | None) -> tuple[int, bool, int, int]:
    return (
        candidate.capped_score(limit),
        candidate.special is not None,
        candidate.worth,
        -candidate.arrangement.loose_tiles,
    )


def winning_candidates(hand: Hand, rules: Ruleset) -> list[Candidate]:
    """Return every candidate of a winner's hand; none when it is no Mah-Jong."""
    candidates = [
        candidate
        for each in winning_arrangements(hand, rules)
        for candidate in _arrangement_candidates(each, rules)
    ]
    of_tiles = find_tiles_hands(hand, rules)
    if of_tiles:
        loose_arrangement = leave_unarranged(hand)
        candidates += [
            make_special_candidate(each, loose_arrangement, rules, points=each.value)
            for each in of_tiles
        ]
        candidates += _event_candidates(loose_arrangement, rules)
    return candidates


def _event_candidates(arrangement: HandArrangement, rules: Ruleset) -> Iterator[Candidate]:
    for special in find_event_hands(arrangement, rules):
        yield make_special_candidate(special, arrangement, rules, points=special.value)


def _arrangement_candidates(arrangement: HandArrangement, rules: Ruleset) -> Iterator[Candidate]:
    """Yield the ordinary sum of an arrangement, and the special hands that it makes."""
    sets, win = sets_price(rules, arrangement), win_price(rules, arrangement.hand)
    specials = find_sets_hands(arrangement, rules)
    is_ordinary = not rules.one_suit or sets.traits.suits < 2
    if is_ordinary:
        yield _ordinary_winner(arrangement, sets, win, rules)
    for special in specials:
        if special.value:
            yield make_special_candidate(special, arrangement, rules, points=special.value)
        else:
            yield _doubled_candidate(special, arrangement, sets.points + win.points, rules)
    if is_ordinary or specials:
        yield from _event_candidates(arrangement, rules)


def _ordinary_winner(
    arrangement: HandArrangement, sets: SetsPrice, win: Price, rules: Ruleset
) -> Candidate:
    bonus = bonus_price(rules, arrangement.hand)
    points = sets.points + win.points + bonus.points
    doubles = sets.doubles + win.doubles + bonus.doubles
    for rule in rules.rules_by_subject["hand"]:
        if HAND_TESTS[rule.when].holds(arrangement, sets.traits, rules):
            points += rule.concealed_points
            doubles += rule.doubles
    return Candidate(
        arrangement,
        points,
        doubles,
        ordinary_limit=rules.ordinary_limit_for(arrangement.hand),
    )


def _doubled_candidate(
    special: SpecialHand, arrangement: HandArrangement, points: int, rules: Ruleset
) -> Candidate:
    """Return the candidate that doubles only sets and going out (BMJA-S30, S31)."""
    own_sum = sum_awards(awards_for_ways(rules.rules_for_special(special), arrangement.hand))
    return make_special_candidate(
        special,
        arrangement,
        rules,
        points=points + own_sum.points,
        doubles=special.doubles + own_sum.doubles,
    )


Completions = Mapping[str, list[Candidate]]
"""The candidates that each completing tile would give."""


def find_completions(hand: Hand, rules: Ruleset) -> Completions:
    """Return the candidates with each tile that would complete the hand."""
    if not is_one_short(hand):
        return {}
    candidates_by_tile = {
        str(each.winning_tile): winning_candidates(each, rules)
        for each in win_with_each_tile(hand, rules)
    }
    return {code: candidates for code, candidates in candidates_by_tile.items() if candidates}


def losing_candidates(hand: Hand, rules: Ruleset, completions: Completions) -> list[Candidate]:
    """Return every candidate of a losing hand: ordinary ones first, then fishing ones."""
    prices = set_prices(rules, hand.seat_wind, hand.prevailing_wind)
    arrangements = list(
        losing_arrangements(hand, rules, prices, is_whole_best=prices.is_whole_best)
    )
    fishing_candidates = list(_fishing_candidates(hand, rules, completions))
    bonus_apart = bool(fishing_candidates) and rules.is_off("fishing_intrinsic_includes_bonus")
    return [
        _ordinary_candidate(each, rules, bonus_apart=bonus_apart) for each in arrangements
    ] + fishing_candidates


def _ordinary_candidate(
    arrangement: HandArrangement, rules: Ruleset, *, bonus_apart: bool
) -> Candidate:
    """Return an ordinary sum; a table may sum a fishing hand's bonus tiles apart (BMJA-C01)."""
    hand = arrangement.hand
    sets, win, bonus = (
        sets_price(rules, arrangement),
        win_price(rules, hand),
        bonus_price(rules, hand),
    )
    # Of all ways, only an original call counts for a loser.
    points, doubles = sets.points + win.points, sets.doubles + win.doubles
    candidate = Candidate(
        arrangement, points, doubles, ordinary_limit=rules.ordinary_limit_for(hand)
    )
    if bonus_apart:
        return candidate._replace(bonus_points=bonus.points, bonus_doubles=bonus.doubles)
    return candidate._replace(points=points + bonus.points, doubles=doubles + bonus.doubles)


def _fishing_candidates(
    hand: Hand, rules: Ruleset, completions: Completions
) -> Iterator[Candidate]:
    """Yield each special hand that one more tile would make, with its highest score."""
    best: dict[str, Candidate] = {}
    for code, candidates in completions.items():
        for special, candidate in ((each.special, each) for each in candidates if each.special):
            for fished in _fishing_for(special, candidate.arrangement, code, hand, rules):
                if special.id not in best or fished.worth > best[special.id].worth:
                    best[special.id] = fished
    yield from best.values()


def _fishing_for(
    special: SpecialHand, complete: HandArrangement, code: str, hand: Hand, rules: Ruleset
) -> Iterator[Candidate]:
    """Yield the candidates for waiting for this tile of a special hand (BMJA-F02, S33)."""
    for sets in _remove_tile(code, complete, hand):
        arrangement = HandArrangement(hand, sets)
        if special.fishing:
            yield make_special_candidate(special, arrangement, rules, points=special.fishing)
        elif special.doubles:
            points = sets_price(rules, arrangement).points + win_price(rules, hand).points
            yield make_special_candidate(
                special, arrangement, rules, points=points, doubles=special.doubles
            )


def _remove_tile(code: str, arrangement: HandArrangement, hand: Hand) -> Iterator[Sets]:
    """Yield the sets without the completing tile, once for each set that it may complete.

    If a set has a wild tile too many, the drawn tile completed that one (BMJA-G05).
    """
    overfull = [
        place
        for place, each in enumerate(arrangement.sets)
        if has_extra_wild(each, hand.wild_codes)
    ]
    for place, tile_set in enumerate(arrangement.sets):
        if place not in overfull[:1] and overfull:
            continue
        if tile_set.concealed and code in tile_set.tiles:
            rest = remove_tiles(tile_set.tiles, (code,))
            left = make_set(rest, concealed=True, wild=hand.wild_codes)
            remainder = left or TileSet("loose", rest, concealed=True)
            yield (*arrangement.sets[:place], remainder, *arrangement.sets[place + 1 :])
