"""A player aims the box's own camera: the live picture, a cable that comes loose, the shutter."""

from __future__ import annotations

import numpy as np

from device.cameras.base import CameraUnavailableError
from scorer.message import plain_text
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from tests.e2e.tour import begin, post

SEEN_SCRIPT = "return document.querySelector('.camera img').naturalWidth"

IDLE = "return !document.body.hasAttribute('aria-busy')"


def test_the_camera_is_aimed_lost_found_again_and_takes_the_photo(
    player: Player, serve_with: ServeWith
) -> None:
    camera = FakeCamera(picture(lay()))
    player.open(f"{serve_with(FakeReader(), camera).url}/single/")
    player.see('.camera[data-state="ready"] img')
    player.wait_until(lambda: player.browser.execute_script(SEEN_SCRIPT) == 1200, "no live picture")
    player.wait_until(lambda: player.text(".camera .says") == "Ready", "no hint came")
    camera.fault = camera.start_fault = CameraUnavailableError(
        plain_text("Please check its cable.")
    )
    player.see('.camera[data-state="lost"]')
    assert player.text(".camera .says") == "Please check its cable."
    camera.fault = camera.start_fault = None
    player.see('.camera[data-state="ready"] img')
    player.wait_until(
        lambda: player.browser.execute_script(SEEN_SCRIPT) == 1200, "the picture stayed away"
    )
    player.tap(".camera .primary")
    player.reads_total("224")
    assert player.complaints() == []


def test_the_box_takes_one_hand_after_another_by_itself(
    player: Player, serve_with: ServeWith
) -> None:
    camera = FakeCamera(picture(lay()))
    box = serve_with(FakeReader(), camera)
    player.open(f"{box.url}/single/")
    player.see('.camera[data-state="ready"] img')
    player.tap(".camera .switch")
    player.reads_total("224")
    (first,) = box.hands.recent()
    assert player.browser.current_url.endswith(f"/hand/{first.id}/")
    assert first.camera["by_itself"]
    player.open(f"{box.url}/single/")
    player.wait_until(lambda: "Photo taken" in player.text(".camera .says"), "it takes it again")
    assert player.browser.execute_script("return document.querySelector('.camera input').checked")
    assert camera.picture is not None
    camera.picture = np.ascontiguousarray(camera.picture[::-1, ::-1])
    player.wait_until(lambda: len(box.hands.recent()) == 2, "the next hand was not taken")
    player.reads_total("224")
    assert player.complaints() == []


def test_at_a_seat_the_hand_taken_by_itself_is_that_players(
    player: Player, serve_with: ServeWith
) -> None:
    camera = FakeCamera(picture(lay()))
    box = serve_with(FakeReader(), camera)
    begin(box.url)
    post(box, "/table/winner", who="2", won_by="wall")
    player.open(f"{box.url}/table/hand/2")
    player.see('.camera[data-state="ready"] img')
    player.tap(".camera .switch")
    # It is given to the seat when it has been kept.
    player.wait_until(
        lambda: any(each.player for each in box.hands.recent()), "no photograph is Cy's"
    )
    (hand,) = box.hands.recent()
    assert (hand.player, hand.camera["by_itself"]) == ("Cy", True)
    player.reads(".whose h1", "Cy")
    assert player.complaints() == []


def test_a_question_stays_one_when_the_box_is_to_take_its_photo_by_itself(
    player: Player, serve_with: ServeWith
) -> None:
    camera = FakeCamera()  # shows no tiles: no photograph is due
    player.open(f"{serve_with(FakeReader(), camera).url}/learn/ask/")
    player.see('.camera[data-state="ready"] img')
    question = player.text("h1")
    player.tap(".camera .switch")
    player.wait_until(lambda: player.browser.execute_script(IDLE), "the switch is not heard")
    assert player.text("h1") == question


FRAME = """
const picture = document.querySelector(".camera .photo");
const frame = getComputedStyle(picture, "::after");
return [frame.content !== "none" && frame.position === "absolute", frame.pointerEvents,
  parseFloat(frame.width) / picture.clientWidth, parseFloat(frame.height) / picture.clientHeight];
"""


def test_a_frame_says_where_the_hand_belongs(player: Player, serve_with: ServeWith) -> None:
    camera = FakeCamera(picture(lay()))
    url = serve_with(FakeReader(), camera).url
    begin(url)
    player.open(f"{url}/table/hand/0")
    player.see('.camera[data-state="ready"] img')
    player.wait_until(lambda: player.browser.execute_script(SEEN_SCRIPT) == 1200, "no live picture")
    is_seen, taps, wide, high = player.browser.execute_script(FRAME)
    assert (is_seen, taps) == (True, "none"), "it lies over the picture, and takes no tap"
    assert 0.85 < wide < 0.95, "nearly all of the picture is the hand's"
    assert 0.85 < high < 0.95
    assert player.text(".camera .guide") == "Tiles in rows, inside the four corners."
    assert not player.browser.find_elements("css selector", ".hold"), "the box holds still"
