"""A match that begins from what is kept of it is the match that its events come to."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.hands.repository import ChangeRefusedError
from device.matches.replay import MATCHES
from device.matches.repository import MatchRepository, OvertakenError
from device.store import projection, projection_cache
from device.store.errors import TornEventError
from device.store.events import (
    ChargeMade,
    DealCorrected,
    DealSettled,
    HandAgreed,
    HandGiven,
    HandsAgreed,
    HandsGiven,
    MatchBegun,
    MatchEnded,
    MatchEvent,
    MatchResumed,
    PlayersRenamed,
    PlayersReseated,
    ScoreTyped,
    WinnerEntered,
)
from device.store.events.parts import words_to_stored
from device.store.projection import Projector, project
from device.store.store_url import open_store
from scorer.errors import ScorerError
from scorer.message import message
from tests.device.log_fuzz import run_box
from tests.device.long_matches import MatchWriter
from tests.device.match_play import AGREED_TERMS, SCORES
from tests.device.spoilt_records import say
from tests.device.work import count_work

STORED_REASON = words_to_stored(message("pay.winner", score=4, payer=message("tiles.DR")))

EVENTS_BY_KIND: Mapping[str, tuple[MatchEvent, ...]] = {
    "won": (WinnerEntered("Cy", by="Bob"), DealSettled("Cy", SCORES, by="Ann")),
    "washed out": (WinnerEntered(None), DealSettled(None, {})),
    "how it ended": (WinnerEntered("Ann", won_by="robbed-kong", original_call=True),),
    "given": (HandGiven(player="Ann", hand="a", by="Ann"),),
    "given otherwise": (HandGiven(player="Ann", hand="b", instead=""),),
    "given together": (HandsGiven(hands={"Ann": "a", "Di": "d"}, deal=1),),
    "agreed": (HandAgreed(player="Ann", hand="a", score=80),),
    "agreed together": (HandsAgreed(hands={"Ann": "a"}, scores={"Ann": 80}),),
    "typed": (ScoreTyped("Bob", 84, by="Bob"),),
    "corrected": (DealCorrected(number=1, winner="Di", won_by="wall", scores=SCORES),),
    "struck": (DealCorrected(number=1, struck=True),),
    "paid": (ChargeMade(payer="Ann", amounts={"Bob": 50, "Cy": 1}, why="Looked", rule="BMJA-P19"),),
    "paid in words": (ChargeMade(payer="Di", amounts={"Ann": 7}, why=STORED_REASON),),
    "renamed": (PlayersRenamed({"Di": "West"}),),
    "renamed again": (PlayersRenamed({"West": "Di"}),),
    "reseated": (PlayersReseated(("Cy", "Bob", "Ann", "Di")),),
    "reseated with scores": (
        PlayersReseated(("Bob", "Cy", "Di", "Ann"), "ESWN", {1: {"Bob": 96}}),
    ),
    "ended": (MatchEnded(),),
    "gone on": (MatchResumed(),),
}
"""What players do. What does not fit is refused, and nothing happens."""

STEP_NAMES = (
    "torn",
    "cut",
    "undo",
    "redo",
    "start",
    "another program",
    "copy",
    "restore",
    "forget",
)
"""What else happens to a log, and to a box."""

STEPS = st.lists(
    st.sampled_from((*EVENTS_BY_KIND, *STEP_NAMES, "won", "undo", "redo", "start")), max_size=24
)


class Evening:
    """A match, and what happens to it and to its store."""

    def __init__(self, folder: Path, database: str, match: str, start: MatchBegun) -> None:
        self.folder, self.database, self.match = folder, database, match
        self.store = open_store(folder, database)
        self.store.append(match, start, after=0)
        self.is_copied = False

    def step(self, name: str) -> None:
        """Let one thing happen."""
        does: Mapping[str, Callable[[], object]] = {
            "torn": lambda: self.store.append(self.match, HandAgreed(player="Ann", hand="none")),
            "cut": self._cut,
            "undo": self._undo,
            "redo": self._redo,
            "start": self._start,
            "another program": self._use_another_program,
            "copy": self._copy,
            "restore": self._restore,
            "forget": lambda: projection_cache.clear_projections(self.store.log),
        }
        try:
            if name in EVENTS_BY_KIND:
                for event in EVENTS_BY_KIND[name]:
                    self.matches.change(self.match, event)
            else:
                does[name]()
        except (ChangeRefusedError, OvertakenError, ScorerError, TornEventError):
            pass

    @property
    def matches(self) -> MatchRepository:
        return MatchRepository(self.store)

    def is_as_replayed(self) -> None:
        """Look whether what is remembered, and what is kept, is what the events come to."""
        replayed_state = project(MATCHES, self.store.stream(self.match))
        for state in (
            self.matches.state_so_far(self.match),
            Projector(self.store, MATCHES).state_of(self.match),
        ):
            assert plainly(state.record) == plainly(replayed_state.record)
            assert state.version == replayed_state.version
            assert (state.torn_error and state.torn_error.seq) == (
                replayed_state.torn_error and replayed_state.torn_error.seq
            )

    def _cut(self) -> None:
        if error := self.matches.state_so_far(self.match).torn_error:
            projection.get_projector(self.store, MATCHES).cut_back(self.match, error.seq)

    def _undo(self) -> None:
        if actions := self.matches.get(self.match).doings:
            self.matches.undo(self.match, actions[-1].seq)

    def _redo(self) -> None:
        if redoable_action := self.matches.get(self.match).undone:
            self.matches.redo(self.match, redoable_action.seq)

    def _start(self) -> None:
        self.store.close()
        self.store = open_store(self.folder, self.database)

    def _use_another_program(self) -> None:
        """Start another program, which wrote what is kept of other records."""
        with self.store.log.writing() as connection:
            connection.exec_driver_sql("UPDATE projections SET form = 'another', record = record")
        self._start()

    def _copy(self) -> None:
        if not self.database:
            self.store.close()
            shutil.copy(self.folder / "events.sqlite3", self.folder / "copy")
            self.is_copied = True
            self.store = open_store(self.folder, self.database)

    def _restore(self) -> None:
        """Put the copy back with what was kept since, as nobody should: numbers come again."""
        if not self.is_copied:
            return
        self.store.close()
        shutil.copy(self.folder / "events.sqlite3", self.folder / "newer")
        shutil.copy(self.folder / "copy", self.folder / "events.sqlite3")
        say(self.folder, "DELETE FROM projections")
        say_with(self.folder, "newer", "INSERT INTO projections SELECT * FROM other.projections")
        self.store = open_store(self.folder, self.database)


def say_with(folder: Path, other: str, statement: str) -> None:
    """Say something to the database of a box that does not run, beside which another lies."""
    with closing(sqlite3.connect(folder / "events.sqlite3")) as db, db:
        db.execute("ATTACH ? AS other", (str(folder / other),))
        db.execute(statement)


def plainly(value: object) -> object:
    """Return a value with the types of all that is in it."""
    if is_dataclass(value) and not isinstance(value, type):
        field_values = {each.name: plainly(getattr(value, each.name)) for each in fields(value)}
        for worked_out in ("course", "settlement"):
            if hasattr(type(value), worked_out):
                field_values[worked_out] = plainly(getattr(value, worked_out))
        return type(value).__name__, field_values
    if isinstance(value, Mapping):
        return [(plainly(key), plainly(each)) for key, each in value.items()]
    if isinstance(value, tuple):
        return tuple(map(plainly, value))
    return type(value).__name__, value


OTHER_RULES = MatchBegun(
    players=("Ann", "Bob", "Cy"), ruleset="safalra", limit=None, house=(), seats="ESN"
)
FIVE = MatchBegun(
    players=("Ann", "Bob", "Cy", "Di", "Eve"), ruleset="bmja", limit=1000, house=(),
    start=500, double="prevailing", table="t",
)  # fmt: skip


@pytest.mark.parametrize(
    ("store_url", "start"),
    [("sqlite", OTHER_RULES), ("sqlite", FIVE), ("postgresql", AGREED_TERMS)],
    ids=["three under other rules", "five", "four, in a database"],
    indirect=["store_url"],
)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_what_is_kept_is_what_a_replay_comes_to(
    store_url: str, tmp_path_factory: pytest.TempPathFactory, start: MatchBegun, steps: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("box")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(projection, "MAX_UNCACHED_EVENTS", 2)
        evening = Evening(folder, store_url, folder.name, start)
        try:
            for step in steps:
                evening.step(step)
                evening.is_as_replayed()
        finally:
            evening.store.close()


def test_after_a_start_the_first_page_replays_what_came_since_alone(tmp_path: Path) -> None:
    """300 deals, counted from outside: the page of a box that was just started."""
    with run_box(tmp_path) as box:
        MatchWriter(box.store, "typed").match("m", 300)
        assert box.phone.get("/table/").status_code == 200
    with run_box(tmp_path) as box, count_work() as first:
        assert box.phone.get("/table/").status_code == 200
    assert first["events of matches replayed"] == 0
    assert first["deals settled"] == 0
    assert first["events read"] < 12
    with run_box(tmp_path) as box:
        MatchWriter(box.store, "typed").give("m", "Ann")
    with run_box(tmp_path) as box, count_work() as second:
        assert box.phone.get("/table/").status_code == 200
    assert second["events of matches replayed"] == 5, "who won, and four scores"


WRITES = """
import sys
from pathlib import Path
from device.matches.repository import MatchRepository
from device.store import projection
from device.store.store_url import open_store
from tests.device.match_play import FEE
projection.MAX_UNCACHED_EVENTS = 0
matches = MatchRepository(open_store(Path(sys.argv[1]), sys.argv[2]))
while True:
    matches.change("m", FEE)
    print(matches.get("m").version, flush=True)
"""
"""A box that keeps what its match came to with each event, until it is killed."""


def test_a_box_that_is_killed_while_it_keeps_leaves_nothing_false(
    store_url: str, tmp_path: Path
) -> None:
    with closing(open_store(tmp_path, store_url)) as store:
        MatchWriter(store, "typed").match("m", 40)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITES, str(tmp_path), store_url], stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    with writer.stdout as output:
        for _ in range(3):
            assert output.readline()
        writer.kill()
    writer.wait()
    with closing(open_store(tmp_path, store_url)) as store, count_work() as work:
        state = Projector(store, MATCHES).state_of("m")
        assert work["events of matches replayed"] <= 1, "the one of which the kill came between"
        assert plainly(state.record) == plainly(project(MATCHES, store.stream("m")).record)
