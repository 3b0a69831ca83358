"""Print how far the seatings of tournaments are from what no seating can better.

    python -m tests.prove.seatings [--stand-ins] [--seed x]

A row for each number of players, a column for each number of rounds. `=` means that the bound is
reached, so no seating is more even. `+3` means that the seating is worse than the bound by 3, such
as three pairs that meet twice where nobody has to; whether a better one exists is not known.
"""

from __future__ import annotations

import argparse
import time

from device.club.tournament.schedule import MAX_ROUNDS, count_meetings
from device.club.tournament.seating import seat_rounds
from tests.reporting import say

PLAYERS = range(5, 41)
ROUNDS = range(2, MAX_ROUNDS + 1)

MAX_SECONDS = 10
"""For one seating, on a PC that does other work, too: a Raspberry Pi takes some times longer."""


def main() -> int:
    """Print the table; return 1 where a seating takes too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stand-ins", action="store_true", help="stand-ins fill the tables")
    parser.add_argument("--seed", default="x")
    args = parser.parse_args()
    durations = []
    say("players " + "".join(f"{rounds:>5}" for rounds in ROUNDS) + "   rounds")
    for players in PLAYERS:
        cells = []
        for rounds in ROUNDS:
            start = time.monotonic()
            seating = seat_rounds(
                range(players), rounds, stand_ins=args.stand_ins, seed=f"{args.seed} {players}"
            )
            durations.append(time.monotonic() - start)
            meetings = count_meetings(seating)
            worse = meetings.badness - meetings.min_badness
            cells.append(f"{f'+{worse}' if worse else '=':>5}")
        say(f"{players:>7} " + "".join(cells))
    say(
        f"{len(durations)} seatings, {sum(durations) / len(durations):.2f} s each, "
        f"{max(durations):.1f} s at most"
    )
    return int(max(durations) > MAX_SECONDS)


if __name__ == "__main__":
    raise SystemExit(main())
