"""A second count of who meets whom, which knows nothing of how seats are made."""

from __future__ import annotations

from collections.abc import Iterable

from device.store.events import RoundSeats


def times_met(rounds: Iterable[RoundSeats]) -> dict[tuple[int, int], int]:
    """Return how often each two sit at one table."""
    meetings: dict[tuple[int, int], int] = {}
    for each in rounds:
        tables_by_player = {
            player: number for number, table in enumerate(each.tables) for player in table
        }
        for player in tables_by_player:
            for other in tables_by_player:
                if player < other and tables_by_player[player] == tables_by_player[other]:
                    meetings[player, other] = meetings.get((player, other), 0) + 1
    return meetings


def count_seats(rounds: Iterable[RoundSeats], player: int) -> list[int]:
    """Return how often a player is East, South, West, North, and how often out."""
    times = [0] * 5
    for each in rounds:
        times[4] += each.out.count(player)
        for table in each.tables:
            for seat in range(4):
                times[seat] += table[seat] == player
    return times
