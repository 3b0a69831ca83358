"""An event is kept at the version that it was decided on, whoever writes to the log besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from flask import Flask

from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.match import Match
from device.matches.repository import MatchRepository, OvertakenError, open_hands
from device.store import Store
from device.store.events import (
    DealSettled,
    Event,
    MatchBegun,
    MatchEnded,
    TileCorrected,
    WinnerEntered,
)
from device.store.store_url import open_store
from tests.device.match_play import AGREED_TERMS, FEE, SCORES
from tests.device.page import Page, get_page


@pytest.fixture
def other(store: Store) -> Iterator[HandRepository]:
    """Return the hands through another connection to the log: the command line, say."""
    with closing(Store(store.folder)) as second_store:
        yield open_hands(second_store)


def test_two_who_settle_one_deal_through_two_connections(
    matches: MatchRepository, other: HandRepository
) -> None:
    first_matches, second_matches = matches, MatchRepository(other.store)
    match = first_matches.begin(AGREED_TERMS)
    first_matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    seen_version = second_matches.get(match).version
    second_matches.change(match, DealSettled("Cy", SCORES), seen_version=seen_version)
    with pytest.raises(OvertakenError):
        first_matches.change(match, DealSettled("Cy", SCORES), seen_version=seen_version)
    assert len(first_matches.get(match).past) == 1 == len(second_matches.get(match).past)
    second_matches.change(match, MatchEnded())
    with pytest.raises(ChangeRefusedError):
        first_matches.change(match, FEE)


def test_a_change_that_comes_in_between_is_looked_at_first(
    store: Store, matches: MatchRepository, other: HandRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settling is decided, then another ends the match, then the settling is written."""
    first_matches, append = matches, store.append
    match = first_matches.begin(AGREED_TERMS)
    first_matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))

    def append_late(*event: object, **options: object) -> int:
        monkeypatch.undo()
        MatchRepository(other.store).change(match, MatchEnded())
        return append(*event, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(store, "append", append_late)
    with pytest.raises(ChangeRefusedError):
        first_matches.change(match, DealSettled("Cy", SCORES))
    kinds = [each.kind for each in store.events(match)]
    assert kinds == ["match-begun", "winner-said", "match-ended"]


def test_two_who_correct_one_hand_through_two_connections(
    hands: HandRepository, other: HandRepository, read_hand: str
) -> None:
    before = hands.get(read_hand).version
    other.change(read_hand, TileCorrected(0, None))
    hands.change(read_hand, TileCorrected(1, None))
    record = hands.get(read_hand)
    assert record == other.get(read_hand)
    assert [tile.code for tile in record.tiles[:2]] == [None, None]
    with pytest.raises(ChangeRefusedError):
        hands.undo(read_hand, before + 1)
    hands.undo(read_hand, before + 2)
    assert other.get(read_hand).tiles[1].code is not None


@contextmanager
def processes(database: str, folder: Path, count: int) -> Iterator[list[MatchRepository]]:
    """Open a store so many times, as so many processes do."""
    stores = [open_store(folder, database) for _ in range(count)]
    try:
        yield [MatchRepository(store) for store in stores]
    finally:
        for store in stores:
            store.close()


def open_at(matches: MatchRepository) -> list[Match]:
    """Return all matches at a table that have not ended, old ones among them."""
    matches_at_table = [matches.get(each.id) for each in matches.list_page().matches]
    return [each for each in matches_at_table if each.table == matches.table and not each.ended]


def insert_before_append(patch: pytest.MonkeyPatch, does: Callable[[], object]) -> None:
    """Let something happen between what a beginning is decided on and its being written."""
    append = Store.append

    def append_late(store: Store, stream: str, event: Event, **options: Any) -> int:  # noqa: ANN401
        if isinstance(event, MatchBegun):
            patch.undo()
            does()
        return append(store, stream, event, **options)

    patch.setattr(Store, "append", append_late)


@pytest.mark.parametrize("before", ["nothing", "a match that is on", "one that is over"])
def test_who_comes_second_is_told(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: str
) -> None:
    with processes(store_url, tmp_path, 2) as (first_matches, second_matches):
        if before != "nothing":
            match = first_matches.begin(AGREED_TERMS)
            if before == "one that is over":
                first_matches.change(match, MatchEnded())
        match_ids: list[str] = []
        insert_before_append(
            monkeypatch, lambda: match_ids.append(second_matches.begin(AGREED_TERMS))
        )
        with pytest.raises(OvertakenError) as error:
            first_matches.begin(AGREED_TERMS)
        assert [error.value.match.id] == match_ids
        assert [each.id for each in open_at(first_matches)] == match_ids
        assert first_matches.current() == second_matches.current() == open_at(second_matches)[0]


def test_of_twelve_at_once_one_begins(store_url: str, tmp_path: Path) -> None:
    with processes(store_url, tmp_path, 3) as repositories:
        repositories[0].begin(AGREED_TERMS)
        start_together, seen_seq = Barrier(12), repositories[0].last_begun()

        def begin(number: int) -> str:
            start_together.wait()
            try:
                return repositories[number % 3].begin(AGREED_TERMS, seen_seq=seen_seq)
            except OvertakenError:
                return ""

        with ThreadPoolExecutor(12) as pool:
            match_ids = list(filter(None, pool.map(begin, range(12))))
        assert len(match_ids) == 1
        assert [each.id for each in open_at(repositories[1])] == match_ids


def test_who_begins_at_another_table_is_no_hindrance(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with processes(store_url, tmp_path, 2) as (first_matches, second_matches):
        insert_before_append(
            monkeypatch, lambda: second_matches.at_table("two").begin(AGREED_TERMS)
        )
        match = first_matches.begin(AGREED_TERMS)
        assert [each.id for each in open_at(first_matches)] == [match]
        assert len(open_at(second_matches.at_table("two"))) == 1


def test_a_match_that_goes_on_while_another_begins_is_ended(
    store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with processes(store_url, tmp_path, 2) as (first_matches, second_matches):
        old = first_matches.begin(AGREED_TERMS)
        first_matches.change(old, MatchEnded())
        insert_before_append(monkeypatch, lambda: second_matches.resume(old))
        match = first_matches.begin(AGREED_TERMS)
        assert [each.id for each in open_at(second_matches)] == [match]
        with pytest.raises(ChangeRefusedError):
            second_matches.resume(old)
        assert [each.id for each in open_at(second_matches)] == [match]


def test_the_phone_whose_form_is_older_is_told_and_led_to_the_match(app: Flask) -> None:
    forms = [get_page(app.test_client(), "/match/new") for _ in range(2)]
    answers = []
    for form in forms:
        form_data = {
            "player0": "Ann",
            "player1": "Bob",
            "ruleset": "bmja",
            "seen": form.value("seen"),
        }
        answers.append(app.test_client().post("/match/new", data=form_data))
    assert [each.status_code for each in answers] == [303, 409]
    assert "nothing was changed" in answers[1].text
    assert "/table/" in Page(answers[1].text).links()
