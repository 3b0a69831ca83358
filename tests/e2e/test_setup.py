"""A player looks whether the box is well, and lets it read its test photograph."""

from __future__ import annotations

from msgspec import structs

from device.samples import load_samples
from device.settings import SettingsLog
from tests.device.fake_camera import FakeCamera
from tests.device.fake_reader import FakeReader, lay, picture
from tests.e2e.conftest import ServeWith
from tests.e2e.player import Player
from vision.photo import open_photo


def test_the_box_is_looked_over(player: Player, serve_with: ServeWith) -> None:
    reader = FakeReader()
    reader.reading = structs.replace(reader.reading, hand_text=load_samples()[0].hand)
    player.open(f"{serve_with(reader).url}/settings/")
    player.tap('a[href="/setup/"]')
    player.tap('form[action="/setup/reading"] button')
    player.wait_until(lambda: "A test photo" in player.text("#setup"), "it never read the photo")
    player.see('form[action="/setup/reading"] button')
    assert player.overflow() == 0, "nothing runs out of the screen"


def test_the_camera_is_turned_where_it_hangs_upside_down(
    player: Player, serve_with: ServeWith
) -> None:
    camera = FakeCamera(picture(lay()))
    box = serve_with(FakeReader(), camera)
    player.open(f"{box.url}/settings/table/")
    player.tap('form[action$="camera_turned"] .switch')
    settings = SettingsLog(box.hands.store)
    player.wait_until(lambda: settings.read().camera_turned, "it was not kept")
    player.open(f"{box.url}/settings/box/")
    player.tap("#storage summary")
    player.see('form[action="/setup/room"] button')
    assert player.overflow() == 0, "nothing runs out of the screen"
    player.open(f"{box.url}/single/")
    player.see('.camera[data-state="ready"] img')
    player.tap(".camera .primary")
    player.reads_total("224")
    (hand,) = box.hands.recent()
    assert hand.photo
    stored_picture = open_photo(box.hands.store.photo(hand.photo.original), "kept.jpg").rgb
    assert camera.picture is not None
    turned_picture = camera.picture[::-1, ::-1].astype(float)
    assert abs(stored_picture - turned_picture).mean() < 5, "the photograph is the right way up"
    assert player.complaints() == []
