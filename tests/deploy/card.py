"""A made-up box with a card from a PC in it: the bundle, the settings, a light, NetworkManager.

Its power can be cut at any command that changes something. What was written since the last `sync`
is then empty, or everything is as it was at the last `sync` ("gone").
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.deploy.conftest import DEPLOY, MAKE_VENV
from tests.deploy.counted_system import (
    CHANGING_PROGRAMS,
    COPY_SYNCED,
    LOOKING_PROGRAMS,
    CountedSystem,
)

MODES = ("power", "gone")

CMDLINE = (
    "console=serial0,115200 console=tty1 root=PARTUUID=9c5a3c1d-02 rootfstype=ext4 fsck.repair=yes "
    "rootwait quiet cfg80211.ieee80211_regdom=GB{}\n"
)
"""As a card of Bookworm has it; Imager's words come last."""

IMAGER_WORDS = (
    " systemd.run=/boot/firmware/firstrun.sh systemd.run_success_action=reboot "
    "systemd.unit=kernel-command-line.target"
)

NMCLI = """
home=$TONGBOX_ROOT/etc/NetworkManager/tongbox-home
case "$*" in
    "-g RUNNING general") echo running ;;
    "-g DEVICE,TYPE device") printf 'lo:loopback\\nwlan0:wifi\\n' ;;
    "-g WIFI radio") echo enabled ;;
    "radio wifi on") ;;
    "-g TYPE,NAME connection show --active")
        if [ -n "$NEAR" ] && [ -e "$home" ]; then echo 802-11-wireless:tongbox-home; fi ;;
    "connection show Tongbox") [ -e "$TONGBOX_ROOT/etc/NetworkManager/Tongbox" ] ;;
    "connection delete tongbox-home") rm -f "$home" ;;
    "connection add "*"con-name tongbox-home"*) echo "$*" >"$home" ;;
    "connection add "*) touch "$TONGBOX_ROOT/etc/NetworkManager/Tongbox" ;;
    "connection modify Tongbox "*) echo "$*" >"$TONGBOX_ROOT/etc/NetworkManager/Tongbox" ;;
    "--wait 45 connection up tongbox-home") [ -n "$NEAR" ] ;;
    "connection up Tongbox") ;;
    *) echo "nmcli knows no $*" >&2; exit 2 ;;
esac"""

SYSTEMCTL = """
wants=$TONGBOX_ROOT/etc/systemd/system/multi-user.target.wants
case "$*" in
    "enable --quiet tongbox-first") mkdir -p "$wants"
        ln -sf ../tongbox-first.service "$wants/tongbox-first.service" ;;
    "start tongbox-update") sh "$TONGBOX_ROOT/opt/tongbox/updater/finish.sh" ;;
esac"""

SYNC = f"""
[ -n "$WATCHED" ] || exit 0{COPY_SYNCED}"""

COUNT = """
if [ -n "$WATCHED" ]; then
    exec 9>"$STATE/lock"; flock 9
    read -r n <"$STATE/count"; n=$((n + 1)); echo $n >"$STATE/count"
    [ $n -ne "$WATCHED" ] || kill -KILL 0
    exec 9>&-
fi
"""
"""Without WATCHED nothing is counted or brought to the card, which takes time."""

CHANGING = (*CHANGING_PROGRAMS, "cat", "sed")

PYTHON = f"""
case "$*" in
    *settings.py*) exec "$REAL_PYTHON" -E -s -S "$STATE/fsync.py" "$@" ;;
    *ask.py) exit 0 ;;{MAKE_VENV}
    *"import numpy"*) echo 2.2.4 ;;
esac"""

FSYNC = """
import os, runpy, shutil, subprocess, sys
def fsync(number, real=os.fsync):
    real(number)
    subprocess.run(["sync"], check=True, stdout=subprocess.DEVNULL)
os.fsync = fsync
sys.argv[:] = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""An fsync in Python counts as a call of the program `sync`."""

PROGRAMS = {
    "chgrp": "", "dnsmasq": "", "modprobe": "", "nmcli": NMCLI, "python3": PYTHON,
    "raspi-config": "echo GB", "rfkill": "", "runuser": "", "sync": SYNC, "systemctl": SYSTEMCTL,
    "df": "printf 'Filesystem\\n/dev/root 15000000 3000000 %s 20%% /\\n' ${FREE:-9000000}",
}  # fmt: skip

LOOKING_PROGRAM_NAMES = (*LOOKING_PROGRAMS, "chgrp", "df", "runuser")

SETUP = "setup"

COUNTRY, NAME = "Wi-Fi country", "Home Wi-Fi name"
HOME_PASSWORD, BOX_PASSWORD = "Home Wi-Fi password", "Box Wi-Fi password"
"""Lines of tongbox.txt."""


def user_data(text: str) -> dict[str, Any]:
    """Return what cloud-init reads in a text."""
    data: dict[str, Any] = yaml.safe_load(text)
    return data


@dataclass(frozen=True)
class Box(CountedSystem):
    """A box with such a card."""

    @classmethod
    def create(cls, folder: Path) -> Box:
        """Return a box, in a new folder, that has not been switched on."""
        card = folder / "root/boot/firmware"
        box = cls(folder / "root", card / "tongbox/program", folder / "programs")
        box.state.mkdir(parents=True)
        box.lay_out()
        return box

    @property
    def card(self) -> Path:
        return self.root / "boot/firmware"

    @property
    def settings(self) -> Path:
        return self.card / "tongbox.txt"

    @property
    def light(self) -> Path:
        return self.root / "sys/class/leds/ACT"

    def program(self, name: str, script: str) -> None:
        super().program(name, f"{'' if name in LOOKING_PROGRAM_NAMES else COUNT}{script}")

    def lay_out(self) -> None:
        """Make its programs, and the card as somebody has filled it on a PC."""
        self.card.mkdir(parents=True)
        super().lay_out()
        for name, text in (("count", "0\n"), ("safe", ""), ("fsync.py", FSYNC)):
            (self.state / name).write_text(text)
        self.make_programs(CHANGING, PROGRAMS)
        for folder in ("etc/NetworkManager", "sys/class/leds/ACT"):
            (self.root / folder).mkdir(parents=True)
        (self.root / "etc/os-release").write_text("VERSION_CODENAME=trixie\n")
        (self.light / "trigger").write_text("none timer [mmc0] default-on\n")
        (self.light / "max_brightness").write_text("255\n")
        for name in ("tongbox.txt", "user-data", "firstrun.sh"):
            shutil.copy(DEPLOY / "card" / name, self.card)
        (self.card / "cmdline.txt").write_text(CMDLINE.format(IMAGER_WORDS))
        wheels = self.card / "tongbox/wheels"
        wheels.mkdir()
        (wheels / "pip-26.3-py3-none-any.whl").write_text("pip")
        self.seal()

    def seal(self) -> None:
        """Write the list of checksums, as a release has it."""
        folder = self.card / "tongbox"
        (folder / "SHA256SUMS").write_text(
            "".join(
                f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
                for path in sorted(folder.rglob("*"))
                if path.is_file() and path.name != "SHA256SUMS"
            )
        )

    def set(self, settings: Mapping[str, str]) -> None:
        """Write behind lines of tongbox.txt what somebody would, with Notepad."""
        text = self.settings.read_text("utf-8")
        for name, value in settings.items():
            line = f"\n{name} ="
            before, _, after = text.partition(line)
            assert after, name
            text = f"{before}{line} {value}\n{after.partition(chr(10))[2]}"
        self.settings.write_bytes(text.replace("\n", "\r\n").encode())

    def copy_to(self, folder: Path) -> Box:
        """Return the same box in another folder."""
        shutil.copytree(self.root.parent, folder, symlinks=True)
        return Box(
            folder / "root", folder / "root/boot/firmware/tongbox/program", folder / "programs"
        )

    def sync(self) -> None:
        subprocess.run(["sync"], env=self.environment() | {"WATCHED": "0"}, check=True)

    def do(self, script: str, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run one of the scripts for a first start."""
        return self.shell("sh", str(self.source / f"deploy/first/{script}.sh"), *words, **extra)

    def shell(self, *command: str, **extra: str) -> subprocess.CompletedProcess[str]:
        """Run a command on this box, in a group of its own that can be killed."""
        return subprocess.run(
            command, env=self.environment(counts="WATCHED" in extra) | extra, capture_output=True,
            text=True, check=False, start_new_session=True, errors="replace",
        )  # fmt: skip

    def start(self, **extra: str) -> None:
        """Switch it on: what the card starts, and then what was enabled."""
        self.trixie(**extra)
        if (
            self.root / "etc/systemd/system/multi-user.target.wants/tongbox-first.service"
        ).exists():
            self.do(SETUP, **extra)

    def trixie(self, **extra: str) -> subprocess.CompletedProcess[str]:
        """Do what cloud-init does with user-data at every start."""
        (command,) = user_data((self.card / "user-data").read_text("utf-8"))["bootcmd"]
        words_here = [word.replace("/boot/firmware", str(self.card)) for word in command]
        words_here = [
            word.replace("/opt/tongbox", str(self.root / "opt/tongbox")) for word in words_here
        ]
        return self.shell(*words_here, **extra)

    def bookworm(self, **extra: str) -> subprocess.CompletedProcess[str]:
        """Do what systemd does with the words in cmdline.txt."""
        return self.shell("sh", str(self.card / "firstrun.sh"), **extra)

    def cut(self, script: str, number: int, mode: str, **extra: str) -> None:
        """Run it, and take the power away before its command `number`, or else at its end."""
        (self.state / "count").write_text("0\n")
        extra["WATCHED"] = str(number)
        if script == "bookworm":
            self.bookworm(**extra)
        else:
            self.do(script, **extra)
        self._lose(mode)

    def _lose(self, mode: str) -> None:
        """Drop what was not brought to the card."""
        if mode == "gone":
            self.restore_synced()
        else:
            self.empty_unsynced(lambda path: "sys/class" in str(path))
        shutil.rmtree(self.root / "run")  # which is in memory alone
        (self.root / "run/systemd/system").mkdir(parents=True)
        (self.light / "trigger").write_text("none timer [mmc0] default-on\n")
        self.sync()

    def environment(self, *, counts: bool = False) -> dict[str, str]:
        """Return the environment of a command on this box."""
        variables = {"TONGBOX_PATIENCE": "5", "NEAR": "", "WATCHED": ""}
        return super().environment(counts=counts) | variables

    @property
    def says(self) -> str:
        """Return what the box says on the card."""
        path = self.card / "tongbox-says.txt"
        return path.read_bytes().decode() if path.exists() else ""

    @property
    def shows(self) -> str:
        """Return what the light shows."""
        trigger, *_ = (self.light / "trigger").read_text().split()
        if trigger != "timer":
            return trigger
        return f"{(self.light / 'delay_on').read_text().strip()} ms"

    @property
    def home(self) -> str:
        """Return NetworkManager's settings for the Wi-Fi at home."""
        path = self.root / "etc/NetworkManager/tongbox-home"
        return path.read_text().strip() if path.exists() else ""

    @property
    def wifi_name(self) -> str:
        """Return NetworkManager's settings for the box's own Wi-Fi."""
        path = self.root / "etc/NetworkManager/Tongbox"
        return path.read_text().strip() if path.exists() else ""
