"""The image and compose.yaml of `deploy/server`, built and run: `python -m tests.real.containers`.

As a person types it (docs/many-rooms.md), but for two base images that stand in for the official
ones (`standing_in.py`): podman builds the image, Docker Compose starts a database, two pages and
two workers. Two tables play while each of these is killed again and again; then all is taken down,
begun anew, given a wrong password, and begun with an older version whose data are brought up to
date. Nothing can be reached from there, and what is tried is counted. Needs root, the packages that
tests/real/README.md names, and a Python 3.12 of this machine; leaves nothing behind but the bare
systems of `roots.py`.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from device.samples.photographs import load_samples
from tests.prove.club_check import check_pages
from tests.real import standing_in
from tests.real.composed import (
    APART,
    ELSEWHERE,
    HERE,
    UNCONNECTED,
    Composed,
    Names,
    calls_out,
    engine,
    inside,
    keep_in,
    lay_network,
    listens_on,
    logs_of,
    memory_of,
    pid_of,
)  # fmt: skip
from tests.real.hall import DATABASE, PAGES, PORTS, WORKERS, Hall, hall, play
from tests.real.page import Page, tiles_of, until
from tests.real.roots import REPO, say

IMAGE, OLDER_IMAGE, NEWER_IMAGE = "localhost/tongbox:latest", "tongbox:older", "tongbox:newer"

OLDER = "66b25b32"
"""A commit whose tables lack the last step of `device.store.migrations`."""

PASSWORD = "it's a $secret: 50% @/#"  # noqa: S105
"""With all that a shell, a URL or a YAML file might take for its own."""

FIRST_PAGE = 120.0
"""Seconds until it must be there."""

SAMPLE = next(sample for sample in load_samples() if sample.name == "pungs-and-a-kong")

COMPOSES = ("/usr/libexec/docker/cli-plugins/docker-compose", "docker-compose")


def main() -> int:
    """Try one thing after the other; return 1 when anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=4, help="of the first match at each table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compose", default=_found(COMPOSES), help="Docker Compose, 2.20 or newer")
    parser.add_argument("--python", default=_found(("python3.12",)), help="of this machine")
    parser.add_argument("--stage", choices=("images", "run"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.stage:
        keep_in(options.folder)
        return {"images": make_images, "run": run}[options.stage](options)
    if not (options.compose and options.python and os.geteuid() == 0):
        parser.error("this needs root, Docker Compose (--compose) and a Python 3.12 (--python)")
    with tempfile.TemporaryDirectory(prefix="tongbox-containers-") as folder:
        itself = [sys.executable, "-m", "tests.real.containers", *sys.argv[1:],
                  "--compose", options.compose, "--folder", folder]  # fmt: skip
        for stage, more in (("images", ()), ("run", UNCONNECTED)):
            done = subprocess.run([*APART, *more, *itself, "--stage", stage], check=False)
            if done.returncode:
                return done.returncode
    return 0


def _found(names: tuple[str, ...]) -> str:
    return next(filter(None, map(shutil.which, names)), "")


def make_images(options: argparse.Namespace) -> int:
    """Make the base images, and build this version's and an older one's upon them."""
    standing_in.begin(options.python)
    for image, commit in ((OLDER_IMAGE, OLDER), (NEWER_IMAGE, "")):
        began = time.monotonic()
        standing_in.build(image, standing_in.checkout(options.folder, commit))
        own = standing_in.size(image) - standing_in.size(standing_in.PYTHON_IMAGE)
        say(f"     {image} built in {time.monotonic() - began:.0f} s, {own >> 20} MiB of its own")
    return 0


@dataclass
class Trial:
    """What is tried, and how many things went wrong."""

    composed: Composed
    faults: int = 0

    def attempt(self, what: str, trial: Callable[[], str]) -> None:
        """Say what a trial found."""
        began = time.monotonic()
        try:
            is_fine, says = True, trial()
        except (AssertionError, OSError, HTTPException, subprocess.SubprocessError) as error:
            is_fine, says = False, f"{type(error).__name__}: {error}"
        self.faults += not is_fine
        say(f"{'ok  ' if is_fine else 'FAIL'} {time.monotonic() - began:4.0f} s  {what}: {says}")

    def begin(self, image: str, password: str = PASSWORD) -> float:
        """Start all of an image; return after how many seconds both pages answer."""
        subprocess.run(["podman", "tag", image, IMAGE], check=True)
        began = time.monotonic()
        self.composed.up(password, "--scale", "worker=2")
        for port in PORTS:
            until(Page(HERE, port).is_well, FIRST_PAGE, f"no page on {port}", every=0.1)
        return time.monotonic() - began


def run(options: argparse.Namespace) -> int:
    """Try everything; return 1 when anything was not as it should be."""
    lay_network(options.folder)
    names = Names()
    names.start()
    # The newer checkout's compose.yaml for all: it is what a person has.
    trial = Trial(Composed(options.compose, options.folder / "src"))
    with engine(options.folder):
        trial.attempt("the image", in_the_image)
        trial.attempt("without a password", lambda: without_password(trial))
        trial.attempt("begun", lambda: begun(trial))
        for name in (*PAGES, *WORKERS):
            trial.attempt(f"{name} may do little", lambda name=name: may_do_little(name))  # type: ignore[misc]
        trial.attempt("what listens", what_listens)
        an_evening(trial, options)
        trial.attempt("a wrong password", lambda: wrong_password(trial))
        trial.attempt("an older version's data", lambda: brought_up_to_date(trial))
        trial.attempt("nothing calls out", lambda: nothing_calls_out(names))
        trial.attempt("taken away", lambda: taken_away(trial))
    say(f"{trial.faults} things are not as they should be")
    return 1 if trial.faults else 0


def in_the_image() -> str:
    """See that the image has the program and nothing of its making, and a user of its own."""
    script = "id -un; tongbox --version; ls /opt/tongbox; find / -xdev -user tongbox || true"
    asked = [
        "podman",
        "run",
        "--rm",
        "--network=none",
        "--entrypoint=sh",
        NEWER_IMAGE,
        "-c",
        script,
    ]
    done = subprocess.run(asked, check=True, text=True, capture_output=True)
    said = done.stdout.splitlines()
    assert said[0] == "tongbox", said[0]
    assert not {"tests", "deploy", ".git", "docs"} & set(said), said
    writes = [each for each in said if each.startswith("/")]
    assert writes == ["/var/lib/tongbox"], writes
    return f"{said[1]}, {standing_in.size(NEWER_IMAGE) >> 20} MiB with its base"


def without_password(trial: Trial) -> str:
    """See that nothing is begun where no password is said."""
    done = trial.composed.compose("up", "--no-build", "--detach")
    assert done.returncode != 0, "it was begun"
    assert "say a password" in done.stdout, done.stdout
    assert not trial.composed.containers()
    return done.stdout.strip().splitlines()[-1]


def begun(trial: Trial) -> str:
    """Start everything; see what is shown first, and read a photograph."""
    first = trial.begin(NEWER_IMAGE)
    status, _, text = Page(HERE, PORTS[0]).ask("/")
    assert status == 200, status
    assert "<h1" in text
    began = time.monotonic()
    hand = Page(HERE, PORTS[0]).send(SAMPLE.path)
    read = Page(HERE, PORTS[1]).hand_text(hand, 60)
    assert tiles_of(read) == tiles_of(SAMPLE.hand), read
    took = time.monotonic() - began
    memory = ", ".join(f"{n} {memory_of(n) >> 20} MiB" for n in (*PAGES, *WORKERS, DATABASE))
    return (
        f"both pages after {first:.1f} s; a photograph sent to one page was read by a worker, and "
        f"shown by the other after {took:.1f} s; {memory}"
    )


def may_do_little(name: str) -> str:
    """See what the kernel says of a container's first process, and where it can write."""
    said = dict(
        re.findall(r"^(\w+):\s+(.*)$", Path(f"/proc/{pid_of(name)}/status").read_text(), re.M)
    )
    assert said["Uid"].split() == ["999"] * 4, said["Uid"]
    for each in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(said[each], 16) == 0, each
    assert (said["NoNewPrivs"], said["Seccomp"]) == ("1", "2"), said
    for place, is_open in (("/", 0), ("/opt/tongbox", 0), ("/var/lib/tongbox", 0), ("/tmp", 1)):  # noqa: S108
        done = inside(name, "touch", f"{place}/trial")
        assert (done.returncode == 0) == is_open, f"{place}: {done.stdout}"
    return "user 999, no capability, no new one, writes in /tmp alone"


def what_listens() -> str:
    """See who listens where: one door a page, none to a worker, the database to its network."""
    for name, wanted in (*((each, {8080}) for each in PAGES), *((each, set()) for each in WORKERS),
                         (DATABASE, {5432})):  # fmt: skip
        found = listens_on(name)
        assert found == wanted, f"{name} listens on {found}"
    said = subprocess.run(
        ["ss", "-Hltn"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout.split("\n")
    doors = {int(line.split()[3].rpartition(":")[2]) for line in said if line}
    assert doors - {53} == set(PORTS), doors  # 53: the engine's names for containers
    for worker in (*WORKERS, DATABASE):
        done = inside(worker, "python3" if worker != DATABASE else "perl", *_asking(worker))
        assert "unreachable" in done.stdout, f"{worker} finds a way out: {done.stdout}"
    return f"the machine on {sorted(PORTS)}; workers and the database have no way out"


def _asking(container: str) -> tuple[str, str]:
    """Return what asks the world: in Python, or in Perl where there is none."""
    if container == DATABASE:
        return "-MIO::Socket::INET", (
            f"-eIO::Socket::INET->new(PeerAddr=>'{ELSEWHERE}',PeerPort=>9,Timeout=>2) or print $@"
        )
    return "-c", f"import socket; socket.create_connection(('{ELSEWHERE}', 9), 2)"


def an_evening(trial: Trial, options: argparse.Namespace) -> None:
    """Play with kills; then take all down, begin it anew, and see that all is there."""
    os.environ["PGPASSWORD"] = PASSWORD
    room = hall(options.folder, options.seed, options.deals)
    tables = []

    def played() -> str:
        tables.extend(play(room))
        return _told_of(room)

    trial.attempt("an evening with kills", played)
    trial.attempt("what was said", lambda: what_was_said(room))

    def again() -> str:
        trial.composed.down()
        took = trial.begin(NEWER_IMAGE)
        for each in room.serves:
            each.opened_at = time.monotonic()
        before = room.counts["totals compared"]
        check_pages(room, tables)
        assert not room.faults, room.faults
        return f"pages after {took:.1f} s, {room.counts['totals compared'] - before} totals right"

    trial.attempt("down, and up again", again)


def _told_of(room: Hall) -> str:
    assert not room.faults, room.faults
    assert room.counts["hands photographed"], "no photograph was read"
    for each in room.programs:
        took = ", ".join(f"{seconds:.1f}" for seconds in each.took)  # type: ignore[attr-defined]
        say(f"     {each.name}: {each.peak >> 20} MiB at most; killed, back after [{took}] s")
    for what in ("deals", "hands photographed", "totals compared", "events in the log",
                 "events compared with what was confirmed", "requests cut off by kills",
                 "photographs given up, their readers killed twice"):  # fmt: skip
        say(f"     {room.counts[what]:>7} {what}")
    return f"{sum(each.kills for each in room.programs)} kills, nothing lost"


def what_was_said(room: Hall) -> str:
    """See that logs can be read: no tracebacks, no terminal's codes, where things are kept."""
    lines = 0
    for each in room.programs:
        said = logs_of(each.name)
        lines += len(said.splitlines())
        if each.name != DATABASE:
            for unwanted in ("Traceback", PASSWORD, "\x1b["):
                assert unwanted not in said, f"{each.name}: {said[-2000:]}"
        assert said.strip(), f"{each.name} says nothing"
    page = logs_of(PAGES[0])
    assert "Hands are kept in postgresql://tongbox@database/tongbox" in page, page[-1500:]
    return f"{lines} lines in {len(room.programs)} logs"


def wrong_password(trial: Trial) -> str:
    """See what is said where the database has another password, and that it goes on with it."""
    trial.composed.down()
    trial.composed.up("another", "--scale", "worker=2")
    page = Page(HERE, PORTS[0])
    wanted = "does not let Tongbox in"
    text = until(lambda: _closed(page), FIRST_PAGE, "the page says nothing")
    assert wanted in text, text
    for name in (PAGES[0], WORKERS[0]):
        until(lambda name=name: wanted in logs_of(name), 30, f"{name} does not say so")  # type: ignore[misc]
        lines = [line for line in logs_of(name).splitlines() if wanted in line]
        assert len(lines) == 1, f"{name} says it {len(lines)} times"
    trial.composed.down()
    return f"“{lines[0]}”, once, and on the page"


def _closed(page: Page) -> str:
    """Return what a page says that cannot begin; nothing where there is none."""
    try:
        status, _, text = page.ask("/", timeout=5)
    except (OSError, HTTPException):
        return ""
    return text if status == 503 else ""


def brought_up_to_date(trial: Trial) -> str:
    """Begin an older version's data with this one, and then try the older one again."""
    trial.composed.down("--volumes")
    trial.begin(OLDER_IMAGE)
    page = Page(HERE, PORTS[0])
    hand = page.send(SAMPLE.path)
    read = page.hand_text(hand, 60)
    assert tiles_of(read) == tiles_of(SAMPLE.hand), read
    before = _step()
    trial.composed.down()
    took = trial.begin(NEWER_IMAGE)
    after = _step()
    assert before < after, f"{before}, then {after}"
    assert page.hand_text(hand, 10) == read
    again = page.hand_text(page.send(SAMPLE.path), 60)
    assert again, "nothing is read any more"
    trial.composed.down()
    subprocess.run(["podman", "tag", OLDER_IMAGE, IMAGE], check=True)
    trial.composed.up(PASSWORD)
    text = until(lambda: _closed(page), FIRST_PAGE, "the older version says nothing")
    assert "newer" in text, text
    trial.composed.down()
    return (
        f"from {before} to {after}, pages after {took:.1f} s; the older one then refuses in words"
    )


def _step() -> str:
    """Return the step that the database's tables are at."""
    asked = ("psql", "-U", "tongbox", "-tAc", "SELECT version_num FROM alembic_version")
    done = inside(DATABASE, *asked)
    assert done.returncode == 0, done.stdout
    return done.stdout.strip()


def nothing_calls_out(names: Names) -> str:
    """See that nothing went out, and no name was asked for; then that it would have been seen."""
    found = calls_out()
    assert found == 0, f"{found} packets would have gone out"
    world = {each for each in names.asked if each.removesuffix(".dns.podman") != "database"}
    assert not world, f"names of the world were asked for: {world}"
    for words in (_asking(""), ("-c", "import socket; socket.getaddrinfo('example.com', 80)")):
        subprocess.run(
            ["podman", "run", "--rm", "--entrypoint=python3", NEWER_IMAGE, *words],
            check=False, stderr=subprocess.DEVNULL,
        )  # fmt: skip
    counted = calls_out()
    assert counted > 0, "what goes out is not counted at all"
    assert "example.com" in names.asked, "who asks for a name is not seen at all"
    return f"0 packets, no name of the world; of one that asked on purpose {counted} were counted"


def taken_away(trial: Trial) -> str:
    """See that `down --volumes` leaves nothing."""
    trial.composed.down("--volumes")
    asked = (
        ("ps", "-aq"),
        ("volume", "ls", "-q"),
        ("network", "ls", "--filter=name=tongbox", "-q"),
    )
    for words in asked:
        left = subprocess.run(
            ["podman", *words], check=True, stdout=subprocess.PIPE, text=True
        ).stdout.split()
        assert not left, f"{words}: {left}"
    return "no container, volume or network is left"


if __name__ == "__main__":
    assert (REPO / "deploy").exists()
    sys.exit(main())
