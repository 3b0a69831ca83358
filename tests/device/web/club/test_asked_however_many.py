"""However many hands, matches and tables a page is about, the log is asked as often for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs

from device.club.tournament.repository import STREAM_PREFIX
from device.doctor import Machine
from device.services import open_services
from device.store import Store
from device.store.events import (
    PERSON,
    SEASON,
    PersonAdded,
    SeasonBegun,
    TableCreated,
    TournamentBegun,
)
from device.store.store_url import open_store
from device.store.transfer import move_store
from device.web import Box, create_app
from device.web.contexts import Upkeep
from device.web.table_cookie import TABLE_COOKIE
from tests.device.asked import asked
from tests.device.club.rooms import begin, lay, phone_at, post
from tests.device.events import driver
from tests.device.fake_reader import FakeReader
from tests.device.long_matches import AGREED, PLAYERS, Played
from tests.device.shared_decoder import DECODER
from tests.postgresql import PostgresqlServer

FEW, MANY = 2, 6
"""Of everything that a club has several of."""

NOW = "/club/season/"
"""Leads to this day's season."""

PAGES = (
    ("/match/on0/", "its deals' hands: whether their tiles say what was settled"),
    ("/table/deal/2/changes?who=0", "the hands of all deals after it, whose winds are others"),
    ("/matches", "matches that go on"),
    ("/match/new", "the tables to sit at"),
    ("/club/tables/", "the same, for the organiser"),
    ("/club/board/", "the matches that go on"),
    (NOW, "the seasons, one of which is now's"),
    ("/club/tournaments/", "the tournaments"),
    ("/giving/", "the newest matches' players"),
    ("/health", "whether the newest match of each table is whole"),
)
"""What is looked at, the first time after a start and again, and what there are several of."""

MOST_ASKING = PAGES[:3]
"""With a database these are enough: what is asked is the same in both stores."""

ONCE_FOR_EACH = [
    ("/club/players/", "who won and lost what"),
    ("/club/players/p0/", "the same of one"),
    ("/club/season/s0/", "the same of a season"),
]
"""Pages for which each match that has ended is looked at once and never again; else as above."""


def play(folder: Path, number: int) -> None:
    """Write the log of a club that has so many of everything."""
    with closing(Store(folder)) as store:
        driver(store).execute("PRAGMA synchronous = OFF")
        for one in range(number):
            store.append(f"t{one}", TableCreated(f"Table {one}"))
            store.append(f"{PERSON}p{one}", PersonAdded(f"Person {one}"))
            store.append(f"{SEASON}s{one}", _season(one))
            store.append(f"{STREAM_PREFIX}{one:012}", _tournament(one))
        played = Played(store)
        for one in range(number):
            played.match(f"over{one}", number, ended=True)
            at = structs.replace(AGREED, table=f"t{one}")
            played.match(f"on{one}", 0 if one else 2 * number, agreed=at)
            played.give(f"on{one}", "Bob")


def _season(one: int) -> SeasonBegun:
    return SeasonBegun(
        name=f"Season {one}",
        first="2020-01-01",
        last="2099-12-31",
        points="totals",
        by_place=(),
        best=None,
    )


def _tournament(one: int) -> TournamentBegun:
    return TournamentBegun(name=f"Cup {one}", players=PLAYERS, rounds=1, minutes=50)


@contextmanager
def started(store: Store) -> Iterator[FlaskClient]:
    """Start a box that remembers nothing; return a phone at its first table."""
    store.caches.clear()
    store.newer(-1, 0)  # the newest event's number: asked once, or told by the database before that
    with closing(open_services(store, FakeReader(), DECODER)) as services:
        app = create_app(Box(services, upkeep=Upkeep(Machine(store.folder))))
        phone = app.test_client()
        phone.set_cookie(TABLE_COOKIE, "table=t0")
        yield phone


Clubs = tuple[Store, Store]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folders of a small club and of a large one."""
    folders = tmp_path_factory.mktemp("small"), tmp_path_factory.mktemp("large")
    for folder, number in zip(folders, (FEW, MANY), strict=True):
        play(folder, number)
    return folders


@pytest.fixture(scope="module")
def clubs(folders: tuple[Path, Path]) -> Iterator[Clubs]:
    with closing(Store(folders[0])) as small, closing(Store(folders[1])) as large:
        yield small, large


@pytest.fixture(scope="module")
def in_database(folders: tuple[Path, Path], postgresql: PostgresqlServer) -> Iterator[Clubs]:
    """Return the same clubs, each in a database."""
    new = postgresql.database
    with moved(folders[0], new()) as small, moved(folders[1], new()) as large:
        yield small, large


@contextmanager
def moved(folder: Path, url: str) -> Iterator[Store]:
    """Copy a folder's log into a database that has nothing in it."""
    with closing(open_store(folder / "moved", url)) as target:
        with closing(Store(folder)) as source:
            move_store(source, target)
        yield target


def times_asked(store: Store, page: str) -> tuple[int, int]:
    """Return how often a page asks the log the first time, and the second."""
    times = []
    with started(store) as phone:
        for _ in range(2):
            with asked() as seen:
                assert phone.get(page).status_code == (302 if page == NOW else 200)
            times.append(len(seen))
    return times[0], times[1]


@pytest.mark.parametrize(("page", "of"), MOST_ASKING)
def test_a_page_asks_a_database_as_often_of_a_large_club(
    in_database: Clubs, page: str, of: str
) -> None:
    few, many = (times_asked(each, page) for each in in_database)
    assert many == few, of


@pytest.mark.parametrize(("page", "of"), PAGES)
def test_a_page_asks_as_often_in_a_large_club(clubs: Clubs, page: str, of: str) -> None:
    few, many = (times_asked(each, page) for each in clubs)
    assert many == few, of


@pytest.mark.parametrize(("page", "of"), ONCE_FOR_EACH)
def test_a_match_that_has_ended_is_looked_at_once(clubs: Clubs, page: str, of: str) -> None:
    for store in clubs:
        with started(store) as phone:
            phone.get(page)
    few, many = (times_asked(each, page) for each in clubs)
    assert many == few, of


ASKS = [
    ("/table/", 7),  # whose phones there are, and whether the log was damaged, besides
    ("/table/winner", 5),  # settings, table, which match is on, whether it is over, and it
    ("/table/hand/0", 5),
]
"""What is looked at in every deal; it was 10, 6 and 6."""


@pytest.fixture(params=[False, True], ids=["one table", "of several"])
def phone(request: pytest.FixtureRequest, app: Flask) -> FlaskClient:
    """Return a phone at a table where a deal is scored."""
    tables = [lay(app, name) for name in ("Table 1", "Table 2")] if request.param else [""]
    found = phone_at(app, tables[0])
    begin(found, PLAYERS)
    post(found, "/table/join", number="0")
    post(found, "/table/winner", who="1", won_by="wall")
    found.get("/table/")
    return found


@pytest.mark.parametrize(("path", "most"), ASKS)
def test_a_page_of_the_table_asks_little(phone: FlaskClient, path: str, most: int) -> None:
    with asked() as seen:
        assert phone.get(path).status_code == 200
    assert len(seen) <= most, [str(each) for each in seen]


@pytest.mark.parametrize("path", [path for path, _ in ASKS])
def test_what_a_page_asks_is_put_into_words_once(phone: FlaskClient, path: str) -> None:
    asked_for = []
    for _ in range(2):
        with asked() as seen:
            phone.get(path)
        asked_for.append(seen)
    first, again = asked_for
    assert all(new is old for new, old in zip(again, first, strict=True))
