"""Phones hear what happens at their table, and not each tap at the other end of the room."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import closing
from pathlib import Path
from zlib import crc32

import pytest
from flask import Flask, before_render_template
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository, open_hands
from device.store import Store
from device.store.events import CameraAssigned, Event, TableCreated, TilesConfirmed, WinnerEntered
from device.web import news
from device.web.contexts import Records, find_context
from device.web.news import ALL_TABLES, TableNews
from device.web.news_stream import UNKNOWN_VERSION
from tests.device.club.rooms import begin, lay, phone_at, post
from tests.device.listening import listening_at, news_of
from tests.device.long_matches import AGREED_TERMS
from tests.device.page import get_page

NAMES = ("Ann", "Bob", "Cy", "Di")


def listen_address(client: FlaskClient, page: str, purpose: str) -> str:
    """Return where a page lets its phone listen, or ask."""
    return get_page(client, page).attributes(f"data-{purpose}")[0]


def answer_status(client: FlaskClient, address: str) -> int:
    """Return the number of the news."""
    return int(client.get(address).get_json()["version"])


@pytest.fixture
def room(app: Flask, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """Return two tables, a match at each; neither hears what is said to all now and then."""
    monkeypatch.setattr(news, "MAX_EVENTS_BACK", 2**32)  # tables have ids by chance
    tables = lay(app, "Table 1"), lay(app, "Table 2")
    for table in tables:
        begin(phone_at(app, table), NAMES)
    return tables


SAYS = {
    "/table/winner": {"who": "1", "won_by": "wall"},
    "/table/charge/": {"payer": "1", "why": "A book", "amount0": "50"},
    "/match/new": {f"player{n}": name for n, name in enumerate(NAMES)} | {"ruleset": "bmja"},
}


@pytest.mark.parametrize(
    ("page", "hears_own", "other"),
    [
        ("/table/", True, False),
        ("/table/winner", True, False),
        ("/club/", True, True),
        ("/club/board/", True, True),
        ("/matches", True, True),
    ],
)
def test_a_page_hears_of_what_it_shows(
    app: Flask, room: tuple[str, str], page: str, hears_own: bool, other: bool
) -> None:
    own_phone = phone_at(app, room[0])
    asks = listen_address(own_phone, page, "ask")
    for path in SAYS:
        for table, is_told in zip(room, (hears_own, other), strict=True):
            phone = phone_at(app, table)
            fields = dict(SAYS[path])
            if path == "/match/new":
                fields["seen"] = get_page(phone, path).value("seen")
            before = answer_status(own_phone, asks)
            post(phone, path, **fields)
            assert (answer_status(own_phone, asks) > before) == is_told, path
    before = answer_status(own_phone, asks)
    lay(app, "Table 3")
    assert answer_status(own_phone, asks) > before, "what is no table's concerns all"


def test_a_hand_is_heard_of_wherever_it_is_looked_at(app: Flask, room: tuple[str, str]) -> None:
    records = find_context(Records, app)
    match = MatchRepository(records.store, room[1]).current()
    assert match
    hand = records.hands.begin_by_hand("bmja", match=match.id, table=room[1])
    own_phone = phone_at(app, room[0])
    phone = listening_at(own_phone, listen_address(own_phone, f"/hand/{hand}/enter", "listen"))
    phone.next()
    seq = records.store.append(hand, TilesConfirmed())
    assert phone.next() == f"data: {seq}\n\n"
    phone.leave()


def test_a_box_of_one_table_hears_of_all(client: FlaskClient) -> None:
    begin(client, NAMES)
    assert listen_address(client, "/table/", "listen") == "/news/?at="
    phone = listening_at(client, "/news/?at=")
    before = phone.next()
    post(client, "/table/winner", who="1", won_by="wall")
    assert phone.next() not in before
    phone.leave()


def test_a_page_says_which_news_it_shows(app: Flask, room: tuple[str, str]) -> None:
    own_phone, other_phone = phone_at(app, room[0]), phone_at(app, room[1])
    own_phone.get("/table/")  # a process that has just started does not know yet what is the newest
    post(other_phone, "/table/winner", who="1", won_by="wall")  # which does not concern the page
    assert listen_address(own_phone, "/table/", "heard") == str(
        answer_status(own_phone, listen_address(own_phone, "/table/", "ask"))
    )


def test_a_page_says_that_something_happened_while_it_was_drawn(
    app: Flask, room: tuple[str, str]
) -> None:
    own_phone, other_phone = phone_at(app, room[0]), phone_at(app, room[0])

    def tap(*_: object, **__: object) -> None:
        before_render_template.disconnect(tap, app)
        post(other_phone, "/table/winner", who="1", won_by="wall")

    before_render_template.connect(tap, app)
    assert listen_address(own_phone, "/table/", "heard") == UNKNOWN_VERSION


def test_an_older_page_hears_of_all(app: Flask, room: tuple[str, str]) -> None:
    before = answer_status(app.test_client(), "/news/now")
    post(phone_at(app, room[1]), "/table/winner", who="1", won_by="wall")
    assert answer_status(app.test_client(), "/news/now") == before + 1


STREAMS = ("m-a", "m-b", "h-a", "h-b", "box")


def _begin(hands: HandRepository) -> dict[str, str]:
    """Begin a match and a hand at each of two tables; return streams by what they are called."""
    matches = {f"m-{t}": MatchRepository(hands.store, t).begin(AGREED_TERMS) for t in ("a", "b")}
    return matches | {
        f"h-{t}": hands.begin_by_hand("bmja", match=matches[f"m-{t}"], table=t) for t in ("a", "b")
    }


EVENTS_BY_STREAM: dict[str, Event] = {
    "m": WinnerEntered("Ann"),
    "h": TilesConfirmed(),
    "b": CameraAssigned(""),
}


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(STREAMS), st.booleans()), max_size=40))
def test_what_is_remembered_is_what_the_log_says(order: list[tuple[str, bool]]) -> None:
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(news, "MAX_EVENTS_BACK", 8)
        with closing(Store(Path(folder))) as store:
            table_news, streams = TableNews(store), _begin(open_hands(store))
            for step, is_asked in order:
                before = (
                    {t: table_news.newest_event(t) for t in ("a", "b", ALL_TABLES)}
                    if is_asked
                    else {}
                )
                seq = store.append(streams.get(step, "box"), EVENTS_BY_STREAM[step[0]])
                if is_asked:
                    newest_by_table = {t: table_news.newest_event(t) for t in before}
                    concerned_tables = {"box"} if step == "box" else {step[-1]}
                    for t in ("a", "b"):
                        is_told = (
                            t in concerned_tables
                            or step == "box"
                            or seq % 8 == crc32(t.encode()) % 8
                        )
                        assert (newest_by_table[t] == seq) == is_told, "it concerns that table"
                        assert is_told or newest_by_table[t] == before[t], (
                            "nobody looks again for nothing"
                        )
                    assert newest_by_table[ALL_TABLES] == seq
            afresh = TableNews(store)  # of another process that shares the log
            for table in ("a", "b", "nobody's", ALL_TABLES):
                assert table_news.newest_event(table) == afresh.newest_event(table)
            store.append("t", TableCreated("Table 3"))
            assert (
                table_news.newest_event("a")
                == table_news.newest_event("b")
                == table_news.newest_event(ALL_TABLES)
            )


def test_a_room_does_not_look_too_often_all_at_once(
    app: Flask, room: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of taps at one table alone, another hears now and then, but not all others at one of them."""
    monkeypatch.setattr("device.web.news.MAX_EVENTS_BACK", 48)
    news, active_phone = news_of(app), phone_at(app, room[0])
    quiet = [f"table {number}" for number in range(12)]
    news_counts: Counter[int] = Counter()
    before = {table: news.read_news(table) for table in quiet}
    for tap in range(2 * 48):
        post(active_phone, "/table/winner", **SAYS["/table/winner"] | {"who": str(tap % 4)})
        newest_by_table = {table: news.read_news(table) for table in quiet}
        news_counts[sum(newest_by_table[table] != before[table] for table in quiet)] += 1
        before = newest_by_table
    assert sum(tables * taps for tables, taps in news_counts.items()) <= 2 * len(quiet)
    assert max(news_counts) <= 2, "so many tables look at the same moment"
