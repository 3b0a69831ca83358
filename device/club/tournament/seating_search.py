"""Search for rounds in which players meet as evenly as possible, by annealing.

Two places of one round are swapped at a time. A swap that makes the seating worse is accepted with
a probability that falls to 0. Who sits out is chosen together with the seats: those who sit out
have places of their own, and sitting out more often than others has a cost, too.

The number of swaps is bounded. Random choices come from a seed, and fractions are only added,
multiplied and divided, which gives the same on every machine. So anybody can repeat the result.

Only ranked players count in meetings: a stand-in may meet anybody any number of times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from random import Random

from device.club.tournament.schedule import SEATS_PER_TABLE, badness
from device.store.events import RoundSeats

HOT_ACCEPTANCE, WARM_ACCEPTANCE = 0.4, 0.1
"""Probability of accepting a swap that costs 1, at the start: for random rounds, and for rounds
that are good already."""

_COOLING_STEPS = 100
"""Steps in which that probability falls to 0."""

_MAX_COST = 15
"""A swap that costs more is never accepted."""

_REST_COST = 2
"""Cost of each round that one player sits out more than another."""

_FREE_MEETINGS = 100
"""More meetings than two players can have. A stand-in starts with as many with each player."""

_STAND_INS_MET = 20
"""Meetings with which two stand-ins start, so that they sit at different tables."""

_MEETING_COST = [times * (times + 1) // 2 for times in range(_FREE_MEETINGS)] + [0] * _FREE_MEETINGS
"""Cost of one more meeting, by the number before it. With a stand-in it costs nothing."""


class SeatingSearch:
    """Improves rounds of the same players. Some of them have met or sat out before."""

    def __init__(
        self, rounds: Sequence[RoundSeats], before: Sequence[RoundSeats], chance: Random
    ) -> None:
        """Take rounds in which players sit out as evenly as possible."""
        self.best = tuple(rounds)
        """The best rounds so far."""
        self._chance = chance
        self._players = sorted((*chain(*rounds[0].tables), *rounds[0].out))
        self._seat_count = len(rounds[0].tables) * SEATS_PER_TABLE
        place = {player: number for number, player in enumerate(self._players)}
        self._rounds = [[place[p] for p in (*chain(*each.tables), *each.out)] for each in rounds]
        """By round, the places of all players: table by table, then of those who sit out."""
        self._meetings = [[_initial_meetings(one, two) for two in place] for one in place]
        self._rest_counts = [sum(player in each.out for each in before) for player in place]
        for table in (table for each in before for table in each.tables):
            self._add_table([place[player] for player in table if player in place])
        for order in self._rounds:
            for at in range(0, self._seat_count, SEATS_PER_TABLE):
                self._add_table(order[at : at + SEATS_PER_TABLE])
            for player in order[self._seat_count :]:
                self._rest_counts[player] += 1
        self._current_cost = self.cost = self._count_cost()
        """The badness of all meetings in the best rounds; smaller is better."""
        self._unevenness = 0

    def _add_table(self, table: Sequence[int]) -> None:
        for one, two in combinations(table, 2):
            self._meetings[one][two] += 1
            self._meetings[two][one] += 1

    def _count_cost(self) -> int:
        return sum(
            badness(self._meetings[one][two]) - badness(start)
            for (one, first), (two, second) in combinations(enumerate(self._players), 2)
            if (start := _initial_meetings(first, second)) < _FREE_MEETINGS
        )

    def improve(self, fixed_rounds: int, start: float, swaps: int, min_cost: int) -> None:
        """Improve all but the first `fixed_rounds` rounds, until their cost is `min_cost`.

        At most that many swaps are tried. `start` is HOT_ACCEPTANCE or WARM_ACCEPTANCE.
        """
        random, free = self._chance.random, self._rounds[fixed_rounds:]
        for step in range(_COOLING_STEPS if free else 0):
            chances = _acceptance_by_cost(
                start * (1 - step / _COOLING_STEPS) * (1 - step / _COOLING_STEPS)
            )
            for _ in range(swaps // _COOLING_STEPS):
                if self.cost <= min_cost:
                    return
                order = free[int(random() * len(free))]
                first, two = int(random() * self._seat_count), int(random() * len(order))
                if first // SEATS_PER_TABLE == two // SEATS_PER_TABLE:
                    continue
                price, rest = self._price_swap(order, first, two)
                worse = price + rest
                if worse <= 0 or (worse <= _MAX_COST and random() < chances[worse]):
                    self._swap(order, first, two)
                    self._current_cost += price
                    self._unevenness += rest
                    self._remember_best()

    def _remember_best(self) -> None:
        if self._current_cost < self.cost and not self._unevenness:
            self.cost = self._current_cost
            self.best = tuple(map(self._round_seats, self._rounds))

    def _round_seats(self, order: Sequence[int]) -> RoundSeats:
        players = [self._players[place] for place in order]
        return deal_seats(players[: self._seat_count], players[self._seat_count :])

    def _price_swap(self, order: Sequence[int], place: int, two: int) -> tuple[int, int]:
        """Return by how much two places, the first of them at a table, make it worse if swapped.

        The first number is for meetings, the second for sitting out.
        """
        first, second = order[place], order[two]
        price = self._price_change(second, first, _tablemates(order, place))
        if two < self._seat_count:
            return price + self._price_change(first, second, _tablemates(order, two)), 0
        return price, _REST_COST * (self._rest_counts[first] - self._rest_counts[second] + 1)

    def _price_change(self, comes: int, goes: int, mates: Sequence[int]) -> int:
        incoming_meetings, outgoing_meetings = self._meetings[comes], self._meetings[goes]
        first, two, three = mates
        return (
            _MEETING_COST[incoming_meetings[first]]
            + _MEETING_COST[incoming_meetings[two]]
            + _MEETING_COST[incoming_meetings[three]]
            - _MEETING_COST[outgoing_meetings[first] - 1]
            - _MEETING_COST[outgoing_meetings[two] - 1]
            - _MEETING_COST[outgoing_meetings[three] - 1]
        )

    def _swap(self, order: list[int], place: int, two: int) -> None:
        first, second = order[place], order[two]
        self._change_table(second, first, _tablemates(order, place))
        if two < self._seat_count:
            self._change_table(first, second, _tablemates(order, two))
        else:
            self._rest_counts[first] += 1
            self._rest_counts[second] -= 1
        order[place], order[two] = second, first

    def _change_table(self, comes: int, goes: int, mates: Sequence[int]) -> None:
        for mate in mates:
            self._meetings[comes][mate] += 1
            self._meetings[mate][comes] += 1
            self._meetings[goes][mate] -= 1
            self._meetings[mate][goes] -= 1


def deal_seats(players: Sequence[int], resting_players: Sequence[int] = ()) -> RoundSeats:
    """Return a round with the players at its tables in turn, four at each."""
    east, south, west, north = (players[seat::SEATS_PER_TABLE] for seat in range(SEATS_PER_TABLE))
    return RoundSeats(
        tuple(zip(east, south, west, north, strict=True)), tuple(sorted(resting_players))
    )


def _tablemates(order: Sequence[int], place: int) -> list[int]:
    """Return the three others at the table of a place."""
    first = place // SEATS_PER_TABLE * SEATS_PER_TABLE
    table = list(order[first : first + SEATS_PER_TABLE])
    del table[place - first]
    return table


def _initial_meetings(first: int, two: int) -> int:
    """Return the number of meetings with which two players start."""
    return (0, _FREE_MEETINGS, _STAND_INS_MET)[(first < 0) + (two < 0)]


def _acceptance_by_cost(chance: float) -> list[float]:
    """Return the probability of accepting a swap by its cost; `chance` is that for a cost of 1.

    Powers are multiplied out, for `**` may differ in the last bit between machines.
    """
    acceptance = [1.0]
    for _ in range(_MAX_COST):
        acceptance.append(acceptance[-1] * chance)
    return acceptance
