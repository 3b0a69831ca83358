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
from tests.device.long_matches import PICTURE, MatchWriter
from tests.device.page import get_page
from tests.device.shared_decoder import DECODER
from tests.device.work import count_work

pytestmark = pytest.mark.slow

FEW_DEALS, MANY_DEALS = 6, 40
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
    writer = MatchWriter(store, "photographed")
    writer.match("m", deals)
    hands = writer.give("m", "Bob")
    store.append("table", TablePhotographed(match="m", deal=deals + 1, source="", photo=PICTURE))
    store.append("table", TableRead({"bottom": hands[0], "right": hands[1]}))


def matches(store: Store, number: int) -> None:
    """Play matches that are over."""
    writer = MatchWriter(store, "entered")
    for place in range(number):
        writer.match(f"m{place}", 2, is_over=True)


@pytest.fixture(autouse=True)
def slow_examination(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the thread that examines the log work on beside every page, as on a busy computer.

    A page begins it, and waits three seconds for it at most. What it reads is counted, too.
    """
    for name, value in (("MAX_STEP_S", 0.0), ("STEP_PAUSE_S", 0.15), ("MAX_STEP_STREAMS", 1)):
        monkeypatch.setattr(examination, name, value)


@contextmanager
def start_box(folder: Path, *, is_examined: bool = True) -> Iterator[FlaskClient]:
    """Start a box on a folder, as the service does; examine its log before any page does."""
    with closing(Store(folder)) as store:
        services = open_services(store, FakeReader(), DECODER)
        if is_examined:
            examine_all(store)
        app = create_app(Box(services))
        yield app.test_client()
        services.close()


@pytest.fixture(scope="module")
def grown_folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Return a small folder and a large one, of deals and of matches."""
    folders_by_kind = {}
    for name, grow in (("deals", a_match), ("matches", matches)):
        folders = tmp_path_factory.mktemp(name) / "small", tmp_path_factory.mktemp(name) / "large"
        for folder, size in zip(folders, (FEW_DEALS, MANY_DEALS), strict=True):
            with closing(Store(folder)) as store:
                grow(store, size)
        folders_by_kind[name] = folders
    return folders_by_kind


def addresses(deals: int) -> list[str]:
    """Return the pages, of the same things in a small box and a large one."""
    ids = {"newest": f"m-{deals * 4 + 2}", "oldest": "m-1"}
    return [page.format(**ids) for page in AT_THE_TABLE]


def work_of(client: FlaskClient, page: str) -> Counter[str]:
    """Return what a page does that was drawn before: what is remembered is there."""
    client.get(page)
    with count_work() as work:
        assert client.get(page).status_code in (200, 302, 303, 422), page
    return work


def test_no_page_of_the_table_does_more_in_a_longer_match(
    grown_folders: dict[str, tuple[Path, Path]],
) -> None:
    small, large = grown_folders["deals"]
    with start_box(small) as small_box, start_box(large) as large_box:
        for page, same in zip(addresses(FEW_DEALS), addresses(MANY_DEALS), strict=True):
            assert work_of(large_box, same) == work_of(small_box, page), page


def test_the_start_does_no_more_after_a_longer_match(
    grown_folders: dict[str, tuple[Path, Path]],
) -> None:
    """Hands that may wait are looked at, the newest `NEWEST`; no match is."""
    work_counts = []
    for folder in grown_folders["deals"]:
        with count_work() as work, start_box(folder, is_examined=False):
            pass
        work_counts.append(work)
    small, large = work_counts
    assert small["events of matches replayed"] == large["events of matches replayed"] == 0
    assert small["deals settled"] == large["deals settled"] == 0
    assert small["hands scored"] + small["hands totalled"] == 0
    assert large["events read"] <= MAX_REQUESTS_SEARCHED * 5 + 10


def test_the_history_and_the_hands_to_print_stop_growing(
    grown_folders: dict[str, tuple[Path, Path]],
) -> None:
    with start_box(grown_folders["deals"][1]) as client:
        history = work_of(client, "/match/m/")
        assert history["hands compared"] == 20 * 4, "of the deals that are shown"
        preview = work_of(client, "/table/deal/2/changes?score1=2")
        assert preview["hands compared"] == 2 * 4, "of the deal alone, before and after"
        assert preview["deals settled"] == 1, "all others are played and paid as before"
        changes_page = client.get("/table/deal/2/changes?score1=2").text
        assert f"({MANY_DEALS - 2})" in changes_page, "the totals move in all that follow"
        assert changes_page.count("<h3>") == MAX_CARRIED_SHOWN, (
            "by as much in each: the newest say it"
        )
        print_work = work_of(client, "/print/hands.pdf")
        assert print_work["events of matches replayed"] == 0


def test_to_settle_a_deal_is_no_more_work_in_a_longer_match(
    grown_folders: dict[str, tuple[Path, Path]],
) -> None:
    work_counts = []
    for folder in grown_folders["deals"]:
        with start_box(folder) as client:
            seen_events = get_page(client, "/table/settle").value("seen")
            with count_work() as work:
                answer = client.post("/table/settle", data={"seen": seen_events})
                assert answer.status_code == 303
                client.get("/table/")
            assert work["deals settled"] <= 3, "checked, then kept, then shown"
            work_counts.append(work)
    assert work_counts[0] == work_counts[1]


def test_no_page_does_more_when_more_matches_are_over(
    grown_folders: dict[str, tuple[Path, Path]],
) -> None:
    small, large = grown_folders["matches"]
    with start_box(small) as small_box, start_box(large) as large_box:
        for page in ("/", "/single/", "/matches", "/match/new", "/table/", "/practise/"):
            work = work_of(large_box, page)
            assert work["events of matches replayed"] == 0, page
            assert work == work_of(small_box, page), page


@pytest.mark.parametrize(
    ("ask", "reason"),
    [
        (lambda store: store.hands(6), "the newest hands, on the first page and for each new one"),
        (lambda store: store.newest_of_kinds(PhotoTaken, ReadingAsked, limit=20),
         "what waits, at every start"),
    ],
)  # fmt: skip
def test_the_newest_are_found_without_looking_at_all(
    grown_folders: dict[str, tuple[Path, Path]], ask: Callable[[Store], object], reason: str
) -> None:
    steps = []
    for folder in grown_folders["deals"]:
        with closing(Store(folder)) as store:
            ask(store)  # the first asking reads what tables there are
            row_count = 0

            def count() -> int:
                nonlocal row_count
                row_count += 1
                return 0

            driver(store).set_progress_handler(count, 10)
            ask(store)
            driver(store).set_progress_handler(None, 0)
            steps.append(row_count)
    assert steps[0] > 0
    assert steps[1] <= steps[0] + 1, reason
