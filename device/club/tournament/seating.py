"""Seat the rounds of a tournament: tables from designs or by search, then winds.

Random choices come from a seed, so anybody can repeat the draw on any machine.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from random import Random

from device.club.tournament.schedule import (
    SEATS_PER_TABLE,
    count_meetings,
    count_winds,
    design,
    find_seating_faults,
    min_badness,
)
from device.club.tournament.seating_search import (
    HOT_ACCEPTANCE,
    WARM_ACCEPTANCE,
    SeatingSearch,
    deal_seats,
)
from device.club.tournament.tournament import Tournament
from device.store.events import RoundSeats

MAX_SWAPS = 450_000
"""Swaps tried for one seating: a second or two on a PC, some seconds on a Raspberry Pi."""

SWAPS_PER_SEAT = 500
"""Swaps in one search, for each seat of its rounds. One search often finds what another misses."""


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
    where that is possible. Otherwise players sit out in turn.
    """
    if not rounds:
        return ()
    chance = Random(seed)
    missing = -len(present) % SEATS_PER_TABLE if stand_ins else 0
    players = [*present, *range(-missing, 0)]
    chance.shuffle(players)
    known: list[RoundSeats] = []
    if len(players) % SEATS_PER_TABLE == 0 and not _have_met(players, before):
        known = _designed_rounds(players, rounds, chance)
    best = _order_by_rest(_search_rounds(players, known, rounds, before, chance), before)
    tables = [[list(table) for table in each.tables] for each in best]
    _spread_stand_ins(tables, before)
    winds = assign_winds(tables, count_winds(before))
    return tuple(
        RoundSeats(tuple(map(_four_seats, tables)), each.out)
        for tables, each in zip(winds, best, strict=True)
    )


def _four_seats(table: Sequence[int]) -> tuple[int, int, int, int]:
    east, south, west, north = table
    return east, south, west, north


def _have_met(players: Sequence[int], before: Sequence[RoundSeats]) -> bool:
    here = set(players)
    return any(len(here.intersection(t)) > 1 for each in before for t in each.tables)


def _designed_rounds(players: Sequence[int], rounds: int, chance: Random) -> list[RoundSeats]:
    """Return as many rounds as the design has, with rounds and tables in random order.

    A complete design, in which all have met all, is repeated in other orders: no seating is more
    even.
    """
    players, designed = list(players), [list(each) for each in design(len(players))]
    is_whole = len(designed) * (SEATS_PER_TABLE - 1) == len(players) - 1
    found: list[RoundSeats] = []
    while len(found) < rounds and (is_whole or not found):
        chance.shuffle(designed)
        for tables in designed:
            chance.shuffle(tables)
            found.append(deal_seats([players[place] for table in tables for place in table]))
        chance.shuffle(players)
    return found[:rounds]


def _search_rounds(
    players: Sequence[int],
    known: Sequence[RoundSeats],
    rounds: int,
    before: Sequence[RoundSeats],
    chance: Random,
) -> tuple[RoundSeats, ...]:
    """Return the best rounds found: new ones beside the known ones, then all improved."""
    best: SeatingSearch | None = None
    swaps = min(SWAPS_PER_SEAT * len(players) * rounds, MAX_SWAPS)
    for _ in range(MAX_SWAPS // swaps):
        start = [*known, *_draw_rounds(players, rounds - len(known), before, chance)]
        min_cost = min_badness([*before, *start])
        search = SeatingSearch(start, before, chance)
        search.improve(len(known), HOT_ACCEPTANCE, swaps * 2 // 3, min_cost)
        search = SeatingSearch(search.best, before, chance)
        search.improve(0, WARM_ACCEPTANCE, swaps // 3, min_cost)
        best = search if best is None or search.cost < best.cost else best
        if best.cost <= min_cost:
            break
    return best.best if best else ()


def _draw_rounds(
    players: Sequence[int], rounds: int, before: Sequence[RoundSeats], chance: Random
) -> Iterator[RoundSeats]:
    """Yield random rounds. Those sit out who did so least; stand-ins sit at different tables."""
    rested = _count_rest(before)
    tables, sitting_out = divmod(len(players), SEATS_PER_TABLE)
    for _ in range(rounds):
        order = sorted(players, key=lambda player: (rested[player], chance.random()))
        out, playing = order[:sitting_out], order[sitting_out:]
        rested.update(out)
        playing.sort(key=lambda player: (player >= 0, chance.random()))
        yield deal_seats([p for table in range(tables) for p in playing[table::tables]], out)


def _count_rest(rounds: Sequence[RoundSeats]) -> Counter[int]:
    """Return how often each player has sat out."""
    return Counter(player for each in rounds for player in each.out)


def _order_by_rest(
    rounds: Sequence[RoundSeats], before: Sequence[RoundSeats]
) -> tuple[RoundSeats, ...]:
    """Return rounds in an order in which those sit out first who did so least."""
    rested, ahead, found = _count_rest(before), list(rounds), []
    while ahead:
        following = min(ahead, key=lambda each: sum(rested[player] for player in each.out))
        ahead.remove(following)
        rested.update(following.out)
        found.append(following)
    return tuple(found)


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
    if kept and _count_badness(now, kept) <= _count_badness(now, now.plan):
        return kept
    return seat_rounds(
        now.present,
        now.rounds - len(now.drawn),
        stand_ins=now.stand_ins,
        seed=f"{now.id} {len(now.drawn)}",
        before=now.seats,
    )


def _count_badness(now: Tournament, plan: tuple[RoundSeats, ...]) -> int:
    return count_meetings((*now.seats, *plan)).badness


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
