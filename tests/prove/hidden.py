"""Ask boxes in many states for everything, as a stranger: nobody who is hidden is named.

Each embedded one is asked, and one on PostgreSQL.

`python -m tests.prove.hidden`
"""

from __future__ import annotations

import logging
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from device.club.people_repository import PeopleRepository
from device.settings.access import ensure_phone_secret
from tests.device.compiling import compile_once
from tests.device.walking import boxes
from tests.device.walking.boxes import Played, box_with
from tests.device.walking.gathering import (
    ALIAS,
    HIDDEN,
    gather,
    gather_damaged,
    gather_organised,
)
from tests.device.walking.names import TEACHING, Crawl, Naming, lookers
from tests.postgresql import PostgresqlServer

FILES = frozenset({"history.sheet", "season.standing", "print.hands", "board.show"})
"""What is for everybody, at a table, too."""


LESSONS_TOO = "gathered"
"""The state in which pages are looked at that teach, too: they tell of nobody."""


@dataclass(frozen=True, slots=True)
class State:
    """A box that is asked, and who is hidden there."""

    play: Callable[[Played], None]
    names: tuple[str, ...] = (HIDDEN, ALIAS)
    at_table: bool = False
    """The box has one table, at which the match is on: its phones are told all but what is for
    everybody."""
    both_stores: bool = True


def hiding_bob(play: Callable[[Played], None]) -> Callable[[Played], None]:
    """Return what plays so, and hides Bob then."""

    def played(box: Played) -> None:
        play(box)
        people = PeopleRepository(box.store)
        people.remove(people.register().find_person("Bob"), hidden=True)
        box.known.setdefault("match", ["none"])
        box.known["person"] = [people.register().find_person("Bob").id]

    return played


STATES: dict[str, State] = {
    "gathered": State(gather),
    "damaged": State(gather_damaged, both_stores=False),  # damage is written past the store
    "organised": State(gather_organised),
    **{
        each.__name__: State(hiding_bob(each), (r"\bBob\b",), at_table=at_table)
        for each, at_table in (
            (boxes.ended, False),
            (boxes.club, False),
            (boxes.play, True),
            (boxes.giving, True),
            (boxes.settling, True),
            (boxes.whole_table, True),
            (boxes.five, True),
            (boxes.two, True),
        )
    },
}
"""By name."""


def wrong(state: State, naming: Naming) -> bool:
    """Whether somebody is named where nobody should be."""
    if state.at_table:
        return naming.endpoint in FILES
    return not naming.is_meant


def tried(name: str, folder: Path, database: str) -> list[str]:
    """Ask one box for everything; print how much, and return where it names somebody."""
    state, began = STATES[name], time.monotonic()
    with box_with(state.play, folder, database) as box:
        crawl = Crawl(box, (*state.names, ensure_phone_secret(box.store)))
        stranger, *forgers = lookers(HIDDEN if HIDDEN in state.names else "Bob")
        crawl.look(stranger, () if name == LESSONS_TOO and not database else TEACHING)
        for each in forgers:
            crawl.glance(each)
        crawl.send(stranger)
        found = [str(each) for each in crawl.found if wrong(state, each)]
    kept = "PostgreSQL" if database else "SQLite"
    took = time.monotonic() - began
    sys.stdout.write(f"{name}, {kept}: {crawl.asked} requests, {took:.0f} s, {len(found)} named\n")
    return list(dict.fromkeys(found))


@contextmanager
def databases() -> Iterator[Callable[[], str]]:
    """Yield what makes an empty database."""
    with tempfile.TemporaryDirectory(prefix="tongbox-pg-", dir="/tmp") as folder:
        server = PostgresqlServer(Path(folder))
        try:
            yield server.database
        finally:
            server.stop()


def main() -> int:
    """Try every state; return 1 when anybody hidden is named."""
    logging.disable(logging.ERROR)
    compile_once()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as folder, databases() as database:
        for name, state in STATES.items():
            for url in ("", database()) if state.both_stores else ("",):
                found += tried(name, Path(folder) / f"{name}-{bool(url)}", url)
    sys.stdout.write("".join(f"{each}\n" for each in found))
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
