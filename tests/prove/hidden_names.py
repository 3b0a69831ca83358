"""Ask boxes in many states for everything, as a stranger: nobody who is hidden is named.

`python -m tests.prove.hidden_names [--only gathered]`

Names are hidden by what reads the log, whichever store that is in: one state is also asked on
PostgreSQL.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from device.access import ensure_phone_secret
from device.club.people import PeopleRepository
from tests.device.compiling import compile_once
from tests.device.walking import boxes
from tests.device.walking.boxes import PlayedBox, box_with
from tests.device.walking.gathering import (
    ALIAS,
    HIDDEN_NAME,
    gather,
    gather_damaged,
    gather_organised,
)
from tests.device.walking.names import TEACHING, Crawl, Naming, at_table, lookers
from tests.postgresql import running_server
from tests.reporting import say

PUBLIC_FILES = frozenset({"history.sheet", "season.standing", "print.hands", "board.show"})
"""Endpoints whose files leave the table; hidden players must not appear in them."""

EVERYTHING = "gathered"
"""The state in which teaching pages are looked at, too, and which is asked on both stores."""


@dataclass(frozen=True, slots=True)
class State:
    """A box that is asked, and who is hidden there."""

    play: Callable[[PlayedBox], None]
    names: tuple[str, ...] = (HIDDEN_NAME, ALIAS)
    at_table: bool = False
    """The box has one table with a match; its phones see all names but in public files."""


def hiding_bob(play: Callable[[PlayedBox], None]) -> Callable[[PlayedBox], None]:
    """Return a function that plays the state and then hides Bob."""

    def play_and_hide(box: PlayedBox) -> None:
        play(box)
        people = PeopleRepository(box.store)
        people.remove(people.register().find_person("Bob"), is_hidden=True)
        box.known_ids.setdefault("match", ["none"])
        box.known_ids["person"] = [people.register().find_person("Bob").id]

    return play_and_hide


STATES: dict[str, State] = {
    "gathered": State(gather),
    "damaged": State(gather_damaged),
    "organised": State(gather_organised),
    **{
        each.__name__: State(hiding_bob(each), (r"\bBob\b",), at_table=at_table)
        for each, at_table in (
            (boxes.end_match, False),
            (boxes.club, False),
            (boxes.play, True),
            (boxes.give_hands, True),
            (boxes.settling, True),
            (boxes.whole_table, True),
            (boxes.five, True),
            (boxes.two, True),
        )
    },
}


def is_wrong(state: State, naming: Naming) -> bool:
    """Whether somebody is named where nobody should be."""
    if state.at_table:
        return naming.endpoint in PUBLIC_FILES
    return not naming.is_meant


def ask_everything(name: str, folder: Path, database: str) -> list[str]:
    """Ask one box for everything; print how much, and return where it names somebody."""
    state, start = STATES[name], time.monotonic()
    with box_with(state.play, folder, database) as box:
        crawl = Crawl(box, (*state.names, ensure_phone_secret(box.store)))
        stranger, *forgers = lookers(HIDDEN_NAME if HIDDEN_NAME in state.names else "Bob")
        crawl.look(stranger, () if name == EVERYTHING and not database else TEACHING)
        for each in forgers:
            crawl.glance(each)
        crawl.send(stranger)
        crawl.glance(stranger)
        if name == EVERYTHING:
            crawl.send(at_table(box), "/match/")
            crawl.glance(at_table(box))
        leaks = [str(each) for each in crawl.found if is_wrong(state, each)]
    store = "PostgreSQL" if database else "SQLite"
    seconds = time.monotonic() - start
    say(f"{name}, {store}: {crawl.request_count} requests, {seconds:.0f} s, {len(leaks)} named")
    return list(dict.fromkeys(leaks))


def main() -> int:
    """Try every state; return 1 when anybody hidden is named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=STATES, nargs="+", default=list(STATES))
    args = parser.parse_args()
    logging.disable(logging.ERROR)
    compile_once()
    leaks: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in args.only:
            leaks += ask_everything(name, Path(folder) / name, "")
        if EVERYTHING in args.only:
            with running_server() as server:
                leaks += ask_everything(EVERYTHING, Path(folder) / "shared", server.database())
    for each in leaks:
        say(each)
    return 1 if leaks else 0


if __name__ == "__main__":
    raise SystemExit(main())
