"""A computer that qemu emulates: started, asked by its page, its power cut at any moment."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from tests.real.page import Page, free_port, until

QEMU = [
    "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "Nehalem", "-smp", "2",
    "-m", "2048", "-display", "none", "-no-reboot",
]  # fmt: skip
"""Newer processors than this, emulated, hang while Debian 13 boots."""

KERNEL = "root=/dev/vda rw console=ttyS0 systemd.show_status=no"


@dataclass
class Emulated:
    """A computer with a disk (qcow2), a kernel and an initial RAM disk in a root's /boot."""

    disk: Path
    boot: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def page(self) -> Page:
        """Its page, from outside."""
        return Page("127.0.0.1", self.port)

    @property
    def _kept(self) -> Path:
        return self.disk.with_suffix(".kept")

    @property
    def _monitor(self) -> Path:
        return self.disk.with_suffix(".monitor")

    def start(self, kept: str = "") -> None:
        """Switch it on; or go on from a moment that was kept."""
        kernel, initrd = (next(iter(self.boot.glob(f"{kind}-*"))) for kind in KINDS)
        console = self.disk.with_suffix(".console")
        command = [
            *QEMU, "-kernel", str(kernel), "-initrd", str(initrd), "-append", KERNEL,
            "-drive", f"file={self.disk},format=qcow2,if=virtio,cache=writethrough",
            "-nic", f"user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:80",
            "-serial", f"file:{console}", "-monitor", f"unix:{self._monitor},server,nowait",
            *(("-loadvm", kept) if kept else ()),
        ]  # fmt: skip
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def _save(self, name: str) -> None:
        with closing(socket.socket(socket.AF_UNIX)) as monitor:
            monitor.connect(str(self._monitor))
            monitor.settimeout(600)
            monitor.sendall(f"savevm {name}\n".encode())
            heard = b""
            while heard.count(b"(qemu)") < 2:
                heard += monitor.recv(4096)

    def keep(self) -> None:
        """Keep this moment, with all that is in memory, to begin from it again and again."""
        self._save(MOMENT)
        self.cut()
        self.disk.replace(self._kept)

    def again(self) -> None:
        """Go on from the moment that was kept."""
        self.cut()
        shutil.copyfile(self._kept, self.disk)
        self.start(MOMENT)

    def cut(self) -> None:
        """Cut its power."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def is_well(self, limit: float) -> float:
        """Return after how many seconds it answered; raise AssertionError where it does not."""
        began = time.monotonic()
        until(self.page.is_well, limit, "no answer", every=1.0)
        return time.monotonic() - began


MOMENT = "ready"

KINDS = ("vmlinuz", "initrd.img")
