"""A first start without a terminal, on an emulated arm64 box: `python -m tests.real.first_boot trixie`.

A Debian made as a card of Raspberry Pi OS is laid out, as far as that matters here: a FAT boot partition
with the unzipped release in it, the system's own settings of cloud-init, a green light, two radios that
only pretend, and no network device. qemu-system starts it with the command line in its cmdline.txt, as a
Pi's firmware does. Once it is left alone; once a file of the bundle is damaged and then mended, and the
power is cut three times.

How long things take is the emulation's doing and says nothing of a Pi.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.real.roots import CACHE, CPUS, REPO, Root, fresh, let_arm64_run, say

ON_BOTH = (
    "avahi-daemon", "busybox", "ca-certificates", "dbus", "dnsmasq-base", "dosfstools", "e2fsprogs", "iproute2", "iw",
    "kmod", "libpam-systemd", "linux-image-arm64", "network-manager", "polkitd", "procps", "python3",
    "rfkill", "sudo", "systemd-sysv", "systemd-timesyncd", "udev", "wireless-regdb", "wpasupplicant",
)  # fmt: skip
"""Of what Raspberry Pi OS has (pi-gen's lists of packages), all that the box counts on."""

SUITES = {
    "trixie": (*ON_BOTH, "cloud-init", "netcat-openbsd", "netplan.io"),
    "bookworm": (*ON_BOTH, "python3-numpy"),
}
"""Trixie as Lite, without numpy; Bookworm with it, as its image with a desktop has it."""

DISK, BOOT, START = 6 << 30, 512 << 20, 4 << 20
"""Bytes: the card, its boot partition, and where this begins."""

ID = "5ca1ab1e"

CMDLINE = (
    f"console=ttyAMA0,115200 root=PARTUUID={ID}-02 rootfstype=ext4 fsck.repair=yes rootwait "
    "systemd.show_status=yes {}\n"
)

WORDS = {
    "trixie": "ds=nocloud;i=rpi-imager-1763856000000",
    "bookworm": "systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot "
    "systemd.unit=kernel-command-line.target",
}
"""What Raspberry Pi Imager adds (rpi-imager, src/imagewriter.cpp)."""

FSTAB = f"""proc /proc proc defaults 0 0
PARTUUID={ID}-01 /boot/firmware vfat defaults 0 2
PARTUUID={ID}-02 / ext4 defaults,noatime 0 1
"""

AS_ON_A_PI = {
    "etc/fstab": FSTAB,
    "etc/hostname": "raspberrypi\n",
    # pi-gen, stage2/04-cloud-init/files/99_raspberry-pi.cfg
    "etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg": """datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
ssh_deletekeys: false
ssh_genkeytypes: []
""",
    # Raspberry Pi OS's own cloud-init waits for the mount in the same way.
    "etc/systemd/system/cloud-init-main.service.d/boot.conf": "[Unit]\nRequiresMountsFor=/boot/firmware\n",
    # userconf-pi, which waits for somebody to type a user's name, for ever.
    "etc/systemd/system/userconfig.service": """[Unit]
After=systemd-user-sessions.service
[Service]
Type=oneshot
ExecStart=/bin/sleep infinity
[Install]
WantedBy=multi-user.target
""",
}

FOR_THE_TRIAL = {
    "etc/systemd/system.conf.d/emulated.conf": "[Manager]\nDefaultTimeoutStartSec=1800\nDefaultDeviceTimeoutSec=1800\n",
    "etc/modules-load.d/trial.conf": "mac80211_hwsim\n",
    "etc/modprobe.d/trial.conf": "options mac80211_hwsim radios=2\n",
    "etc/NetworkManager/conf.d/trial.conf": "[keyfile]\nunmanaged-devices=interface-name:wlan1\n",
    "etc/systemd/system/tongbox.service.d/emulated.conf": "[Service]\nTimeoutStartSec=900\nWatchdogSec=600\n",
    "etc/systemd/system/tongbox-first.service.d/emulated.conf": "[Service]\nEnvironment=TONGBOX_TRIES=300\n",
    "etc/systemd/system/trial.service": """[Unit]
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
    "opt/trial/lease": '#!/bin/sh\n[ "$1" = bound ] || exit 0\nip address add "$ip/24" dev "$interface"\n',
}

SEED = {
    # pi-gen, stage2/04-cloud-init/files; network-config has nothing but what is commented out.
    "meta-data": "dsmode: local\ninstance_id: rpios-image\n",
    "network-config": "network:\n  version: 2\n  ethernets:\n    eth0:\n      dhcp4: true\n      optional: true\n",
}

LIMIT = 5400
"""Seconds for one start, to the box's being ready."""

Seen = dict[str, Any]


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
        return f"{self.disk}@@{START}"

    def copied(self, name: str) -> Card:
        disk = self.disk.with_name(name)
        subprocess.run(["cp", "--sparse=always", str(self.disk), str(disk)], check=True)
        return Card(disk, self.kernel, self.initrd, self.tree)

    def read(self, name: str) -> str:
        """Return a file of the boot partition, as a PC would read it; nothing for none."""
        command = ["mtype", "-i", self.boot, f"::{name}"]
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout.decode()  # fmt: skip

    def put(self, file: Path, name: str) -> None:
        """Put a file onto the boot partition, as a PC would."""
        subprocess.run(["mcopy", "-o", "-i", self.boot, str(file), f"::{name}"], check=True)

    def start(self, until: Callable[[Seen], bool], console: Path) -> Iterator[Seen]:
        """Switch it on; yield what is seen, and cut the power when that holds or it goes off."""
        deadline = time.monotonic() + LIMIT
        again = True
        while again and time.monotonic() < deadline:
            command = [
                "timeout", str(int(deadline - time.monotonic())), "qemu-system-aarch64", "-M", "virt",
                "-cpu", "cortex-a72", "-smp", "2", "-m", "2048", "-accel", "tcg,thread=multi",
                "-nic", "none", "-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot",
                "-dtb", str(self.tree), "-kernel", str(self.kernel), "-initrd", str(self.initrd),
                "-append", self.read("cmdline.txt").strip(),
                "-drive", f"file={self.disk},format=raw,if=virtio,cache=writethrough",
            ]  # fmt: skip
            again = "systemd.run=" in command[-3]  # it starts anew by itself
            with (
                console.open("a") as log,
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, errors="replace") as machine,
            ):  # fmt: skip
                for told in heard(machine, log):
                    yield told
                    if until(told):
                        machine.kill()
                        return


def heard(machine: subprocess.Popen[str], log: Any) -> Iterator[Seen]:
    """Yield what the serial line says of the trial."""
    assert machine.stdout is not None
    for line in machine.stdout:
        log.write(line)
        log.flush()
        _, is_trial, told = line.partition("TRIAL {")
        if is_trial:
            yield json.loads("{" + told)


def make_card(suite: str, bundle: Path) -> Card:
    """Lay out a card as somebody has it who wrote it with Imager and copied the bundle onto it."""
    name = f"trial-first-boot-{suite}"
    root = fresh(name, suite, "arm64", SUITES[suite], CPUS[1], "first-boot")
    furnish(root, suite)
    disk = CACHE / f"{name}.img"
    disk.unlink(missing_ok=True)
    with disk.open("wb") as file:
        file.truncate(DISK)
    offset = START + BOOT
    table = f"label: dos\nlabel-id: 0x{ID}\nstart={START // 512}, size={BOOT // 512}, type=c\nstart={offset // 512}, type=83\n"  # fmt: skip
    subprocess.run(["sfdisk", "-q", str(disk)], input=table, text=True, check=True)
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-d", str(root.path), "-E", f"offset={offset}", str(disk),
         f"{(DISK - offset) >> 10}k"],
        check=True,
    )  # fmt: skip
    subprocess.run(
        ["mkfs.vfat", "-F", "32", "-n", "bootfs", "--offset", str(START // 512), str(disk), str(BOOT >> 10)],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    boot = root.path / "boot"
    kernel, initrd = (next(iter(boot.glob(f"{kind}-*"))) for kind in ("vmlinuz", "initrd.img"))
    card = Card(disk, kernel, initrd, with_a_light())
    fill(card, suite, bundle)
    return card


def furnish(root: Root, suite: str) -> None:
    """Make a bare Debian like a Raspberry Pi OS, and put into it what looks on."""
    for path, text in (AS_ON_A_PI | FOR_THE_TRIAL).items():
        if "cloud" in path and suite == "bookworm":
            continue
        file = root.path / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (root.path / "opt/trial/lease").chmod(0o755)
    (root.path / "boot/firmware").mkdir(parents=True, exist_ok=True)
    shutil.copy(REPO / "tests/real/first_watch.py", root.path / "opt/trial")
    root.run("systemctl", "enable", "--quiet", "trial", "userconfig")
    root.run("systemctl", "mask", "--quiet", "serial-getty@ttyAMA0")
    root.run("systemctl", "set-default", "--quiet", "graphical.target")  # as with a desktop


def fill(card: Card, suite: str, bundle: Path) -> None:
    """Put onto the boot partition what Imager and then a person put there."""
    folder = CACHE / "trial-first-boot-card"
    shutil.rmtree(folder, ignore_errors=True)
    with zipfile.ZipFile(bundle) as packed:
        packed.extractall(folder)
    for name, text in (SEED if suite == "trixie" else {}).items():
        (folder / name).write_text(text)
    (folder / "cmdline.txt").write_text(CMDLINE.format(WORDS[suite]))
    for each in sorted(folder.iterdir()):
        subprocess.run(["mcopy", "-s", "-i", card.boot, str(each), "::"], check=True)


def with_a_light() -> Path:
    """Return qemu's description of the machine with a light ACT, which a kernel's driver switches."""
    tree = CACHE / "trial-first-boot.dtb"
    subprocess.run(
        ["qemu-system-aarch64", "-M", f"virt,dumpdtb={tree}", "-cpu", "cortex-a72", "-smp", "2",
         "-m", "2048", "-nic", "none", "-display", "none"],
        check=True, capture_output=True,
    )  # fmt: skip
    gpio = subprocess.run(["fdtget", str(tree), "/pl061@9030000", "phandle"], check=True, stdout=subprocess.PIPE, text=True).stdout.strip()  # fmt: skip
    for words in (
        ("-c", "/leds"), ("-c", "/leds/act"),
        ("-ts", "/leds", "compatible", "gpio-leds"), ("-ts", "/leds/act", "label", "ACT"),
        ("-tu", "/leds/act", "gpios", gpio, "0", "0"),
        ("-ts", "/leds/act", "linux,default-trigger", "disk-activity"),
    ):  # fmt: skip
        option, *rest = words
        subprocess.run(["fdtput", option, str(tree), *rest], check=True)
    return tree


def main() -> int:
    """Try it left alone and disturbed; return 1 when the box does not come up as it should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("bundle", type=Path, help="what `make release` made")
    parser.add_argument("--only", choices=("alone", "disturbed"))
    options = parser.parse_args()
    let_arm64_run()
    card = make_card(options.suite, options.bundle)
    faults: list[str] = []
    if options.only != "disturbed":
        faults += alone(card.copied(f"trial-first-boot-{options.suite}-alone.img"))
    if options.only != "alone":
        faults += disturbed(card.copied(f"trial-first-boot-{options.suite}-disturbed.img"))
    for fault in faults:
        say(f"FAIL {fault}")
    say(f"{len(faults)} things are not as they should be")
    return 1 if faults else 0


def watched(card: Card, what: str, until: Callable[[Seen], bool]) -> list[Seen]:
    """Switch a card on and say what is seen, until something holds; the power is cut then."""
    say(f"--- {what}")
    began, all_seen = time.monotonic(), []
    for told in card.start(until, card.disk.with_suffix(".console")):
        all_seen.append(told)
        say(f"{time.monotonic() - began:6.0f} s  {json.dumps(told, ensure_ascii=False)}")
    return all_seen


def ended(told: Seen) -> bool:
    return "end" in told


def alone(card: Card) -> list[str]:
    """Start a card, and start it once more when it is ready."""
    first = watched(card, "the first start, left alone", lambda _: False)
    says = card.read("tongbox-says.txt")
    faults = wrong(first)
    second = watched(card, "the second start", lambda _: False)
    faults += [f"second start: {fault}" for fault in wrong(second)]
    if card.read("tongbox-says.txt") != says:
        faults.append("at the second start something was done again")
    return faults


STAGES: tuple[tuple[str, Callable[[Seen], bool]], ...] = (
    ("before anything is made", lambda told: told.get("light") == "timer 1000"),
    ("packages half in place", lambda told: told.get("made", 0) >= 2),
    ("the version whole, the box not yet told of", lambda told: bool(told.get("whole"))),
)


def disturbed(card: Card) -> list[str]:
    """Start a card with a damaged file, mend it, and cut the power three times."""
    wheel = next(CACHE.glob("trial-first-boot-card/tongbox/wheels/segno-*.whl"))
    name = f"tongbox/wheels/{wheel.name}"
    damaged = CACHE / "trial-damaged"
    damaged.write_bytes(wheel.read_bytes()[:-1])
    card.put(damaged, name)
    failed = lambda told: told.get("light") == "timer 100"  # noqa: E731
    seen = watched(card, "a damaged file", failed)
    faults = [] if seen and failed(seen[-1]) else ["the light did not say that it failed"]
    if "damaged or missing" not in (says := card.read("tongbox-says.txt")):
        faults.append(f"the card says {says!r}")
    say(says)
    card.put(wheel, name)
    for what, stage in STAGES:
        if not (seen := watched(card, f"power cut: {what}", stage)) or not stage(seen[-1]):
            faults.append(f"it did not come so far: {what}")
    return faults + wrong(watched(card, "left alone", lambda _: False))


def wrong(all_seen: list[Seen]) -> list[str]:
    """Return what is not as it must be of a start that ends well."""
    if not all_seen or not ended(all_seen[-1]):
        return ["the box was not ready in time"]
    told = {name: value for each in all_seen for name, value in each.items()}
    facts = told["facts"]
    expected = {"default": "multi-user.target", "people": "", "failed units": ""}
    found = [f"{name}: {facts[name]}" for name, value in expected.items() if facts[name] != value]
    if facts["system"] != "running":
        found.append(f"the system is {facts['system']}")
    if "Tongbox:activated" not in facts["wi-fi"] or "the page answers" not in told["phone"]:
        found.append(f"Wi-Fi: {facts['wi-fi']}; phone: {told['phone']}")
    if not told["says"].startswith("Tongbox is ready."):
        found.append(f"the card says {told['says']}")
    return found


if __name__ == "__main__":
    sys.exit(main())
