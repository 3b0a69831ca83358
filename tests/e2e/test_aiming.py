"""A player aims the phone's own camera: the secure address, the live picture, hints, the shutter.

The camera is Chromium's stand-in, which shows a file: first in the dark, then in the light, a
sample photograph of our own renderer's. The certificate's warning is clicked away beforehand.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageEnhance, ImageStat

from device.host.certificate import ensure_certificate
from device.samples import load_samples
from tests.device.fake_reader import FakeReader
from tests.e2e.axe import run_axe
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import browser, in_chromium_at_length
from tests.e2e.player import Player
from tests.e2e.tour import begin

FLAGS = (
    "--use-fake-ui-for-media-stream",
    "--use-fake-device-for-media-stream",
    "--ignore-certificate-errors",
)

SIZE = (640, 480)

DARK_FRAMES, LIGHT_FRAMES = 45, 135
"""A second and a half and five, which come round again."""

MAX_DIFFERENCE = 10
"""Grey levels between what was filmed and what was taken, on average: JPEG's losses."""

HEARD_SCRIPT = """
window.heard = [];
const says = document.querySelector(".aiming .says");
new MutationObserver(() => heard.push(says.textContent)).observe(says, { childList: true });
"""

FAKE_CAMERA = """
window.lights = [];
const track = {
  stop() { lights.push("stop"); },
  getCapabilities: () => (window.hasTorch ? {torch: true} : {}),
  async applyConstraints({advanced: [{torch}]}) { lights.push(torch); },
};
const stream = {getTracks: () => [track], getVideoTracks: () => [track]};
Object.defineProperty(navigator, "mediaDevices", {value: {getUserMedia: async () => stream}});
const shown = {srcObject: {set() {}}, videoWidth: {get: () => 640}, videoHeight: {get: () => 480}};
Object.defineProperties(HTMLVideoElement.prototype, {...shown, play: {value: async () => {}}});
const draw = CanvasRenderingContext2D.prototype.drawImage;
CanvasRenderingContext2D.prototype.drawImage = function (what, ...where) {
  if (what.localName !== "video") return draw.call(this, what, ...where);
  this.fillStyle = lights.at(-1) === true ? "silver" : "black";
  this.fillRect(...where);
};
"""
"""A camera in the dark. Its torch is found later, as on some phones, and lights a bare table."""

TORCH = "[data-torch]:not([hidden])"

READY_SCRIPT = "return heard.includes('Too dark') && heard.at(-1) === 'Ready'"


def sample() -> Image.Image:
    """Return what the stand-in camera sees in the light."""
    with Image.open(load_samples()[0].path) as photo:
        return photo.convert("RGB").resize(SIZE)


def film(path: Path) -> None:
    """Write what the stand-in camera sees."""
    light = sample()
    dark = ImageEnhance.Brightness(light).enhance(0.12)
    path.write_bytes(jpeg(dark) * DARK_FRAMES + jpeg(light) * LIGHT_FRAMES)


def jpeg(image: Image.Image) -> bytes:
    output = io.BytesIO()
    image.save(output, "JPEG", quality=85)
    return output.getvalue()


@pytest.fixture(scope="module")
def aimer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """Return a player whose phone has a camera, and who has accepted the box's certificate."""
    path = tmp_path_factory.mktemp("camera") / "seen.mjpeg"
    film(path)
    stand_in = f"--use-file-for-fake-video-capture={path}"
    with browser(390, 844, *FLAGS, stand_in) as phone:
        yield Player(phone)


def test_from_offer_to_hand(aimer: Player, serve_with: ServeWith, tmp_path: Path) -> None:
    certificate = ensure_certificate(tmp_path, ["127.0.0.1"])
    box = serve_with(FakeReader(), certificate=certificate)
    begin(box.url)
    aimer.open(f"{box.url}/table/hand/0")
    aimer.tap('a[href^="/camera/phone/"]')
    aimer.tap(".card .primary")  # the third step: open the secure address
    aimer.see(".aiming video")
    run = aimer.browser.execute_script
    assert run("return [isSecureContext, location.protocol]") == [True, "https:"]
    assert run_axe(aimer.browser) == []
    run(HEARD_SCRIPT)
    width = "return document.querySelector('.aiming video').videoWidth"
    aimer.wait_until(lambda: run(width) == SIZE[0], "no live picture")
    aimer.wait_until(lambda: run(READY_SCRIPT), "the hint stays")
    aimer.tap("[data-shutter]")
    aimer.see("[data-tile]")
    (hand,) = box.hands.recent()
    assert aimer.browser.current_url.endswith(f"/hand/{hand.id}/")
    assert hand.photo
    assert (hand.photo.width, hand.photo.height, hand.photo.by_phone) == (*SIZE, True)
    with Image.open(io.BytesIO(box.hands.store.photo(hand.photo.original))) as photo:
        difference = ImageStat.Stat(ImageChops.difference(photo, sample()).convert("L")).mean[0]
    assert difference < MAX_DIFFERENCE, "it is the sample that was aimed at"
    assert hand.player == "Ann"
    live = "return document.querySelector('video')"
    assert run(live) is None
    complaints = [each for each in aimer.complaints() if "service-worker" not in each]
    assert complaints == []


@in_chromium_at_length
def test_the_torch_is_offered_where_there_is_one(
    player: Player, serve_with: ServeWith, tmp_path: Path
) -> None:
    certificate = ensure_certificate(tmp_path, ["127.0.0.1"])
    url = serve_with(FakeReader(), certificate=certificate).url
    run = player.browser.execute_script
    player.open(f"{url}/camera/phone/")
    with player.browser.before_each_page(FAKE_CAMERA):
        player.tap(".card .primary")
        player.reads(".aiming .says", "Too dark")
        assert not player.browser.find_elements("css selector", TORCH), "there is none"
        run("hasTorch = true")
        player.reads(".aiming .says", "Too dark: try the torch")
        assert player.text(".aiming .primary") == "Switch on the torch"
        player.tap(TORCH)
        player.reads(TORCH, "Switch off the torch")
        player.reads(".aiming .says", "Move the hand into the frame")
        assert player.text(".aiming .primary") == "Take the photo"
        player.tap(TORCH)
        player.reads(".aiming .says", "Too dark: try the torch")
        player.tap(TORCH)
        player.reads(TORCH, "Switch off the torch")
        run("document.querySelector('video').remove()")  # as another page does in its place
        player.wait_until(lambda: run("return lights.at(-1)") == "stop", "the camera is kept")
        assert run("return lights") == [True, False, True, "stop"]
        assert not player.browser.find_elements("css selector", TORCH), "it is off again"
