"""Try the containers: what they may do, what is lost, what they say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

from tests.prove.club_acts import UntoldError
from tests.prove.club_check import check_pages
from tests.prove.club_phone import GoneError
from tests.prove.club_play import TableEvening
from tests.prove.club_room import OutOfBoundsError
from tests.real import standing_in
from tests.real.attempts import FAILURES, Attempts
from tests.real.compose_project import (
    MACHINE_ADDRESS,
    WORLD_ADDRESS,
    ComposeServices,
    Names,
    calls_out,
    listens_on,
    logs_of,
    memory_of,
    pid_of,
    run_inside,
)
from tests.real.hall import DATABASE, PAGES, PORTS, WORKERS, Hall, make_hall, play
from tests.real.page import Page, wait_until
from tests.reporting import say

IMAGE, NEWER_IMAGE = "localhost/tongbox:latest", "tongbox:newer"

PASSWORD = "it's a $secret: 50% @/#"  # noqa: S105
"""With all that a shell, a URL or a YAML file might take for its own."""

FIRST_PAGE = 120.0
"""The first page must be there within this time."""


@dataclass
class Trial(Attempts):
    """The containers, and how many trials of them failed."""

    services: ComposeServices = field(kw_only=True)
    failures: tuple[type[Exception], ...] = (*FAILURES, UntoldError, GoneError, OutOfBoundsError)

    def begin(self, image: str, password: str = PASSWORD) -> float:
        """Start all of an image; return after how many seconds both pages answer."""
        subprocess.run(["podman", "tag", image, IMAGE], check=True)
        start = time.monotonic()
        self.services.start(password, "--scale", "worker=2")
        for port in PORTS:
            wait_until(
                Page(MACHINE_ADDRESS, port).is_well, FIRST_PAGE, f"no page on {port}", interval=0.1
            )
        return time.monotonic() - start


def in_the_image() -> str:
    """Check that the image has the program, its own user and no build tools."""
    script = "id -un; tongbox --version; ls /opt/tongbox; find / -xdev -user tongbox || true"
    command = [
        "podman",
        "run",
        "--rm",
        "--network=none",
        "--entrypoint=sh",
        NEWER_IMAGE,
        "-c",
        script,
    ]
    result = subprocess.run(command, check=True, text=True, capture_output=True)
    lines = result.stdout.splitlines()
    assert lines[0] == "tongbox", lines[0]
    assert not {"tests", "deploy", ".git", "docs"} & set(lines), lines
    writes = [each for each in lines if each.startswith("/")]
    assert writes == ["/var/lib/tongbox"], writes
    return f"{lines[1]}, {standing_in.size(NEWER_IMAGE) >> 20} MiB with its base"


def without_password(trial: Trial) -> str:
    """See that nothing is begun where no password is said."""
    result = trial.services.compose("up", "--no-build", "--detach")
    assert result.returncode != 0, "it was begun"
    assert "say a password" in result.stdout, result.stdout
    assert not trial.services.containers()
    return result.stdout.strip().splitlines()[-1]


def begin_trial(trial: Trial) -> str:
    """Start everything; check the first page, and read a photograph."""
    first = trial.begin(NEWER_IMAGE)
    for name in PAGES:
        assert "waits" not in logs_of(name), "it began before its database"
    status, _, text = Page(MACHINE_ADDRESS, PORTS[0]).ask("/")
    assert status == 200, status
    assert "<h1" in text
    start = time.monotonic()
    hand = Page(MACHINE_ADDRESS, PORTS[0]).send_sample()
    Page(MACHINE_ADDRESS, PORTS[1]).read_sample(hand, 60)
    seconds = time.monotonic() - start
    memory = ", ".join(f"{n} {memory_of(n) >> 20} MiB" for n in (*PAGES, *WORKERS, DATABASE))
    return (
        f"both pages after {first:.1f} s; a photograph sent to one page was read by a worker, and "
        f"shown by the other after {seconds:.1f} s; {memory}"
    )


def may_do_little(name: str) -> str:
    """Check the rights of a container's first process, and where it can write."""
    status = dict(
        re.findall(r"^(\w+):\s+(.*)$", Path(f"/proc/{pid_of(name)}/status").read_text(), re.M)
    )
    assert status["Uid"].split() == ["999"] * 4, status["Uid"]
    for each in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[each], 16) == 0, each
    assert (status["NoNewPrivs"], status["Seccomp"]) == ("1", "2"), status
    for place, is_open in (("/", 0), ("/opt/tongbox", 0), ("/var/lib/tongbox", 0), ("/tmp", 1)):  # noqa: S108
        result = run_inside(name, "touch", f"{place}/trial")
        assert (result.returncode == 0) == is_open, f"{place}: {result.stdout}"
    return "user 999, no capability, no new one, writes in /tmp alone"


def what_listens() -> str:
    """See who listens where: one door a page, none to a worker, the database to its network."""
    for name, numbers in (*((each, {8080}) for each in PAGES), *((each, set()) for each in WORKERS),
                         (DATABASE, {5432})):  # fmt: skip
        ports = listens_on(name)
        assert ports == numbers, f"{name} listens on {ports}"
    output = subprocess.run(
        ["ss", "-Hltn"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split("\n")
    doors = {int(line.split()[3].rpartition(":")[2]) for line in output if line}
    assert doors - {53} == set(PORTS), doors  # 53: the engine's names for containers
    for worker in (*WORKERS, DATABASE):
        result = run_inside(
            worker, "python3" if worker != DATABASE else "perl", *_asking_program(worker)
        )
        assert "unreachable" in result.stdout, f"{worker} finds a way out: {result.stdout}"
    return f"the machine on {sorted(PORTS)}; workers and the database have no way out"


def _asking_program(container: str) -> tuple[str, str]:
    """Return what asks the world: in Python, or in Perl where there is none."""
    if container == DATABASE:
        return "-MIO::Socket::INET", (
            f"-eIO::Socket::INET->new(PeerAddr=>'{WORLD_ADDRESS}',PeerPort=>9,Timeout=>2)"
            " or print $@"
        )
    return "-c", f"import socket; socket.create_connection(('{WORLD_ADDRESS}', 9), 2)"


def an_evening(trial: Trial, folder: Path, seed: int, deals: int) -> None:
    """Play with kills; then take all down, start again, and check that all is there."""
    os.environ["PGPASSWORD"] = PASSWORD
    room = make_hall(folder, seed, deals)
    tables: list[TableEvening] = []

    def play_evening() -> str:
        tables.extend(play(room))
        return _describe_counts(room)

    trial.attempt("an evening with kills", play_evening)
    trial.attempt("each killed while it is needed", lambda: kill_each(room, tables))
    trial.attempt("what was said", lambda: what_was_said(room))

    def update_and_compare() -> str:
        copy = ("exec", "-T", "database", "pg_dump", "-U", "tongbox", "--format=plain", "tongbox")
        result = trial.services.compose(*copy, TONGBOX_PASSWORD=PASSWORD)
        assert result.returncode == 0, result.stdout[-500:]
        assert result.stdout.count("COPY public.events") == 1, "the copy has no events"
        trial.services.stop()
        seconds = trial.begin(NEWER_IMAGE)
        for each in room.serves:
            each.opened_at = time.monotonic()
        before = room.counts["totals compared"]
        check_pages(room, tables)
        assert not room.faults, room.faults
        return (
            f"pages after {seconds:.1f} s, {room.counts['totals compared'] - before} totals right"
        )

    trial.attempt("down, and up again", update_and_compare)


def kill_each(room: Hall, tables: list[TableEvening]) -> str:
    """Kill one after the other right after a photograph was sent: it is read, and all is there."""
    says = []
    for program in room.programs:
        hand = Page(
            MACHINE_ADDRESS, PORTS[1] if program.name == PAGES[0] else PORTS[0]
        ).send_sample()
        program.kill()
        program.start()
        Page(MACHINE_ADDRESS, PORTS[0]).read_sample(hand, 60)
        says.append(f"{program.name} back after {program.opened_at - program.killed_at:.1f} s")
    check_pages(room, tables)
    assert not room.faults, room.faults
    return ", ".join(says)


def _describe_counts(room: Hall) -> str:
    assert not room.faults, room.faults
    assert room.counts["hands photographed"], "no photograph was read"
    for each in room.programs:
        durations = ", ".join(f"{seconds:.1f}" for seconds in each.took)  # type: ignore[attr-defined]
        say(f"     {each.name}: {each.peak >> 20} MiB at most; killed, back after [{durations}] s")
    for subject in ("deals", "hands photographed", "totals compared", "events in the log",
                 "events compared with what was confirmed", "requests cut off by kills",
                 "photographs given up, their readers killed twice"):  # fmt: skip
        say(f"     {room.counts[subject]:>7} {subject}")
    return f"{sum(each.kills for each in room.programs)} kills, nothing lost"


def what_was_said(room: Hall) -> str:
    """Check that logs can be read: no tracebacks, no terminal codes, the place of the data."""
    lines = 0
    for program in room.programs:
        logs = logs_of(program.name)
        lines += len(logs.splitlines())
        if program.name != DATABASE:
            for unwanted in ("Traceback", PASSWORD, "\x1b["):
                assert unwanted not in logs, f"{program.name}: {logs[-2000:]}"
        assert logs.strip(), f"{program.name} says nothing"
    page = logs_of(PAGES[0])
    assert "Hands are kept in postgresql://tongbox@database/tongbox" in page, page[-1500:]
    return f"{lines} lines in {len(room.programs)} logs"


def wrong_password(trial: Trial) -> str:
    """Start with another password than the database's, and check what is said."""
    trial.services.stop()
    trial.services.start("another", "--scale", "worker=2")
    page = Page(MACHINE_ADDRESS, PORTS[0])
    expected = "does not let Tongbox in"
    text = wait_until(lambda: _closed_text(page), FIRST_PAGE, "the page says nothing")
    assert expected in text, text
    for name in (PAGES[0], WORKERS[0]):
        wait_until(lambda name=name: expected in logs_of(name), 30, f"{name} does not say so")  # type: ignore[misc]
        lines = [line for line in logs_of(name).splitlines() if expected in line]
        assert len(lines) == 1, f"{name} says it {len(lines)} times"
    trial.services.stop()
    return f"“{lines[0]}”, once, and on the page"


def _closed_text(page: Page) -> str:
    """Return the text of a page that cannot start; empty without one."""
    try:
        status, _, text = page.ask("/", timeout=5)
    except (OSError, HTTPException):
        return ""
    return text if status == 503 else ""


def move_in(trial: Trial, folder: Path) -> str:
    """Run the image as a single box with a folder; then move its store into the database."""
    trial.services.stop("--volumes")
    box = folder / "box"
    box.mkdir()
    shutil.chown(box, 999, 999)
    single_box = ["podman", "run", "--detach", "--name=alone", "--publish=8090:8080",
             f"--volume={box}:/var/lib/tongbox", NEWER_IMAGE, "serve", "--camera=none"]  # fmt: skip
    subprocess.run(single_box, check=True, stdout=subprocess.DEVNULL)
    page = Page(MACHINE_ADDRESS, 8090)
    wait_until(page.is_well, FIRST_PAGE, "no page of the box alone")
    hand = page.send_sample()
    page.read_sample(hand, 60)
    subprocess.run(["podman", "stop", "alone"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["podman", "rm", "alone"], check=True, stdout=subprocess.DEVNULL)
    result = trial.services.compose(
        "run", "--rm", "-T", "--volume", f"{box}:/from", "worker", "move",
        "--from", "sqlite:////from/events.sqlite3",
        "--to", "postgresql://tongbox@database/tongbox", TONGBOX_PASSWORD=PASSWORD,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-1500:]
    trial.begin(NEWER_IMAGE)
    Page(MACHINE_ADDRESS, PORTS[1]).read_sample(hand, 10)
    trial.services.stop()
    return result.stdout.strip().splitlines()[-1]


def nothing_calls_out(trial: Trial, names: Names) -> str:
    """Check that nothing went out and no name was asked for; then that both would be noticed."""
    packet_count = calls_out()
    assert packet_count == 0, f"{packet_count} packets would have gone out"
    world = {each for each in names.asked if each.removesuffix(".dns.podman") != "database"}
    assert not world, f"names of the world were asked for: {world}"
    trial.begin(NEWER_IMAGE)
    asks = "import socket; socket.getaddrinfo('example.com', 80)"
    for words in (_asking_program(PAGES[0]), ("-c", asks)):
        run_inside(PAGES[0], "python3", *words)
    probe_count = calls_out()
    assert probe_count > 0, "what goes out is not counted at all"
    assert "example.com" in names.asked, f"who asks for a name is not seen: {names.asked}"
    return (
        f"0 packets, no name of the world; of one that asked on purpose {probe_count} were counted"
    )


def remove_all(trial: Trial) -> str:
    """See that `down --volumes` leaves nothing."""
    trial.services.stop("--volumes")
    commands = (
        ("ps", "-aq"),
        ("volume", "ls", "-q"),
        ("network", "ls", "--filter=name=tongbox", "-q"),
    )
    for words in commands:
        left = subprocess.run(
            ["podman", *words], check=True, stdout=subprocess.PIPE, text=True
        ).stdout.split()
        assert not left, f"{words}: {left}"
    return "no container, volume or network is left"
