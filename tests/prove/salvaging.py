"""Measure what comes back of a damaged log: `python -m tests.prove.salvaging [--damages N]`.

An evening is played by its pages, and its folder copied, with the box off and with its plug pulled.
Each copy is damaged somewhere else and opened as the box opens it. No event may be there that never
was, and none twice; the pages must answer. For each kind of damage it
prints how often something was lost, and how many events came back. Each is tried with and without a
copy from the middle of the evening.

With `--kills N`, the salvage itself is killed (SIGKILL) at random moments. The next start, or the
one after, must finish it with everything that it finds.
"""

from __future__ import annotations

import argparse
import logging
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from device.store import Store
from device.store.data_folder import LOG_FILE
from device.store.events import LogSalvaged
from device.store.log_copies import make_copy
from tests.device import damages, evening
from tests.device.damages import SECTOR, Damage

DEAL_COUNT = 16

Rows = Mapping[int, tuple[object, ...]]

KINDS: dict[str, tuple[str, Damage]] = {
    "1 sector zero": ("off", damages.zero_pages(1, SECTOR)),
    "4 sectors zero": ("off", damages.zero_pages(4, SECTOR)),
    "1 page zero": ("off", damages.zero_pages(1)),
    "4 pages zero": ("off", damages.zero_pages(4)),
    "16 pages zero": ("off", damages.zero_pages(16)),
    "4 sectors with anything": ("off", damages.scribble_pages(4)),
    "cut off anywhere": ("off", damages.cut),
    "first page zero": ("off", damages.behead),
    "a sector of the newest zero": ("plug", damages.spoil_wal),
}
"""Which copy of the folder is taken, and how it is damaged."""


class WrongError(AssertionError):
    """An event is there that never was, or a page does not answer."""


@dataclass(slots=True)
class Tally:
    """Counts for one kind of damage."""

    tries: int = 0
    noticed_count: int = 0
    events: int = 0
    recovered_count: int = 0
    back_with_copy: int = 0
    worst: float = 1.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--damages", type=int, default=50, help="of each kind")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    logging.disable(logging.ERROR)  # each salvage says so
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        lay_out(folder, DEAL_COUNT)
        for kind, tally in spoil_often(folder, args.damages, args.seed).items():
            shares = (
                tally.recovered_count / tally.events,
                tally.worst,
                tally.back_with_copy / tally.events,
            )
            percentages = " ".join(f"{share:>7.1%}" for share in shares)
            sys.stdout.write(
                f"{kind:<28} {tally.noticed_count:>4} of {tally.tries:<4} {percentages}\n"
            )
        if args.kills:
            unfinished_count = kill_often(folder, args.kills, random.Random(args.seed))
            sys.stdout.write(
                f"{args.kills} kills, {unfinished_count} of them before the salvage was done\n"
            )


def lay_out(folder: Path, deals: int) -> None:
    """Play the evening: `off`, `plug`, and `copy`, of half of it."""
    evening.play(folder / "half", deals // 2)
    make_copy(folder / "half", folder / "half", date(2026, 11, 21))
    shutil.copytree(folder / "half", folder / "off")
    evening.play_on(folder / "off", deals - deals // 2, plug_pulled=folder / "plug")


def spoil_often(folder: Path, count: int, seed: int) -> dict[str, Tally]:
    """Do each kind of damage several times; return its counts. Raises WrongError."""
    before = events_by_number(folder / "off" / LOG_FILE)
    tallies: dict[str, Tally] = {}
    for kind, (damage_target, spoil) in KINDS.items():
        tallies[kind] = tally = Tally()
        for number in range(count):
            for with_copy in (False, True):
                box = folder / "box"
                shutil.copytree(
                    folder / damage_target, box, ignore=_ignore_nothing if with_copy else _copies
                )
                spoil(box, random.Random(f"{seed} {kind} {number}"))
                recovered_count, says_so = salvage(box, before)
                shutil.rmtree(box)
                if with_copy:
                    tally.back_with_copy += recovered_count
                    continue
                tally.tries += 1
                tally.noticed_count += says_so
                tally.events += len(before)
                tally.recovered_count += recovered_count
                tally.worst = min(tally.worst, recovered_count / len(before))
                if not says_so and recovered_count < len(before):
                    raise WrongError(
                        f"{kind} {number}: {len(before) - recovered_count} lost in silence"
                    )
    return tallies


def salvage(box: Path, before: Rows) -> tuple[int, bool]:
    """Open a folder and ask for its pages; return the events back, and whether it is said."""
    with evening.box(box) as (phone, _):
        for path in ("/", "/single/", "/table/", "/setup/", "/health", "/matches/"):
            answer = phone.get(path)
            if answer.status_code == 500 and b"cannot read entry" not in answer.data:
                raise WrongError(f"{path} answers {answer.status_code}: {answer.text[-400:]}")
    after = events_by_number(box / LOG_FILE)
    is_logged = any(row[2] == LogSalvaged.kind for row in after.values())
    recovered = {s: r for s, r in after.items() if s <= max(before) and r[2] != LogSalvaged.kind}
    wrong = [row for seq, row in recovered.items() if before[seq] != row]
    if wrong:
        raise WrongError(f"never happened: {wrong[:2]}")
    return len(recovered), is_logged


def kill_often(folder: Path, kills: int, rng: random.Random) -> int:
    """Kill the salvage several times; return how often it was not finished. Raises WrongError."""
    before = events_by_number(folder / "off" / LOG_FILE)
    unfinished_count = 0
    for number in range(kills):
        box = folder / f"killed-{number}"
        shutil.copytree(folder / "off", box, ignore=_copies)
        damages.behead(box, rng)
        spoilt_bytes = (box / LOG_FILE).read_bytes()
        with subprocess.Popen(
            [sys.executable, "-c", _OPEN, str(box)], stdout=subprocess.PIPE, text=True
        ) as opening:
            assert opening.stdout is not None
            opening.stdout.readline()
            try:
                opening.wait(rng.uniform(0, MAX_KILL_DELAY_S))
            except subprocess.TimeoutExpired:
                opening.kill()
        unfinished_count += opening.returncode != 0
        Store(box).close()
        after = events_by_number(box / LOG_FILE)
        if {seq: after.get(seq) for seq in before} != dict(before):
            raise WrongError(f"kill {number}: events are missing")
        if (box / "broken-1" / LOG_FILE).read_bytes() != spoilt_bytes:
            raise WrongError(f"kill {number}: the damaged log is not as it was")
        if [row[2] for row in after.values()].count(LogSalvaged.kind) != 1:
            raise WrongError(f"kill {number}: told twice, or never")
        if left := [p.name for p in box.iterdir() if p.name.startswith((".half", "salvaged"))]:
            raise WrongError(f"kill {number}: {left} is left")
        shutil.rmtree(box)
    return unfinished_count


MAX_KILL_DELAY_S = 0.12
"""Seconds within which the kill comes, about as long as the salvage takes."""

_OPEN = """
import sys
from pathlib import Path
from device.store import Store
print("ready", flush=True)
Store(Path(sys.argv[1])).close()
"""


def events_by_number(log: Path) -> Rows:
    """Return every event of a log by its number."""
    with closing(sqlite3.connect(log)) as db:
        return {row[0]: row for row in db.execute("SELECT seq, stream, kind, json, at FROM events")}


_copies = shutil.ignore_patterns("backups")

_ignore_nothing = shutil.ignore_patterns()


if __name__ == "__main__":
    main()
