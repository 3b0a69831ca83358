"""Which scores a hand can have under a table's rules, and what is wrong with a typed one.

The scores follow from the ruleset's own rows: points × 2^doubles, cut to the limit (BMJA-B11, B14).
Sets and awards are combined freely, so a few sums that no real hand has count as reachable. A score
that the scorer gives is never called unreachable.

>>> from scorer.rulesets.builtin import load_builtin
>>> reachable = reachable_scores(load_builtin("bmja"), Hand(winner=True, seat_wind="S"))
>>> min(reachable), max(reachable), 998 in reachable
(26, 1000, False)
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import combinations

from scorer.breakdown import SetKind, TileSet
from scorer.errors import HandProblem, warning
from scorer.hand import HAND_SIZE, Codes, Hand
from scorer.match.game import Deal
from scorer.match.settlement import score_problems
from scorer.message import Value, message
from scorer.patterns.frames import SETS_PER_HAND
from scorer.ruleset import Rule, Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.scoring.pricing import bonus_price, set_prices
from scorer.sets import KIND_BY_SIZE, chow_starting_at, make_set
from scorer.tiles import TILES

MAX_CACHED_SEATS = 32
"""Seats whose scores stay in memory: a few tables' winners and losers, 300 KB each at most."""

Sums = frozenset[tuple[int, int]]
"""Points and doubles of each way to combine some sets or awards."""

_EMPTY_SUM: Sums = frozenset({(0, 0)})


def score_doubts(
    scores: Mapping[str, int],
    winner: str | None,
    deal: Deal,
    table: Hand,
    rules: Ruleset | None = None,
) -> tuple[HandProblem, ...]:
    """Return a warning for each score that the table's rules cannot give, by its player's name.

    `table` has the table's ruleset, choices, players and limit; `rules` are its custom ruleset.
    Without a winner, each score may be the winner's.
    """
    rules = (rules or load_builtin(table.ruleset)).with_choices(table.house)
    doubts = []
    table = replace(table, goulash=deal.goulash, prevailing_wind=deal.prevailing_wind or "E")
    for player, wind in deal.seating.winds.items():
        if player in scores:
            roles = (True, False) if winner is None else (player == winner,)
            seats = [replace(table, seat_wind=wind, winner=role) for role in roles]
            doubts.append(describe_doubt(player, scores[player], rules, seats))
    return tuple(filter(None, doubts))


def describe_doubt(
    player: Value, score: int, rules: Ruleset, seats: Sequence[Hand]
) -> HandProblem | None:
    """Return a warning about a score that no hand has at any of the seats; None for others.

    Numbers that no settlement takes are none of its business: those are errors.
    """
    if any(score_problems([(player, score)])):
        return None
    reachable = frozenset[int]().union(*(reachable_scores(rules, seat) for seat in seats))
    if score in reachable:
        return None
    in_order, limit = sorted(reachable), rules.limit_for(seats[0])
    place = bisect(in_order, score)
    values: dict[str, Value] = {"player": player, "score": score}
    if place == 0:
        return warning("low-win", message("pay.low-win", **values, least=in_order[0]))
    if place == len(in_order):
        if limit is None:
            return warning("score-too-high", message("pay.score-too-high", **values))
        return warning("above-limit", message("pay.above-limit", **values, limit=limit))
    if score % 2 and not any(each % 2 for each in in_order):
        return warning("odd-score", message("pay.odd-score", **values))
    values |= {"below": in_order[place - 1], "above": in_order[place]}
    return warning("unreachable-score", message("pay.unreachable", **values))


def reachable_scores(rules: Ruleset, seat: Hand) -> frozenset[int]:
    """Return every score of a hand with the winds, the players and the limit of `seat`.

    The tiles of `seat` have no meaning. `rules` are those of the table, with its choices.
    """
    limited_rules = rules.with_limit(rules.limit_for(seat))
    chows = rules.chows_for(seat) if seat.winner else None
    return _seat_scores(
        limited_rules, seat.seat_wind, seat.prevailing_wind, chows, for_two=seat.players == 2
    )


@lru_cache(maxsize=MAX_CACHED_SEATS)
def _seat_scores(
    rules: Ruleset, own_wind: str, prevailing: str, chows: int | None, *, for_two: bool
) -> frozenset[int]:
    """Return the scores of a winner with at most `chows` chows, or of a loser for None."""
    worths = _SeatSums(rules, own_wind, prevailing, chows).worths()
    minimum = None if rules.is_off("two_player_minimum") or not for_two else rules.two_players
    if minimum and chows is not None:
        min_points = min(minimum.points, rules.limit or minimum.points)
        return frozenset(
            w for w, doubles in worths if doubles >= minimum.doubles or w >= min_points
        )
    return frozenset(worth for worth, _ in worths)


class _SeatSums:
    """The sums of points and doubles that a hand at one seat may have.

    A sum that reaches the limit stands as the limit without doubles: more awards change nothing.
    """

    def __init__(self, rules: Ruleset, own_wind: str, prevailing: str, chows: int | None) -> None:
        self._rules, self._chows = rules, chows
        self._set_prices = set_prices(rules, own_wind, prevailing)
        hands = (Hand(bonus=codes, seat_wind=own_wind) for codes in _bonus_choices(rules))
        prices = (bonus_price(rules, hand) for hand in hands)
        self._bonus = frozenset((price.points, price.doubles) for price in prices)

    def worths(self) -> Iterator[tuple[int, int]]:
        """Yield what each hand is worth, cut to the limit, with its doubles."""
        rules, wins = self._rules, self._chows is not None
        win = self._awards(rules.rules_by_subject["win"])
        ordinary = self._add(self._sets(), win)
        if wins:
            ordinary = self._add(ordinary, self._awards(rules.rules_by_subject["hand"]))
        elif rules.is_off("fishing_intrinsic_includes_bonus"):
            yield from self._cut(ordinary, self._bonus, rules.ordinary_limit)
        yield from self._cut(self._add(ordinary, self._bonus), ceiling=rules.ordinary_limit)
        for special in rules.specials:
            base: Sums = frozenset({(special.value if wins else special.fishing, 0)})
            if special.doubles:
                points = frozenset((points, special.doubles) for points, _ in win)
                way_sums = self._awards(rules.rules_for_special(special))
                base = self._add(self._add(self._sets(doubling=False), points), way_sums)
            bonus_sums = self._awards(rules.bonus_rules_for_special(special))
            yield from self._cut(base, self._add(self._bonus, bonus_sums))

    def _sets(self, *, doubling: bool = True) -> Sums:
        """Return the sums of a hand's sets: four and a pair, or what a loser may have of them."""
        chows, pungs_and_kongs, pairs = (
            self._prices(*kinds, doubling=doubling) for kinds in _SET_KINDS
        )
        sums: Sums = frozenset()
        for number in range(SETS_PER_HAND + 1):
            if self._chows is None:
                left = (HAND_SIZE - 1 - 3 * number) // 2
                sets = pungs_and_kongs | chows | _EMPTY_SUM
                sums |= self._repeat((sets, number), (pairs | _EMPTY_SUM, left))
            elif number <= self._chows:
                sums |= self._repeat(
                    (chows, number), (pungs_and_kongs, SETS_PER_HAND - number), (pairs, 1)
                )
        return sums

    def _prices(self, *kinds: SetKind, doubling: bool) -> Sums:
        prices = (self._set_prices[each] for each in _every_set() if each.kind in kinds)
        return frozenset((price.points, price.doubles * doubling) for price in prices)

    def _repeat(self, *choices: tuple[Sums, int]) -> Sums:
        """Return the sums of each choice, taken as often as its number says."""
        total = _EMPTY_SUM
        for sums, number in choices:
            for _ in range(number):
                total = self._add(total, sums)
        return total

    def _awards(self, rules: Iterable[Rule]) -> Sums:
        """Return the sums of awards that may come together; a rule of every win always counts."""
        total = _EMPTY_SUM
        for rule in rules:
            if self._chows is not None or not rule.winner_only:
                award = frozenset({(rule.concealed_points, rule.doubles)})
                optional = rule.of != "win" or rule.ways
                total = self._add(total, award | _EMPTY_SUM if optional else award)
        return total

    def _add(self, first: Sums, second: Sums) -> Sums:
        limit = self._rules.limit
        sums = ((p + more, d + times) for p, d in first for more, times in second)
        if limit is None:
            return frozenset(sums)
        return frozenset((limit, 0) if p << d >= limit else (p, d) for p, d in sums)

    def _cut(
        self, sums: Sums, bonus_sums: Sums = _EMPTY_SUM, ceiling: int | None = None
    ) -> Iterator[tuple[int, int]]:
        """Yield what the sums are worth, each with any of those apart, and their doubles.

        `ceiling` is a lower limit of its own for these sums.
        """
        limits = [each for each in (self._rules.limit, ceiling) if each is not None]
        limit, extra = (
            min(limits, default=None),
            {points << doubles for points, doubles in bonus_sums},
        )
        for points, doubles in sums:
            for more in extra:
                worth = (points << doubles) + more
                yield worth if limit is None else min(worth, limit), doubles


_SET_KINDS: tuple[tuple[SetKind, ...], ...] = (("chow",), ("pung", "kong"), ("pair",))


@cache
def _every_set() -> tuple[TileSet, ...]:
    """Return every set that a hand may hold, exposed and concealed."""
    tiles = [tile for tile in TILES if not tile.is_bonus]
    codes: list[Codes] = [(tile.code,) * size for tile in tiles for size in KIND_BY_SIZE]
    chows = (chow_starting_at(tile) for tile in tiles)
    codes += [tuple(tile.code for tile in chow) for chow in chows if chow]
    sets = (make_set(each, concealed=concealed) for each in codes for concealed in (True, False))
    return tuple(each for each in sets if each)


def _bonus_choices(rules: Ruleset) -> Iterator[Codes]:
    """Yield every choice of flowers and seasons; rules without these have only the empty one."""
    codes = [tile.code for tile in TILES if tile.is_bonus and rules.bonus_tiles]
    for number in range(len(codes) + 1):
        yield from combinations(codes, number)
