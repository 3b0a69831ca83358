"""What was asked to be read when the plug was pulled is read at the next start, of every kind."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device import jobs as jobs_module
from device.hands.repository import HandRepository
from device.job_handlers import UNEXPECTED_FAULT
from device.matches.repository import MatchRepository
from device.services import open_services
from device.store import Store
from device.store.events import KINDS, WinnerEntered
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from device.web import Box, create_app
from scorer.message import plain_text
from tests.device.events import write_raw
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.shared_decoder import DECODER
from vision.errors import PhotoError
from vision.photo import open_photo
from vision.set_registration import name_by_order

# The worker dies of it without a word, as the box does; pytest alone would make a warning of that.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore:(?s).*the plug is pulled:pytest.PytestUnhandledThreadExceptionWarning"
    ),
]

PHOTO = picture(lay())


TOO_DARK = PhotoError("too-dark", plain_text("It is too dark to read."))


@dataclass(frozen=True)
class ReadingRequest:
    """One way to ask for a reading, and what the log says of the answer."""

    address: Callable[[str, str], str]
    """Of a hand that was read and a registration that was."""
    read: str
    """The event that is written when it was read."""
    failure_kind: str
    repeat_kind: str = ""
    """The address at which a reading is asked for once more; empty where it cannot be."""


ASKINGS = {
    "a hand of its own": ReadingRequest(
        lambda *_: "/hands", "reading-made", "reading-failed", "/hand/{id}/again"
    ),
    "another photo of a hand": ReadingRequest(
        lambda hand, _: f"/hand/{hand}/photo", "photo-read", "photo-failed"
    ),
    "the whole table": ReadingRequest(
        lambda *_: "/table/whole/", "table-read", "table-failed", "/table/whole/{id}/again"
    ),
    "a registration": ReadingRequest(lambda *_: "/sets/register/", "set-read", "set-read"),
    "another photo of a registration": ReadingRequest(
        lambda _, registration: f"/sets/register/{registration}/photo", "set-read", "set-read"
    ),
}

askings = pytest.mark.parametrize("reading_request", ASKINGS.values(), ids=ASKINGS)
repeatable = pytest.mark.parametrize(
    "reading_request",
    [request for request in ASKINGS.values() if request.repeat_kind],
    ids=lambda request: request.repeat_kind,
)


class House:
    """A box that takes photographs and reads none before it is started."""

    def __init__(
        self, hands: HandRepository, reader: FakeReader, sets: TileSets, hand: str
    ) -> None:
        self.hands, self.reader, self.sets, self.hand = hands, reader, sets, hand
        self.store: Store = hands.store
        self.tables = MatchRepository(hands.store)
        self.match = self.tables.begin(AGREED_TERMS)
        self.tables.change(self.match, WinnerEntered("Cy", "wall"))
        photo = open_photo(PHOTO, "set.jpg")
        self.registration = sets.registrations.begin(FIRST_SET_ID, photo, PHOTO)
        tiles = name_by_order(reader.read_set(photo).tiles)
        sets.registrations.record_reading(self.registration, 0, tiles)
        self.client = FlaskClient(Flask("none yet"))
        self.run()

    def ask(self, reading_request: ReadingRequest, data: bytes = PHOTO) -> str:
        """Send a photograph; return the id of what waits for it to be read."""
        address = reading_request.address(self.hand, self.registration)
        answer = self.client.post(address, data={"photo": (io.BytesIO(data), "hand.jpg")})
        assert answer.status_code == 303
        return next(part for part in answer.headers["Location"].split("/")[::-1] if part)

    def ask_again(self, reading_request: ReadingRequest, stream: str) -> None:
        """Ask for one more reading of what could not be read."""
        assert self.client.post(reading_request.repeat_kind.format(id=stream)).status_code == 303

    def run(self, fault: BaseException | None = None) -> None:
        """Start the box and let it read whatever it finds to read, or end with the fault.

        Afterwards it takes photographs, but its worker has gone: the plug is about to be pulled.
        """
        self.reader.fault = fault
        services = open_services(self.store, self.reader, DECODER)
        jobs = services.jobs
        ends: list[bool] = []
        jobs.use_reader("last", lambda _: ends.append(True), lambda _: None)
        wait_until(lambda: bool(ends) or not jobs.alive)
        jobs.close()
        self.client = create_app(Box(services)).test_client()

    def event_kinds(self, stream: str) -> list[str]:
        """Return the kinds of the events of what was asked, oldest first."""
        return [event.kind for event in self.store.events(stream)]


@pytest.fixture
def house(hands: HandRepository, reader: FakeReader, sets: TileSets, read_hand: str) -> House:
    return House(hands, reader, sets, read_hand)


@askings
def test_what_waited_is_read_at_the_next_start_and_once(
    house: House, reading_request: ReadingRequest
) -> None:
    stream = house.ask(reading_request)
    before = len(house.event_kinds(stream))
    house.run()
    assert reading_request.read in house.event_kinds(stream)[before:]
    after = house.event_kinds(stream)
    house.run()
    assert house.event_kinds(stream) == after, "it has its answer"


CRASH = SystemExit("the plug is pulled")
"""What ends the worker, as a pulled plug ends the box: nothing of it is caught, nothing told."""


@askings
@pytest.mark.parametrize(
    ("crashes", "read", "reason"),
    [(1, True, "the plug may have been pulled"), (2, False, "it may be the photo that does it")],
)
def test_a_photo_that_ends_the_box_is_not_read_at_every_start(
    house: House, reading_request: ReadingRequest, crashes: int, read: bool, reason: str
) -> None:
    stream = house.ask(reading_request)
    for _ in range(crashes):
        before = len(house.event_kinds(stream))
        house.run(CRASH)
        (begin_kind,) = house.event_kinds(stream)[before:]
        assert begin_kind.endswith("reading-begun"), "and no more came of it"
    house.run()
    last = house.store.latest_of_stream(stream)
    assert last
    if read:
        assert last.kind == reading_request.read, reason
        assert UNEXPECTED_FAULT.message.key not in str(last.event)
    else:
        assert last.kind == reading_request.failure_kind, reason
        assert UNEXPECTED_FAULT.message.key in str(last.event)


@askings
def test_what_could_not_be_read_is_told_and_left_alone(
    house: House, reading_request: ReadingRequest
) -> None:
    stream = house.ask(reading_request)
    house.run(TOO_DARK)
    last_event = house.store.latest_of_stream(stream)
    assert last_event
    assert last_event.kind == reading_request.failure_kind
    assert "It is too dark to read." in str(last_event.event)
    house.run()
    assert house.store.latest_of_stream(stream) == last_event


@repeatable
def test_what_is_asked_for_once_more_is_read_after_a_restart_too(
    house: House, reading_request: ReadingRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much has been photographed since it was."""
    stream = house.ask(reading_request)
    for _ in range(2):
        house.run(CRASH)
    house.run()
    assert house.event_kinds(stream)[-1] == reading_request.failure_kind
    house.ask(ASKINGS["a registration"])
    house.ask_again(reading_request, stream)
    monkeypatch.setattr(jobs_module, "MAX_REQUESTS_SEARCHED", 1)
    house.run()
    assert house.event_kinds(stream)[-1] == reading_request.read


@pytest.mark.parametrize(
    ("reading_request", "expected"),
    [
        (ASKINGS["another photo of a hand"], ["photo-read", "photo-read"]),
        (ASKINGS["another photo of a registration"], ["set-read", "set-read"]),
    ],
    ids=["a hand", "a registration"],
)
def test_every_photo_that_was_added_is_read(
    house: House, reading_request: ReadingRequest, expected: list[str]
) -> None:
    stream = house.ask(reading_request)
    assert house.ask(reading_request, picture(lay(), "#603010")) == stream
    before = len(house.event_kinds(stream))
    house.run()
    assert [
        kind for kind in house.event_kinds(stream)[before:] if kind == reading_request.read
    ] == expected


@pytest.mark.parametrize(
    ("reading_request", "method"),
    [
        (ASKINGS["another photo of a hand"], "read"),
        (ASKINGS["another photo of a registration"], "read_set"),
    ],
    ids=["a hand", "a registration"],
)
@pytest.mark.parametrize(
    "settled_fault",
    [None, TOO_DARK],
    ids=["read", "refused"],
)
def test_a_crash_at_one_photo_is_not_held_against_the_next(
    house: House,
    monkeypatch: pytest.MonkeyPatch,
    reading_request: ReadingRequest,
    method: str,
    settled_fault: Exception | None,
) -> None:
    stream = house.ask(reading_request)
    house.ask(reading_request, picture(lay(), "#603010"))
    house.run(CRASH)
    read, faults = getattr(house.reader, method), iter((settled_fault, CRASH))

    def read_in_turn(*args: object, **options: object) -> object:
        house.reader.fault = next(faults)
        return read(*args, **options)

    with monkeypatch.context() as patches:
        patches.setattr(house.reader, method, read_in_turn)
        house.run()
    house.run()
    last = house.store.latest_of_stream(stream)
    assert last
    assert last.kind == reading_request.read
    assert UNEXPECTED_FAULT.message.key not in str(last.event)


def test_what_came_first_is_read_first_whatever_it_is(house: House) -> None:
    order = ("the whole table", "a registration", "a hand of its own", "another photo of a hand")
    streams = [house.ask(ASKINGS[name]) for name in order]
    before = house.store.newer(-1, 0)
    house.run()
    answers = [
        each.stream
        for each in house.store.of_kinds(*(KINDS[asking.read] for asking in ASKINGS.values()))
        if each.seq > before
    ]
    assert answers == streams


def test_the_hands_of_a_table_are_given_in_for_whoever_sent_it(house: House) -> None:
    house.client.post("/table/join", data={"number": "2"})
    table = house.ask(ASKINGS["the whole table"])
    house.client.post(f"/table/whole/{table}/bottom", data={"number": "2"})
    assert not house.tables.get(house.match).deal.hands
    house.run()
    match = house.tables.get(house.match)
    assert list(match.deal.hands) == ["Cy", "Ann"], "at the bottom and at the top"
    assert match.doings[-1].by == "Cy"


TORN_KINDS = ("photo-taken", "table-photographed", "set-photographed")


def test_what_makes_no_sense_hides_nothing_else(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    for kind in TORN_KINDS:
        write_raw(house.store, f"torn-{kind}", kind, {"photo": {}})
    stream = house.ask(ASKINGS["a hand of its own"])
    house.run()
    assert "reading-made" in house.event_kinds(stream)
    for kind in TORN_KINDS:
        assert f"({kind}) of torn-{kind} makes no sense" in caplog.text


def confirm(house: House) -> None:
    """Say that a hand's tiles are right; the box may learn from them."""
    house.sets.allow(is_allowed=True)
    assert house.client.post(f"/hand/{house.hand}/right").status_code == 303


def test_a_confirmed_hand_is_learnt_at_the_next_start_and_once(house: House) -> None:
    confirm(house)
    assert not house.hands.get(house.hand).crops, "the worker has gone"
    house.run()
    assert house.hands.get(house.hand).crops
    after = house.event_kinds(house.hand)
    house.run()
    assert house.event_kinds(house.hand) == after


def test_a_hand_teaches_the_set_that_it_was_confirmed_with(house: House) -> None:
    confirm(house)
    house.sets.begin("Ann's")
    house.run()
    assert house.hands.get(house.hand).tile_set == FIRST_SET_ID


def test_a_hand_that_nobody_allows_to_learn_from_is_not_learnt(house: House) -> None:
    confirm(house)
    house.sets.allow(is_allowed=False)
    house.run()
    assert not house.hands.get(house.hand).crops


def test_a_hand_whose_photograph_is_gone_is_left_alone(house: House) -> None:
    confirm(house)
    photo = house.hands.get(house.hand).photo
    assert photo
    (house.store.folder / "photos" / photo.original).unlink()
    house.run()
    assert house.event_kinds(house.hand)[-1] == "crops-kept"
    after = house.event_kinds(house.hand)
    house.run()
    assert house.event_kinds(house.hand) == after
    assert not house.hands.get(house.hand).crops


@pytest.mark.parametrize(("crashes", "is_learnt"), [(1, True), (2, False)])
def test_a_hand_that_ends_the_box_is_not_cut_out_at_every_start(
    house: House, monkeypatch: pytest.MonkeyPatch, crashes: int, is_learnt: bool
) -> None:
    confirm(house)
    with monkeypatch.context() as ending:
        ending.setattr(TileSets, "learn", end_box)
        for _ in range(crashes):
            house.run()
            assert house.event_kinds(house.hand)[-1] == "reading-begun", "and no more came of it"
    house.run()
    assert house.event_kinds(house.hand)[-1] == "crops-kept"
    assert bool(house.hands.get(house.hand).crops) == is_learnt


def end_box(*_: object) -> None:
    """End the worker in place of learning."""
    raise CRASH
