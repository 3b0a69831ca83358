"""The connection is cut while something is uploaded: the page that comes back leads to it, once.

It is cut before the box has the upload, before the answer, in it or after it; and the box may have
been restarted meanwhile, so that it remembers nothing but its log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from device.matches.repository import MatchRepository
from device.matches.table_photo import TablePhotos
from device.store import Event
from device.store.events import (
    PhotoAdded,
    PhotoDoubted,
    PhotoRetaken,
    PhotoTaken,
    RulesetSaved,
    SetPhotoAdded,
    SetPhotographed,
    TableDoubted,
    TablePhotographed,
    TableRetaken,
)
from device.web.taps import TapLog
from scorer.message import message
from scorer.rulesets.custom import stamp
from scorer.rulesets.files import load_builtin_text
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.fake_table import lay_round
from tests.device.matches.test_table_photo import HANDS
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.outage import Cut, outage
from tests.e2e.player import Player
from tests.e2e.tour import begin, other_phone, upload, wait_until_read
from vision.photo import open_photo
from vision.reading import make_problem

DARK = make_problem("too-dark", message("seen.too-dark"))


@dataclass(frozen=True, slots=True)
class Club:
    """A box in play, and what was photographed there already."""

    live: LiveServer
    folder: Path
    """Of `hand.jpg`, `table.jpg`, and `ours.toml`."""
    hand: str
    """Id of a hand that is read."""

    def doubt_hand(self) -> str:
        """Return the page of a hand whose photograph is asked about."""
        data = picture(lay(), "#404040")
        hand = self.live.hands.begin(open_photo(data, "dark.jpg"), data, "bmja", by_phone=True)
        self.live.hands.change(hand, PhotoDoubted((DARK,)))
        return f"/hand/{hand}/"

    def doubt_table(self) -> str:
        """Return the page of a photograph of the table that is asked about."""
        photos, data = TablePhotos(self.live.hands), picture(lay(), "#404040")
        match = MatchRepository(self.live.hands.store).current()
        assert match
        photo = photos.begin(match, "", open_photo(data, "dark.jpg"), data, by_phone=True)
        photos.change(photo, TableDoubted((make_problem("too-dark", message("seen.too-dark")),)))
        return f"/table/whole/{photo}"

    def register(self) -> str:
        """Return the page of a tile set that is photographed."""
        data = self.folder.joinpath("hand.jpg").read_bytes()
        return upload(self.live, "/sets/register/", data).removeprefix(self.live.url)


@dataclass(frozen=True, slots=True)
class Upload:
    """One kind of upload."""

    page: Callable[[Club], str]
    """Makes the page that it is sent from; returns its address."""
    event: type[Event]
    """What comes of it."""
    leads: str
    """Where to: the beginning of an address. The name of the event's stream follows."""
    field: str = "input[type=file][capture]"
    file: str = "hand.jpg"
    """What is chosen in the field."""
    tap: str = ""
    """What is tapped then; where there is no field, it is all."""


WHOLE_TABLE, SNAP = "/table/whole/", "[action^='/table/whole/snap'] button"

UPLOADS = {
    "a single hand": Upload(lambda _: "/single/", PhotoTaken, "/hand/"),
    "a player's hand": Upload(lambda _: "/table/hand/1", PhotoTaken, "/hand/"),
    "a hand taken again": Upload(Club.doubt_hand, PhotoRetaken, "/hand/"),
    "one more photograph of a hand": Upload(lambda ids: f"/hand/{ids.hand}/", PhotoAdded, "/hand/"),
    "the whole table": Upload(
        lambda _: "/table/hand/1",
        TablePhotographed,
        WHOLE_TABLE,
        "#all-hands [capture]",
        "table.jpg",
    ),
    "the whole table by the box": Upload(
        lambda _: "/table/hand/1", TablePhotographed, WHOLE_TABLE, "", "", SNAP
    ),
    "the whole table taken again": Upload(Club.doubt_table, TableRetaken, WHOLE_TABLE),
    "point and ask": Upload(lambda _: "/learn/ask/", PhotoTaken, "/learn/ask/"),
    "the first steps": Upload(lambda _: "/first/steps/photo", PhotoTaken, "/hand/"),
    "a tile set": Upload(lambda _: "/sets/register/", SetPhotographed, "/sets/register/"),
    "one more of a tile set": Upload(Club.register, SetPhotoAdded, "/sets/register/"),
    "a file of rules": Upload(
        lambda _: "/settings/rules/", RulesetSaved, "/settings/rules/", "#bring [type=file]",
        "ours.toml", "#bring button",
    ),
}  # fmt: skip

UNFOLD = "document.querySelectorAll('details').forEach((each) => (each.open = true))"

QUICK = {(kind, Cut.NO_ANSWER, True) for kind in ("the whole table", "point and ask")} | {
    ("the whole table", Cut.IN_THE_ADDRESS, False)
}
"""What `make test` tries: where no page led before, and where nothing is seen to be lost."""


def _every_case() -> Iterator[object]:
    """Yield every kind of upload, cut everywhere, on a box that knows of it or was restarted."""
    for kind in UPLOADS:
        for cut in Cut:
            for forgets in (False, True):
                marks = () if (kind, cut, forgets) in QUICK else (pytest.mark.prove,)
                name = f"{kind}, {cut.value}{', restarted' * forgets}"
                yield pytest.param(UPLOADS[kind], cut, forgets, id=name, marks=marks)


@pytest.fixture
def club(serve_with: ServeWith, tmp_path: Path) -> Club:
    reader = FakeReader(lay())
    reader.table, table = lay_round(HANDS)
    rules_text = stamp(load_builtin_text("bmja"), title="Ours", author="Ann", version=1)
    files = {
        "hand.jpg": picture(lay(sideways=2)),
        "table.jpg": table,
        "ours.toml": rules_text.encode(),
    }
    for name, data in files.items():
        tmp_path.joinpath(name).write_bytes(data)
    live = serve_with(reader, FakeCamera(table))
    begin(live.url)
    other_phone(live.url, "/table/winner", who="2", won_by="discard")
    hand = upload(live, "/table/hand/2", picture(lay())).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    return Club(live, tmp_path, hand)


@in_webkit_at_length
@pytest.mark.parametrize(("upload_kind", "cut", "forgets"), tuple(_every_case()))
def test_the_page_that_comes_back_leads_to_it(
    player: Player, club: Club, upload_kind: Upload, cut: Cut, forgets: bool
) -> None:
    store = club.live.hands.store
    page = upload_kind.page(club)
    before = len(store.of_kinds(upload_kind.event))
    with outage(club.live.url) as network:
        player.open(network.url + page)
        network.cut = cut
        if upload_kind.field:
            field = player.browser.find_element(By.CSS_SELECTOR, upload_kind.field)
            field.send_keys(str(club.folder / upload_kind.file))
        if upload_kind.tap:
            player.browser.execute_script(UNFOLD)
            player.tap(upload_kind.tap)
        player.wait_until(lambda: "saved on this phone" in player.text("#held"), "nothing is said")
        if forgets:
            club.live.app.extensions["taps"] = TapLog()
        network.is_away = False
        player.wait_until(lambda: len(store.of_kinds(upload_kind.event)) > before, "it was lost")
        target = upload_kind.leads + store.of_kinds(upload_kind.event)[-1].stream.removeprefix(
            "rules:"
        )
        player.wait_until(lambda: target in _ways_on(player), "the page does not lead to it")
    assert len(store.of_kinds(upload_kind.event)) == before + 1, "once"


def _ways_on(player: Player) -> list[str]:
    """Return the path of the page that is open, and those of its links."""
    paths: list[str] = player.browser.execute_script(
        "return [location, ...document.links].map((each) => each.pathname)"
    )
    return [each.rstrip("/") for each in paths]
