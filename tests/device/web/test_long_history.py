"""The history of a long match: shown part by part, and nothing is missing or shown twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from device.hands.scoring import find_total
from device.matches import corrections
from device.matches.repository import MatchRepository
from device.store import Store
from device.views.table.history import MAX_ENTRIES_SHOWN, history_part
from tests.device.long_matches import EntryMethod, MatchWriter
from tests.device.match_play import FEE
from tests.device.page import Page, get_page

pytestmark = pytest.mark.slow

DEALS = 2 * MAX_ENTRIES_SHOWN + 3


@pytest.fixture
def match(store: Store) -> str:
    """Play a match of three parts."""
    MatchWriter(store, "entered").match("m", DEALS)
    return "m"


def entries(page: Page) -> list[int]:
    ids = page.attributes("id", '[id^="entry-"]')
    return [int(each.removeprefix("entry-")) for each in ids]


def parts(client: FlaskClient, address: str, way: str) -> Iterator[list[int]]:
    """Yield the entries of each part, from one address on to the last."""
    while address:
        page = get_page(client, address)
        yield entries(page)
        address = next((each["href"] for each in page.all("a", f"{way} deals")), "")


def test_every_deal_is_shown_once_the_newest_first(client: FlaskClient, match: str) -> None:
    pages = list(parts(client, f"/match/{match}/", "Earlier"))
    assert [len(part) for part in pages] == [MAX_ENTRIES_SHOWN, MAX_ENTRIES_SHOWN, 3]
    assert list(chain(*pages)) == list(range(DEALS, 0, -1))


def test_the_way_back_leads_to_the_newest(client: FlaskClient, match: str) -> None:
    pages = list(parts(client, f"/match/{match}/?until=3", "Later"))
    assert pages[0] == [3, 2, 1]
    assert pages[-1] == list(range(DEALS, DEALS - MAX_ENTRIES_SHOWN, -1))
    assert sorted(set(chain(*pages))) == list(range(1, DEALS + 1))


@pytest.mark.parametrize(
    ("deals", "last_entry", "numbers", "earlier", "later", "reason"),
    [
        (0, 0, (), None, None, "nothing yet"),
        (
            MAX_ENTRIES_SHOWN,
            0,
            (1, MAX_ENTRIES_SHOWN),
            None,
            None,
            "one part, and no way to another",
        ),
        (MAX_ENTRIES_SHOWN + 1, 0, (2, MAX_ENTRIES_SHOWN + 1), 1, None, "the newest"),
        (MAX_ENTRIES_SHOWN + 1, 1, (1, 1), None, 0, "the first; what follows ends with the newest"),
        (
            3 * MAX_ENTRIES_SHOWN,
            MAX_ENTRIES_SHOWN,
            (1, MAX_ENTRIES_SHOWN),
            None,
            2 * MAX_ENTRIES_SHOWN,
            "a whole part lies between",
        ),
        (
            MAX_ENTRIES_SHOWN + 1,
            9999,
            (2, MAX_ENTRIES_SHOWN + 1),
            1,
            None,
            "a number that no entry has",
        ),
    ],
)
def test_what_a_part_shows(
    store: Store,
    matches: MatchRepository,
    deals: int,
    last_entry: int,
    numbers: tuple[int, ...],
    earlier: int | None,
    later: int | None,
    reason: str,
) -> None:
    MatchWriter(store, "typed").match("m", deals)
    part = history_part(matches.get("m"), last_entry)
    assert (part.numbers[:1] + part.numbers[-1:], part.earlier, part.later) == (
        numbers, earlier, later,
    ), reason  # fmt: skip


def test_payments_and_corrections_have_their_place(
    client: FlaskClient, store: Store, match: str
) -> None:
    store.append(match, FEE)
    client.post("/table/deal/2/correct", data={"struck": "1"})
    MatchWriter(store, "typed").give(match, "Ann")
    assert entries(get_page(client, f"/match/{match}/"))[0] == DEALS + 1, "the payment"
    shown_page = get_page(client, f"/match/{match}/?until=2")
    assert entries(shown_page) == [2, 1]
    assert "Deleted" in shown_page.text


@pytest.mark.parametrize(
    ("number", "query"),
    [
        (DEALS - MAX_ENTRIES_SHOWN, f"?until={DEALS - MAX_ENTRIES_SHOWN}"),
        (1, "?until=1"),
    ],
)
def test_after_a_correction_the_deal_is_on_the_page(
    client: FlaskClient, match: str, number: int, query: str
) -> None:
    answer = client.post(f"/table/deal/{number}/correct", data={"score3": "2"})
    assert answer.headers["Location"] == f"/match/{match}/{query}"
    assert number in entries(get_page(client, answer.headers["Location"]))


@pytest.mark.parametrize(
    ("way", "pictures", "reason"),
    [
        ("photographed", 4, "each hand has its photograph"),
        ("entered", 0, "there is none: no frame around nothing"),
        ("typed", 0, "nor is there a hand"),
    ],
)
def test_only_hands_that_were_photographed_have_a_picture(
    client: FlaskClient, store: Store, way: EntryMethod, pictures: int, reason: str
) -> None:
    MatchWriter(store, way).match("m", 1)
    assert len(get_page(client, "/match/m/").all('[src$="/thumbnail.jpg"]')) == pictures, reason


def test_only_the_hands_that_are_shown_are_scored_again(
    client: FlaskClient, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    score_mock = Mock(wraps=find_total)
    monkeypatch.setattr(corrections, "find_total", score_mock)
    client.get(f"/match/{match}/")
    assert score_mock.call_count == 4 * MAX_ENTRIES_SHOWN, "of a match of any length"


def test_a_correction_scores_the_hands_again_whose_winds_it_changes(
    client: FlaskClient, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    score_mock = Mock(wraps=find_total)
    monkeypatch.setattr(corrections, "find_total", score_mock)
    assert client.get("/table/deal/5/changes?score3=2").status_code == 200
    assert score_mock.call_count == 2 * 4, "that deal's as they were and would be; all others stay"
