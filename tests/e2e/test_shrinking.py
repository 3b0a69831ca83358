"""What a phone makes of a photograph before it sends it: the box keeps what it was sent."""

from __future__ import annotations

import io
import urllib.request
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from PIL import Image
from pillow_heif import register_heif_opener

from tests.device.fake_reader import FakeReader
from tests.device.page import Page
from tests.e2e.conftest import ServeWith
from tests.e2e.engines import in_both_engines
from tests.e2e.player import Player
from tests.e2e.tour import begin

register_heif_opener()

TURNED_ORIENTATION = 6
"""EXIF's mark of a picture whose top lies at its right: a phone held upright."""

Send = Callable[[bytes, str], tuple[str, bytes]]
"""Chooses a photograph on a player's page; returns its name and bytes as they came to the box."""

RED, GREEN, BLUE, WHITE = (200, 30, 30), (30, 160, 60), (40, 60, 200), (240, 240, 240)

NOISE = """
const read = CanvasRenderingContext2D.prototype.getImageData;
CanvasRenderingContext2D.prototype.getImageData = function (...where) {
  const image = read.apply(this, where);
  image.data.fill(255);
  return image;
};
"""
"""What browsers do that let no page know again by its canvas whom it met before."""


def sent_by_a_phone(kind: str, size: tuple[int, int], turn: int = 1) -> bytes:
    """Return a picture's file with a colour in each quarter."""
    image = Image.new("RGB", size, WHITE)
    w, h = size[0] // 2, size[1] // 2
    for colour, corner in ((RED, (0, 0)), (GREEN, (w, 0)), (BLUE, (0, h))):
        image.paste(colour, (*corner, corner[0] + w, corner[1] + h))
    exif = Image.Exif()
    exif[0x0112] = turn
    output = io.BytesIO()
    image.save(output, kind, exif=exif.tobytes(), quality=90)
    return output.getvalue()


def quarters(data: bytes) -> list[str]:
    """Return what colours lie in the quarters of a picture as it is stored, row by row."""
    colours = {"red": RED, "green": GREEN, "blue": BLUE, "white": WHITE}
    with Image.open(io.BytesIO(data)) as image:
        w, h = image.size
        places = [(x * w // 4, y * h // 4) for y in (1, 3) for x in (1, 3)]
        pixels = [image.convert("RGB").getpixel(place) for place in places]
    return [min(colours, key=lambda name: _distance(colours[name], each)) for each in pixels]


def _distance(colour: object, other: object) -> int:
    assert isinstance(colour, tuple)
    assert isinstance(other, tuple)
    return sum(abs(a - b) for a, b in zip(colour, other, strict=True))


@pytest.fixture
def send(player: Player, serve_with: ServeWith, tmp_path: Path) -> Send:
    live = serve_with(FakeReader())
    begin(live.url)

    def send_file(data: bytes, name: str) -> tuple[str, bytes]:
        (tmp_path / name).write_bytes(data)
        player.open(f"{live.url}/table/hand/0")
        player.choose_photo(tmp_path / name)
        player.see(".hand")
        photo = live.hands.recent()[0].photo
        assert photo
        assert player.complaints() == []
        return photo.name, live.hands.store.photo(photo.original)

    return send_file


@in_both_engines
def test_a_large_photograph_is_turned_and_shrunk_others_sent_as_they_are(send: Send) -> None:
    """Neither engine here has HEIC's codec; Safari has, and shrinks it.

    No engine turns a WebP, and WebKitGTK no PNG: drawn, it would lose its mark and lie on its side.
    """
    name, data = send(sent_by_a_phone("JPEG", (2600, 1950), TURNED_ORIENTATION), "IMG_1.JPG")
    with Image.open(io.BytesIO(data)) as image:
        assert (image.format, image.size) == ("JPEG", (1800, 2400))
        assert image.getexif().get(0x0112, 1) == 1, "it is upright by itself"
    assert quarters(data) == ["blue", "red", "white", "green"]
    assert name == "IMG_1.jpg"
    for kind, name in (("HEIF", "IMG_3.heic"), ("WEBP", "IMG_4.webp"), ("PNG", "IMG_5.png")):
        data = sent_by_a_phone(kind, (2600, 650), TURNED_ORIENTATION)
        assert send(data, name) == (name, data)


SENT_AS_IT_IS = {
    "just small enough": ((2400, 1800), ""),
    "an old browser": ((2500, 600), "window.createImageBitmap = undefined;"),
    "what was drawn cannot be trusted": ((2500, 600), NOISE),
    "no memory for it": (
        (2500, 600),
        "HTMLCanvasElement.prototype.toBlob = (done) => done(null);",
    ),
}
"""Sizes of pictures, and what a browser does, by why it shrinks none."""


def test_what_cannot_or_need_not_be_shrunk_is_sent_as_it_is(send: Send, player: Player) -> None:
    for case_name, (size, script) in SENT_AS_IT_IS.items():
        data = sent_by_a_phone("JPEG", size, TURNED_ORIENTATION)
        with player.browser.before_each_page(script):
            assert send(data, "IMG_2.any") == ("IMG_2.any", data), case_name


SHRINKS_ON_PAGE = {
    "/table/hand/0": {"/table/hand/0": True, "/table/whole/": False},
    "/single/": {"/hands": True},
    "/learn/ask/": {"/learn/ask/": True},
    "/sets/register/": {"/sets/register/": False},
}
"""Whether a form's photographs are shrunk, by page and by where it sends them."""


def test_a_photograph_of_many_tiles_keeps_every_pixel(serve_with: ServeWith) -> None:
    """The more there are of them, the smaller they are: of one hand the half is enough."""
    live = serve_with(FakeReader())
    begin(live.url)
    for path, due in SHRINKS_ON_PAGE.items():
        with urllib.request.urlopen(live.url + path) as answer:  # noqa: S310
            page = Page(answer.read().decode())
        forms = page.all("form[data-upload]")
        assert {urlsplit(form["action"]).path: "data-shrink" in form for form in forms} == due
