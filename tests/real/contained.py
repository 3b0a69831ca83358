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
class Contained:
    """A box whose disk is a file."""

    disk: Path
    process: subprocess.Popen[bytes] | None = None

    @property
    def page(self) -> Page:
        """Its page: it has the computer's own network."""
        return Page("127.0.0.1", 80)

    @property
    def _kept(self) -> Path:
        return self.disk.with_suffix(".kept")

    @property
    def _mounted(self) -> Path:
        return self.disk.with_suffix(".mounted")

    def start(self) -> None:
        """Switch it on."""
        self._mounted.mkdir(exist_ok=True)
        subprocess.run(["mount", "-o", "loop", str(self.disk), str(self._mounted)], check=True)
        console = self.disk.with_suffix(".console").open("ab")
        self.process = subprocess.Popen(
            [*CONTAINER, "-D", str(self._mounted)],
            stdin=subprocess.DEVNULL, stdout=console, stderr=console,
        )  # fmt: skip

    def cut(self) -> None:
        """Cut its power."""
        if self.process is None:
            return
        folder = os.open(self._mounted, os.O_RDONLY)
        fcntl.ioctl(folder, EXT4_SHUTDOWN, WITHOUT_FLUSH)
        os.close(folder)
        for pid in _children(self.process.pid):  # its first process, and all others with it
            os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self._gone()
        # Another mount namespace may keep the dead file system, so its disk becomes another file.
        other = self.disk.with_suffix(".after")
        subprocess.run(["cp", "--sparse=always", str(self.disk), str(other)], check=True)
        other.replace(self.disk)

    def keep(self) -> None:
        """Switch it off and save its disk, to start from it again and again."""
        self.off()
        self.disk.replace(self._kept)

    def again(self) -> None:
        """Switch it on with the saved disk."""
        self.cut()
        subprocess.run(["cp", "--sparse=always", str(self._kept), str(self.disk)], check=True)
        self.start()

    def off(self) -> None:
        """Switch it off as it should be."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(300)
            subprocess.run(["sync", "--file-system", str(self._mounted)], check=True)
            self._gone()

    def _gone(self) -> None:
        assert self.process is not None
        self.process.wait(300)
        self.process = None
        subprocess.run(["umount", "--lazy", str(self._mounted)], check=True)

    def is_well(self, limit: float) -> float:
        """Return after how many seconds it answered; raise AssertionError where it does not."""
        began = time.monotonic()
        wait_until(self.page.is_well, limit, "no answer", every=0.5)
        return time.monotonic() - began


def _children(pid: int) -> list[int]:
    """Return the processes that a process has begun."""
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
