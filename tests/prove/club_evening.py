"""Play whole evenings of a club by HTTP, and check them to the last total.

    python -m tests.prove.club_evening --tables 6 --deals 8
        [--store postgresql] [--serves 2] [--workers 2] [--kill] [--reader networks]

Real `tongbox serve` and, with PostgreSQL, `tongbox worker` processes run on this machine's own
address; any other is refused. Four phones a table set it up, join it, and begin a match by rules of
their own. They give hands in as numbers, tile by tile and by photograph, settle, correct old deals,
undo and redo, rename players, charge penalties and end. Two phones often do so at the same moment,
and all listen to the news. Then the same tables play a tournament within a season.

With `--kill`, processes and the database's server are killed at random moments and right after an
event was kept. It is measured how soon phones hear of everything.

At the end every total, on pages and in exports, is compared with the scorer's own game. The log is
compared with what was confirmed. `--fault` puts a fault into the served program, to see it
found. Returns 1 where anything is wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from tests.prove.club_acts import UntoldError
from tests.prove.club_check import check_log, check_pages
from tests.prove.club_faults import FAULTS, FAULTS_OF_KILLS
from tests.prove.club_news import check_news, listen_meanwhile
from tests.prove.club_phone import GoneError, Phone
from tests.prove.club_play import TableEvening
from tests.prove.club_room import Bounds, OutOfBoundsError, Plan, Room, parse_local_address, room_of
from tests.prove.club_tournament import TournamentPlayed
from tests.reporting import percentile, say

MAX_TABLES, MAX_DEALS, MAX_ROUNDS, MAX_PROGRAMS = 60, 200, 10, 8

SHARES = (0.5, 0.95, 0.99, 1.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, print what was found, and return 1 for any fault."""
    plan, bounds = _parse_plan(arguments)
    start = time.monotonic()
    try:
        room = play_evening(plan, bounds)
    except OutOfBoundsError as error:
        say(f"ended at its bounds: {error}")
        return 1
    say(f"{plan}")
    say(f"{time.monotonic() - start:.0f} s, {bounds.asked} requests of phones")
    _print_counts(room)
    for fault in room.faults:
        say(f"FAULT {fault}")
    say("faults: " + str(len(room.faults)))
    return 1 if room.faults else 0


def play_evening(plan: Plan, bounds: Bounds | None = None) -> Room:
    """Play an evening and check it; return what was found."""
    bounds = bounds or Bounds()
    bounds.begin()
    with room_of(plan, bounds) as room:
        tables = [TableEvening(room, number) for number in range(plan.tables)]
        tournament = TournamentPlayed(room, tables)
        with listen_meanwhile(tables) as listeners:
            with room.killing():
                _play(room, tables)
                if plan.rounds and not room.faults:
                    _play_tournament(tournament)
            if tournament.path and not room.faults:
                tournament.check()
            check_pages(room, tables)
            check_news(room, Phone(room, 201, 0), listeners)
        _end_processes(room)
        check_log(room, tables, tournament.path)
    return room


def _play(room: Room, tables: Sequence[TableEvening]) -> None:
    """Play the evening at all tables at once."""
    with ThreadPoolExecutor(len(tables)) as pool:
        evenings = [pool.submit(table.play) for table in tables]
    for number, evening in enumerate(evenings):
        error = evening.exception()
        if isinstance(error, OutOfBoundsError):
            raise error
        if error:
            trace = "".join(traceback.format_exception(error)[-6:])
            room.fault(f"table {number} could not go on: {trace}")


def _play_tournament(tournament: TournamentPlayed) -> None:
    try:
        tournament.play()
    except (UntoldError, GoneError, AssertionError) as error:
        trace = "".join(traceback.format_exception(error)[-3:])
        tournament.room.fault(f"the tournament could not go on: {trace}")


def _end_processes(room: Room) -> None:
    """End all processes; a traceback in their output is a fault."""
    for program in room.programs:
        program.look()
        program.end()
        output = program.log_path.read_text("utf-8", "replace")
        if "Traceback" in output:
            room.fault(f"{program.name} says: {output[output.index('Traceback') :][:2000]}")


def _parse_plan(arguments: Sequence[str] | None) -> tuple[Plan, Bounds]:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=_number_type(MAX_TABLES), default=6)
    parser.add_argument("--deals", type=_number_type(MAX_DEALS), default=8)
    parser.add_argument(
        "--rounds", type=_number_type(MAX_ROUNDS), default=3, help="of the tournament"
    )
    parser.add_argument("--store", choices=("embedded", "postgresql"), default="embedded")
    parser.add_argument("--serves", type=_number_type(MAX_PROGRAMS), default=1)
    parser.add_argument("--workers", type=_number_type(MAX_PROGRAMS), default=0)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--reader", choices=("fake", "networks"), default="fake")
    parser.add_argument("--host", type=parse_local_address, default="127.0.0.1")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fault", choices=(*FAULTS, *FAULTS_OF_KILLS), default="")
    parser.add_argument("--requests", type=int, default=500_000, help="at the most")
    parser.add_argument("--seconds", type=float, default=1800.0, help="at the most")
    args = vars(parser.parse_args(arguments))
    bounds = Bounds(args.pop("requests"), args.pop("seconds"))
    plan = Plan(**args)
    if plan.store == "embedded" and (plan.serves > 1 or plan.workers):
        parser.error("a box with a log of its own is one process: --store postgresql")
    return plan, bounds


def _number_type(maximum: int) -> type[int]:
    def number(text: str) -> int:
        if not 0 <= (value := int(text)) <= maximum:
            raise ValueError
        return value

    return number  # type: ignore[return-value]


def _print_counts(room: Room) -> None:
    """Print the counts, and how long answers took."""
    for what, count in sorted(room.counts.items()):
        say(f"{count:>8} {what}")
    say(f"{'count':>8} {'p50':>6} {'p95':>6} {'p99':>6} {'most':>6}  ms")
    groups = {"all pages": "GET ", "all changes": "POST "}
    durations_by_group = {
        name: [
            each
            for kind, took in room.durations.items()
            if kind.startswith(begins)
            for each in took
        ]
        for name, begins in groups.items()
    }
    for name, durations in (durations_by_group | dict(sorted(room.durations.items()))).items():
        if durations:
            figures = " ".join(f"{1000 * percentile(durations, share):6.0f}" for share in SHARES)
            say(f"{len(durations):>8} {figures}  {name}")
    for each in room.programs:
        say(f"{each.name}: {each.peak >> 20} MiB at the end, killed {each.kills} times")


if __name__ == "__main__":
    sys.exit(main())
