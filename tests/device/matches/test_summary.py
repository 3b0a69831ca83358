"""The list of matches: what is kept of those that are over, and when it is not believed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.matches import summary
from device.matches.repository import MATCHES_PER_PAGE, MatchList, MatchRepository
from device.store import Store
from device.store.events import MatchEnded
from tests.device.events import write_raw
from tests.device.long_matches import AGREED_TERMS, MatchWriter
from tests.device.page import Page
from tests.device.spoilt_records import SPOILING_STATEMENTS, TAKES_NOTHING, projection_versions, say
from tests.device.work import count_work

DEALS = 3
EVENTS = 1 + DEALS * 6 + 1
"""Of a match with typed scores: its beginning, the deals, its end."""


def load_list(folder: Path) -> tuple[MatchList, int]:
    """Return the list as a box that has just been started shows it, and how many events it read."""
    with closing(Store(folder)) as store, count_work() as work:
        return MatchRepository(store).list_page(), work["events read"]


@pytest.fixture(scope="module")
def played_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with twelve matches that are over, of which tests make copies."""
    folder = tmp_path_factory.mktemp("played")
    with closing(Store(folder)) as store:
        for number in range(12):
            MatchWriter(store, "typed").match(f"m{number}", DEALS, is_over=True)
    return folder


@pytest.fixture
def box(played_folder: Path, tmp_path: Path) -> Path:
    """Return a folder with twelve matches that are over."""
    return shutil.copytree(played_folder, tmp_path / "copy")


def test_a_match_that_is_over_is_replayed_once(box: Path) -> None:
    first, read = load_list(box)
    assert read == 12 * EVENTS
    assert [each.id for each in first.matches] == [f"m{number}" for number in range(11, -1, -1)]
    assert load_list(box) == (first, 0), "not one event of them is read again"
    with closing(Store(box)) as store:
        MatchWriter(store, "typed").match("new", DEALS, is_over=True)
    second_list, read = load_list(box)
    assert read == EVENTS, "the new one alone"
    assert second_list.matches[1:] == first.matches


def test_what_is_kept_is_what_a_replay_comes_to(box: Path) -> None:
    load_list(box)
    (stored_list, read) = load_list(box)
    assert read == 0
    with closing(Store(box)) as store:
        tables = MatchRepository(store)
        assert stored_list.matches == tuple(
            summary.summarise(tables.get(f"m{number}")) for number in range(11, -1, -1)
        )


def test_a_match_that_goes_on_is_not_kept(box: Path) -> None:
    with closing(Store(box)) as store:
        MatchWriter(store, "typed").match("on", DEALS)
    load_list(box)
    assert projection_versions(box, "came-to").keys() == {f"m{number}" for number in range(12)}
    assert load_list(box)[0].matches[0].deals == DEALS


@pytest.mark.parametrize(("statement", "reason"), SPOILING_STATEMENTS)
def test_what_cannot_be_believed_is_made_again(box: Path, statement: str, reason: str) -> None:
    first, _ = load_list(box)
    say(box, statement)
    assert load_list(box) == (first, 12 * EVENTS), reason
    if "DROP" not in statement:
        assert load_list(box) == (first, 0), reason


def _add_event(db: sqlite3.Connection) -> None:
    """Write an event more than there was, as a later program may."""
    db.execute(
        "INSERT INTO events (stream, kind, json, at) SELECT stream, kind, json, at FROM events "
        "WHERE stream = 'm0' AND kind = 'match-ended'"
    )


def _one_missing(db: sqlite3.Connection) -> None:
    """Lose an event in the middle, as a damaged disk may."""
    db.execute("DROP TRIGGER events_last")
    db.execute("DELETE FROM events WHERE seq = 19")


def _restore_event(db: sqlite3.Connection) -> None:
    """Put back an earlier state and play on: another last event with the same number."""
    db.execute("DROP TRIGGER events_stay")
    db.execute(
        "UPDATE events SET at = '2026-11-22T20:00:00.000+00:00' "
        "WHERE seq = (SELECT MAX(seq) FROM events WHERE stream = 'm0')"
    )


@pytest.mark.parametrize("change", [_add_event, _one_missing, _restore_event])
def test_a_match_of_other_events_is_replayed(
    box: Path, change: Callable[[sqlite3.Connection], None]
) -> None:
    load_list(box)
    with closing(sqlite3.connect(box / "events.sqlite3")) as db, db:
        change(db)
    _, read = load_list(box)
    assert 0 < read <= EVENTS + 1, "that one alone"


def test_a_torn_match_is_told_each_time_and_never_kept(box: Path) -> None:
    with closing(Store(box)) as store:
        write_raw(store, "m3", "match-won", {})
    for _ in range(2):
        match_list, _ = load_list(box)
        assert [each.stream for each in match_list.torn] == ["m3"]
        assert len(match_list.matches) == 11


def test_a_disk_that_takes_nothing_hides_no_match(
    box: Path, caplog: pytest.LogCaptureFixture
) -> None:
    say(box, TAKES_NOTHING)
    assert len(load_list(box)[0].matches) == 12
    assert "Cannot cache the" in caplog.text


def test_older_matches_are_a_link_away(client: FlaskClient, store: Store) -> None:
    for number in range(MATCHES_PER_PAGE + 2):
        store.append(f"m{number}", AGREED_TERMS)
        store.append(f"m{number}", MatchEnded())
    first, second = (
        client.get(address).text for address in ("/matches", f"/matches?skip={MATCHES_PER_PAGE}")
    )
    assert len(Page(first).links("/match/m")) == MATCHES_PER_PAGE
    assert Page(first).link("Earlier matches") == f"/matches?skip={MATCHES_PER_PAGE}"
    assert "Later matches" not in first
    assert len(Page(second).links("/match/m")) == 2
    assert Page(second).link("Later matches") == "/matches"
    assert "Earlier matches" not in second


def test_no_page_replays_a_match_that_is_over(client: FlaskClient, store: Store) -> None:
    MatchWriter(store, "typed").match("m", 30, is_over=True)
    client.get("/health")  # it waits until the log was looked over, once after a start
    for address in ("/", "/single/", "/match/new", "/practise/", "/learn/"):
        with count_work() as work:
            assert client.get(address).status_code == 200
        assert work["events of matches replayed"] == 0, address
        assert work["events read"] < 12, address
