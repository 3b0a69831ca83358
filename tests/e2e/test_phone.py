"""A player with a phone: a photograph goes in, a tile is put right, the total is read."""

from __future__ import annotations

from pathlib import Path

from selenium.webdriver.common.by import By

from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import in_chromium_at_length
from tests.e2e.player import Player
from tests.e2e.tour import begin, post, upload, wait_until_read


@in_chromium_at_length
def test_a_photo_becomes_a_score_and_a_wrong_tile_is_put_right(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    reader = FakeReader(lay(doubtful=(7,)))
    reader.go_on.clear()
    box = serve_with(reader)
    player.open(f"{box.url}/single/")
    player.choose_photo(photo)
    player.see(".waiting img")  # the photo is there at once
    player.see(".stages .now")
    reader.go_on.set()
    player.reads_total("224")
    assert len(player.browser.find_elements(By.CSS_SELECTOR, "#overlay .box")) == 16

    # The doubtful tile: two taps, the tile and the alternative.
    player.tap("#bar [data-sheet]")
    assert "3 characters" in player.text("#sheet .compare")
    player.tap('#sheet .pick[value="C6"]')
    player.see('.small-tile.changed[data-tile="7"]')
    player.reads_total("224")  # 4-5-6 is as good a chow as 3-4-5

    # A set changes its row in two taps, and the total follows.
    player.tap(".strip-exposed .small-tile")
    player.tap('#sheet [name="row"][value="concealed"]')
    player.reads_total("232")
    assert "was 224" in player.text("#score .was")

    # How it was won.
    player.choose('#bar select[name="won_by"]', "loose")
    player.reads_total("448")

    # Why this line: its tiles light up.
    player.tap('details.line[data-tiles="3 4 5 6"] summary')
    player.see(".small-tile.lit")  # the browser tells the script of an opened line a moment later
    lit_tiles = player.browser.find_elements(By.CSS_SELECTOR, ".small-tile.lit")
    assert len(lit_tiles) == 4, "the kong"

    assert player.complaints() == []
    assert player.hosts() == {"127.0.0.1"}


def test_a_reload_at_any_point_loses_nothing(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    player.open(f"{serve_with(FakeReader()).url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")
    player.tap('#bar .answers [name="seat_wind"][value="S"]')
    player.reads_total("108")
    player.browser.refresh()
    player.reads_total("108")


def test_a_file_that_is_no_photo_is_refused_in_a_sentence(
    player: Player, serve_with: ServeWith, photo: Path, tmp_path: Path
) -> None:
    player.open(f"{serve_with(FakeReader()).url}/single/")
    text = tmp_path / "text.jpg"
    text.write_text("Dear box")
    player.choose_photo(text)
    assert "cannot open that file" in player.text("#alert")
    player.choose_photo(photo)
    player.reads_total("224")


@in_chromium_at_length
def test_everything_that_can_be_tapped_is_large_enough(
    player: Player, serve_with: ServeWith, photo: Path
) -> None:
    player.open(f"{serve_with(FakeReader(lay(doubtful=(1,)))).url}/single/")
    player.choose_photo(photo)
    player.reads_total("224")
    small = player.browser.execute_script(
        """
        const taps = "a.button, button, .segments span, .switch, summary, select";
        return [...document.querySelectorAll(taps)].filter((e) => e.offsetParent).map((e) => {
          const box = e.getBoundingClientRect();
          return [e.className, e.textContent.trim().slice(0, 20), box.width, box.height];
        }).filter(([, , width, height]) => width < 48 || height < 48);
        """
    )
    assert small == []
    assert player.overflow() == 0, "nothing sticks out at the side"


@in_chromium_at_length
def test_an_opened_line_stays_open_when_another_phone_puts_a_tile_right(
    player: Player, serve_with: ServeWith
) -> None:
    live = serve_with(FakeReader())
    begin(live.url, ("Ann", "Bob", "Cy", "Di"))
    post(live, "/table/winner", who="2", won_by="wall")
    hand = upload(live, "/table/hand/2", picture(lay())).rstrip("/").rpartition("/")[2]
    wait_until_read(live.hands, hand)
    player.open(f"{live.url}/hand/{hand}/")
    player.tap("details.line[data-tiles='3 4 5 6'] summary")
    post(live, f"/hand/{hand}/tile/7", code="C6")
    player.see('.small-tile.changed[data-tile="7"]')
    assert player.browser.find_elements(By.CSS_SELECTOR, "details.line[data-tiles='3 4 5 6'][open]")
