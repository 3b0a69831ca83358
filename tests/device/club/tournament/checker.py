"""A second count of who meets whom, which knows nothing of how seats are made."""

from __future__ import annotations

from collections.abc import Iterable

from device.store.events import RoundSeats


def times_met(rounds: Iterable[RoundSeats]) -> dict[tuple[int, int], int]:
    """Return how often each two sit at one table."""
    met: dict[tuple[int, int], int] = {}
    for each in rounds:
        at = {player: number for number, table in enumerate(each.tables) for player in table}
        for one in at:
            for other in at:
                if one < other and at[one] == at[other]:
                    met[one, other] = met.get((one, other), 0) + 1
    return met


def sat(rounds: Iterable[RoundSeats], player: int) -> list[int]:
    """Return how often a player is East, South, West, North, and how often out."""
    times = [0] * 5
    for each in rounds:
        times[4] += each.out.count(player)
        for table in each.tables:
            for seat in range(4):
                times[seat] += table[seat] == player
    return times
