"""Phones whose requests go to several processes, which share a store and no memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from itertools import cycle
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.services import open_services
from device.store.store_url import open_store
from device.web import Box, create_app
from device.web.pin_attempts import FREE_ATTEMPTS
from tests.device.fake_reader import FakeReader
from tests.device.page import get_page
from tests.device.shared_decoder import DECODER

NAMES = ("Ann", "Bob", "Cy", "Di")
ANN, BOB, CY, DI = range(4)
NO_PLAYER = -1

Processes = tuple[Flask, Flask]


@pytest.fixture
def process(store_url: str, tmp_path: Path) -> Iterator[Callable[[], Flask]]:
    """Return what starts an app that has its store's rows in common with others, nothing else."""
    with ExitStack() as endings:

        def start() -> Flask:
            store = endings.enter_context(closing(open_store(tmp_path / "box", store_url)))
            services = endings.enter_context(closing(open_services(store, FakeReader(), DECODER)))
            return create_app(Box(services))

        yield start


@pytest.fixture
def processes(process: Callable[[], Flask]) -> Processes:
    """Return two such apps."""
    return process(), process()


SQLITE = pytest.mark.parametrize("store_url", [""], ids=["sqlite"])
"""What is counted or kept by the same rows in both stores is looked at in one of them."""


def in_turn(processes: Processes, number: int) -> FlaskClient:
    """Return a phone that meets the processes in turn."""
    apps = cycle(app.wsgi_app for app in processes[:: 1 if number % 2 else -1])
    phone = Flask(__name__)
    setattr(phone, "wsgi_app", lambda environ, start: next(apps)(environ, start))  # noqa: B010
    return phone.test_client()


def leads(phone: FlaskClient, path: str, **fields: object) -> str:
    """Send a form; return where it leads."""
    answer = phone.post(path, data=fields)
    assert answer.status_code == 303, answer.text
    return answer.headers["Location"]


@pytest.fixture
def phones(processes: Processes) -> tuple[FlaskClient, ...]:
    """Return four phones at a match that was begun; none has said whose it is."""
    four_phones = tuple(in_turn(processes, number) for number in range(4))
    names = {f"player{place}": name for place, name in enumerate(NAMES)}
    leads(four_phones[ANN], "/match/new", **names, ruleset="bmja", limit="1000")
    return four_phones


def test_nobody_is_asked_for_a_hand_that_another_phone_sees_to(
    phones: tuple[FlaskClient, ...],
) -> None:
    """Whichever process the others have said to whose they are."""
    for number, phone in enumerate(phones):
        leads(phone, "/table/join", number=number)
    leads(phones[BOB], "/table/winner", who=CY, won_by="discard")
    for number in (DI, BOB, ANN):
        for _ in range(2):  # once at each
            assert phones[number].get("/table/next").headers["Location"] == f"/table/hand/{number}"
        assert leads(phones[number], f"/table/hand/{number}/score", score="32") == "/table/"
        for _ in range(2):
            assert phones[number].get("/table/next").headers["Location"] == "/table/"
    assert leads(phones[CY], f"/table/hand/{CY}/score", score="36") == "/table/settle"


@SQLITE
@pytest.mark.parametrize("says", [DI, NO_PLAYER])
def test_a_seat_that_its_phone_lets_go_is_everywhere_without_one(
    phones: tuple[FlaskClient, ...], says: int
) -> None:
    for number in (ANN, BOB):
        leads(phones[number], "/table/join", number=number)
    leads(phones[BOB], "/table/join", number=says)
    leads(phones[ANN], "/table/winner", who=ANN, won_by="discard")
    leads(phones[ANN], f"/table/hand/{ANN}/score", score="32")
    for _ in range(2):
        assert phones[ANN].get("/table/next").headers["Location"] == f"/table/hand/{BOB}"


@SQLITE
def test_a_player_with_two_phones_has_one_still_when_the_other_goes(
    phones: tuple[FlaskClient, ...],
) -> None:
    leads(phones[ANN], "/table/join", number=ANN)
    for phone in (phones[BOB], phones[CY]):
        leads(phone, "/table/join", number=BOB)
    leads(phones[CY], "/table/join", number=NO_PLAYER)
    leads(phones[ANN], "/table/winner", who=ANN, won_by="discard")
    assert leads(phones[ANN], f"/table/hand/{ANN}/score", score="32") == "/table/"


def _box_pin(phone: FlaskClient) -> tuple[str, str]:
    """Ask for the box's PIN; return where it is typed, and which it is."""
    leads(phone, "/setup/pin", pin="new")
    return "/pin", get_page(phone, "/settings/pin/").single(".pin").text


def _table_pin(phone: FlaskClient) -> tuple[str, str]:
    page = leads(phone, "/club/tables/", name="Window")
    leads(phone, f"{page}pin", pin="new")
    return f"/at/{page.split('/')[3]}/", get_page(phone, page).single(".pin").text


def _organisers_pin(phone: FlaskClient) -> tuple[str, str]:
    leads(phone, "/club/organiser/pin", pin="new")
    return "/club/organiser/enter", get_page(phone, "/club/organiser/").single(".pin").text


@SQLITE
@pytest.mark.parametrize("asked", [_box_pin, _table_pin, _organisers_pin])
def test_whoever_guesses_at_a_pin_has_no_more_tries_at_another_process(
    processes: Processes,
    process: Callable[[], Flask],
    asked: Callable[[FlaskClient], tuple[str, str]],
) -> None:
    """Nor at one that was started since: what is counted is the store's."""
    path, pin = asked(processes[0].test_client())
    wrong = f"{(int(pin) + 1) % 10000:04}"
    stranger = in_turn(processes, 0)
    statuses = [
        stranger.post(path, data={"pin": wrong}).status_code for _ in range(2 * FREE_ATTEMPTS)
    ]
    assert statuses == [403] * FREE_ATTEMPTS + [429] * FREE_ATTEMPTS
    response = process().test_client().post(path, data={"pin": pin})
    assert response.status_code == 429, "the right one must wait, too"
    assert 0 < int(response.headers["Retry-After"]) <= 30


@SQLITE
def test_the_right_pin_is_a_new_beginning_at_all_processes(processes: Processes) -> None:
    path, pin = _table_pin(processes[0].test_client())
    for _ in range(3):
        stranger = in_turn(processes, 1)
        for _ in range(FREE_ATTEMPTS - 1):
            assert stranger.post(path, data={"pin": "no PIN"}).status_code == 403
        assert stranger.post(path, data={"pin": pin}).status_code == 200


def test_at_the_same_moment_no_more_tries_count_at_two_processes_than_at_one(
    processes: Processes,
) -> None:
    path, _ = _organisers_pin(processes[0].test_client())

    def guess(number: int) -> int:
        phone = processes[number % 2].test_client()
        return phone.post(path, data={"pin": "no PIN"}).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = sorted(pool.map(guess, range(16)))
    assert statuses == [403] * FREE_ATTEMPTS + [429] * (16 - FREE_ATTEMPTS)
