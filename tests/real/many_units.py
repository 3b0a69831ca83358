"""Run `deploy/server`'s units under a booted systemd: `python -m tests.real.many_units`.

systemd-nspawn boots a Debian 13 with `deploy/install.sh` run and PostgreSQL installed, in a network
that leads nowhere. What docs/many-rooms.md says is typed there. Then a photograph is read, and what
runs is killed. Needs root and systemd-container.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.real.attempts import Attempts
from tests.real.compose_project import IN_OWN_NAMESPACE, IN_OWN_NETWORK
from tests.real.container_box import CONTAINER
from tests.real.needs import ROOTS, need
from tests.real.page import Page, wait_until
from tests.real.roots import CACHE, REPO, Root, copy_root
from tests.reporting import say

PACKAGES = ("ca-certificates", "dbus", "iproute2", "postgresql", "python3", "systemd-sysv")

NAME = "trial-units"

DATABASE = """
CREATE ROLE tongbox LOGIN PASSWORD 'secret';
CREATE DATABASE tongbox OWNER tongbox ENCODING 'UTF8' TEMPLATE template0;
"""

GUIDE = REPO / "docs/many-rooms.md"

PAGE, WORKERS = "tongbox-page@8080", ("tongbox-worker@1", "tongbox-worker@2")

MAX_BOOT_S, MAX_RECOVERY_S = 120.0, 60.0
"""Seconds until the system is up, and until what was killed is back."""


def main() -> int:
    """Make the system, then boot it and try; return 1 when anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stage", choices=("run",), help=argparse.SUPPRESS)
    if parser.parse_args().stage:
        return run(Root(CACHE / NAME))
    need(*ROOTS, "ip", "systemd-nspawn")
    root = copy_root(NAME, "trixie", "amd64", PACKAGES, kind="units")
    root.take_source()
    root.run("sh", "/src/deploy/install.sh")
    say("installed")
    itself = [sys.executable, "-m", "tests.real.many_units", "--stage", "run"]
    result = subprocess.run([*IN_OWN_NAMESPACE, *IN_OWN_NETWORK, *itself], check=False)
    shutil.rmtree(root.path)
    return result.returncode


@dataclass
class BootedSystem:
    """A system that runs."""

    leader: int
    """Its first process as it is seen from here."""

    def run(self, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command in it, as root."""
        return subprocess.run(
            ["nsenter", f"--target={self.leader}", "--mount", "--uts", "--ipc", "--pid", "--root",
             "--wd=/", *words],
            check=False, text=True, input=stdin, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def says(self, *words: str, stdin: str = "") -> str:
        """Return what a command in it prints; raise AssertionError when it fails."""
        result = self.run(*words, stdin=stdin)
        assert result.returncode == 0, f"{words}: {result.stdout[-1500:]}"
        return result.stdout

    def property(self, unit: str, name: str) -> str:
        """Return what systemd says of a unit."""
        return self.says("systemctl", "show", "--value", f"--property={name}", unit).strip()


def run(root: Root) -> int:
    """Boot it and try one thing after the other."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    console = root.path.with_suffix(".console").open("wb")
    machine = subprocess.Popen(
        [*CONTAINER, "-D", str(root.path)], stdin=subprocess.DEVNULL, stdout=console, stderr=console
    )
    try:
        wait_until(lambda: _first_child(machine.pid), MAX_BOOT_S, "nothing is booted")
        system = BootedSystem(_first_child(machine.pid))
        wait_until(lambda: _is_up(system), MAX_BOOT_S, "it does not come up", interval=1)
        page, attempts = Page("127.0.0.1", 8080), Attempts()
        for label, trial in (
            ("what is typed", follow_guide),
            ("systemd's own look at them", check_units),
            ("a photograph", read),
            ("killed", kill_units),
            ("the database killed", database_killed),
            ("stopped", stop_units),
            ("a wrong password", wrong_password),
        ):
            attempts.attempt(label, partial(trial, system, page))
        return attempts.conclude()
    finally:
        machine.terminate()
        machine.wait(60)


def _first_child(pid: int) -> int:
    pids = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(pids[0]) if pids else 0


def _is_up(system: BootedSystem) -> bool:
    state = system.run("systemctl", "is-system-running").stdout.strip()
    return state in {"running", "degraded"}


def documented_commands() -> str:
    """Return what the documentation says is typed, with this trial's database and password."""
    match = re.search(
        r"(?:^    .*\n)*^    .*server\.env.*\n(?:^    .*\n)*", GUIDE.read_text(), re.M
    )
    assert match, f"{GUIDE} says nothing of it"
    lines = "".join(line.removeprefix("    ") for line in match[0].splitlines(keepends=True))
    return lines.replace("sudo ", "").replace("HOST", "localhost").replace("…", "secret")


def follow_guide(system: BootedSystem, page: Page) -> str:
    """Do as the page of the documentation says."""
    system.says("runuser", "-u", "postgres", "psql", stdin=DATABASE)
    system.says("sh", "-eu", stdin=documented_commands())
    start = time.monotonic()
    wait_until(page.is_well, MAX_RECOVERY_S, "no page")
    seconds = time.monotonic() - start
    for unit in (PAGE, *WORKERS):
        assert system.property(unit, "ActiveState") == "active", unit
    assert system.property("tongbox", "ActiveState") == "inactive"
    rights = system.says("stat", "-c", "%U %a", "/etc/tongbox/server.env").strip()
    assert rights == "root 600", rights
    return f"a page {seconds:.1f} s after systemctl had ended, two workers"


def check_units(system: BootedSystem, page: Page) -> str:
    """Have systemd check the units, and see which user runs them."""
    del page
    scores = []
    for unit in (PAGE, WORKERS[0]):
        file = f"/etc/systemd/system/{unit.partition('@')[0]}@.service"
        report = system.says("systemd-analyze", "verify", file)
        assert not report.strip(), report
        report = system.says("systemd-analyze", "security", "--no-pager", f"{unit}.service")
        scores += re.findall(r"exposure level for \S+: ([\d.]+)", report)
        pid = system.property(unit, "MainPID")
        status = system.says("cat", f"/proc/{pid}/status")
        assert re.search(r"^CapBnd:\s+0+$", status, re.M), status
        assert re.search(r"^NoNewPrivs:\s+1$", status, re.M), status
        assert system.says("stat", "-c", "%U", f"/proc/{pid}").strip() == "tongbox"
    return f"nothing to say; exposure {' and '.join(scores)}; user tongbox, no capability"


def read(system: BootedSystem, page: Page) -> str:
    """Have a photograph read."""
    del system
    start = time.monotonic()
    hand = page.send_sample()
    page.read_sample(hand, 120)
    return f"read by a worker after {time.monotonic() - start:.1f} s"


def kill_units(system: BootedSystem, page: Page) -> str:
    """Kill each with SIGKILL while a photograph waits, and see it back and the photograph read."""
    says = []
    for unit in (PAGE, *WORKERS):
        hand = page.send_sample()
        before, start = system.property(unit, "MainPID"), time.monotonic()
        system.says("systemctl", "kill", "--signal=KILL", unit)
        wait_until(partial(_is_back, system, unit, before), MAX_RECOVERY_S, f"{unit} is not back")
        wait_until(page.is_well, MAX_RECOVERY_S, "no page")
        says.append(f"{unit} back after {time.monotonic() - start:.1f} s")
        page.read_sample(hand, 120)
    return ", ".join(says)


def _is_back(system: BootedSystem, unit: str, before: str) -> bool:
    pid, state = system.property(unit, "MainPID"), system.property(unit, "ActiveState")
    return pid not in {"0", before} and state == "active"


def _page_status(page: Page) -> int:
    """Return the status of a page that needs the database; /health may be some seconds old."""
    return page.ask("/club/tables/")[0]


def database_killed(system: BootedSystem, page: Page) -> str:
    """Kill the database: Debian's unit leaves it so, and it is said until somebody starts it."""
    hand = page.send_sample()
    pids = {unit: system.property(unit, "MainPID") for unit in (PAGE, *WORKERS)}
    system.says("systemctl", "kill", "--signal=KILL", "postgresql@17-main")
    start = time.monotonic()
    wait_until(lambda: _page_status(page) == 503, 10, "the page says nothing of it", interval=0.1)
    told_s = time.monotonic() - start
    system.says("systemctl", "start", "postgresql@17-main")
    start = time.monotonic()
    wait_until(lambda: _page_status(page) == 200, MAX_RECOVERY_S, "no page", interval=0.1)
    seconds = time.monotonic() - start
    page.read_sample(hand, 120)
    for unit, pid in pids.items():
        assert system.property(unit, "MainPID") == pid, f"{unit} was begun anew"
    return (
        f"said after {told_s:.1f} s, well {seconds:.1f} s after it was started; none was begun anew"
    )


def stop_units(system: BootedSystem, page: Page) -> str:
    """Stop all: each ends by itself, as after Ctrl-C."""
    del page
    start = time.monotonic()
    system.says("systemctl", "stop", PAGE, *WORKERS)
    for unit in (PAGE, *WORKERS):
        assert system.property(unit, "Result") == "success", unit
    return f"all after {time.monotonic() - start:.1f} s"


def wrong_password(system: BootedSystem, page: Page) -> str:
    """Say another password, and see what journal and page say."""
    system.says("sed", "-i", "s/^PGPASSWORD=.*/PGPASSWORD=other/", "/etc/tongbox/server.env")
    system.says("systemctl", "start", PAGE, WORKERS[0])
    expected = "The database does not let Tongbox in"
    wait_until(lambda: expected in page.ask("/")[2], MAX_RECOVERY_S, "the page does not say so")
    for unit in (PAGE, WORKERS[0]):
        journal = system.says("journalctl", "--no-pager", "-u", unit, "--since=-60s")
        assert journal.count(expected) == 1, journal
    return "once in each journal, and on the page"


if __name__ == "__main__":
    sys.exit(main())
