"""A whole box in a temporary folder, with a reader that reads nothing."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.hands.readings import reading_event
from device.hands.record import HandRecord
from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, use_words
from device.jobs import PhotoQueue
from device.matches.repository import MatchRepository, open_hands
from device.rulesets.repository import CustomRulesets
from device.services import Services, open_services
from device.store import Store
from device.store.store_url import open_store
from device.tilesets.tile_sets import TileSets
from device.web import Box, create_app, request_guard
from tests.device.compiling import compile_once
from tests.device.fake_reader import FakeReader, picture
from tests.device.shared_decoder import DECODER
from tests.postgresql import PostgresqlServer, running_server
from vision.photo import open_photo

compile_once()


@pytest.fixture(autouse=True)
def in_english() -> None:
    """Speak English at the beginning of every test, whatever the one before has spoken."""
    use_words(LANGUAGES[0])


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store that nothing was written to, of which tests make copies."""
    folder = tmp_path_factory.mktemp("store") / "empty"
    Store(folder).close()
    return folder


@pytest.fixture
def store(tmp_path: Path, empty: Path) -> Iterator[Store]:
    store = Store(shutil.copytree(empty, tmp_path / "box"))
    yield store
    store.close()


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresqlServer]:
    """Start a server of this run's own."""
    with ExitStack() as endings:
        try:
            server = endings.enter_context(running_server())
        except FileNotFoundError as error:
            pytest.skip(str(error))
        yield server


@pytest.fixture
def database(postgresql: PostgresqlServer) -> Iterator[str]:
    """Return the URL of a database in which a store was begun, and nothing has happened."""
    url = postgresql.database(postgresql.server_start)
    yield url
    postgresql.drop(url)


@pytest.fixture(params=["sqlite", "postgresql"])
def store_url(request: pytest.FixtureRequest) -> str:
    """Return the URL of each of the two stores; empty for the embedded one."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("database"))


@pytest.fixture
def either_store(store_url: str, tmp_path: Path) -> Iterator[Store]:
    """Open a store of each kind."""
    with closing(open_store(tmp_path / "box", store_url)) as store:
        yield store


@pytest.fixture
def hands(store: Store) -> HandRepository:
    return open_hands(store)


@pytest.fixture
def matches(store: Store) -> MatchRepository:
    return MatchRepository(store)


@pytest.fixture
def rulesets(store: Store) -> CustomRulesets:
    return CustomRulesets(store)


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture
def sets(store: Store, hands: HandRepository) -> TileSets:
    return TileSets(store, hands)


@pytest.fixture
def services(store: Store, reader: FakeReader) -> Iterator[Services]:
    """Begin reading, as the program does."""
    services = open_services(store, reader, DECODER)
    yield services
    reader.go_on.set()
    services.close()


@pytest.fixture
def jobs(services: Services) -> PhotoQueue:
    return services.jobs


@pytest.fixture
def app(services: Services) -> Flask:
    app = create_app(Box(services))
    app.testing = True
    return app


@pytest.fixture
def stopped_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no minute end while an app counts requests; to be used before the app is made."""
    stopped_limit = partial(request_guard.RateLimit, clock=lambda: 0.0)
    monkeypatch.setattr(request_guard, "RateLimit", stopped_limit)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def unread_hand(hands: HandRepository, reader: FakeReader) -> str:
    """Begin a hand with a photograph that is not yet read; return its id."""
    data = picture(reader.reading)
    return hands.begin(open_photo(data, "hand.jpg"), data, "bmja")


@pytest.fixture
def read_hand(hands: HandRepository, unread_hand: str, reader: FakeReader) -> str:
    """Return the id of a hand that was read."""
    hands.change(unread_hand, reading_event(reader.reading))
    return unread_hand


Wait = Callable[[str], HandRecord]


@pytest.fixture
def wait_settled(hands: HandRepository) -> Wait:
    """Wait until a hand was read, or its reading failed."""

    def wait(hand: str) -> HandRecord:
        for _ in range(3000):
            record = hands.get(hand)
            if record.is_read or record.failure:
                return record
            time.sleep(0.01)
        raise AssertionError("the hand was not read within half a minute")

    return wait
