"""Make a card like one of Raspberry Pi OS with Tongbox's bundle on it, and start a machine from it.

A Debian is laid out like a Raspberry Pi OS, as far as that matters for a first start: a FAT boot
partition, the settings of cloud-init, a green light, two simulated radios, and no network device.
qemu-system starts it with the command line in its cmdline.txt, as a Pi's firmware does.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Timer
from typing import Any, TextIO

from tests.real.roots import CACHE, CPUS, REPO, Root, copy_root

COMMON_PACKAGES = (
    "avahi-daemon", "busybox", "ca-certificates", "dbus", "dnsmasq-base", "dosfstools",
    "e2fsprogs", "iproute2", "iw", "kmod", "libpam-systemd", "linux-image-arm64",
    "network-manager", "polkitd", "procps", "python3", "rfkill", "sudo", "systemd-sysv",
    "systemd-timesyncd", "udev", "wireless-regdb", "wpasupplicant",
)  # fmt: skip
"""Of what Raspberry Pi OS has (pi-gen's lists of packages), all that the box counts on."""

SUITES = {
    "trixie": (*COMMON_PACKAGES, "cloud-init", "netcat-openbsd", "netplan.io"),
    "bookworm": (*COMMON_PACKAGES, "python3-numpy"),
}
"""Trixie as Lite, without numpy; Bookworm with it, as its image with a desktop has it."""

DISK_BYTES, BOOT_BYTES, BOOT_START_BYTES = 6 << 30, 512 << 20, 4 << 20
"""Bytes: the card, its boot partition, and where this begins."""

ID = "5ca1ab1e"

PARTITION_TABLE = f"""label: dos
label-id: 0x{ID}
start={BOOT_START_BYTES // 512}, size={BOOT_BYTES // 512}, type=c
start={(BOOT_START_BYTES + BOOT_BYTES) // 512}, type=83
"""

CMDLINE = (
    f"console=ttyAMA0,115200 root=PARTUUID={ID}-02 rootfstype=ext4 fsck.repair=yes rootwait "
    "systemd.show_status=yes {}\n"
)

KERNEL_WORDS = {
    "trixie": "ds=nocloud;i=rpi-imager-1763856000000",
    "bookworm": "systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot "
    "systemd.unit=kernel-command-line.target",
}
"""What Raspberry Pi Imager adds (rpi-imager, src/imagewriter.cpp)."""

UNIT_FOLDER = "etc/systemd/system"

PI_FILES = {
    "etc/fstab": f"""proc /proc proc defaults 0 0
PARTUUID={ID}-01 /boot/firmware vfat defaults 0 2
PARTUUID={ID}-02 / ext4 defaults,noatime 0 1
""",
    "etc/hostname": "raspberrypi\n",
    # userconf-pi, which waits for somebody to type a user's name, for ever.
    f"{UNIT_FOLDER}/userconfig.service": """[Unit]
After=systemd-user-sessions.service
[Service]
Type=oneshot
ExecStart=/bin/sleep infinity
[Install]
WantedBy=multi-user.target
""",
}

TRIXIE_FILES = {
    # pi-gen, stage2/04-cloud-init/files/99_raspberry-pi.cfg
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": """datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
""",
    # Raspberry Pi OS's own cloud-init waits for the mount in the same way.
    f"{UNIT_FOLDER}/cloud-init-main.service.d/boot.conf": """[Unit]
RequiresMountsFor=/boot/firmware
""",
}

# This machine may take long for anything: the only things changed of what is tried.
TRIAL_FILES = {
    "etc/systemd/system.conf.d/emulated.conf": """[Manager]
DefaultTimeoutStartSec=1800
DefaultDeviceTimeoutSec=1800
""",
    f"{UNIT_FOLDER}/tongbox.service.d/emulated.conf": """[Service]
TimeoutStartSec=1800
WatchdogSec=600
""",
    f"{UNIT_FOLDER}/tongbox-first.service.d/emulated.conf": """[Service]
Environment=TONGBOX_TRIES=300
""",
    "etc/modules-load.d/trial.conf": "mac80211_hwsim\n",
    "etc/modprobe.d/trial.conf": "options mac80211_hwsim radios=2\n",
    "etc/NetworkManager/conf.d/trial.conf": """[keyfile]
unmanaged-devices=interface-name:wlan1
""",
    f"{UNIT_FOLDER}/trial.service": """[Unit]
DefaultDependencies=no
RequiresMountsFor=/boot/firmware
After=systemd-udevd.service
Before=sysinit.target
[Service]
ExecStart=/usr/bin/python3 -u /opt/trial/first_watch.py
StandardOutput=file:/dev/ttyAMA0
StandardError=inherit
[Install]
WantedBy=sysinit.target
""",
    "opt/trial/lease": """#!/bin/sh
[ "$1" = bound ] || exit 0
ip address add "$ip/24" dev "$interface"
""",
}

SEED_FILES = {
    # pi-gen, stage2/04-cloud-init/files
    "meta-data": "dsmode: local\ninstance_id: rpios-image\n",
    "network-config": """network:
  version: 2
  ethernets:
    eth0:
      dhcp4: true
      optional: true
""",
}

MACHINE = ("-M", "virt", "-cpu", "cortex-a72", "-smp", "2", "-m", "2048", "-nic", "none",
           "-display", "none")  # fmt: skip

MAX_START_S = 7200
"""Seconds for one start, to the box's being ready."""

StartState = dict[str, Any]


@dataclass(frozen=True)
class Card:
    """A card in a file, and the kernel that its firmware starts."""

    disk: Path
    kernel: Path
    initrd: Path
    tree: Path
    """What describes the machine: qemu's own, with a green light."""

    @property
    def boot(self) -> str:
        """Its boot partition, as mtools has it."""
        return f"{self.disk}@@{BOOT_START_BYTES}"

    def copied(self, name: str) -> Card:
        """Return another card with the same on it."""
        disk = self.disk.with_name(name)
        subprocess.run(["cp", "--sparse=always", str(self.disk), str(disk)], check=True)
        return replace(self, disk=disk)

    def read(self, name: str) -> str:
        """Return a file of the boot partition, as a PC would read it; nothing for none."""
        command = ["mtype", "-i", self.boot, f"::{name}"]
        return subprocess.run(command, capture_output=True, check=False).stdout.decode()

    def put(self, file: Path, name: str) -> None:
        """Put a file onto the boot partition, as a PC would."""
        subprocess.run(["mcopy", "-s", "-o", "-i", self.boot, str(file), f"::{name}"], check=True)

    def start(self, condition: Callable[[StartState], bool]) -> Iterator[StartState]:
        """Switch it on; yield what is seen, until the condition holds or it goes off."""
        deadline = time.monotonic() + MAX_START_S
        is_restart = True
        while is_restart and time.monotonic() < deadline:
            words = self.read("cmdline.txt").strip()
            is_restart = "systemd.run=" in words  # it starts anew by itself
            command = [
                "qemu-system-aarch64", *MACHINE, "-accel", "tcg,thread=multi", "-monitor", "none",
                "-serial", "stdio", "-no-reboot", "-dtb", str(self.tree), "-append", words,
                "-kernel", str(self.kernel), "-initrd", str(self.initrd),
                "-drive", f"file={self.disk},format=raw,if=virtio,cache=writethrough",
            ]  # fmt: skip
            with (
                self.disk.with_suffix(".console").open("a") as log,
                subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                    errors="replace",
                ) as machine,
            ):  # fmt: skip
                end = Timer(deadline - time.monotonic(), machine.kill)
                end.start()
                for event in read_console(machine, log):
                    yield event
                    if condition(event):
                        machine.kill()
                        is_restart = False
                        break
                end.cancel()


def read_console(machine: subprocess.Popen[str], log: TextIO) -> Iterator[StartState]:
    """Yield the trial's lines of the serial console."""
    assert machine.stdout is not None
    for line in machine.stdout:
        log.write(line)
        log.flush()
        _, is_trial, event = line.partition("TRIAL {")
        if is_trial:
            yield json.loads("{" + event)


def make_card(suite: str, bundle: Path) -> Card:
    """Lay out a card as somebody has it who wrote it with Imager and copied the bundle onto it."""
    name = f"trial-first-boot-{suite}"
    root = copy_root(name, suite, "arm64", SUITES[suite], CPUS[1], "first-boot")
    furnish_system(root, suite)
    disk = CACHE / f"{name}.img"
    disk.unlink(missing_ok=True)
    with disk.open("wb") as file:
        file.truncate(DISK_BYTES)
    subprocess.run(["sfdisk", "-q", str(disk)], input=PARTITION_TABLE, text=True, check=True)
    offset = BOOT_START_BYTES + BOOT_BYTES
    for command in (
        ["mke2fs", "-q", "-t", "ext4", "-d", str(root.path), "-E", f"offset={offset}", str(disk),
         f"{(DISK_BYTES - offset) >> 10}k"],
        ["mkfs.vfat", "-F", "32", "-n", "BOOTFS", "--offset", str(BOOT_START_BYTES // 512),
         str(disk), str(BOOT_BYTES >> 10)],
    ):  # fmt: skip
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    boot = root.path / "boot"
    kernel, initrd = (next(iter(boot.glob(f"{kind}-*"))) for kind in ("vmlinuz", "initrd.img"))
    card = Card(disk, kernel, initrd, with_a_light())
    fill_boot_partition(card, suite, bundle)
    return card


def furnish_system(root: Root, suite: str) -> None:
    """Make a bare Debian like a Raspberry Pi OS, with the program that watches."""
    for path, text in (
        PI_FILES | TRIAL_FILES | (TRIXIE_FILES if suite == "trixie" else {})
    ).items():
        file = root.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root.path / "opt/trial/lease").chmod(0o755)
    (root.path / "boot/firmware").mkdir(parents=True, exist_ok=True)
    shutil.copy(REPO / "tests/real/first_watch.py", root.path / "opt/trial")
    root.run("systemctl", "enable", "--quiet", "trial", "userconfig")
    root.run("systemctl", "mask", "--quiet", "serial-getty@ttyAMA0")
    root.run("systemctl", "set-default", "--quiet", "graphical.target")  # as with a desktop


def fill_boot_partition(card: Card, suite: str, bundle: Path) -> None:
    """Put onto the boot partition what Imager and then a person put there."""
    folder = CACHE / "trial-first-boot-card"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(bundle) as bundle_zip:
        bundle_zip.extractall(folder)
    for name, text in (SEED_FILES if suite == "trixie" else {}).items():
        (folder / name).write_text(text)
    (folder / "cmdline.txt").write_text(CMDLINE.format(KERNEL_WORDS[suite]))
    for each in sorted(folder.iterdir()):
        card.put(each, "")


def with_a_light() -> Path:
    """Return qemu's description of the machine with a light ACT, which a kernel's driver drives."""
    tree = CACHE / "trial-first-boot.dtb"
    machine, *rest = MACHINE[1:]
    subprocess.run(
        ["qemu-system-aarch64", "-M", f"{machine},dumpdtb={tree}", *rest],
        check=True, capture_output=True,
    )  # fmt: skip
    command = ["fdtget", str(tree), "/pl061@9030000", "phandle"]
    gpio = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()
    for option, *words in (
        ("-c", "/leds"), ("-c", "/leds/act"),
        ("-ts", "/leds", "compatible", "gpio-leds"), ("-ts", "/leds/act", "label", "ACT"),
        ("-tu", "/leds/act", "gpios", gpio, "0", "0"),
        ("-ts", "/leds/act", "linux,default-trigger", "disk-activity"),
    ):  # fmt: skip
        subprocess.run(["fdtput", option, str(tree), *words], check=True)
    return tree
