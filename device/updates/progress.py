"""Read the progress of an installation, as deploy/take.sh and deploy/changing.sh report it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from device.host.machine import Machine
from device.host.power import is_the_box
from device.updates.arrival import Arrival

OPT = "opt/tongbox"
KEY = f"{OPT}/current/deploy/release.pub"
SERVICE = "etc/systemd/system/tongbox-take.path"

STAGES = ("checking", "making", "changing", "done", "failed", "refused")

UNDER_WAY = frozenset({"asked", "checking", "making", "changing"})

REASONS = frozenset(
    {"update.no-bundle", "update.damaged", "update.unsigned", "update.no-key", "update.others-key",
     "update.older", "update.no-room"}
)  # fmt: skip
"""Reasons why the system's service may refuse a bundle, as message keys."""

_SAID = re.compile(r"([a-z]+)(?: ([\w.+-]{1,80}))?")


@dataclass(frozen=True, slots=True)
class UpdateState:
    """The stage of an update, with its version or the reason of a refusal."""

    stage: str = ""
    of: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether the system is working on it."""
        return self.stage in UNDER_WAY


def can_update(machine: Machine) -> bool:
    """Whether this program runs as the box's service and accepts updates on its page."""
    has = all((machine.root / path).exists() for path in (KEY, SERVICE))
    return has and is_the_box(machine)


def arrival_of(machine: Machine) -> Arrival | None:
    """Return the receiver of bundles; None on a computer that accepts no updates on its page."""
    if not can_update(machine):
        return None
    return Arrival(machine.data, machine.root / KEY, machine.version_of("tongbox") or "0")


def progress(machine: Machine, is_wanted: bool) -> UpdateState:
    """Return the state of the last update; an empty state if there never was one."""
    match = _SAID.fullmatch(machine.text(f"{OPT}/taking"))
    stage, of = (match[1], match[2] or "") if match else ("", "")
    if stage not in STAGES or (stage == "refused" and of not in REASONS):
        stage, of = "", ""
    if (machine.root / OPT / "trying").is_symlink() or (machine.root / OPT / "failed").is_symlink():
        return UpdateState("changing", of)
    if is_wanted and stage not in UNDER_WAY:
        return UpdateState("asked")
    return UpdateState(stage, of)


def last_words(machine: Machine) -> str:
    """Return the last lines that the installer wrote."""
    return "\n".join(machine.text(f"{OPT}/taken").splitlines()[-12:])
