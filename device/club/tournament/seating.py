"""Seat the rounds of a tournament: tables from designs or by search, then winds.

Random choices come from a seed, so anybody can repeat the draw on any machine.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random

import numpy as np

from device.club.tournament.schedule import (
    FORCED_REPEATS_PER_TABLE,
    SEATS_PER_TABLE,
    MeetingMatrix,
    SeatingSearch,
    badness,
    count_meetings,
    count_winds,
    design,
    find_seating_faults,
    max_swaps,
    players_by_table,
)
from device.club.tournament.tournament import Tournament
from device.store.events import RoundSeats


def seat_rounds(
    present: Sequence[int],
    rounds: int,
    *,
    stand_ins: bool,
    seed: str,
    before: Sequence[RoundSeats] = (),
) -> tuple[RoundSeats, ...]:
    """Return the seating of `rounds` rounds after those in `before`, for the present players.

    There must be at least four players. With `stand_ins` these fill the tables, at most one at each
    where that is possible. Otherwise players sit out, first those who did so least.
    """
    chance = Random(seed)
    missing = -len(present) % SEATS_PER_TABLE if stand_ins else 0
    players = [*present, *range(-missing, 0)]
    chance.shuffle(players)
    if len(players) % SEATS_PER_TABLE == 0 and not _have_met(players, before):
        known = _designed_rounds(players, rounds, chance)
        resting: list[list[int]] = [[]] * rounds
    else:
        known, resting = [], _choose_resting(players, rounds, before, chance)
    tables = _search_rounds(players, known, resting, before, chance)
    _spread_stand_ins(tables, before)
    winds = assign_winds(tables, count_winds(before))
    return tuple(
        RoundSeats(tuple(map(_four_seats, each)), tuple(sorted(out)))
        for each, out in zip(winds, resting, strict=True)
    )


def _four_seats(table: Sequence[int]) -> tuple[int, int, int, int]:
    east, south, west, north = table
    return east, south, west, north


def _have_met(players: Sequence[int], before: Sequence[RoundSeats]) -> bool:
    here = set(players)
    return any(len(here.intersection(t)) > 1 for each in before for t in each.tables)


def _designed_rounds(players: Sequence[int], rounds: int, chance: Random) -> list[list[list[int]]]:
    """Return as many rounds as the design has, with rounds and tables in random order.

    A complete design, in which all have met all, is repeated in other orders: no seating is more
    even.
    """
    players, designed = list(players), list(design(len(players)))
    is_whole = len(designed) * (SEATS_PER_TABLE - 1) == len(players) - 1
    found: list[list[list[int]]] = []
    while len(found) < rounds and (is_whole or not found):
        chance.shuffle(designed)
        found += [[[players[place] for place in table] for table in each] for each in designed]
        chance.shuffle(players)
    for each in found:
        chance.shuffle(each)
    return found[:rounds]


def _choose_resting(
    players: Sequence[int], rounds: int, before: Sequence[RoundSeats], chance: Random
) -> list[list[int]]:
    """Return who sits out in each round: those who did so least, ties decided at random."""
    rested = Counter(player for each in before for player in each.out)
    found = []
    for _ in range(rounds):
        order = sorted(players, key=lambda player: (rested[player], chance.random()))
        out = order[: len(players) % SEATS_PER_TABLE]
        rested.update(out)
        found.append(out)
    return found


def _search_rounds(
    players: Sequence[int],
    known: Sequence[list[list[int]]],
    resting: Sequence[Sequence[int]],
    before: Sequence[RoundSeats],
    chance: Random,
) -> list[list[list[int]]]:
    """Return all rounds: the known ones, and the others from the search."""
    place = {player: number for number, player in enumerate(players)}
    met = _meeting_matrix(place, [each.tables for each in before])
    fresh = [_seat_vector(each, place) for each in known]
    if len(known) == len(resting):
        return list(known)
    now = met + _meeting_matrix(place, known)
    for out in resting[len(known) :]:
        one = SeatingSearch(now, [_draw_seats(place, out, chance)], chance)
        one.improve(_min_cost(now, one.rounds), max_swaps(len(players)) // 8)
        fresh += one.rounds
        now = now + _meeting_matrix(place, [_tables_of_players(one.rounds[0], players)])
    every = SeatingSearch(met, fresh, chance)
    every.improve(_min_cost(met, fresh), max_swaps(len(players)))
    return [_tables_of_players(each, players) for each in every.rounds]


def _min_cost(met: MeetingMatrix, rounds: Sequence[MeetingMatrix]) -> int:
    """Return a lower bound of the cost: all pairs meet equally often."""
    meetings = int(np.triu(met, 1).sum()) + sum(
        int((each >= 0).sum()) * (SEATS_PER_TABLE - 1) // 2 for each in rounds
    )
    pairs = len(met) * (len(met) - 1) // 2
    times, more = divmod(meetings, pairs)
    shares = np.array([times] * (pairs - more) + [times + 1] * more, np.int64)
    even = int(badness(shares).sum())
    tables = len(met) // SEATS_PER_TABLE
    # This holds for two rounds in which all play; earlier rounds may have had other players.
    again = (
        FORCED_REPEATS_PER_TABLE.get(tables, 0) * tables if len(met) % SEATS_PER_TABLE == 0 else 0
    )
    return max(even, again * (len(rounds) * (len(rounds) - 1) // 2))


def _meeting_matrix(
    place: Mapping[int, int], rounds: Sequence[Sequence[Sequence[int]]]
) -> MeetingMatrix:
    """Return how often each two have met, by place; players who left are not counted.

    A stand-in has met nobody.
    """
    met = np.zeros((len(place), len(place)), np.int64)
    for each in rounds:
        for table in each:
            here = [place[player] for player in table if player in place]
            for one, two in combinations(here, 2):
                met[one, two] += 1
                met[two, one] += 1
    return met


def _seat_vector(tables: Sequence[Sequence[int]], place: Mapping[int, int]) -> MeetingMatrix:
    seats = np.full(len(place), -1, np.int64)
    for number, table in enumerate(tables):
        seats[[place[player] for player in table]] = number
    return seats


def _draw_seats(place: Mapping[int, int], out: Sequence[int], chance: Random) -> MeetingMatrix:
    playing = [player for player in place if player not in out]
    chance.shuffle(playing)
    return _seat_vector(
        [playing[at : at + SEATS_PER_TABLE] for at in range(0, len(playing), SEATS_PER_TABLE)],
        place,
    )


def _tables_of_players(seats: MeetingMatrix, players: Sequence[int]) -> list[list[int]]:
    return [[players[number] for number in table] for table in players_by_table(seats)]


def _spread_stand_ins(rounds: list[list[list[int]]], before: Sequence[RoundSeats]) -> None:
    """Swap stand-ins with players until no table has two more of them than another.

    Of all swaps, one is chosen that brings the fewest players together again.
    """
    met = Counter(pair for each in before for table in each.tables for pair in _pairs_of(table))
    met.update(pair for each in rounds for table in each for pair in _pairs_of(table))
    for tables in rounds:
        while swaps := list(_spreading_swaps(tables)):
            one, two = min(swaps, key=lambda swap: _repeats_after(tables, swap, met))
            for pair in (*_pairs_of(tables[one[0]]), *_pairs_of(tables[two[0]])):
                met[pair] -= 1
            _swap(tables, one, two)
            met.update((*_pairs_of(tables[one[0]]), *_pairs_of(tables[two[0]])))


_Seat = tuple[int, int]
"""A table and a place at it."""


def _spreading_swaps(tables: Sequence[Sequence[int]]) -> Iterator[tuple[_Seat, _Seat]]:
    """Yield each swap of a stand-in with a player of a table that has two fewer, or less."""
    fills = [sum(player < 0 for player in table) for table in tables]
    for crowded, fewer in permutations(range(len(tables)), 2):
        if fills[crowded] - fills[fewer] >= 2:
            away = next(place for place, who in enumerate(tables[crowded]) if who < 0)
            for place, player in enumerate(tables[fewer]):
                if player >= 0:
                    yield (crowded, away), (fewer, place)


def _repeats_after(
    tables: list[list[int]], swap: tuple[_Seat, _Seat], met: Counter[frozenset[int]]
) -> int:
    """Return how often those at the two tables have met others there, after a swap."""
    (one, place), (two, other) = swap
    before = Counter((*_pairs_of(tables[one]), *_pairs_of(tables[two])))
    _swap(tables, (one, place), (two, other))
    after = Counter((*_pairs_of(tables[one]), *_pairs_of(tables[two])))
    _swap(tables, (one, place), (two, other))
    return sum(met[pair] - before[pair] for pair in after)


def _swap(tables: list[list[int]], one: _Seat, two: _Seat) -> None:
    (at, place), (to, other) = one, two
    tables[at][place], tables[to][other] = tables[to][other], tables[at][place]


def _pairs_of(table: Sequence[int]) -> tuple[frozenset[int], ...]:
    """Return the pairs of players at a table; a stand-in may meet anybody."""
    return tuple(map(frozenset, combinations([player for player in table if player >= 0], 2)))


def plan_rounds(now: Tournament) -> tuple[RoundSeats, ...]:
    """Return the seating of all rounds that are not drawn yet.

    With stand-ins, the existing plan is adapted where possible. A stand-in replaces a player who
    left, and a new player replaces a stand-in. The adapted plan is used if it causes no more
    repeated meetings.
    """
    kept = (
        _adapt_plan(now) if now.stand_ins and len(now.plan) == now.rounds - len(now.drawn) else ()
    )
    if kept and _count_repeats(now, kept) <= _count_repeats(now, now.plan):
        return kept
    return seat_rounds(
        now.present,
        now.rounds - len(now.drawn),
        stand_ins=now.stand_ins,
        seed=f"{now.id} {len(now.drawn)}",
        before=now.seats,
    )


def _count_repeats(now: Tournament, plan: tuple[RoundSeats, ...]) -> int:
    return count_meetings((*now.seats, *plan)).again


def _adapt_plan(now: Tournament) -> tuple[RoundSeats, ...]:
    """Return the plan with absent players replaced; empty if it does not fit those present."""
    planned = {player for each in now.plan for table in each.tables for player in table}
    here = set(now.present)
    free = [*sorted(planned - here, key=lambda player: (player < 0, player))]
    come = [*sorted(here - planned)]
    if len(come) > len(free):
        return ()
    for_them = dict(zip(free, come, strict=False))
    gone = [player for player in free[len(come) :] if player >= 0]
    stand_ins = [player for player in free[len(come) :] if player < 0]
    fresh = (number for number in range(-1, -len(planned), -1) if number not in stand_ins)
    for_them |= dict(zip(gone, fresh, strict=False))
    rounds = [
        [[for_them.get(player, player) for player in table] for table in each.tables]
        for each in now.plan
    ]
    _spread_stand_ins(rounds, now.seats)
    plan = tuple(RoundSeats(tuple(map(_four_seats, tables))) for tables in rounds)
    return () if list(find_seating_faults(plan, here, stand_ins=True)) else plan


SeatCounts = Mapping[int, Mapping[int, int]]
"""How often each player sat in each seat; 0 is East."""


class _WindBalance:
    """Balances the winds of tables of players.

    If nobody has played before, every player can get each wind equally often, or once more. That is
    an equitable edge colouring of a bipartite graph (de Werra, 1971). Two winds at a time are
    balanced: they are swapped along a chain of players, from one with too many of the first to one
    with too many of the second.
    """

    def __init__(self, tables: list[list[int]], before: SeatCounts) -> None:
        self.tables = tables
        self.sat: dict[int, list[int]] = {}
        self._at: dict[int, list[int]] = {}
        for number, table in enumerate(tables):
            for player in table:
                counts = before.get(player, {})
                self.sat.setdefault(
                    player, [counts.get(seat, 0) for seat in range(SEATS_PER_TABLE)]
                )
                self._at.setdefault(player, []).append(number)

    def begin(self) -> None:
        """Choose for each table in turn the seat order that suits its players best so far."""
        for number, table in enumerate(self.tables):
            order = min(permutations(table), key=self._times_sat)
            self.tables[number] = list(order)
            for seat, player in enumerate(order):
                self.sat[player][seat] += 1

    def _times_sat(self, order: tuple[int, ...]) -> int:
        return sum(self.sat[player][seat] for seat, player in enumerate(order))

    def level(self, one: int, two: int) -> bool:
        """Balance two winds for one player with too many of the first; False if nobody has."""
        for player in self.sat:
            if self._excess(player, one, two) >= 2 and (way := self._find_chain(player, one, two)):
                for table in way:
                    self._swap_winds(table, one, two)
                return True
        return False

    def _excess(self, player: int, one: int, two: int) -> int:
        return self.sat[player][one] - self.sat[player][two]

    def _find_chain(self, start: int, one: int, two: int) -> list[int]:
        """Return the tables at which to swap two winds so that all players are more balanced."""
        most = self._excess(start, one, two)
        came: dict[int, tuple[int, int]] = {}
        ahead = deque([start])
        while ahead:
            player = ahead.popleft()
            for number in self._at[player]:
                table = self.tables[number]
                other = table[two]
                if table[one] != player or other in came or other == start:
                    continue
                came[other] = player, number
                if self._excess(other, one, two) <= most - 3:
                    return self._trace_tables(came, other, start)
                ahead.append(other)
        return []

    def _trace_tables(
        self, came: Mapping[int, tuple[int, int]], player: int, start: int
    ) -> list[int]:
        tables = []
        while player != start:
            player, number = came[player]
            tables.append(number)
        return tables

    def _swap_winds(self, number: int, one: int, two: int) -> None:
        table = self.tables[number]
        for player, gains, loses in ((table[one], two, one), (table[two], one, two)):
            self.sat[player][gains] += 1
            self.sat[player][loses] -= 1
        table[one], table[two] = table[two], table[one]


def assign_winds(
    rounds: Sequence[Sequence[Sequence[int]]], before: SeatCounts
) -> list[list[tuple[int, ...]]]:
    """Return each round's tables with players in the order East, South, West, North."""
    winds = _WindBalance([list(table) for each in rounds for table in each], before)
    winds.begin()
    pairs = [pair for two in combinations(range(SEATS_PER_TABLE), 2) for pair in (two, two[::-1])]
    while any(winds.level(one, two) for one, two in pairs):
        pass
    tables = iter(winds.tables)
    return [[tuple(next(tables)) for _ in each] for each in rounds]
