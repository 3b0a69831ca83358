"""A player aims the phone's own camera: the secure address, the live picture, hints, the shutter.

The camera is Chromium's stand-in, which shows a file: in the dark, until the test lights it, a
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

FRAME_BYTES = 65_536
"""Of each frame, but for its end; no picture of this size has more."""

JPEG_END = b"\xff\xd9"

MAX_DIFFERENCE = 10
"""Grey levels between what was filmed and what was taken, on average: JPEG's losses."""

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


def sample() -> Image.Image:
    """Return what the stand-in camera sees in the light."""
    with Image.open(load_samples()[0].path) as photo:
        return photo.convert("RGB").resize(SIZE)


def show(path: Path, image: Image.Image) -> None:
    """Let the stand-in camera see this, from now on.

    Chromium reads one frame again and again from the file itself. All frames have the same head and
    length, with nothing before their end, and so each is a picture even while it is written.
    """
    output = io.BytesIO()
    image.save(output, "JPEG", quality=85)
    picture = output.getvalue().removesuffix(JPEG_END)
    path.touch()
    with path.open("r+b") as film:
        film.write(picture.ljust(FRAME_BYTES, b"\0") + JPEG_END)


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Return the file that the stand-in camera shows: a sample in the dark."""
    path = tmp_path / "seen.mjpeg"
    show(path, ImageEnhance.Brightness(sample()).enhance(0.12))
    return path


@pytest.fixture
def aimer(film: Path) -> Iterator[Player]:
    """Return a player whose phone has a camera, and who has accepted the box's certificate."""
    stand_in = f"--use-file-for-fake-video-capture={film}"
    with browser(390, 844, *FLAGS, stand_in) as phone:
        yield Player(phone)


def test_from_offer_to_hand(
    aimer: Player, film: Path, serve_with: ServeWith, tmp_path: Path
) -> None:
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
    width = "return document.querySelector('.aiming video').videoWidth"
    aimer.wait_until(lambda: run(width) == SIZE[0], "no live picture")
    aimer.reads(".aiming .says", "Too dark")
    show(film, sample())
    aimer.reads(".aiming .says", "Ready")
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
