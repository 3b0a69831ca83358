"""Search for the first rounds of tournaments for which there is no formula.

    python -m tests.prove.starters > device/club/tournament/starters.toml

This takes some minutes. Moving every player round a circle must map no two pairs of a good first
round onto each other (`device/club/tournament/schedule.py`). It is searched by annealing: two
players change places, and a change that leaves fewer such pairs stays.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

CIRCLES = {16: 5, 24: 7, 28: 9, 32: 9} | dict.fromkeys(
    (36, 40, 48, 56, 60, 64, 72, 80, 84, 88, 96, 104, 108, 112), 10
)
"""Length of the circles, which is also the number of rounds, by number of players."""

STEP_COUNT, FIRST_HEAT, LAST_HEAT = 2_000_000, 0.6, 0.12
MAX_TRIES = 40

_F = TypeVar("_F", bound=Callable[..., Any])


def _fast(function: _F) -> _F:
    return cast(_F, numba.njit(function))


@_fast
def orbit_size(a: int, b: int, size: int, circles: int) -> int:
    """Return the number of all pairs that a pair is moved onto; -1 where it meets itself again."""
    pair_count = circles * size
    if a >= pair_count and b >= pair_count:
        return -1
    if a >= pair_count or b >= pair_count:
        return circles * circles * size + (max(a, b) - pair_count) * circles + min(a, b) // size
    a, b = min(a, b), max(a, b)
    first, second, distance = a // size, b // size, (b - a) % size
    if first == second:
        distance = min(distance, size - distance)
        if 2 * distance == size:
            return -1
    return (first * circles + second) * size + distance


@_fast
def move_seat(
    seats: NDArray[np.int64], counts: NDArray[np.int64], seat: int, size: int, step: int
) -> int:
    """Take a seat's three pairs away, or put them there; return by how much it gets worse."""
    circles, worse = len(seats) // size, 0
    for other in range(seat // 4 * 4, seat // 4 * 4 + 4):
        if other != seat:
            orbit = orbit_size(seats[seat], seats[other], size, circles)
            if orbit < 0:
                worse += step
            elif step > 0:
                worse += counts[orbit]
                counts[orbit] += 1
            else:
                counts[orbit] -= 1
                worse -= counts[orbit]
    return worse


@_fast
def anneal(players: int, size: int, seed: int) -> tuple[int, NDArray[np.int64]]:
    """Return how many pairs still meet twice, and who sits where: four seats a table."""
    np.random.seed(seed)
    seats = np.random.permutation(players)
    circles = players // size
    counts = np.zeros(circles * circles * size + players * circles, np.int64)
    cost = 0
    for seat in range(players):  # each pair is met from both its seats: every other one counts
        for other in range(seat // 4 * 4, seat):
            orbit = orbit_size(seats[seat], seats[other], size, circles)
            cost += 1 if orbit < 0 else counts[orbit]
            if orbit >= 0:
                counts[orbit] += 1
    for step in range(STEP_COUNT):
        first_place, two = np.random.randint(players), np.random.randint(players)
        if first_place // 4 == two // 4:
            continue
        worse = move_seat(seats, counts, first_place, size, -1) + move_seat(
            seats, counts, two, size, -1
        )
        seats[first_place], seats[two] = seats[two], seats[first_place]
        worse += move_seat(seats, counts, first_place, size, 1) + move_seat(
            seats, counts, two, size, 1
        )
        heat = FIRST_HEAT * (LAST_HEAT / FIRST_HEAT) ** (step / STEP_COUNT)
        if worse <= 0 or np.random.random() < math.exp(-worse / heat):
            cost += worse
            if cost == 0:
                break
            continue
        move_seat(seats, counts, first_place, size, -1)
        move_seat(seats, counts, two, size, -1)
        seats[first_place], seats[two] = seats[two], seats[first_place]
        move_seat(seats, counts, first_place, size, 1)
        move_seat(seats, counts, two, size, 1)
    return cost, seats


def main() -> None:
    """Print the first round of every size."""
    sys.stdout.write("# First rounds, found by `python -m tests.prove.starters`.\n")
    for players, size in CIRCLES.items():
        for seed in range(MAX_TRIES):
            cost, seats = anneal(players, size, seed)
            if not cost:
                tables = sorted(sorted(map(int, table)) for table in seats.reshape(-1, 4))
                lines = "\n".join(" ".join(map(str, table)) for table in tables)
                sys.stdout.write(f'\n[{players}]\ncircle = {size}\nfirst = """\n{lines}\n"""\n')
                sys.stdout.flush()
                break
        else:
            raise SystemExit(f"{players} players: nothing found")


if __name__ == "__main__":
    main()
