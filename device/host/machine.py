"""The machine that the box runs on: its files and programs, address, free ports and clock.

Tests replace its answers by made-up ones.

A Raspberry Pi without internet starts with the time at which it was switched off. Its clock is set
through the system, as `deploy/polkit.rules` allows. The system refuses to set the time while its
time service runs, so the service is stopped meanwhile and started again. The uptime never jumps, so
it serves for everything that lasts minutes.
"""

from __future__ import annotations

import errno
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from importlib import metadata, util
from pathlib import Path

from device.hands.readings import PhotoReader, load_reader
from scorer.errors import RefusalError

LOOPBACK_ADDRESS = "127.0.0.1"

HOTSPOT_ADDRESS = "10.42.0.1"
"""The box's address in its own Wi-Fi (`deploy/hotspot.sh`)."""

LOOPBACK_OF_ALL = {"0.0.0.0": LOOPBACK_ADDRESS, "": LOOPBACK_ADDRESS, "::": "::1"}  # noqa: S104
"""The address by which this machine reaches a listener on all addresses, by IPv4 or IPv6."""

MAX_PORTS_TRIED = 20
"""How many ports from the preferred one on are tried."""


class NoPortError(RefusalError):
    """No port could be opened."""


UNROUTED_ADDRESS = "10.255.255.255"
"""An unused address; a machine reaches it through its usual network."""

HOTSPOT_GUEST_ADDRESS = "10.42.0.2"
"""An address in the box's own Wi-Fi, which has no route to other networks."""


def find_lan_address(target: str = UNROUTED_ADDRESS) -> str:
    """Return this machine's IPv4 address on its network, or the loopback address without one.

    In several networks, it is the address by which `target` reaches this machine. For this
    machine itself, it is that of the usual network, or else of its own Wi-Fi.

    Connecting a datagram socket sends nothing: it only asks the kernel which address it would use.
    """
    for place in (
        UNROUTED_ADDRESS if target.startswith("127.") or ":" in target else target,
        HOTSPOT_GUEST_ADDRESS,
    ):
        with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe, suppress(OSError):
            probe.connect((place, 9))
            return str(probe.getsockname()[0])
    return LOOPBACK_ADDRESS


def local_address_of(listener: socket.socket) -> tuple[str, int]:
    """Return the address and port of a listener as seen from this machine."""
    host, port = listener.getsockname()[:2]
    return LOOPBACK_OF_ALL.get(host, host), port


def open_port(host: str, first_port: int) -> socket.socket:
    """Return a socket bound to the first free port from `first_port` on; raise NoPortError.

    A host with colons is an IPv6 address. With `::`, IPv4 phones are answered, too.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in range(first_port, min(first_port + MAX_PORTS_TRIED, 65536)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        try:
            listener.bind((host, port))
            listener.listen()
        except OSError as error:
            listener.close()
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise NoPortError(f"Tongbox cannot listen on {host}: {error.strerror}.") from error
        else:
            return listener
    raise NoPortError(f"No port from {first_port} on is free. Choose another with --port.")


COMMAND_TIMEOUT_S = 5
"""Limit for a system program such as timedatectl, which takes well under a second."""


def ask(command: Sequence[str]) -> str:
    """Return what a system program prints; empty if it is missing, fails or hangs."""
    try:
        # Fixed commands of the checks, none from outside.
        result = subprocess.run(  # noqa: S603
            command, capture_output=True, text=True, timeout=COMMAND_TIMEOUT_S, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return result.stdout.strip()


def version_of(package: str) -> str | None:
    """Return the version of an installed package, or None."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def required_packages() -> list[str]:
    """Return the packages that Tongbox requires, as "name>=version"."""
    try:
        return metadata.requires("tongbox") or []
    except metadata.PackageNotFoundError:
        return []


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that is examined."""

    data: Path
    """The data folder."""
    root: Path = Path("/")
    ask: Callable[[Sequence[str]], str] = ask
    python: tuple[int, ...] = sys.version_info[:3]
    required_packages: Callable[[], list[str]] = required_packages
    version_of: Callable[[str], str | None] = version_of
    can_import: Callable[[str], bool] = lambda name: util.find_spec(name) is not None
    reader: Callable[[], PhotoReader] = load_reader
    free: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    """Free bytes on a folder's disk."""
    current_time: Callable[[], datetime] = lambda: datetime.now(UTC)
    address: Callable[[], str] = find_lan_address
    store_url: str = ""
    """URL of the store; empty for that of the data folder."""
    photos: Path | None = None
    """The folder of the photographs, if they lie neither in the data folder nor in a database."""

    def text(self, path: str) -> str:
        """Return the text of a file under the root; empty if it cannot be read."""
        try:
            return (self.root / path).read_text("utf-8").strip()
        except OSError:
            return ""

    def first_text(self, pattern: str) -> str:
        """Return the text of the first file that matches a pattern; empty without one."""
        paths = sorted(self.root.glob(pattern))
        return self.text(str(paths[0].relative_to(self.root))) if paths else ""


_SYNC_SERVICE = "systemd-timesyncd.service"
_TIMEDATED_CALL = (
    "org.freedesktop.timedate1", "/org/freedesktop/timedate1", "org.freedesktop.timedate1"
)  # fmt: skip

IS_SYNC_ACTIVE_COMMAND = ("systemctl", "is-active", _SYNC_SERVICE)
STOP_SYNC_COMMAND = ("systemctl", "--no-ask-password", "stop", _SYNC_SERVICE)
START_SYNC_COMMAND = ("systemctl", "--no-ask-password", "start", _SYNC_SERVICE)
SET_TIME_COMMAND = ("busctl", "call", *_TIMEDATED_CALL, "SetTime", "xbb")

MAX_CLOCK_ERROR = timedelta(minutes=1)
"""How far the clock may be off after it was set, since the commands take seconds."""


def set_clock(machine: Machine, wall_time: datetime) -> bool:
    """Set the computer's clock; return whether it now shows that time."""
    waits = machine.ask(IS_SYNC_ACTIVE_COMMAND) == "active"
    if waits:
        machine.ask(STOP_SYNC_COMMAND)
    try:
        machine.ask(
            (*SET_TIME_COMMAND, str(int(wall_time.timestamp() * 1_000_000)), "false", "false")
        )
    finally:
        if waits:
            machine.ask(START_SYNC_COMMAND)
    return abs(machine.current_time() - wall_time) < MAX_CLOCK_ERROR


_BOOT_ID_FILE = Path("/proc/sys/kernel/random/boot_id")


@dataclass(frozen=True, slots=True)
class Uptime:
    """A moment since a computer's start."""

    boot: str
    """Id of the start, unique over all computers; empty if unknown."""
    seconds: float
    """Seconds since then, including sleep."""


def read_uptime() -> Uptime:
    """Return how long this computer has been running."""
    boot = _read_boot_id()
    return Uptime(boot, time.clock_gettime(time.CLOCK_BOOTTIME) if boot else 0.0)


@cache
def _read_boot_id() -> str:
    try:
        return _BOOT_ID_FILE.read_text("ascii").strip()
    except (OSError, UnicodeError):  # another system than Linux
        return ""
