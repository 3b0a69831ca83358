"""Receive a bundle from a phone in pieces, check it, and hand it to the installer.

Files in the box's folder hold the state, so that a restart loses no complete bundle:

    update/arriving.zip    the pieces so far; deleted at a restart
    update/checked.zip     complete, and signed by the maker of the running version
    update/wanted.zip      to be installed by a system service (deploy/take.sh)

The system service reports its progress in further files (deploy/take.sh and deploy/changing.sh).
"""

from __future__ import annotations

import os
import re
import threading
from dataclasses import dataclass
from pathlib import Path

from device.host.machine import Machine
from device.host.piece_upload import PieceUpload, UploadOutOfStepError
from device.host.service_manager import is_box_service
from device.updates.bundle import (
    MAX_BUNDLE_BYTES,
    Bundle,
    BundleError,
    check_bundle,
    is_older,
    read_bundle,
)
from scorer.message import message

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
    stage, detail = (match[1], match[2] or "") if match else ("", "")
    if stage not in STAGES or (stage == "refused" and detail not in REFUSAL_REASONS):
        stage, detail = "", ""
    if (machine.root / INSTALL_FOLDER / "trying").is_symlink() or (
        machine.root / INSTALL_FOLDER / "failed"
    ).is_symlink():
        return UpdateState("changing", detail)
    if is_wanted and stage not in ACTIVE_STAGES:
        return UpdateState("asked")
    return UpdateState(stage, detail)


def read_installer_output(machine: Machine) -> str:
    """Return the last lines that the installer wrote."""
    return "\n".join(machine.text(f"{INSTALL_FOLDER}/taken").splitlines()[-12:])


BUNDLE_SPACE_FACTOR = 4
"""How many times its size a bundle needs on the card: packed, unpacked and installed."""


class BundleUpload:
    """Receives a bundle; safe to share between threads."""

    def __init__(self, data: Path, key: Path, running_version: str) -> None:
        """Receive into the box's folder; check with the running version's key and number."""
        self._folder, self._key, self._running_version = data / "update", key, running_version
        self._lock = threading.Lock()
        self._pieces = PieceUpload(self._folder / "arriving.zip")

    @property
    def waiting_bundle(self) -> Bundle | None:
        """The checked bundle that waits for confirmation, or None."""
        path = self._folder / "checked.zip"
        try:
            return read_bundle(path, self._key) if path.exists() else None
        except BundleError:  # the key has changed since
            return None

    @property
    def is_wanted(self) -> bool:
        """Whether a bundle waits for the system's installer."""
        return (self._folder / "wanted.zip").exists()

    def begin(self, size: int, free: int) -> str:
        """Begin a new upload; return the token for its pieces. Raise BundleError if too big."""
        if not 0 < size <= MAX_BUNDLE_BYTES:
            raise BundleError(message("update.no-bundle"))
        if free < BUNDLE_SPACE_FACTOR * size:
            raise BundleError(message("update.no-room"))
        return self._pieces.begin(size)

    def take(self, token: str, offset: int, piece: bytes) -> int:
        """Append the next piece; return the bytes so far, raise UploadOutOfStepError."""
        return self._pieces.take(token, offset, piece)

    def finish(self, token: str) -> Bundle:
        """Check the complete upload and return its bundle; delete it and raise BundleError."""
        with self._pieces.finish(token) as path, self._lock:
            bundle = check_bundle(path, self._key)
            if is_older(bundle.version, self._running_version):
                raise BundleError(message("update.older"))
            self._keep(path, self._folder / "checked.zip")
            return bundle

    def install(self) -> Bundle:
        """Hand the checked bundle to the installer; raise UploadOutOfStepError without one."""
        with self._lock:
            bundle = self.waiting_bundle
            if bundle is None:
                raise UploadOutOfStepError(None)
            self._keep(self._folder / "checked.zip", self._folder / "wanted.zip")
            return bundle

    def drop(self) -> None:
        """Delete the checked bundle."""
        with self._lock:
            (self._folder / "checked.zip").unlink(missing_ok=True)

    def _keep(self, path: Path, name: Path) -> None:
        """Rename a file, and sync file and name: the power may fail at any time."""
        with path.open("rb") as file:
            os.fsync(file.fileno())
        path.replace(name)
        folder = os.open(self._folder, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
