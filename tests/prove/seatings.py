"""How often players meet again in seatings, against what cannot be less: 12 sizes, 1 to 10 rounds.

    python -m tests.prove.seatings

Each figure is counted by the tests' own checker; in brackets stands the bound where it is lower.
"""

from __future__ import annotations

import sys
import time

from device.club.tournament.meetings import count_meetings
from device.club.tournament.schedule import MAX_ROUNDS
from device.club.tournament.seating import seat_rounds
from tests.device.club.tournament.checker import sat, times_met

SIZES = (8, 12, 16, 20, 24, 28, 32, 40, 48, 60, 100, 240)


def cell(players: int, rounds: int) -> str:
    """Return the meetings of two who have met before, and the bound."""
    made = seat_rounds(range(players), rounds, stand_ins=True, seed="x")
    met = times_met(made).values()
    uneven = max(max(sat(made, p)[:4]) - min(sat(made, p)[:4]) for p in range(players))
    again, least = sum(met) - len(met), count_meetings(made).min_repeats
    bound = f" ({least})" if least < again else ""
    return f"{again}{bound}{' winds!' if uneven > 1 else ''}"


def main() -> None:
    """Print the table, and how long it took."""
    began = time.process_time()
    numbers = range(1, MAX_ROUNDS + 1)
    sys.stdout.write(f"| players | {' | '.join(map(str, numbers))} |\n")
    sys.stdout.write(f"|--:|{'--:|' * MAX_ROUNDS}\n")
    for players in SIZES:
        cells = (cell(players, rounds) for rounds in numbers)
        sys.stdout.write(f"| {players} | {' | '.join(cells)} |\n")
    sys.stdout.write(f"{time.process_time() - began:.0f} s of one core\n")


if __name__ == "__main__":
    main()
