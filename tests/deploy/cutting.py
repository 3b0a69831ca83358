"""Cut off an update at one of its commands, and find what is wrong then and afterwards."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.deploy.machine import Machine


@dataclass(frozen=True)
class Newer:
    """A version to update to: its marks, and whether it should stay."""

    marks: tuple[str, ...]
    stays: bool
    reason: str


NEWER = (
    Newer((), True, "it is well"),
    Newer(("writes",), True, "it is well, and brings the log to a newer format"),
    Newer(("dead",), False, "it does not start"),
    Newer(("deaf", "writes"), False, "it does not answer, and has brought the log to its format"),
)


def commands_of(base: Machine, newer: Newer, folder: Path) -> int:
    """Return the number of commands of an uninterrupted update."""
    machine = base.copy_to(folder)
    machine.change_source(*newer.marks)
    machine.update(counts=True)
    return machine.commands


def cut(base: Machine, newer: Newer, folder: Path, number: int, mode: str) -> Iterator[str]:
    """Yield what is wrong: after the cut, after a start of the computer, after another update."""
    machine = base.copy_to(folder)
    old = machine.current
    machine.change_source(*newer.marks)
    machine.update(number=number, mode=mode)
    yield from (f"cut off: {fault}" for fault in machine.wrong())
    if mode in ("session", "kill"):  # with the power, that has been
        machine.pretend("boot")
    yield from (f"started: {fault}" for fault in machine.wrong())
    result = machine.update()
    yield from (f"updated again: {fault}" for fault in machine.wrong())
    yield from (f"updated again: {fault}" for fault in outcome(machine, newer, old, result))


def outcome(
    machine: Machine, newer: Newer, old: str, result: subprocess.CompletedProcess[str]
) -> Iterator[str]:
    """Yield what is wrong with an uninterrupted update."""
    if newer.stays and (result.returncode or machine.current == old):
        yield f"the newer version is not in place: {result.stderr.strip()}"
    if not newer.stays and (not result.returncode or machine.current != old):
        yield f"the newer version was not taken back: {result.stdout.strip()}"
