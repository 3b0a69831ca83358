"""Run a box on this computer's own kernel, under a systemd of its own, and cut its power.

Its disk is a file with ext4 on it. A cut is ext4's own shutdown (EXT4_IOC_SHUTDOWN without a flush
of the journal): from one moment to the next nothing more reaches the disk. Then all that runs is
killed. Needs root, systemd-nspawn (systemd-container) and port 80.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.real.page import Page, wait_until

EXT4_SHUTDOWN = 0x8004587D
WITHOUT_FLUSH = (2).to_bytes(4, "little")

CONTAINER = ("systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--boot",
             "--console=pipe", "--kill-signal=SIGRTMIN+4")  # fmt: skip
"""Asked to end, it powers off."""


@dataclass
class ContainedBox:
    """A box whose disk is a file."""

    disk: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def page(self) -> Page:
        """Its page: it has the computer's own network."""
        return Page("127.0.0.1", 80)

    @property
    def _disk_file(self) -> Path:
        return self.disk.with_suffix(".kept")

    @property
    def _mount_point(self) -> Path:
        return self.disk.with_suffix(".mounted")

    def start(self) -> None:
        """Switch it on."""
        self._mount_point.mkdir(exist_ok=True)
        subprocess.run(["mount", "-o", "loop", str(self.disk), str(self._mount_point)], check=True)
        console = self.disk.with_suffix(".console").open("ab")
        self.process = subprocess.Popen(
            [*CONTAINER, "-D", str(self._mount_point)],
            stdin=subprocess.DEVNULL, stdout=console, stderr=console,
        )  # fmt: skip

    def cut(self) -> None:
        """Cut its power."""
        if self.process is None:
            return
        folder = os.open(self._mount_point, os.O_RDONLY)
        fcntl.ioctl(folder, EXT4_SHUTDOWN, WITHOUT_FLUSH)
        os.close(folder)
        for pid in _children(self.process.pid):  # its first process, and all others with it
            os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self._wait_until_gone()
        # Another mount namespace may keep the dead file system, so its disk becomes another file.
        other = self.disk.with_suffix(".after")
        subprocess.run(["cp", "--sparse=always", str(self.disk), str(other)], check=True)
        other.replace(self.disk)

    def keep(self) -> None:
        """Switch it off and save its disk, to start from it again and again."""
        self.off()
        self.disk.replace(self._disk_file)

    def restart(self) -> None:
        """Switch it on with the saved disk."""
        self.cut()
        subprocess.run(["cp", "--sparse=always", str(self._disk_file), str(self.disk)], check=True)
        self.start()

    def off(self) -> None:
        """Switch it off as it should be."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(300)
            subprocess.run(["sync", "--file-system", str(self._mount_point)], check=True)
            self._wait_until_gone()

    def _wait_until_gone(self) -> None:
        assert self.process is not None
        self.process.wait(300)
        self.process = None
        subprocess.run(["umount", "--lazy", str(self._mount_point)], check=True)

    def is_well(self, limit: float) -> float:
        """Return after how many seconds it answered; raise AssertionError where it does not."""
        start = time.monotonic()
        wait_until(self.page.is_well, limit, "no answer", interval=0.5)
        return time.monotonic() - start


def _children(pid: int) -> list[int]:
    """Return the processes that a process has begun."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
