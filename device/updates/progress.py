"""Read the progress of an installation, as deploy/take.sh and deploy/changing.sh report it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from device.host.machine import Machine
from device.host.service_manager import is_box_service
from device.updates.upload import BundleUpload

INSTALL_FOLDER = "opt/tongbox"
RELEASE_KEY = f"{INSTALL_FOLDER}/current/deploy/release.pub"
UPDATE_SERVICE = "etc/systemd/system/tongbox-take.path"

STAGES = ("checking", "making", "changing", "done", "failed", "refused")

ACTIVE_STAGES = frozenset({"asked", "checking", "making", "changing"})

REFUSAL_REASONS = frozenset(
    {"update.no-bundle", "update.damaged", "update.unsigned", "update.no-key", "update.others-key",
     "update.older", "update.no-room"}
)  # fmt: skip
"""Reasons why the system's service may refuse a bundle, as message keys."""

_STATUS_LINE = re.compile(r"([a-z]+)(?: ([\w.+-]{1,80}))?")


@dataclass(frozen=True, slots=True)
class UpdateState:
    """The stage of an update, with its version or the reason of a refusal."""

    stage: str = ""
    of: str = ""

    @property
    def is_under_way(self) -> bool:
        """Whether the system is working on it."""
        return self.stage in ACTIVE_STAGES


def can_update(machine: Machine) -> bool:
    """Whether this program runs as the box's service and accepts updates on its page."""
    has = all((machine.root / path).exists() for path in (RELEASE_KEY, UPDATE_SERVICE))
    return has and is_box_service(machine)


def open_upload(machine: Machine) -> BundleUpload | None:
    """Return the receiver of bundles; None on a computer that accepts no updates on its page."""
    if not can_update(machine):
        return None
    return BundleUpload(
        machine.data, machine.root / RELEASE_KEY, machine.version_of("tongbox") or "0"
    )


def read_update_state(machine: Machine, is_wanted: bool) -> UpdateState:
    """Return the state of the last update; an empty state if there never was one."""
    match = _STATUS_LINE.fullmatch(machine.text(f"{INSTALL_FOLDER}/taking"))
    stage, of = (match[1], match[2] or "") if match else ("", "")
    if stage not in STAGES or (stage == "refused" and of not in REFUSAL_REASONS):
        stage, of = "", ""
    if (machine.root / INSTALL_FOLDER / "trying").is_symlink() or (
        machine.root / INSTALL_FOLDER / "failed"
    ).is_symlink():
        return UpdateState("changing", of)
    if is_wanted and stage not in ACTIVE_STAGES:
        return UpdateState("asked")
    return UpdateState(stage, of)


def read_installer_output(machine: Machine) -> str:
    """Return the last lines that the installer wrote."""
    return "\n".join(machine.text(f"{INSTALL_FOLDER}/taken").splitlines()[-12:])
