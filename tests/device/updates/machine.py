"""A computer that takes newer versions from its page, as far as the page sees it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import minisign

from device.host.machine import Machine
from device.updates.upload import INSTALL_FOLDER, RELEASE_KEY, UPDATE_SERVICE
from tests.device.updates.bundles import pack_bundle, pair

RUNNING_VERSION = "0.2.0"


@dataclass(frozen=True)
class Updating:
    """Its folder, and the key of whoever made what runs on it."""

    folder: Path
    secret: minisign.SecretKey

    @classmethod
    def made(cls, folder: Path) -> Updating:
        root = folder / "root"
        secret, _ = pair((root / RELEASE_KEY).parent)
        for path, text in (
            (UPDATE_SERVICE, "[Path]\n"),
            ("proc/self/cgroup", "0::/tongbox.service\n"),
        ):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        (folder / "data").mkdir()
        return cls(folder, secret)

    @property
    def machine(self) -> Machine:
        return Machine(
            self.folder / "data", root=self.folder / "root",
            version_of=lambda _: RUNNING_VERSION, free=lambda _: 10**12,
        )  # fmt: skip

    def bundle(self, version: str = "9.9.9") -> Path:
        return pack_bundle(self.folder / f"tongbox-{version}-arm64.zip", self.secret, version)

    def tells(self, words: str) -> None:
        """Say how far it is, as deploy/take.sh does."""
        (self.folder / "root" / INSTALL_FOLDER / "taking").write_text(f"{words}\n")

    @property
    def wanted(self) -> Path:
        return self.folder / "data/update/wanted.zip"
