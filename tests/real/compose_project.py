"""Run `deploy/server/compose.yaml` by Docker Compose, with podman as its engine.

podman's storage lies in a folder of the trial, and it runs in namespaces of the trial: processes,
mounts, addresses and firewall rules are gone with it, however it ends. Two things differ from a
whole system. Health checks are started from here, not by systemd's timers. The network ends at a
device that leads nowhere, where packets to the world are counted.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.real.page import wait_until

SERVER = Path("deploy/server")
FILES = (SERVER / "compose.yaml", SERVER / "second-page.yaml")

NETWORK, MACHINE_ADDRESS = "10.7.0.0/16", "10.7.0.1"
"""Where phones are, and where they find this machine: no address of anybody, in a namespace."""
NAME_SERVER = ("127.0.0.53", 53)
"""Who is asked for names here, and knows none."""
WORLD_ADDRESS = "198.51.100.1"
"""An address outside (RFC 5737): a request to it would call out."""

STORAGE = """[storage]
driver = "overlay"
graphroot = "{0}/graph"
runroot = "{0}/run"
"""
ENGINE = """[containers]
default_ulimits = ["nofile=20000:20000", "nproc=30000:30000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
tmp_dir = "{0}/libpod"
[network]
network_config_dir = "{0}/networks"
"""

ENGINE_FOLDERS = ("/run/netns", "/run/runc", "/run/containers", "/run/lock")
"""Where the engine keeps what runs, whatever folder is said to it."""

HEALTH_CHECK_S = 1.0
"""Seconds between two checks of the database's health; compose.yaml says five."""

IN_OWN_NAMESPACE = (
    "unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc",
    "sh", "-c", '"$@"; exit $?', "sh",
)  # fmt: skip
"""Runs a command; its processes and mounts end with it. The shell waits for all of them."""

IN_OWN_NETWORK = ("unshare", "--net")


@contextmanager
def no_groups_left() -> Iterator[None]:
    """Remove the control groups that the engine leaves, which no namespace takes with it."""
    before = _groups()
    try:
        yield
    finally:
        for each in sorted(_groups() - before, reverse=True):
            with suppress(OSError):
                each.rmdir()


def _groups() -> set[Path]:
    parents = Path("/sys/fs/cgroup").glob("**/libpod_parent")
    return {each for parent in parents for each in parent.rglob("*") if each.is_dir()}


def keep_in(folder: Path) -> None:
    """Let podman keep everything in a folder, for this process and its children.

    This process has mounts of its own (IN_OWN_NAMESPACE).
    """
    for place in ENGINE_FOLDERS:
        Path(place).mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", place], check=True)
    (folder / "networks").mkdir(parents=True, exist_ok=True)
    for name, text in (("storage", STORAGE), ("containers", ENGINE)):
        (folder / f"{name}.conf").write_text(text.format(folder))
    os.environ["CONTAINERS_CONF"] = str(folder / "containers.conf")
    os.environ["CONTAINERS_STORAGE_CONF"] = str(folder / "storage.conf")
    os.environ["DOCKER_HOST"] = f"unix://{folder}/podman.sock"


def lay_network(folder: Path) -> None:
    """Give this namespace its addresses, and a way out that leads nowhere and counts packets."""
    for words in (
        "ip link set lo up",
        f"ip route add local {NETWORK} dev lo",
        "ip link add out type veth peer name beyond",
        "ip address add 192.0.2.1/24 dev out",
        "ip link set out up",
        "ip link set beyond up",
        "ip route add default dev out",
        "iptables -t mangle -I POSTROUTING -o out -j DROP",
    ):
        subprocess.run(words.split(), check=True)
    resolver = folder / "resolv.conf"
    resolver.write_text(f"nameserver {NAME_SERVER[0]}\n")
    subprocess.run(["mount", "--bind", str(resolver), "/etc/resolv.conf"], check=True)


def calls_out() -> int:
    """Return how many packets would have gone out so far."""
    output = read_output("iptables", "-t", "mangle", "-L", "POSTROUTING", "-v", "-x", "-n")
    lines = [line.split() for line in output.splitlines()]
    return sum(int(line[0]) for line in lines if line[6:7] == ["out"] and line[0].isdigit())


def read_output(*words: str) -> str:
    """Return a command's output; raise CalledProcessError."""
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


@dataclass(frozen=True)
class ComposeServices:
    """The services, by one of the programs that understand compose.yaml."""

    program: str
    source: Path
    """The checkout from which a person types."""
    files: Sequence[Path] = FILES

    def compose(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """Run a command of Compose."""
        files = [word for file in self.files for word in ("-f", str(file))]
        return subprocess.run(
            [self.program, *files, *words], cwd=self.source, check=False, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
            env={key: value for key, value in os.environ.items() if key != "TONGBOX_PASSWORD"}
            | {"DOCKER_BUILDKIT": "0"} | environment,
        )  # fmt: skip

    def start(self, password: str, *words: str) -> None:
        """Start all that is said; raise AssertionError where Compose says that it cannot."""
        result = self.compose("up", "--no-build", "--detach", *words, TONGBOX_PASSWORD=password)
        assert result.returncode == 0, result.stdout[-2000:]

    def stop(self, *words: str) -> None:
        """Stop and remove all but the volume."""
        result = self.compose("down", *words, TONGBOX_PASSWORD="-")  # noqa: S106
        assert result.returncode == 0, result.stdout[-2000:]

    def containers(self, service: str = "") -> list[str]:
        """Return the names of what runs, of a service or of all."""
        names = read_output("podman", "ps", "--format", "{{.Names}}").split()
        return sorted(each for each in names if re.search(rf"{service}[-_]\d+$", each))


def pid_of(container: str) -> int:
    """Return its first process as it is seen from here; 0 while it has none."""
    output = read_output(
        "podman", "inspect", "--format", "{{.State.Running}} {{.State.Pid}}", container
    )
    is_running, pid = output.split()
    return int(pid) if is_running == "true" else 0


def all_of(pid: int) -> list[int]:
    """Return all processes that a container has, by its first."""
    namespace = Path(f"/proc/{pid}/ns/pid").readlink()
    pids = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "ns/pid").readlink() == namespace:
                pids.append(int(folder.name))
        except OSError:
            continue
    return pids


def memory_of(container: str) -> int:
    """Return the bytes of memory that its processes have, shared pages by their share."""
    total = 0
    for pid in all_of(pid_of(container)):
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
        total += int(re.findall(r"^Pss:\s+(\d+)", rollup, re.M)[0]) << 10
    return total


def listens_on(container: str) -> set[int]:
    """Return the ports on which it listens beyond itself."""
    ports = set()
    for table in ("tcp", "tcp6"):
        lines = Path(f"/proc/{pid_of(container)}/net/{table}").read_text("ascii").splitlines()
        for words in (line.split() for line in lines[1:]):
            address, port = words[1].split(":")
            if words[3] == "0A" and not address.endswith("7F"):  # listening, and not on 127.x
                ports.add(int(port, 16))
    return ports


def logs_of(container: str) -> str:
    """Return its output, of both streams."""
    result = subprocess.run(
        ["podman", "logs", container], check=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    return result.stdout


def run_inside(container: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in it as its own user."""
    return subprocess.run(
        ["podman", "exec", container, *words], check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def address_of(container: str) -> str:
    """Return its address in the network of the database."""
    networks = json.loads(read_output("podman", "inspect", container))[0]["NetworkSettings"][
        "Networks"
    ]
    return str(next(each["IPAddress"] for name, each in networks.items() if "inside" in name))


class Names(threading.Thread):
    """A name server that knows no name, and keeps every name that it was asked for."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.asked: set[str] = set()
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(NAME_SERVER)

    def run(self) -> None:
        """Answer for ever."""
        while True:
            question, whence = self._socket.recvfrom(512)
            end = question.index(0, 12)
            labels = re.findall(rb"[\x01-\x3f]([^\x00-\x1f]+)", question[12:end])
            self.asked.add(b".".join(labels).decode("ascii", "replace"))
            # As it was asked, but an answer: recursion was to be had, and there is no such name.
            says = question[:2] + b"\x81\x83" + question[4:6] + bytes(6) + question[12 : end + 5]
            self._socket.sendto(says, whence)


@contextmanager
def run_engine(folder: Path) -> Iterator[None]:
    """Have podman answer Compose, and see after the database's health, as long as this lasts."""
    service = subprocess.Popen(
        ["podman", "system", "service", "--time=0", os.environ["DOCKER_HOST"]],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    is_over = threading.Event()
    beat = threading.Thread(target=_look_after_health, args=(is_over,))
    beat.start()
    try:
        wait_until((folder / "podman.sock").exists, 30, "podman does not answer")
        yield
    finally:
        is_over.set()
        beat.join()
        service.terminate()
        service.wait()


def _look_after_health(stop: threading.Event) -> None:
    while not stop.wait(HEALTH_CHECK_S):
        for container in read_output("podman", "ps", "--format", "{{.Names}}").split():
            if "database" in container:
                subprocess.run(
                    ["podman", "healthcheck", "run", container], check=False,
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                )  # fmt: skip
