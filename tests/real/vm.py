"""Run the service under a real systemd, in a virtual machine: `python -m tests.real.vm`.

qemu boots a Debian 13 in which the project's install.sh has run, without hardware acceleration. In
it `tests.real.guest` tries one thing after the other.

How long things take is due to the emulation and says nothing of a Pi.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.real import bundles
from tests.real.needs import ROOTS, need
from tests.real.roots import CACHE, Root, copy_root
from tests.reporting import say

PACKAGES = (
    "ca-certificates", "dbus", "iproute2", "kmod", "linux-image-amd64", "python3", "systemd-sysv",
    "udev",
)  # fmt: skip

TOOLS = ("libnss-mdns", "avahi-utils", "procps")
"""What the trials ask with, installed after the box."""

DISK = "4G"
MEMORY = "2048"

QEMU = [
    "qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "Nehalem", "-smp", "2",
    "-m", MEMORY, "-nic", "user,model=virtio-net-pci", "-display", "none", "-monitor", "none",
    "-serial", "stdio", "-no-reboot", "-snapshot",
]  # fmt: skip
"""Newer processors than this, emulated, hang while Debian 13 boots."""

MAX_RUN_S = 5400
"""Seconds for everything inside."""

TRIAL_UNIT = """[Unit]
After=multi-user.target tongbox.service avahi-daemon.service
[Service]
Type=oneshot
WorkingDirectory=/src
ExecStart=/usr/bin/python3 -m tests.real.guest
StandardOutput=file:/dev/ttyS0
StandardError=inherit
ExecStopPost=/usr/bin/systemctl poweroff --force
[Install]
WantedBy=multi-user.target
"""

SLOW_START = "[Service]\nTimeoutStartSec=900\n"
"""The one thing changed in the unit: this machine may take long to begin anything."""

NETWORK = "[Match]\nName=en* eth*\n[Network]\nDHCP=yes\n"

CHANGES = {"newer": bundles.add_comment, "broken": bundles.break_version}
"""Further versions, and how each differs from the installed one."""

MAKE_VERSION = 'here=/$1/deploy; . "$here/lib.sh"; check_machine; make_version'


def main() -> int:
    """Make the machine, run it and print the results; return 1 when anything failed."""
    need(*ROOTS, "mke2fs", "qemu-system-x86_64")
    root = copy_root("trial-vm", "trixie", "amd64", PACKAGES)
    prepare_root(root)
    disk = CACHE / "trial-vm.img"
    disk.unlink(missing_ok=True)
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-d", str(root.path), str(disk), DISK], check=True
    )
    failures = []
    for trial in yield_trials(root, disk):
        failures.append(trial)
        mark = "ok  " if trial["is_fine"] else "FAIL"
        say(f"{mark} {trial['seconds']:>4} s  {trial['trial']}: {trial['says']}")
    if not failures or "trace" not in failures[-1]["trial"]:
        say("FAIL the trials did not come to their end")
        return 1
    return 0 if all(trial["is_fine"] for trial in failures) else 1


def prepare_root(root: Root) -> None:
    """Install the box, two further versions of it, and what tries them."""
    root.take_source()
    root.run("sh", "/src/deploy/install.sh")
    for name in CHANGES:
        CHANGES[name](root.take_source(name))
        root.run("sh", "-c", MAKE_VERSION, "sh", name)
    root.run("apt-get", "install", "-y", "-q", "--no-install-recommends", *TOOLS)
    units = root.path / "etc/systemd/system"
    (units / "trial.service").write_text(TRIAL_UNIT)
    (units / "tongbox.service.d").mkdir()
    (units / "tongbox.service.d/emulated.conf").write_text(SLOW_START)
    (root.path / "etc/systemd/network/trial.network").write_text(NETWORK)
    (root.path / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    (root.path / "etc/hostname").write_text("club-computer\n")
    root.run("systemctl", "enable", "--quiet", "trial", "systemd-networkd")
    root.run("systemctl", "mask", "--quiet", "serial-getty@ttyS0")  # the line is the trials' own


def yield_trials(root: Root, disk: Path) -> Iterator[dict[str, Any]]:
    """Boot the machine; yield what each trial in it found. Its console goes to a file."""
    boot = root.path / "boot"
    kernel, initrd = (next(iter(boot.glob(f"{kind}-*"))) for kind in ("vmlinuz", "initrd.img"))
    command = [
        "timeout", str(MAX_RUN_S), *QEMU, "-kernel", str(kernel), "-initrd", str(initrd),
        "-drive", f"file={disk},format=raw,if=virtio",
        "-append", "root=/dev/vda rw console=ttyS0 systemd.show_status=no",
    ]  # fmt: skip
    console = CACHE / "trial-vm.console"
    with (
        console.open("w") as log,
        subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace"
        ) as machine,
    ):
        assert machine.stdout is not None
        for line in machine.stdout:
            log.write(line)
            log.flush()
            _, is_trial, trial = line.partition("TRIAL {")  # the kernel may have begun the line
            if is_trial:
                yield json.loads("{" + trial)


if __name__ == "__main__":
    sys.exit(main())
