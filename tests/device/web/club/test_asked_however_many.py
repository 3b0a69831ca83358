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
from device.web.cookies import TABLE_COOKIE
from tests.device.club.rooms import begin, lay, phone_at, post
from tests.device.events import driver
from tests.device.fake_reader import FakeReader
from tests.device.long_matches import AGREED_TERMS, PLAYERS, MatchWriter
from tests.device.query_record import record_queries
from tests.device.shared_decoder import DECODER
from tests.postgresql import PostgresqlServer

SMALL_COUNT, LARGE_COUNT = 2, 6
"""Of everything that a club has several of."""

SEASON_PAGE = "/club/season/"
"""Leads to this day's season."""

PAGES = (
    ("/match/on0/", "its deals' hands: whether their tiles say what was settled"),
    ("/table/deal/2/changes?who=0", "the hands of all deals after it, whose winds are others"),
    ("/matches", "matches that go on"),
    ("/match/new", "the tables to sit at"),
    ("/club/tables/", "the same, for the organiser"),
    ("/club/board/", "the matches that go on"),
    (SEASON_PAGE, "the seasons, one of which is now's"),
    ("/club/tournaments/", "the tournaments"),
    ("/giving/", "the newest matches' players"),
    ("/health", "whether the newest match of each table is whole"),
)
"""What is looked at, the first time after a start and again, and what there are several of."""

QUERY_HEAVY_PAGES = PAGES[:3]
"""With a database these are enough: what is asked is the same in both stores."""

PAGES_OF_MATCHES = [
    ("/club/players/", "who won and lost what"),
    ("/club/players/p0/", "the same of one"),
    ("/club/season/s0/", "the same of a season"),
]
"""Pages for which each match that has ended is looked at once and never again; else as above."""


def play(folder: Path, number: int) -> None:
    """Write the log of a club that has so many of everything."""
    with closing(Store(folder)) as store:
        driver(store).execute("PRAGMA synchronous = OFF")
        for index in range(number):
            store.append(f"t{index}", TableCreated(f"Table {index}"))
            store.append(f"{PERSON}p{index}", PersonAdded(f"Person {index}"))
            store.append(f"{SEASON}s{index}", _season(index))
            store.append(f"{STREAM_PREFIX}{index:012}", _tournament(index))
        played_club = MatchWriter(store)
        for index in range(number):
            played_club.match(f"over{index}", number, is_over=True)
            match_event = structs.replace(AGREED_TERMS, table=f"t{index}")
            played_club.match(f"on{index}", 0 if index else 2 * number, terms=match_event)
            played_club.give(f"on{index}", "Bob")


def _season(index: int) -> SeasonBegun:
    return SeasonBegun(
        name=f"Season {index}",
        first="2020-01-01",
        last="2099-12-31",
        points="totals",
        by_place=(),
        best=None,
    )


def _tournament(index: int) -> TournamentBegun:
    return TournamentBegun(name=f"Cup {index}", players=PLAYERS, rounds=1, minutes=50)


@contextmanager
def start_client(store: Store) -> Iterator[FlaskClient]:
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
    for folder, number in zip(folders, (SMALL_COUNT, LARGE_COUNT), strict=True):
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
    with open_moved_store(folders[0], new()) as small, open_moved_store(folders[1], new()) as large:
        yield small, large


@contextmanager
def open_moved_store(folder: Path, url: str) -> Iterator[Store]:
    """Copy a folder's log into a database that has nothing in it."""
    with closing(open_store(folder / "moved", url)) as target:
        with closing(Store(folder)) as source:
            move_store(source, target)
        yield target


def times_asked(store: Store, page: str) -> tuple[int, int]:
    """Return how often a page asks the log the first time, and the second."""
    times = []
    with start_client(store) as phone:
        for _ in range(2):
            with record_queries() as queries:
                assert phone.get(page).status_code == (302 if page == SEASON_PAGE else 200)
            times.append(len(queries))
    return times[0], times[1]


@pytest.mark.parametrize(("page", "subject"), QUERY_HEAVY_PAGES)
def test_a_page_asks_a_database_as_often_of_a_large_club(
    in_database: Clubs, page: str, subject: str
) -> None:
    small, large = (times_asked(each, page) for each in in_database)
    assert large == small, subject


@pytest.mark.parametrize(("page", "subject"), PAGES)
def test_a_page_asks_as_often_in_a_large_club(clubs: Clubs, page: str, subject: str) -> None:
    small, large = (times_asked(each, page) for each in clubs)
    assert large == small, subject


@pytest.mark.parametrize(("page", "subject"), PAGES_OF_MATCHES)
def test_a_match_that_has_ended_is_looked_at_once(clubs: Clubs, page: str, subject: str) -> None:
    for store in clubs:
        with start_client(store) as phone:
            phone.get(page)
    small, large = (times_asked(each, page) for each in clubs)
    assert large == small, subject


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
    seated_phone = phone_at(app, tables[0])
    begin(seated_phone, PLAYERS)
    post(seated_phone, "/table/join", number="0")
    post(seated_phone, "/table/winner", who="1", won_by="wall")
    seated_phone.get("/table/")
    return seated_phone


@pytest.mark.parametrize(("path", "max_queries"), ASKS)
def test_a_page_of_the_table_asks_little(phone: FlaskClient, path: str, max_queries: int) -> None:
    with record_queries() as queries:
        assert phone.get(path).status_code == 200
    assert len(queries) <= max_queries, [str(each) for each in queries]


@pytest.mark.parametrize("path", [path for path, _ in ASKS])
def test_what_a_page_asks_is_put_into_words_once(phone: FlaskClient, path: str) -> None:
    asked_texts = []
    for _ in range(2):
        with record_queries() as queries:
            phone.get(path)
        asked_texts.append(queries)
    first, second = asked_texts
    assert all(new is old for new, old in zip(second, first, strict=True))
