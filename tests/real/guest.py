"""Try the service inside the virtual machine, under its systemd; the standard library alone.

Each trial is a function that returns what it found, or raises. A line for each goes to the serial
line, where tests/real/vm.py reads it.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException
from pathlib import Path

from tests.real.page import Page, wait_until

BOX = Page("127.0.0.1")
VENV_PYTHON = "/opt/tongbox/current/venv/bin/python"
DATA = Path("/var/lib/tongbox")
MAX_WAIT_S = 600.0
"""Seconds for what takes a real computer a few: this machine is emulated."""


def run(*command: str, stdin: str = "") -> str:
    result = subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)
    if result.returncode:
        raise AssertionError(f"{' '.join(command)}: {result.stdout[-600:]} {result.stderr[-600:]}")
    return result.stdout.strip()


def service_property(name: str) -> str:
    """Return a property of the service, as systemd has it."""
    return run("systemctl", "show", "tongbox", "--value", "--property", name)


def main_pid() -> int:
    return int(service_property("MainPID"))


def is_well() -> None:
    wait_until(BOX.is_well, MAX_WAIT_S, "/health is not well")


def drop_in(name: str, lines: str) -> None:
    """Change the unit for a trial and restart the service; without lines, restore it."""
    folder = Path("/etc/systemd/system/tongbox.service.d")
    folder.mkdir(exist_ok=True)
    if lines:
        (folder / f"{name}.conf").write_text(f"[Service]\n{lines}\n")
    else:
        (folder / f"{name}.conf").unlink()
    run("systemctl", "daemon-reload")
    run("systemctl", "restart", "tongbox")
    is_well()


def seconds(start: float) -> str:
    return f"{time.monotonic() - start:.1f} s"


def becomes_active() -> str:
    wait_until(
        lambda: service_property("ActiveState") == "active",
        MAX_WAIT_S,
        "tongbox.service is not active",
    )
    first_answer = BOX.ask("/health")  # Type=notify: active means that the port answers
    assert first_answer[0] == 200, first_answer
    start_time, active = (
        int(service_property(f"{name}TimestampMonotonic")) / 1e6
        for name in ("ExecMainStart", "ActiveEnter")
    )
    user = run("ps", "-o", "user=", "-p", str(main_pid()))
    assert user == "tongbox", user
    kind = service_property("Type")
    return f"Type={kind}, as user {user}, ready {active - start_time:.0f} s after its start"


def has_a_name() -> str:
    address = wait_until(lambda: run("getent", "hosts", "tongbox.local"), 60, "no tongbox.local")
    assert Page("tongbox.local").is_well()
    services = run("avahi-browse", "--resolve", "--parsable", "--terminate", "_http._tcp")
    assert any(
        line.split(";")[6:9:2] == ["tongbox.local", "80"] for line in services.splitlines()
    ), services
    return f"{address.split()[0]}; /health by that name is well; listed as _http._tcp"


def reads_a_photo() -> str:
    start = time.monotonic()
    hand = BOX.send_sample()
    (DATA / "trial-hand").write_text(hand)
    return f"{BOX.read_sample(hand, MAX_WAIT_S)} in {seconds(start)}"


def hand_is_there() -> str:
    """Return that the hand of the beginning is still as it was read."""
    BOX.read_sample((DATA / "trial-hand").read_text(), MAX_WAIT_S)
    return "its hand is there"


def is_well_by_its_doctor() -> str:
    report = run(
        "runuser", "-u", "tongbox", "--", "tongbox", "doctor", "--json", "--data", str(DATA)
    )
    findings = [json.loads(line) for line in report.splitlines()]
    return "; ".join(f"{finding['check']} {finding['level']}" for finding in findings)


def sends_nothing_out() -> str:
    """Try, as a process of the service's own group, to reach the world; the kernel must refuse."""
    group = Path("/sys/fs/cgroup/system.slice/tongbox.service/cgroup.procs")
    verdicts = {}
    for address in ("192.0.2.1", "10.0.2.2"):
        child = os.fork()
        if not child:
            group.write_text(str(os.getpid()))
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outward:
                try:
                    outward.sendto(b"photo", (address, 9))
                except PermissionError:
                    os._exit(1)
            os._exit(0)
        verdicts[address] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert verdicts == {"192.0.2.1": 1, "10.0.2.2": 0}, verdicts
    return "a packet to the world is refused by the kernel, one within the network is not"


def comes_back_when_killed() -> str:
    before, restarts = main_pid(), int(service_property("NRestarts"))
    start = time.monotonic()
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: main_pid() not in (0, before), MAX_WAIT_S, "it was not started again")
    restart_time = seconds(start)
    is_well()
    assert int(service_property("NRestarts")) == restarts + 1
    return (
        f"started again after {restart_time}, answering after {seconds(start)}; {hand_is_there()}"
    )


def comes_back_when_it_hangs() -> str:
    drop_in("trial-watchdog", "WatchdogSec=10")
    try:
        before = main_pid()
        start = time.monotonic()
        os.kill(before, signal.SIGSTOP)
        wait_until(lambda: main_pid() not in (0, before), MAX_WAIT_S, "the watchdog did nothing")
        restart_time = seconds(start)
        is_well()
        answering = seconds(start)
        assert "watchdog" in run("journalctl", "-u", "tongbox", "-n", "50").lower()
    finally:
        drop_in("trial-watchdog", "")
    return f"a watchdog of 10 s started it again after {restart_time}, answering after {answering}"


def takes_a_broken_version_back() -> str:
    before = Path("/opt/tongbox/current").readlink()
    start = time.monotonic()
    result = subprocess.run(
        ["sh", "/broken/deploy/update.sh"], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1, result.stdout
    assert "taken back" in result.stderr, result.stdout + result.stderr
    assert Path("/opt/tongbox/current").readlink() == before
    is_well()
    return f"{result.stderr.strip()} ({seconds(start)}); {hand_is_there()}"


def changes_to_a_newer_version() -> str:
    """Update, and lose the session as soon as the box has begun to change."""
    before, marker = Path("/opt/tongbox/current").readlink(), Path("/opt/tongbox/trying")
    start = time.monotonic()
    with subprocess.Popen(
        ["sh", "/newer/deploy/update.sh"], stdout=subprocess.DEVNULL, start_new_session=True
    ) as session:
        wait_until(marker.is_symlink, MAX_WAIT_S, "the change was not begun")
        os.killpg(session.pid, signal.SIGKILL)
    wait_until(lambda: not marker.is_symlink(), MAX_WAIT_S, "the change was not finished")
    after = Path("/opt/tongbox/current").readlink()
    assert after != before
    assert BOX.is_well(), "it was taken to be finished before it was well"
    return (
        f"{before.name} to {after.name} in {seconds(start)}, without whoever asked for it; "
        f"{hand_is_there()}"
    )


def takes_photos_by_usb() -> str:
    run("modprobe", "vivid", "n_devs=1", "node_types=0x1")
    wait_until(lambda: Path("/dev/video0").exists(), 60, "vivid made no /dev/video0")
    begin = f"{VENV_PYTHON.replace('python', 'tongbox')} serve --port 80 --data {DATA}"
    drop_in("trial-usb", f"ExecStart=\nExecStart={begin} --camera usb:0")
    wait_until(lambda: camera() == "ready", MAX_WAIT_S, "the webcam is not ready")
    live = first_live_picture()
    hand = BOX.snap()
    colours = run(VENV_PYTHON, "-m", "tests.real.bars", str(photo_of(hand)))
    return f"live picture of {len(live)} bytes; photograph: {colours}"


def camera() -> str:
    try:
        return str(json.loads(BOX.ask("/camera/now")[2])["state"])
    except (OSError, HTTPException, ValueError, KeyError):
        return ""


def first_live_picture() -> bytes:
    with socket.create_connection(("127.0.0.1", 80), timeout=60) as phone:
        phone.sendall(b"GET /camera/live.mjpg HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
        data = b""
        while b"\xff\xd9" not in data:
            data += phone.recv(65536)
    return data[data.index(b"\xff\xd8") : data.index(b"\xff\xd9") + 2]


def photo_of(hand: str) -> Path:
    """Return where the photograph of a hand was put."""
    last_photo = max(DATA.rglob("*.jpg"), key=lambda path: path.stat().st_mtime)
    assert BOX.ask(f"{hand}photo.jpg")[0] == 200
    return last_photo


def notices_a_webcam_pulled() -> str:
    driver = Path("/sys/bus/platform/drivers/vivid")
    start = time.monotonic()
    (driver / "unbind").write_text("vivid.0")
    wait_until(
        lambda: camera() == "lost", 60, "the webcam was pulled, and the page does not say so"
    )
    time_to_notice = seconds(start)
    assert float(time_to_notice.split()[0]) <= 3, f"told only after {time_to_notice}"
    start = time.monotonic()
    (driver / "bind").write_text("vivid.0")
    wait_until(lambda: camera() == "ready", 120, "the webcam is back, and the page does not say so")
    time_to_return = seconds(start)
    BOX.snap()
    return f"told after {time_to_notice}; ready {time_to_return} after it was back"


def goes_without_a_trace() -> str:
    run("sh", "/opt/tongbox/current/deploy/uninstall.sh", stdin="no\n")
    assert not BOX.is_well()
    assert not Path("/opt/tongbox").exists()
    assert list(DATA.iterdir()), "hands stay unless one says yes"
    state = subprocess.run(
        ["systemctl", "is-enabled", "tongbox"], capture_output=True, text=True, check=False
    )
    assert state.stdout.strip() in ("", "not-found"), state.stdout
    return "no service, no program; the hands are there"


TRIALS: tuple[Callable[[], str], ...] = (
    becomes_active, has_a_name, is_well_by_its_doctor, reads_a_photo, sends_nothing_out,
    comes_back_when_killed, comes_back_when_it_hangs, takes_a_broken_version_back,
    changes_to_a_newer_version, takes_photos_by_usb, notices_a_webcam_pulled, goes_without_a_trace,
)  # fmt: skip


def main() -> None:
    """Try everything, one thing after the other, and tell it."""
    for trial in results():
        sys.stdout.write(f"TRIAL {json.dumps(trial)}\n")
        sys.stdout.flush()


def results() -> Iterator[dict[str, object]]:
    for trial in TRIALS:
        start = time.monotonic()
        try:
            is_fine, says = True, trial()
        except (AssertionError, OSError, HTTPException, ValueError) as error:
            is_fine, says = False, f"{type(error).__name__}: {error}"
        yield {
            "trial": trial.__name__.replace("_", " "),
            "is_fine": is_fine,
            "says": says,
            "seconds": round(time.monotonic() - start),
        }
        if not is_fine:
            journal = subprocess.run(
                ["journalctl", "-u", "tongbox", "-n", "40", "--no-pager"],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            sys.stdout.write(journal.stdout)


if __name__ == "__main__":
    main()
