"""Point and ask on a phone: a photo, its tiles in words, read by the phone's own voice alone."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium.webdriver.common.by import By

from device.club.table_switches import wait_counting
from device.matches.repository import MatchRepository
from device.samples import load_samples
from tests.device.fake_reader import FakeReader, Group, lay, lay_among_discards
from tests.device.match_play import AGREED_TERMS
from tests.e2e.conftest import LiveServer, ServeWith
from tests.e2e.player import Player
from tests.e2e.test_dispute import SMALL
from tests.e2e.test_tile_sets import press
from tests.e2e.tour import upload, wait_until_read
from vision.reader import Reader

OWN_VOICE = {"name": "own", "lang": "en-GB", "localService": True}
AMERICAN = {"name": "american", "lang": "en-US", "localService": True}
FRENCH = {"name": "french", "lang": "fr-FR", "localService": True}
CLOUD = {"name": "cloud", "lang": "en-GB", "localService": False}

STUB = """
window.spoken = [];
const voices = %s;
const fake = {
  getVoices: () => voices,
  addEventListener: () => {},
  cancel: () => window.spoken.push("stop"),
  speak: (said) => { window.spoken.push(`${said.voice.name}: ${said.text}`); said.onstart(); },
};
Object.defineProperty(window, "speechSynthesis", { value: fake });
window.SpeechSynthesisUtterance = function (text) { this.text = text; };
"""


@contextmanager
def voices(player: Player, *phone_voices: dict[str, object]) -> Iterator[Callable[[], list[str]]]:
    """Give the phone these voices; yield what tells what was spoken since it was last asked."""

    def take_spoken() -> list[str]:
        texts = player.browser.execute_script("return window.spoken.splice(0)")
        return [each for each in texts if each != "stop"]

    with player.browser.before_each_page(STUB % json.dumps(phone_voices)):
        yield take_spoken


def ask_about(player: Player, live: LiveServer, photo: Path) -> None:
    player.open(f"{live.url}/learn/ask/")
    player.choose_photo(photo)
    player.see("#faces .face")


def test_a_real_photograph_is_asked_about(player: Player, serve_with: ServeWith) -> None:
    sample = next(s for s in load_samples() if s.name == "not-there-yet")
    with voices(player, CLOUD, OWN_VOICE) as take_spoken:
        ask_about(player, serve_with(Reader.load()), sample.path)
        assert "/learn/ask/" in player.browser.current_url
        assert "not fishing yet" in player.text("#advice h2")
        assert take_spoken() == [], "nothing is said before somebody taps"
        player.tap("#faces .face:nth-of-type(1) summary")
        assert "Suit: Circles. Number 2." in player.text("#faces .face[open]")
        (text,) = take_spoken()
        assert text.startswith("own: 2 circles")
        assert "pung of it scores 2 exposed, 4 concealed" in text
    assert player.overflow() == 0, "nothing sticks out at the side"
    assert player.browser.execute_script(SMALL) == [], "all of it is large enough to tap"
    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}


def test_a_tile_in_the_photo_is_shown_and_spoken(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    with voices(player, AMERICAN, OWN_VOICE) as take_spoken:
        ask_about(player, serve_with(FakeReader()), photo)
        _tap_box(player, 3)
        assert "9 circles" in player.text("#faces .face[open]")
        assert [each.partition(" circles")[0] for each in take_spoken()] == ["own: 9"]
        player.see(".face.speaking")
        _tap_box(player, 3)  # once more: it stops
        player.wait_until(lambda: not _all(player, ".speaking"), "it goes on speaking")
        assert take_spoken() == []
        _tap_box(player, 3)
        player.see(".face.speaking")
        player.browser.execute_script("window.dispatchEvent(new Event('pagehide'))")
        assert not _all(player, ".speaking"), "whoever leaves the page hears no more of it"
        assert player.browser.execute_script("return window.spoken.at(-1)") == "stop"


def test_all_are_read_aloud_until_that_is_tapped_again(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    with voices(player, OWN_VOICE) as take_spoken:
        ask_about(player, serve_with(FakeReader()), photo)
        player.tap("[data-read-all]")
        names = take_spoken()
        assert len(names) == len(_all(player, "#faces .face")) == 9
        assert names[0] == "own: 2 bamboo 3 tiles"
        player.reads("[data-read-all]", "Stop reading")
        player.tap("[data-read-all]")
        player.reads("[data-read-all]", "Read them all aloud")
        assert take_spoken() == []


def test_no_voice_but_the_phones_own_is_ever_used(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    """One of the two that are there sends the words away, the other speaks no English."""
    with voices(player, CLOUD, FRENCH) as take_spoken:
        ask_about(player, serve_with(FakeReader()), photo)
        assert not _all(player, "#no-voice:not([hidden])")
        player.tap("[data-read-all]")
        assert "has no English voice" in player.text("#no-voice")
        player.tap("#faces .face:nth-of-type(2) summary")
        assert "A pung of it scores 4 exposed" in player.text("#faces .face[open]"), "in writing"
        assert take_spoken() == []


def test_a_page_in_french_is_read_by_a_french_voice(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    live = serve_with(FakeReader())
    player.browser.keep(live.url, look="language=fr")
    with voices(player, OWN_VOICE, FRENCH) as take_spoken:
        ask_about(player, live, photo)
        player.tap("#faces .face:nth-of-type(2) summary")
        assert [each.partition(" cercles")[0] for each in take_spoken()] == ["french: 9"]


def test_a_doubtful_tile_is_put_right_in_its_sheet_and_the_advice_is_there(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    ask_about(player, serve_with(FakeReader(lay(doubtful=(1,)))), photo)
    assert "does not guess" in player.text("#advice")
    player.tap("#doubts a[data-sheet]")
    player.tap('#sheet button.primary[name="code"]')
    player.wait_until(lambda: "Mah-Jong" in player.text("#advice h2"), "no advice came")
    assert not _all(player, "#sheet[open]")
    player.tap('label:has([name="seat_wind"][value="S"])')
    player.wait_until(
        lambda: "Counted for South" in player.text("#sets .as-whom"), "the wind did not change"
    )
    assert "/learn/ask/" in player.browser.current_url
    assert player.complaints() == []


def test_a_tap_keeps_the_table_from_being_counted_during_a_match(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    hand: list[Group] = [("concealed", "B2 B2 C3 C3 C3 O7 O7 DR DR DR WN WN WN")]
    live = serve_with(FakeReader(lay_among_discards(hand, "O7 B2 B2 C9")))
    MatchRepository(live.hands.store).begin(AGREED_TERMS)
    ask_about(player, live, photo)
    address = player.browser.current_url
    assert "at most 1 left, 1 on the table" in player.text("#advice .waits li:first-child")
    assert "none left" in player.text("#advice .waits li:last-child")
    player.open(f"{live.url}/settings/table/")
    player.tap('label.switch:has(+ input[name="on"])')
    player.wait_until(
        lambda: not wait_counting(live.hands.store).is_on_at(""), "the tap was not saved"
    )
    player.open(address)
    assert "switched that off during a match" in player.text("#advice .note")
    assert "at most 2 left" in player.text("#advice .waits li:first-child")
    assert player.overflow() == 0
    assert player.complaints() == []


def test_it_works_without_a_script(player: Player, serve_with: ServeWith, photo: Path) -> None:
    live = serve_with(FakeReader(lay(doubtful=(1,))))
    address = upload(live, "/learn/ask/", photo.read_bytes())  # as the form sends it
    wait_until_read(live.hands, address.rstrip("/").rpartition("/")[2])
    with player.browser.scripts(run=False):
        player.open(address)
        assert not player.browser.find_element(By.CSS_SELECTOR, ".aloud").is_displayed()
        press(player, "#faces .face:nth-of-type(2) summary")
        assert "Suit: Circles. Number 9." in player.text("#faces .face[open]")
        press(player, "#doubts a")
        press(player, 'button.primary[name="code"]')
        assert "Mah-Jong" in player.text("#advice h2")
        assert player.browser.current_url == address
        player.open(f"{address}?open=face-1#face-1")  # what a tile in the photo leads to
        assert "Suit: Circles. Number 9." in player.text("#faces .face[open]")


def _all(player: Player, selector: str) -> list[object]:
    return list(player.browser.find_elements(By.CSS_SELECTOR, selector))


def _tap_box(player: Player, place: int) -> None:
    """Tap a tile in the photograph; its outline is what catches the finger."""
    time.sleep(0.05)
    box = player.browser.find_elements(By.CSS_SELECTOR, "#overlay .box .inner")[place]
    player.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", box)
    box.click()
