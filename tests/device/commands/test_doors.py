"""A box that runs, and phones that would shut others out: all from outside, through sockets.

How soon the others are answered is measured by `tests/prove/doors.py`; here, that they are.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress

import pytest

from tests.device.outside import NO_PHOTO, UPLOAD, Outside, box_outside, upload
from tests.device.page import Page

pytestmark = pytest.mark.slow

GREEDY, OTHER = "127.0.0.2", "127.0.0.3"

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    with box_outside(tmp_path_factory.mktemp("box")) as outside_box:
        yield outside_box


@pytest.fixture
def pin(box: Outside) -> Iterator[str]:
    """Return the PIN that the box asks for during a test."""
    answer = box.ask("127.0.9.1", "/setup/pin", b"pin=new", FORM)
    cookie = {"Cookie": (answer.headers["Set-Cookie"] or "").partition(";")[0]}
    yield Page(box.ask(OTHER, "/settings/pin/", headers=cookie).text).single(".pin").text
    assert box.ask("127.0.9.1", "/setup/pin", b"pin=off", {**FORM, **cookie}).status == 303


def test_six_phones_beside_a_greedy_one(box: Outside) -> None:
    stop = threading.Event()

    def greedy() -> None:
        while not stop.is_set():
            with suppress(OSError):
                box.ask(GREEDY, "/learn/rules/", timeout=60)

    def phone(number: int) -> list[int]:
        """Load a page by six connections, and once more by each."""
        with ExitStack() as lines:
            statuses = []
            six = [lines.enter_context(closing(box.phone(f"127.0.1.{number}"))) for _ in range(6)]
            for line in six * 2:
                line.request("GET", "/match/new")
                answer = line.getresponse()
                answer.read()
                statuses.append(answer.status)
            return statuses

    threads = [threading.Thread(target=greedy) for _ in range(10)]
    with ExitStack() as resources, ThreadPoolExecutor(6) as phones:
        for _ in range(200):
            resources.enter_context(closing(box.idle(GREEDY)))
        for each in threads:
            each.start()
        statuses = list(phones.map(phone, range(1, 7)))
        stop.set()
    for each in threads:
        each.join()
    assert statuses == [[200] * 12] * 6


def test_thirty_requests_for_one_sheet_are_one_sheet(box: Outside) -> None:
    def sheet(_: int) -> tuple[int, bytes]:
        answer = box.ask(GREEDY, "/print/exercises.pdf?seed=5", timeout=60)
        return answer.status, answer.body

    with ThreadPoolExecutor(30) as pool:
        answers = pool.map(sheet, range(30))
        assert box.ask(OTHER, "/match/new").status == 200
        sheets = set(answers)
    assert [status for status, _ in sheets] == [200], "all have the same, to its date"


def test_who_guesses_keeps_nobody_out(box: Outside, pin: str) -> None:
    def try_pin(address: str, text: str) -> int:
        return box.ask(address, "/pin", f"pin={text}".encode(), FORM).status

    assert [try_pin("127.0.0.9", "x") for _ in range(40)] == [403] * 3 + [429] * 37
    assert [try_pin(f"127.0.4.{n}", "x") for n in range(1, 41)] == [403] * 40
    assert try_pin(OTHER, pin) == 200
    assert box.ask(OTHER, f"/?pin={pin}").status == 200, "as old labels have it"
    let_in = box.ask(OTHER, "/pin", f"pin={pin}".encode(), FORM).headers["Set-Cookie"] or ""
    joining = box.ask(OTHER, "/join", headers={"Cookie": let_in.partition(";")[0]})
    assert joining.status == 200, "where the code is shown"


def test_before_the_pin_nothing_is_put_by(box: Outside, pin: str) -> None:
    peak_bytes, stop = [0], threading.Event()

    def watch() -> None:
        while not stop.is_set():
            peak_bytes[0] = max(peak_bytes[0], box.nameless_bytes())

    watching = threading.Thread(target=watch)
    watching.start()
    parts = (bytes(2**20) for _ in range(20))
    statuses = [
        box.ask(GREEDY, "/hands", bytes(60 * 10**6)).status,
        box.ask(GREEDY, "/hands", parts).status,
    ]
    stop.set()
    watching.join()
    assert statuses == [403, 403], "which the phone has read"
    assert peak_bytes[0] < 10_000


def test_a_phone_that_is_in_sends_its_photograph(box: Outside, pin: str) -> None:
    let_in = box.ask(OTHER, "/pin", f"pin={pin}".encode(), FORM).headers["Set-Cookie"] or ""
    cookie = {"Cookie": let_in.partition(";")[0]}
    answer = box.ask(OTHER, "/hands", upload(20 * 10**6), {**cookie, **UPLOAD})
    assert answer.status == NO_PHOTO, "it came as far as the page, which finds no photograph in it"


def test_a_photograph_of_more_than_25_mb_is_refused_in_words(box: Outside) -> None:
    answer = box.ask(OTHER, "/hands", upload(40 * 10**6), UPLOAD)
    assert answer.status == 413
    assert "25 megabytes" in answer.text
