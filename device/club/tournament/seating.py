"""Seat the rounds of a tournament: tables from designs or by search, then winds.

Random choices come from a seed, so anybody can repeat the draw on any machine.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations
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
    known_rounds: list[RoundSeats] = []
    if len(players) % SEATS_PER_TABLE == 0 and not _have_met(players, before):
        known_rounds = _designed_rounds(players, rounds, chance)
    elif len(players) % SEATS_PER_TABLE == SEATS_PER_TABLE - 1 and not before:
        known_rounds = _rounds_without_one(players, rounds, chance)
    best = _order_by_rest(_search_rounds(players, known_rounds, rounds, before, chance), before)
    tables = [[list(table) for table in each.tables] for each in best]
    _spread_stand_ins(tables, before)
    return _with_winds(tables, [each.out for each in best], before)


def _with_winds(
    tables: Sequence[Sequence[Sequence[int]]],
    rests: Sequence[tuple[int, ...]],
    before: Sequence[RoundSeats],
) -> tuple[RoundSeats, ...]:
    """Return rounds with even winds, from each round's tables and those who sit out."""
    winds = assign_winds(tables, count_winds(before))
    return tuple(
        RoundSeats(tuple(map(_four_seats, seated)), rest)
        for seated, rest in zip(winds, rests, strict=True)
    )


def _four_seats(table: Sequence[int]) -> tuple[int, int, int, int]:
    east, south, west, north = table
    return east, south, west, north


def _have_met(players: Sequence[int], before: Sequence[RoundSeats]) -> bool:
    player_set = set(players)
    return any(len(player_set.intersection(t)) > 1 for each in before for t in each.tables)


def _designed_rounds(players: Sequence[int], rounds: int, chance: Random) -> list[RoundSeats]:
    """Return as many rounds as the design has, with rounds and tables in random order.

    A complete design, in which all have met all, is repeated in other orders: no seating is more
    even.
    """
    players, design_rounds = list(players), [list(each) for each in design(len(players))]
    is_whole = len(design_rounds) * (SEATS_PER_TABLE - 1) == len(players) - 1
    rounds_so_far: list[RoundSeats] = []
    while len(rounds_so_far) < rounds and (is_whole or not rounds_so_far):
        chance.shuffle(design_rounds)
        for tables in design_rounds:
            chance.shuffle(tables)
            rounds_so_far.append(
                deal_seats([players[place] for table in tables for place in table])
            )
        chance.shuffle(players)
    return rounds_so_far[:rounds]


def _rounds_without_one(players: Sequence[int], rounds: int, chance: Random) -> list[RoundSeats]:
    """Return the design's rounds for one player more, at whose table nobody plays.

    The three who would meet that player sit out, so everybody does so at most once. Return nothing
    where the design has too few rounds: a search does better there.
    """
    absent = max(players) + 1
    if rounds > sum(1 for _ in design(len(players) + 1)):
        return []
    seated_rounds = []
    for design_round in _designed_rounds([*players, absent], rounds, chance):
        *tables, rest = sorted(design_round.tables, key=lambda table: absent in table)
        seated_rounds.append(
            deal_seats(
                [player for table in tables for player in table],
                [player for player in rest if player != absent],
            )
        )
    return seated_rounds


def _search_rounds(
    players: Sequence[int],
    known_rounds: Sequence[RoundSeats],
    rounds: int,
    before: Sequence[RoundSeats],
    chance: Random,
) -> tuple[RoundSeats, ...]:
    """Return the best rounds found: new ones beside the known ones, then all improved."""
    best: SeatingSearch | None = None
    swaps = min(SWAPS_PER_SEAT * len(players) * rounds, MAX_SWAPS)
    for _ in range(MAX_SWAPS // swaps):
        start = [*known_rounds, *_draw_rounds(players, rounds - len(known_rounds), before, chance)]
        min_cost = min_badness([*before, *start])
        search = SeatingSearch(start, before, chance)
        search.improve(len(known_rounds), HOT_ACCEPTANCE, swaps * 2 // 3, min_cost)
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
    rest_counts = _count_rest(before)
    tables, rest_size = divmod(len(players), SEATS_PER_TABLE)
    for _ in range(rounds):
        order = sorted(players, key=lambda player: (rest_counts[player], chance.random()))
        resting_players, active_players = order[:rest_size], order[rest_size:]
        rest_counts.update(resting_players)
        active_players.sort(key=lambda player: (player >= 0, chance.random()))
        yield deal_seats(
            [p for table in range(tables) for p in active_players[table::tables]], resting_players
        )


def _count_rest(rounds: Sequence[RoundSeats]) -> Counter[int]:
    """Return how often each player has sat out."""
    return Counter(player for each in rounds for player in each.out)


def _order_by_rest(
    rounds: Sequence[RoundSeats], before: Sequence[RoundSeats]
) -> tuple[RoundSeats, ...]:
    """Return rounds in an order in which those sit out first who did so least."""
    rest_counts, open_rounds, ordered_rounds = _count_rest(before), list(rounds), []
    while open_rounds:
        following = min(
            open_rounds,
            key=lambda round_seats: sum(rest_counts[player] for player in round_seats.out),
        )
        open_rounds.remove(following)
        rest_counts.update(following.out)
        ordered_rounds.append(following)
    return tuple(ordered_rounds)


def _spread_stand_ins(rounds: list[list[list[int]]], before: Sequence[RoundSeats]) -> None:
    """Swap stand-ins with players until no table has two more of them than another.

    Of all swaps, one is chosen that brings the fewest players together again.
    """
    meetings = Counter(
        pair for each in before for table in each.tables for pair in _pairs_of(table)
    )
    meetings.update(pair for each in rounds for table in each for pair in _pairs_of(table))
    for tables in rounds:
        while swaps := list(_spreading_swaps(tables)):
            first, two = min(swaps, key=lambda swap: _repeats_after(tables, swap, meetings))
            for pair in (*_pairs_of(tables[first[0]]), *_pairs_of(tables[two[0]])):
                meetings[pair] -= 1
            _swap(tables, first, two)
            meetings.update((*_pairs_of(tables[first[0]]), *_pairs_of(tables[two[0]])))


_Seat = tuple[int, int]
"""A table and a place at it."""


def _spreading_swaps(tables: Sequence[Sequence[int]]) -> Iterator[tuple[_Seat, _Seat]]:
    """Yield each swap of a stand-in with a player of a table that has two fewer, or less."""
    fills = [sum(player < 0 for player in table) for table in tables]
    for crowded_table, small_table in permutations(range(len(tables)), 2):
        if fills[crowded_table] - fills[small_table] >= 2:
            stand_in_place = next(
                place for place, who in enumerate(tables[crowded_table]) if who < 0
            )
            for place, player in enumerate(tables[small_table]):
                if player >= 0:
                    yield (crowded_table, stand_in_place), (small_table, place)


def _repeats_after(
    tables: list[list[int]], swap: tuple[_Seat, _Seat], meetings: Counter[frozenset[int]]
) -> int:
    """Return how often those at the two tables have met others there, after a swap."""
    (first_table, place), (two, other) = swap
    before = Counter((*_pairs_of(tables[first_table]), *_pairs_of(tables[two])))
    _swap(tables, (first_table, place), (two, other))
    after = Counter((*_pairs_of(tables[first_table]), *_pairs_of(tables[two])))
    _swap(tables, (first_table, place), (two, other))
    return sum(meetings[pair] - before[pair] for pair in after)


def _swap(tables: list[list[int]], first: _Seat, two: _Seat) -> None:
    (first_table, place), (second_table, other) = first, two
    tables[first_table][place], tables[second_table][other] = (
        tables[second_table][other],
        tables[first_table][place],
    )


def _pairs_of(table: Sequence[int]) -> tuple[frozenset[int], ...]:
    """Return the pairs of players at a table; a stand-in may meet anybody."""
    return tuple(map(frozenset, combinations([player for player in table if player >= 0], 2)))


def plan_rounds(tournament: Tournament) -> tuple[RoundSeats, ...]:
    """Return the seating of all rounds that are not drawn yet.

    The existing plan is adapted where possible, so a design is kept. With stand-ins, one replaces a
    player who left, and a new player replaces a stand-in. Without, somebody more or less sits out.
    The adapted plan is used if it causes no more repeated meetings.
    """
    adapt = _adapt_plan if tournament.stand_ins else _adapt_rests
    is_whole = len(tournament.plan) == tournament.rounds - len(tournament.drawn)
    current_plan = adapt(tournament) if is_whole else ()
    if current_plan and _count_badness(tournament, current_plan) <= _count_badness(
        tournament, tournament.plan
    ):
        return current_plan
    return seat_rounds(
        tournament.present,
        tournament.rounds - len(tournament.drawn),
        stand_ins=tournament.stand_ins,
        seed=f"{tournament.id} {len(tournament.drawn)}",
        before=tournament.seats,
    )


def _count_badness(tournament: Tournament, plan: tuple[RoundSeats, ...]) -> int:
    return count_meetings((*tournament.seats, *plan)).badness


def _adapt_plan(tournament: Tournament) -> tuple[RoundSeats, ...]:
    """Return the plan with absent players replaced; empty if it does not fit those present."""
    planned_players = {
        player for each in tournament.plan for table in each.tables for player in table
    }
    present_players = set(tournament.present)
    free = [*sorted(planned_players - present_players, key=lambda player: (player < 0, player))]
    new_players = [*sorted(present_players - planned_players)]
    if len(new_players) > len(free):
        return ()
    replacements = dict(zip(free, new_players, strict=False))
    absent_players = [player for player in free[len(new_players) :] if player >= 0]
    stand_ins = [player for player in free[len(new_players) :] if player < 0]
    fresh = (number for number in range(-1, -len(planned_players), -1) if number not in stand_ins)
    replacements |= dict(zip(absent_players, fresh, strict=False))
    rounds = [
        [[replacements.get(player, player) for player in table] for table in each.tables]
        for each in tournament.plan
    ]
    _spread_stand_ins(rounds, tournament.seats)
    plan = tuple(RoundSeats(tuple(map(_four_seats, tables))) for tables in rounds)
    return () if list(find_seating_faults(plan, present_players, stand_ins=True)) else plan


def _adapt_rests(tournament: Tournament) -> tuple[RoundSeats, ...]:
    """Return the plan without stand-ins adapted; empty if it does not fit those present.

    A new player replaces one who left. If one player more has left, the others at that table sit
    out. If one player more has come, the three who would sit out play with that one. A new player
    has missed rounds, but sits out at most one more of those to come than anybody.
    """
    plan, present = tournament.plan, tournament.present
    planned_players = {p for each in plan for p in (*chain(*each.tables), *each.out)}
    absent = [*sorted(planned_players.difference(present))]
    fresh = [*sorted(set(present) - planned_players)]
    replacements = dict(zip(absent, fresh, strict=False))
    rests, tables = list[tuple[int, ...]](), list[list[list[int]]]()
    for planned_round in plan:
        planned_groups = (*planned_round.tables, planned_round.out)
        groups = [[replacements.get(p, p) for p in group] for group in planned_groups]
        if len(absent) > len(fresh):
            groups.sort(key=lambda group: (absent[-1] in group, len(group)))
            groups = [group for group in groups if group]
            groups[-1].remove(absent[-1])
        elif len(fresh) > len(absent):
            groups[-1].append(fresh[-1])
        *full, rest = groups if len(groups[-1]) < SEATS_PER_TABLE else (*groups, [])
        tables.append(full)
        rests.append(tuple(rest))
    sizes = {len(table) for full in tables for table in full}
    if sizes != {SEATS_PER_TABLE}:
        return ()
    adapted_plan = _with_winds(tables, rests, tournament.seats)
    coming_counts = _count_rest(adapted_plan)
    counts = _count_rest(tournament.seats) + coming_counts
    min_count = min((counts[p] for p in present if p in planned_players), default=0)
    min_coming = min(coming_counts[p] for p in present)
    is_even = max(counts[p] for p in present) <= min_count + 1 and all(
        coming_counts[p] <= min_coming + 1 for p in fresh
    )
    has_faults = any(find_seating_faults(adapted_plan, present, stand_ins=False))
    return adapted_plan if is_even and not has_faults else ()


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
        self.wind_counts: dict[int, list[int]] = {}
        self._tables_by_player: dict[int, list[int]] = {}
        for number, table in enumerate(tables):
            for player in table:
                counts = before.get(player, {})
                self.wind_counts.setdefault(
                    player, [counts.get(seat, 0) for seat in range(SEATS_PER_TABLE)]
                )
                self._tables_by_player.setdefault(player, []).append(number)

    def begin(self) -> None:
        """Choose for each table in turn the seat order that suits its players best so far."""
        for number, table in enumerate(self.tables):
            order = min(permutations(table), key=self._times_sat)
            self.tables[number] = list(order)
            for seat, player in enumerate(order):
                self.wind_counts[player][seat] += 1

    def _times_sat(self, order: tuple[int, ...]) -> int:
        return sum(self.wind_counts[player][seat] for seat, player in enumerate(order))

    def level(self, first: int, two: int) -> bool:
        """Balance two winds for one player with too many of the first; False if nobody has."""
        for player in self.wind_counts:
            if self._excess(player, first, two) >= 2 and (
                way := self._find_chain(player, first, two)
            ):
                for table in way:
                    self._swap_winds(table, first, two)
                return True
        return False

    def _excess(self, player: int, first: int, two: int) -> int:
        return self.wind_counts[player][first] - self.wind_counts[player][two]

    def _find_chain(self, start: int, first: int, two: int) -> list[int]:
        """Return the tables at which to swap two winds so that all players are more balanced."""
        excess = self._excess(start, first, two)
        previous: dict[int, tuple[int, int]] = {}
        queue = deque([start])
        while queue:
            player = queue.popleft()
            for number in self._tables_by_player[player]:
                table = self.tables[number]
                other = table[two]
                if table[first] != player or other in previous or other == start:
                    continue
                previous[other] = player, number
                if self._excess(other, first, two) <= excess - 3:
                    return self._trace_tables(previous, other, start)
                queue.append(other)
        return []

    def _trace_tables(
        self, previous: Mapping[int, tuple[int, int]], player: int, start: int
    ) -> list[int]:
        tables = []
        while player != start:
            player, number = previous[player]
            tables.append(number)
        return tables

    def _swap_winds(self, number: int, first: int, two: int) -> None:
        table = self.tables[number]
        for player, gains, loses in ((table[first], two, first), (table[two], first, two)):
            self.wind_counts[player][gains] += 1
            self.wind_counts[player][loses] -= 1
        table[first], table[two] = table[two], table[first]


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
