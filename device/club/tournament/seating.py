"""Seat the rounds of a tournament: tables from designs or by search, then winds.

Random choices come from a seed, so anybody can repeat the draw on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random

import numpy as np

from device.club.tournament.designs import design
from device.club.tournament.meetings import CROWDED, SEATS, winds_of
from device.club.tournament.search import MeetingMatrix, Search, badness, fours, steps_for
from device.club.tournament.winds import with_winds
from device.store.events import RoundSeats


def seated(
    present: Sequence[int],
    rounds: int,
    *,
    stand_ins: bool,
    seed: str,
    before: Sequence[RoundSeats] = (),
) -> tuple[RoundSeats, ...]:
    """Return the seating of `rounds` rounds after those in `before`, for the present players.

    There must be at least four players. With `stand_ins` these fill the last table. Otherwise
    players sit out, first those who did so least.
    """
    chance = Random(seed)
    missing = -len(present) % SEATS if stand_ins else 0
    players = [*present, *range(-missing, 0)]
    chance.shuffle(players)
    if len(players) % SEATS == 0 and not _have_met(players, before):
        known = _designed(players, rounds, chance)
        resting: list[list[int]] = [[]] * rounds
    else:
        known, resting = [], _resting(players, rounds, before, chance)
    tables = _searched(players, known, resting, before, chance)
    winds = with_winds(tables, winds_of(before))
    return tuple(
        RoundSeats(tuple(map(_four, each)), tuple(sorted(out)))
        for each, out in zip(winds, resting, strict=True)
    )


def _four(table: Sequence[int]) -> tuple[int, int, int, int]:
    east, south, west, north = table
    return east, south, west, north


def _have_met(players: Sequence[int], before: Sequence[RoundSeats]) -> bool:
    here = set(players)
    return any(len(here.intersection(t)) > 1 for each in before for t in each.tables)


def _designed(players: Sequence[int], rounds: int, chance: Random) -> list[list[list[int]]]:
    """Return as many rounds as the design has, with rounds and tables in random order.

    A complete design, in which all have met all, is repeated in other orders: no seating is more
    even.
    """
    players, designed = list(players), list(design(len(players)))
    is_whole = len(designed) * (SEATS - 1) == len(players) - 1
    found: list[list[list[int]]] = []
    while len(found) < rounds and (is_whole or not found):
        chance.shuffle(designed)
        found += [[[players[place] for place in table] for table in each] for each in designed]
        chance.shuffle(players)
    for each in found:
        chance.shuffle(each)
    return found[:rounds]


def _resting(
    players: Sequence[int], rounds: int, before: Sequence[RoundSeats], chance: Random
) -> list[list[int]]:
    """Return who sits out in each round: those who did so least, ties decided at random."""
    rested = Counter(player for each in before for player in each.out)
    found = []
    for _ in range(rounds):
        order = sorted(players, key=lambda player: (rested[player], chance.random()))
        out = order[: len(players) % SEATS]
        rested.update(out)
        found.append(out)
    return found


def _searched(
    players: Sequence[int],
    known: Sequence[list[list[int]]],
    resting: Sequence[Sequence[int]],
    before: Sequence[RoundSeats],
    chance: Random,
) -> list[list[list[int]]]:
    """Return all rounds: the known ones, and the others from the search."""
    place = {player: number for number, player in enumerate(players)}
    met = _met(place, [each.tables for each in before])
    fresh = [_at_tables(each, place) for each in known]
    if len(known) == len(resting):
        return list(known)
    now = met + _met(place, known)
    for out in resting[len(known) :]:
        one = Search(now, [_by_lot(place, out, chance)], chance)
        one.improve(_least(now, one.rounds), steps_for(len(players)) // 8)
        fresh += one.rounds
        now = now + _met(place, [_named(one.rounds[0], players)])
    every = Search(met, fresh, chance)
    every.improve(_least(met, fresh), steps_for(len(players)))
    return [_named(each, players) for each in every.rounds]


def _least(met: MeetingMatrix, rounds: Sequence[MeetingMatrix]) -> int:
    """Return a lower bound of the cost: all pairs meet equally often."""
    meetings = int(np.triu(met, 1).sum()) + sum(
        int((each >= 0).sum()) * (SEATS - 1) // 2 for each in rounds
    )
    pairs = len(met) * (len(met) - 1) // 2
    times, more = divmod(meetings, pairs)
    shares = np.array([times] * (pairs - more) + [times + 1] * more, np.int64)
    even = int(badness(shares).sum())
    tables = len(met) // SEATS
    # This holds for two rounds in which all play; earlier rounds may have had other players.
    again = CROWDED.get(tables, 0) * tables if len(met) % SEATS == 0 else 0
    return max(even, again * (len(rounds) * (len(rounds) - 1) // 2))


def _met(place: Mapping[int, int], rounds: Sequence[Sequence[Sequence[int]]]) -> MeetingMatrix:
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


def _at_tables(tables: Sequence[Sequence[int]], place: Mapping[int, int]) -> MeetingMatrix:
    seats = np.full(len(place), -1, np.int64)
    for number, table in enumerate(tables):
        seats[[place[player] for player in table]] = number
    return seats


def _by_lot(place: Mapping[int, int], out: Sequence[int], chance: Random) -> MeetingMatrix:
    playing = [player for player in place if player not in out]
    chance.shuffle(playing)
    return _at_tables([playing[at : at + SEATS] for at in range(0, len(playing), SEATS)], place)


def _named(seats: MeetingMatrix, players: Sequence[int]) -> list[list[int]]:
    return [[players[number] for number in table] for table in fours(seats)]
