"""Pick a version on the page, cut off its update, and find what is wrong afterwards."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.machine import Machine

GOOD_VERSION = "9.9.9"
"""The content of the picked file when its signature is good (see machine.py)."""


def pick(machine: Machine, says: str = GOOD_VERSION, *marks: str) -> None:
    """Leave a newer version where the page leaves it, with marks for its faults."""
    machine.change_source(*marks)
    bundle = machine.state / "bundle"
    shutil.rmtree(bundle, ignore_errors=True)
    shutil.copytree(machine.source, bundle / "program")
    (bundle / "wheels").mkdir()
    (bundle / "wheels/pip-26.3-py3-none-any.whl").write_text("pip")
    subprocess.run(
        ["sh", "-c", "find program wheels -type f -print0 | xargs -0 sha256sum >SHA256SUMS"],
        cwd=bundle, check=True,
    )  # fmt: skip
    wanted_bundle = machine.log.parent / "update/wanted.zip"
    wanted_bundle.parent.mkdir(exist_ok=True)
    wanted_bundle.write_text(f"{says}\n")


def page_text(machine: Machine) -> str:
    return (machine.root / "opt/tongbox/taking").read_text().strip()


def left_over(machine: Machine) -> list[str]:
    """Return what an update that is done leaves lying about."""
    places = (machine.log.parent / "update/wanted.zip", machine.root / "opt/tongbox/incoming")
    return [path.name for path in places if path.exists()]


def faults(machine: Machine, before: str, stays: bool) -> Iterator[str]:
    """Yield what is wrong after a cut and a start of the computer."""
    yield from machine.wrong()
    yield from (f"{name} is left over" for name in left_over(machine))
    is_new = machine.current != before
    if is_new and not stays:
        yield "the broken version runs"
    if page_text(machine) != (f"done {GOOD_VERSION}" if is_new else f"failed {GOOD_VERSION}"):
        yield f"it says {page_text(machine)}, and the newer version runs: {is_new}"


def cut(
    first: Machine, folder: Path, mode: str, marks: tuple[str, ...], number: int
) -> Iterator[str]:
    """Cut a picked update before one of its commands; yield what is wrong afterwards."""
    machine = first.copy_to(folder)
    before = machine.current
    pick(machine, GOOD_VERSION, *marks)
    machine.update(script="take", number=number, mode=mode)
    if mode == "kill":  # systemd begins again what was killed
        machine.pretend("take")
    yield from faults(machine, before, not marks)


def cuts(first: Machine, folder: Path, mode: str, marks: tuple[str, ...], step: int) -> list[str]:
    """Cut a picked update before each of its commands; return what is wrong afterwards."""
    uncut_machine = first.copy_to(folder / "whole")
    pick(uncut_machine, GOOD_VERSION, *marks)
    uncut_machine.update(script="take", counts=True)
    cut_faults = []
    for command_number in range(1, uncut_machine.commands + 1, step):
        cut_faults += [
            f"{command_number}, {mode}: {each}"
            for each in cut(first, folder / str(command_number), mode, marks, command_number)
        ]
        shutil.rmtree(folder / str(command_number))
    return cut_faults
