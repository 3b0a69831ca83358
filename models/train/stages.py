"""Stages of a long computation, each done once: what was run, how long it took, what is left.

A record is one line of JSON in a file beside the results. A stage is done when a record says that
it ended well with the same command. A stopped stage goes on where it was, as every program here
does by itself; its hours are added up.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Stage:
    """One program, run to its end."""

    name: str
    command: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Record:
    """One time that a stage was run."""

    stage: str
    command: tuple[str, ...]
    hours: float
    """By the clock."""
    core_hours: float
    """Of processor time, its children's with it."""
    done: bool


class StageError(Exception):
    """A stage's program failed, and what it was."""


class Records:
    """What has been run, kept in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> list[Record]:
        """Return every record, the oldest first."""
        if not self._path.exists():
            return []
        rows = map(json.loads, self._path.read_text(encoding="utf-8").splitlines())
        return [Record(**{**row, "command": tuple(row["command"])}) for row in rows]

    def add(self, record: Record) -> None:
        """Keep one more, flushed to the disk's file at once."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(record)) + "\n")

    def is_done(self, stage: Stage) -> bool:
        """Whether the stage is done, by this very command."""
        return any(
            r.done and (r.stage, r.command) == (stage.name, stage.command) for r in self.all()
        )


def run(groups: Sequence[Sequence[Stage]], records: Records) -> None:
    """Run what is not done yet: the groups in turn, the stages of one side by side.

    Raises StageError for the first stage whose program fails.
    """
    for group in groups:
        waiting_stages = [stage for stage in group if not records.is_done(stage)]
        with ThreadPoolExecutor(max(len(waiting_stages), 1)) as lanes:
            for failed in lanes.map(lambda stage: _run(stage, records), waiting_stages):
                if failed:
                    raise StageError(failed)


def _run(stage: Stage, records: Records) -> str:
    """Run one stage and record it; return what is to be said if it failed."""
    print(f"{stage.name}: {' '.join(stage.command)}", flush=True)
    start, status, cores = time.monotonic(), 1, 0.0
    with subprocess.Popen(stage.command) as process:  # noqa: S603 — the recipe's own programs
        try:
            _, code, usage = os.wait4(process.pid, 0)
            process.returncode = status = os.waitstatus_to_exitcode(code)
            cores = usage.ru_utime + usage.ru_stime
        finally:
            hours = (time.monotonic() - start) / 3600
            records.add(Record(stage.name, stage.command, hours, cores / 3600, status == 0))
    return "" if status == 0 else f"{stage.name} ended with {status}: {' '.join(stage.command)}"


def format_hours(records: Sequence[Record]) -> str:
    """Return a Markdown table of what each stage took, in all its runs."""
    rows = ["| stage | runs | hours | core hours |", "|---|---|---|---|"]
    for name in dict.fromkeys(record.stage for record in records):
        stage_records = [record for record in records if record.stage == name]
        stage_hours = sum(r.hours for r in stage_records), sum(r.core_hours for r in stage_records)
        rows.append(
            f"| {name} | {len(stage_records)} | {stage_hours[0]:.2f} | {stage_hours[1]:.2f} |"
        )
    total_hours = sum(r.hours for r in records), sum(r.core_hours for r in records)
    return "\n".join(
        [*rows, f"| all | {len(records)} | {total_hours[0]:.2f} | {total_hours[1]:.2f} |"]
    )
