"""Two phones that do the same at the same moment: one does it, the other is told."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository, OvertakenError
from device.store import Event, Store
from device.store.events import DealSettled, ScoreTyped, WinnerSaid
from tests.device.matches.test_table_match import AGREED, SCORES


def test_a_deal_that_two_confirm_at_once_is_settled_once(
    hands: HandRepository, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = MatchRepository(hands.store).begin(AGREED)
    MatchRepository(hands.store).change(match, WinnerSaid(winner="Cy", won_by="wall"))
    seen = MatchRepository(hands.store).get(match).version
    append, together = store.append, threading.Barrier(2)

    def slowly(stream: str, event: Event, *, after: int, newest: int | None, news: bool) -> int:
        with suppress(threading.BrokenBarrierError):
            together.wait(0.5)  # were both of them let in, they would meet here
        return append(stream, event, after=after, newest=newest, news=news)

    monkeypatch.setattr(store, "append", slowly)
    told = []

    def confirm() -> None:
        try:
            MatchRepository(hands.store).change(match, DealSettled("Cy", SCORES), seen=seen)
        except OvertakenError:
            told.append("overtaken")

    phones = [threading.Thread(target=confirm) for _ in range(2)]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert len(MatchRepository(hands.store).get(match).past) == 1
    assert told == ["overtaken"]


def test_a_score_that_was_put_right_since_is_looked_at_before_the_deal_is_settled(
    client: FlaskClient, hands: HandRepository
) -> None:
    matches = MatchRepository(hands.store)
    match = matches.begin(AGREED)
    matches.change(match, WinnerSaid(winner="Cy", won_by="wall"))
    for player, score in SCORES.items():
        matches.change(match, ScoreTyped(player, score))
    seen = matches.get(match).version
    matches.change(match, ScoreTyped("Ann", SCORES["Ann"] + 2))
    client.post("/table/settle", data={"seen": seen})
    assert not matches.get(match).past
    client.post("/table/settle", data={"seen": matches.get(match).version})
    assert len(matches.get(match).past) == 1
