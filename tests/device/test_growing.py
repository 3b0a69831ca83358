"""What does not grow with what is kept: the start, the pages of the table, the lists, a settling.

The work is counted, in boxes that differ only in how many deals or matches they know: a page that
reads, replays or scores something for each of them does more in the larger one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.damage import examination, examine_all
from device.jobs import MAX_REQUESTS_SEARCHED
from device.services import open_services
from device.store import Store
from device.store.events import PhotoTaken, ReadingAsked, TablePhotographed, TableRead
from device.views.table.correction_changes import MAX_CARRIED_SHOWN
from device.web import Box, create_app
from tests.device.events import driver
from tests.device.fake_reader import FakeReader
from tests.device.long_matches import PICTURE, Played
from tests.device.page import get_page
from tests.device.shared_decoder import DECODER
from tests.device.work import counted

pytestmark = pytest.mark.slow

FEW, MANY = 6, 40
"""Deals of a match, or matches: 28 hands and 164, so that lists of the newest are full in both."""

AT_THE_TABLE = [
    "/",
    "/single/",
    "/table/",
    "/table/winner",
    "/table/winner?who=2",
    "/table/settle",
    "/table/next",
    "/table/hand/1",
    "/table/charge/",
    "/table/charge/amounts?payer=0&penalty=false-mah-jong",
    "/table/whole/table",
    "/match/new",
    "/practise/",
    "/learn/",
    "/learn/rules/",
    "/learn/wall/",
    "/learn/card/",
    "/sets/",
    "/join",
    "/phone/",
    "/health",
    "/hand/{newest}/",
    "/hand/{newest}/enter",
    "/hand/{newest}/add",
    "/hand/{newest}/tile/1",
    "/hand/{newest}/dispute",
    "/hand/{oldest}/",
    "/hand/{oldest}/dispute",
    "/hand/{oldest}/referee",
]
"""Everything that is looked at in play, with a deal's hands given in. To correct an earlier deal is
to work out all that follow on it: that grows."""


def a_match(store: Store, deals: int) -> None:
    """Play a match up to the settling of one more deal."""
    played = Played(store, "photographed")
    played.match("m", deals)
    hands = played.give("m", "Bob")
    store.append("table", TablePhotographed(match="m", deal=deals + 1, source="", photo=PICTURE))
    store.append("table", TableRead({"bottom": hands[0], "right": hands[1]}))


def matches(store: Store, number: int) -> None:
    """Play matches that are over."""
    played = Played(store, "entered")
    for place in range(number):
        played.match(f"m{place}", 2, ended=True)


@pytest.fixture(autouse=True)
def slow_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the thread that examines the log work on beside every page, as on a busy computer.

    A page begins it, and waits three seconds for it at most. What it reads is counted, too.
    """
    for name, value in (("MAX_STEP_S", 0.0), ("STEP_PAUSE_S", 0.15), ("MAX_STEP_STREAMS", 1)):
        monkeypatch.setattr(examination, name, value)


@contextmanager
def started(folder: Path, *, examined: bool = True) -> Iterator[FlaskClient]:
    """Start a box on a folder, as the service does; examine its log before any page does."""
    with closing(Store(folder)) as store:
        services = open_services(store, FakeReader(), DECODER)
        if examined:
            examine_all(store)
        app = create_app(Box(services))
        yield app.test_client()
        services.close()


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Return a small folder and a large one, of deals and of matches."""
    made = {}
    for name, grow in (("deals", a_match), ("matches", matches)):
        folders = tmp_path_factory.mktemp(name) / "small", tmp_path_factory.mktemp(name) / "large"
        for folder, size in zip(folders, (FEW, MANY), strict=True):
            with closing(Store(folder)) as store:
                grow(store, size)
        made[name] = folders
    return made


def addresses(deals: int) -> list[str]:
    """Return the pages, of the same things in a small box and a large one."""
    said = {"newest": f"m-{deals * 4 + 2}", "oldest": "m-1"}
    return [page.format(**said) for page in AT_THE_TABLE]


def work_of(client: FlaskClient, page: str) -> Counter[str]:
    """Return what a page does that was drawn before: what is remembered is there."""
    client.get(page)
    with counted() as work:
        assert client.get(page).status_code in (200, 302, 303, 422), page
    return work


def test_no_page_of_the_table_does_more_in_a_longer_match(
    grown: dict[str, tuple[Path, Path]],
) -> None:
    small, large = grown["deals"]
    with started(small) as few, started(large) as many:
        for page, same in zip(addresses(FEW), addresses(MANY), strict=True):
            assert work_of(many, same) == work_of(few, page), page


def test_the_start_does_no_more_after_a_longer_match(grown: dict[str, tuple[Path, Path]]) -> None:
    """Hands that may wait are looked at, the newest `NEWEST`; no match is."""
    done = []
    for folder in grown["deals"]:
        with counted() as work, started(folder, examined=False):
            pass
        done.append(work)
    small, large = done
    assert small["events of matches replayed"] == large["events of matches replayed"] == 0
    assert small["deals settled"] == large["deals settled"] == 0
    assert small["hands scored"] + small["hands totalled"] == 0
    assert large["events read"] <= MAX_REQUESTS_SEARCHED * 5 + 10


def test_the_history_and_the_hands_to_print_stop_growing(
    grown: dict[str, tuple[Path, Path]],
) -> None:
    with started(grown["deals"][1]) as client:
        history = work_of(client, "/match/m/")
        assert history["hands compared"] == 20 * 4, "of the deals that are shown"
        preview = work_of(client, "/table/deal/2/changes?score1=2")
        assert preview["hands compared"] == 2 * 4, "of the deal alone, before and after"
        assert preview["deals settled"] == 1, "all others are played and paid as before"
        shown = client.get("/table/deal/2/changes?score1=2").text
        assert f"({MANY - 2})" in shown, "the totals move in all that follow"
        assert shown.count("<h3>") == MAX_CARRIED_SHOWN, "by as much in each: the newest say it"
        printed = work_of(client, "/print/hands.pdf")
        assert printed["events of matches replayed"] == 0


def test_to_settle_a_deal_is_no_more_work_in_a_longer_match(
    grown: dict[str, tuple[Path, Path]],
) -> None:
    done = []
    for folder in grown["deals"]:
        with started(folder) as client:
            seen = get_page(client, "/table/settle").value("seen")
            with counted() as work:
                answer = client.post("/table/settle", data={"seen": seen})
                assert answer.status_code == 303
                client.get("/table/")
            assert work["deals settled"] <= 3, "checked, then kept, then shown"
            done.append(work)
    assert done[0] == done[1]


def test_no_page_does_more_when_more_matches_are_over(
    grown: dict[str, tuple[Path, Path]],
) -> None:
    small, large = grown["matches"]
    with started(small) as few, started(large) as many:
        for page in ("/", "/single/", "/matches", "/match/new", "/table/", "/practise/"):
            work = work_of(many, page)
            assert work["events of matches replayed"] == 0, page
            assert work == work_of(few, page), page


@pytest.mark.parametrize(
    ("ask", "why"),
    [
        (lambda store: store.hands(6), "the newest hands, on the first page and for each new one"),
        (lambda store: store.newest_of_kinds(PhotoTaken, ReadingAsked, limit=20),
         "what waits, at every start"),
    ],
)  # fmt: skip
def test_the_newest_are_found_without_looking_at_all(
    grown: dict[str, tuple[Path, Path]], ask: Callable[[Store], object], why: str
) -> None:
    steps = []
    for folder in grown["deals"]:
        with closing(Store(folder)) as store:
            ask(store)  # the first asking reads what tables there are
            taken = 0

            def count() -> int:
                nonlocal taken
                taken += 1
                return 0

            driver(store).set_progress_handler(count, 10)
            ask(store)
            driver(store).set_progress_handler(None, 0)
            steps.append(taken)
    assert steps[0] > 0
    assert steps[1] <= steps[0] + 1, why
