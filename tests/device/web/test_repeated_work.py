"""What a page or a form does once: read, assemble, score and decode, however many ask for it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine
from sqlalchemy.event import listen, remove

from device.decoding.decoder import Decoder
from device.store import Store
from device.store.events import HandGiven, WinnerEntered
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.long_matches import AGREED_TERMS, MatchWriter
from tests.device.query_record import record_queries
from tests.device.work import count_calls, count_work
from vision.photo import Photo

QUERIES_OF_HAND_PAGE = 1
"""What is new. It was 6 of what nothing new concerns, and 17 to 42 before that."""

CALLS_OF_HAND_PAGE = {"one given in": 3600, "all given in": 4800}
"""Calls of our own functions. They are 3,495 and 4,638, and were 13,607 and 21,830."""


@pytest.fixture(params=CALLS_OF_HAND_PAGE)
def played_hand(request: pytest.FixtureRequest, store: Store) -> tuple[str, str]:
    """Play three deals, and give in one hand or all; return a scored hand and which it was."""
    played_club = MatchWriter(store, "photographed")
    played_club.match("m", 3)
    if request.param == "all given in":
        return played_club.give("m", "Bob")[1], request.param
    store.append("m", WinnerEntered("Bob"))
    hand = played_club.hand("m", is_winner=False)
    store.append("m", HandGiven("Ann", hand))
    return hand, request.param


def test_the_hands_page_reads_and_works_out_each_thing_once(
    client: FlaskClient, played_hand: tuple[str, str]
) -> None:
    hand, case = played_hand
    for _ in range(2):
        assert client.get(f"/hand/{hand}/").status_code == 200
    with record_queries() as queries, count_work() as work:
        client.get(f"/hand/{hand}/")
    assert len(queries) <= QUERIES_OF_HAND_PAGE, [str(each) for each in queries]
    counters = ("events read", "events of matches replayed", "hands scored", "hands totalled")
    assert not any(work[each] for each in counters), "nothing has changed since"
    calls = count_calls(lambda: client.get(f"/hand/{hand}/"))
    assert calls <= CALLS_OF_HAND_PAGE[case]


@contextmanager
def statements() -> Iterator[list[str]]:
    """Keep what any log is told in the block, additions included."""
    sql_texts: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        sql_texts.append(statement)

    listen(Engine, "before_cursor_execute", note)
    yield sql_texts
    remove(Engine, "before_cursor_execute", note)


def test_a_tap_asks_what_is_new_before_and_after_it_is_written(
    client: FlaskClient, store: Store, reader: FakeReader, wait_settled: Wait
) -> None:
    """It was seven queries, four of them of the hand; the event was encoded and applied twice."""
    store.append("m", AGREED_TERMS)
    photo = {"photo": (io.BytesIO(picture(reader.reading)), "hand.jpg")}
    answer = client.post("/table/hand/0?match=m", data=photo)
    hand = answer.location.rstrip("/").rsplit("/", 1)[1]
    wait_settled(hand)
    client.get(f"/hand/{hand}/")
    client.post(f"/hand/{hand}/situation", data={"seat_wind": "S"})
    with statements() as sql_texts, count_work() as work:
        client.post(f"/hand/{hand}/right")
    assert len(sql_texts) == 3, sql_texts
    assert work["events read"] == 0, "what was appended is known"
    assert work["events encoded"] == work["events tried"] == 1
    assert work["events of hands replayed"] == 1, "the trial's record is the hand's"


CALLS_OF_RULE_PAGES = {
    "/learn/rules/": 9300,
    "/learn/lessons/scoring": 28000,
    "/settings/rules/ours-1/": 3500,
    "/settings/rules/ours-1/change/rule-4": 7000,
    "/settings/rules/ours-1/change/special-2": 5500,
}
"""Calls of our own functions. They are 9,057, 27,362, 3,297, 6,822 and 5,177.

The list of rules made 104,493: it wrote all figures of the ruleset for each of its sentences.
"""


@pytest.mark.parametrize("path", CALLS_OF_RULE_PAGES)
def test_a_page_of_rules_writes_only_the_figures_that_it_says(
    client: FlaskClient, path: str
) -> None:
    client.post("/settings/rules/copy", data={"of": "bmja", "title": "Our rules"})
    for _ in range(2):
        assert client.get(path).status_code == 200
    assert count_calls(lambda: client.get(path)) <= CALLS_OF_RULE_PAGES[path]


@contextmanager
def opened_photos() -> Iterator[list[str]]:
    """Keep the names of the photographs that are decoded in the block."""
    names: list[str] = []
    real = Decoder.open

    def note(decoder: Decoder, data: bytes, name: str, *sizes: int, **options: int) -> Photo:
        names.append(name)
        return real(decoder, data, name, *sizes, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Decoder, "open", note)
        yield names


def test_a_photo_is_decoded_once_and_its_score_confirmed_with_one_scoring(
    client: FlaskClient, store: Store, reader: FakeReader, wait_settled: Wait
) -> None:
    reader.reading = lay([("exposed", "B7 B7 B7"), ("concealed", "O2 O3 O4 WN WN DG C1 C5 C9 B1")])
    store.append("m", AGREED_TERMS)
    store.append("m", WinnerEntered("Bob"))
    with opened_photos() as photo_names:
        photo = {"photo": (io.BytesIO(picture(reader.reading)), "hand.jpg")}
        answer = client.post("/table/hand/0?match=m", data=photo)
        hand = answer.location.rstrip("/").rsplit("/", 1)[1]
        wait_settled(hand)
    assert photo_names == ["hand.jpg"]
    with count_work() as work:
        client.post("/table/hand/0/right?match=m", data={"hand": hand})
    assert work["hands scored"] + work["hands totalled"] == 1
