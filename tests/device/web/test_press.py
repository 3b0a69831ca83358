"""What is printed: made once, one thing at a time, and never by all threads together."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.i18n.words import say
from device.web.printing import RETRY_S, PrintQueue, PrintQueueBusyError
from scorer.teach.practice.exercises import NoExerciseError


class Works:
    """Makes things, and counts how many at once and of which kind."""

    def __init__(self) -> None:
        self.go_on, self.start_event = threading.Event(), threading.Event()
        self.printed_keys: list[Hashable] = []
        self.running_count = self.max_running_count = 0

    def make(self, key: Hashable) -> Callable[[], bytes]:
        def work() -> bytes:
            self.running_count += 1
            self.max_running_count = max(self.running_count, self.max_running_count)
            self.start_event.set()
            assert self.go_on.wait(10)
            self.printed_keys.append(key)
            self.running_count -= 1
            return str(key).encode()

        return work


@pytest.fixture
def works() -> Works:
    return Works()


def asked_by(press: PrintQueue, works: Works, client: str, key: str) -> bytes | str:
    try:
        return press.get_or_make(key, client, works.make(key))
    except PrintQueueBusyError:
        return "busy"


def wait_for(press: PrintQueue, count: int) -> None:
    while len(press.waiting_requests) < count:
        time.sleep(0.001)


def test_what_many_ask_for_is_made_once(works: Works) -> None:
    press = PrintQueue(max_waiting=8)
    with ThreadPoolExecutor(8) as phones:
        answers = [phones.submit(asked_by, press, works, f"10.0.0.{n}", "a") for n in range(8)]
        wait_for(press, 8)
        works.go_on.set()
        assert {each.result() for each in answers} == {b"a"}
    assert asked_by(press, works, "10.0.0.9", "a") == b"a"
    assert works.printed_keys == ["a"]


def test_one_thing_is_made_at_a_time_and_few_wait(works: Works) -> None:
    press = PrintQueue(max_waiting=3)
    with ThreadPoolExecutor(4) as phones:
        answers = [phones.submit(asked_by, press, works, who, who) for who in "abc"]
        wait_for(press, 3)
        assert asked_by(press, works, "d", "d") == "busy", "three wait"
        works.go_on.set()
        assert sorted(each.result() for each in answers) == [b"a", b"b", b"c"]
    assert works.max_running_count == 1
    assert asked_by(press, works, "d", "d") == b"d"


def test_a_phone_waits_for_one_thing_alone(works: Works) -> None:
    press = PrintQueue()
    with ThreadPoolExecutor(4) as phones:
        first = phones.submit(asked_by, press, works, "greedy", "a")
        assert works.start_event.wait(10)
        assert asked_by(press, works, "greedy", "b") == "busy"
        future = phones.submit(asked_by, press, works, "greedy", "a")
        other = phones.submit(asked_by, press, works, "other", "b")
        wait_for(press, 3)
        works.go_on.set()
        assert (first.result(), future.result(), other.result()) == (b"a", b"a", b"b")
    assert works.printed_keys == ["a", "b"]


def test_what_fails_is_not_kept_and_blocks_nothing(works: Works) -> None:
    press = PrintQueue()
    works.go_on.set()

    def fails() -> bytes:
        raise NoExerciseError

    for _ in range(2):
        with pytest.raises(NoExerciseError):
            press.get_or_make("a", "phone", fails)
    assert asked_by(press, works, "phone", "a") == b"a"


def test_the_papers_asked_for_last_are_kept(works: Works) -> None:
    press = PrintQueue(max_cached=2)
    works.go_on.set()
    for what in ("a", "b", "a", "c", "a", "b"):
        asked_by(press, works, "phone", what)
    assert works.printed_keys == ["a", "b", "c", "b"]


@pytest.fixture
def makings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what is printed from now on, in the order in which it is."""
    printed_paths: list[str] = []

    def maker(name: str) -> Callable[..., bytes]:
        def make(*args: object) -> bytes:
            printed_paths.append(name)
            return b"%PDF"

        return make

    papers = {
        "exercises": "exercises.print_exercises",
        "hands": "results.print_hands",
        "card": "card.print_card",
        "mat": "labels.print_mat",
    }
    for name, function in papers.items():
        monkeypatch.setattr(f"device.paper.{function}", maker(name))
    return printed_paths


ANN = {"player0": "Ann", "player1": "Bob", "ruleset": "safalra"}


def test_each_paper_is_made_anew_only_when_what_it_shows_has_changed(
    client: FlaskClient, makings: list[str]
) -> None:
    def print_paths(path: str) -> list[str]:
        makings.clear()
        assert client.get(path).status_code == 200
        return list(makings)

    exercises = "/print/exercises.pdf?seed=7"
    assert print_paths(exercises) == ["exercises"]
    assert print_paths(exercises) == []
    assert print_paths(f"{exercises}&anything=else") == [], "it shows nothing of that"
    assert print_paths("/print/exercises.pdf?seed=8") == ["exercises"]
    client.set_cookie("look", "language=fr")
    assert print_paths(exercises) == ["exercises"], "in other words"
    assert print_paths("/print/hands.pdf") == ["hands"]
    assert print_paths("/print/hands.pdf") == []
    assert print_paths("/print/card.pdf") == ["card"]
    assert print_paths("/print/mat-a4.pdf") == print_paths("/print/mat-a3.pdf") == ["mat"]
    assert client.post("/match/new", data=ANN).status_code == 303
    assert print_paths("/print/hands.pdf") == ["hands"], "something has happened"
    assert print_paths("/print/card.pdf") == ["card"], "other rules are in force"
    assert print_paths(exercises) == ["exercises"]
    assert print_paths("/print/mat-a4.pdf") == []


def test_who_is_sent_away_is_told_to_come_back(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.extensions, "tongbox-press", PrintQueue(max_waiting=0))
    answer = client.get("/print/exercises.pdf")
    assert answer.status_code == 503
    assert answer.headers["Retry-After"] == answer.headers["Refresh"] == str(RETRY_S)
    assert say("error.printing") in answer.text
