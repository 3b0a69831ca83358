"""Four phones at one table: each takes its own hand, in the same minute and in any order.

One Chromium holds all four: each phone is a tab that knows the box by a name of its own, and so
keeps whose it is for itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.deal import FOLDER as DEAL
from tests.e2e.engines import Browser
from tests.e2e.tap_counter import CountingPlayer
from tests.e2e.tour import NAMES, begin
from vision.photo import Photo
from vision.reader import Reader
from vision.reading import Reading

MAX_TAPS = 4
"""Taps that a deal takes of any of the four."""

MAX_AGREEMENT_S = 20.0
"""Seconds from the last shutter until four right hands are agreed to."""

NO_HTTPS = "Cross-Origin-Opener-Policy header has been ignored"
"""What Chromium says of every page that comes by another name than this machine's own."""

PHOTOS = tuple(DEAL / f"{name}.jpg" for name in ("1-bob", "2-cy", "3-di", "4-ann"))
"""Four hands of one deal, the winner's first."""


class HeldReader(FakeReader):
    """Reads as the box does, once it is let go on."""

    def __init__(self) -> None:
        super().__init__()
        self.real = Reader.load()

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        super().read(photo, rules, progress)
        return self.real.read(photo, rules)


@dataclass
class OnePhone:
    """One of the four: its tab is the one in front when something is done on it."""

    browser: Browser
    tab: str
    photo: Path
    taps: int = 0

    def __enter__(self) -> CountingPlayer:
        self.browser.switch_to.window(self.tab)
        self._player = CountingPlayer(self.browser)
        return self._player

    def __exit__(self, *_: object) -> None:
        self.taps += self._player.taps


@pytest.fixture
def tabs(phone: Browser) -> Iterator[list[str]]:
    """Open three tabs beside the first; close them afterwards."""
    phone.renew()
    first = phone.current_window_handle
    handles = []
    for _ in NAMES[1:]:
        phone.switch_to.new_window("tab")
        handles.append(phone.current_window_handle)
    yield [first, *handles]
    for tab in handles:
        phone.switch_to.window(tab)
        phone.close()
    phone.switch_to.window(first)


@pytest.fixture
def reader() -> HeldReader:
    return HeldReader()


@pytest.fixture
def four(
    phone: Browser, tabs: list[str], serve_with: ServeWith, reader: HeldReader
) -> list[OnePhone]:
    """Four phones, each of which has said whose it is and looks at the table."""
    return seat_phones(phone, tabs, serve_with(reader).url, PHOTOS)


def seat_phones(
    phone: Browser, tabs: list[str], url: str, photos: Iterable[Path]
) -> list[OnePhone]:
    """Begin a match; let each tab say whose phone it is."""
    begin(url)
    phones = []
    for number, (tab, name, photo) in enumerate(zip(tabs, NAMES, photos, strict=True)):
        phones.append(OnePhone(phone, tab, photo))
        with phones[-1] as player:
            player.open(f"http://{name.lower()}.local:{urlsplit(url).port}/table/")
            player.tap(f"#who button[name=number][value='{number}']")
            player.see(".seat.mine.at-bottom")
        phones[-1].taps = 0
    return phones


def test_a_deal_takes_four_taps_of_each_and_four_photographs_at_once(
    four: list[OnePhone], reader: HeldReader
) -> None:
    winner, *other_phones = four
    with winner as player:
        player.tap("#bar .both a:last-child")  # I went out
        player.tap('button[value="discard"]')
        player.reads("h1", f"{NAMES[0]}'s hand")
    for number, phone in reversed(list(enumerate(other_phones, 1))):
        with phone as player:
            player.reads("#bar", "My hand")
            player.tap("#bar a")
            player.reads("h1", f"{NAMES[number]}'s hand")
    reader.go_on.clear()
    for phone in (other_phones[1], winner, other_phones[0], other_phones[2]):
        with phone as player:
            player.choose_photo(phone.photo)
            phone.taps += 1  # on the button that opens the phone's camera
            player.see(".waiting")
    reader.go_on.set()
    for number, phone in enumerate(four):
        with phone as player:
            player.reads(".whose h1", NAMES[number])
            player.tap("#bar form .primary")  # Looks right
            if phone is four[-1]:  # the last one sees at once who pays whom
                player.see("#settlement")
                player.tap("#bar form .primary")
            else:
                player.wait_until(
                    lambda: "being read" in player.text("#bar").lower(), "who is missing?"
                )
    for phone in four:
        with phone as player:
            player.wait_until(
                lambda: "Deal 2" in player.text(".middle"), "the next deal did not come"
            )
            assert [said for said in player.complaints() if NO_HTTPS not in said] == []
    assert [each.taps for each in four] == [4, 3, 3, 4]
    assert max(each.taps for each in four) <= MAX_TAPS


@pytest.mark.prove
def test_four_right_hands_are_agreed_in_twenty_seconds(four: list[OnePhone]) -> None:
    """From the last shutter on, with the real reader, one browser doing all that four would."""
    winner, *other_phones = four
    with winner as player:
        player.tap("#bar .both a:last-child")
        player.tap('button[value="discard"]')
        player.reads("h1", f"{NAMES[0]}'s hand")
        player.choose_photo(winner.photo)
    for name, phone in zip(NAMES[1:], other_phones, strict=True):
        with phone as player:
            player.tap("#bar a")
            player.reads("h1", f"{name}'s hand")
            player.choose_photo(phone.photo)
    last_shutter = time.monotonic()
    for phone in four:
        with phone as player:
            player.tap("#bar form .primary")
    with four[-1] as player:
        player.see("#settlement")
    agreement_s = time.monotonic() - last_shutter
    assert agreement_s < MAX_AGREEMENT_S, f"{agreement_s:.1f} s"
