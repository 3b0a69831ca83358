"""Opening photographs: every kind a phone makes, and what is refused."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from contextlib import suppress

import numpy as np
import pillow_heif
import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from tests.device.decoding.pictures import heic_of_two_sizes, with_odd_exif
from vision.errors import PhotoError
from vision.photo import open_photo

EXIF_ORIENTATION = 0x0112


def picture(file_format: str, orientation: int = 1, size: tuple[int, int] = (60, 40)) -> bytes:
    """Return a file whose left half is red and right half blue, marked with an orientation."""
    pixels = np.zeros((size[1], size[0], 3), np.uint8)
    pixels[:, : size[0] // 2, 0] = 220
    pixels[:, size[0] // 2 :, 2] = 220
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = orientation
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, file_format, exif=exif.tobytes())
    return buffer.getvalue()


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_opens_what_phones_make(file_format: str) -> None:
    photo = open_photo(picture(file_format), "a photo")
    assert (photo.width, photo.height) == (60, 40)
    assert photo.rgb[20, 10, 0] > 150 > photo.rgb[20, 10, 2]


@pytest.mark.parametrize(
    ("orientation", "red_at", "reason"),
    [
        (1, (20, 5), "held upright: red stays at the left"),
        (3, (20, 55), "held upside down: red at the right"),
        (6, (5, 20), "turned: the left of the file is the top of the photo"),
        (8, (55, 20), "turned the other way: the left is the bottom"),
    ],
)
def test_turns_the_photo_upright(orientation: int, red_at: tuple[int, int], reason: str) -> None:
    photo = open_photo(picture("JPEG", orientation), "a photo")
    assert photo.rgb[red_at][0] > 150, reason


XMP_TURN = b"""<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>
</rdf:RDF></x:xmpmeta>"""


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP"])
def test_is_turned_as_browsers_show_it(file_format: str) -> None:
    text = PngInfo()
    text.add_itxt("XML:com.adobe.xmp", XMP_TURN.decode())
    buffer = io.BytesIO()
    Image.new("RGB", (60, 40)).save(buffer, file_format, xmp=XMP_TURN, pnginfo=text)
    photo = open_photo(buffer.getvalue(), "a photo")
    assert (photo.width, photo.height) == (60, 40)


@pytest.mark.parametrize(
    ("max_pixels", "size", "reason"),
    [
        (6000, (100, 60), "just as many as it has"),
        (5999, (50, 30), "one too many"),
        (1500, (50, 30), "half the size is enough"),
        (1499, (25, 15), "a quarter"),
        (10, (13, 8), "an eighth at the least, rounded up"),
    ],
)
@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "HEIF"])
@pytest.mark.parametrize("orientation", [1, 6])
def test_a_photo_larger_than_is_asked_for_is_halved(
    file_format: str, orientation: int, max_pixels: int, size: tuple[int, int], reason: str
) -> None:
    data = picture(file_format, orientation, (100, 60))
    photo = open_photo(data, "a photo", max_pixels)
    if orientation == 6:
        size = size[::-1]
    assert (photo.width, photo.height) == size, reason
    red = photo.rgb[:1, :3] if orientation == 6 else photo.rgb[:3, :1]
    assert (red[..., 0] > 150).all(), "still the right way up"
    halved_photo = open_photo(data, "a photo", photo.width * photo.height)
    assert (halved_photo.rgb == photo.rgb).all(), "a photo kept is opened as it was taken in"


def bomb(width: int, height: int) -> bytes:
    """Return a PNG that claims a size but holds almost nothing."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99))


def with_chunk(kind: bytes, body: bytes) -> bytes:
    """Return a good PNG with another chunk in it."""
    png_bytes, head = picture("PNG"), 8 + 25
    chunk = struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return png_bytes[:head] + chunk + png_bytes[head:]


@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP"])
def test_a_photo_with_an_odd_mark_is_as_good_a_photo(file_format: str) -> None:
    photo = open_photo(with_odd_exif(file_format), "a photo")
    assert (photo.width, photo.height) == (48, 64), "turned as the legible mark says"


@pytest.mark.parametrize(
    ("orientation", "corners", "reason"),
    [
        (0, "abcd", "no mark that there is"),
        (1, "abcd", "upright"),
        (2, "badc", "a mirror image"),
        (3, "dcba", "upside down"),
        (4, "cdab", "upside down in the mirror"),
        (5, "acbd", "lying in the mirror"),
        (6, "cadb", "held upright"),
        (7, "dbca", "the same in the mirror"),
        (8, "bdac", "held upright the other way"),
        (9, "abcd", "no mark that there is"),
    ],
)
def test_every_mark_of_orientation(orientation: int, corners: str, reason: str) -> None:
    image, exif = Image.new("RGB", (48, 32)), Image.Exif()
    for at, corner in zip([(0, 0), (24, 0), (0, 16), (24, 16)], "abcd", strict=True):
        image.paste((ord(corner), 0, 0), (*at, at[0] + 24, at[1] + 16))
    exif[EXIF_ORIENTATION] = orientation
    buffer = io.BytesIO()
    image.save(buffer, "PNG", exif=exif.tobytes())
    red = open_photo(buffer.getvalue(), "a photo").rgb[..., 0]
    assert "".join(map(chr, red[[0, 0, -1, -1], [0, -1, 0, -1]])) == corners, reason


@pytest.mark.slow
@pytest.mark.parametrize("file_format", ["JPEG", "PNG", "WEBP", "HEIF"])
def test_a_photo_cut_off_anywhere_is_a_photo_or_told(file_format: str) -> None:
    data = picture(file_format)
    for length in range(len(data)):
        with suppress(PhotoError):
            photo = open_photo(data[:length], "a photo")
            assert (photo.width, photo.height) == (60, 40), length


@pytest.mark.parametrize("file_format", ["PNG", "WEBP", "MPO"])
def test_of_several_pictures_in_a_file_the_first_is_taken(file_format: str) -> None:
    first, second = Image.new("RGB", (60, 40), "red"), Image.new("RGB", (60, 40), "blue")
    buffer = io.BytesIO()
    first.save(buffer, file_format, save_all=True, append_images=[second])
    photo = open_photo(buffer.getvalue(), "a photo")
    assert photo.rgb[20, 30, 0] > 200 > photo.rgb[20, 30, 2]


@pytest.mark.parametrize("primary", [0, 1, 2])
def test_of_a_burst_the_picture_that_the_phone_shows_is_taken(primary: int) -> None:
    burst = pillow_heif.HeifFile()
    for place in range(3):
        burst.add_from_pillow(Image.new("RGB", (60, 40), "red" if place == primary else "blue"))
    buffer = io.BytesIO()
    burst.save(buffer, primary_index=primary)
    photo = open_photo(buffer.getvalue(), "a photo")
    assert photo.rgb[20, 30, 0] > 200 > photo.rgb[20, 30, 2]


@pytest.mark.parametrize(
    ("make_file", "code", "reason"),
    [
        (lambda: b"", "empty-file", "nothing was uploaded"),
        (lambda: b"Dear Sir, here is my hand.", "not-a-photo", "a text file named .jpg"),
        (lambda: b"GIF89a" + b"\0" * 50, "not-a-photo", "no camera makes GIFs"),
        (lambda: bomb(10_000, 10_000), "too-large", "a 100-megapixel bomb"),
        (lambda: bomb(60_000, 60_000), "too-large", "so large that Pillow itself refuses"),
        (lambda: bomb(400, 300), "broken-photo", "the pixels end too soon"),
        (lambda: picture("JPEG")[:-300], "broken-photo", "the upload broke off"),
        (lambda: picture("PNG", size=(30, 5)), "too-small",
         "nothing to see in five rows of pixels"),
        (lambda: bomb(24, 2_666_666), "too-long", "a strip of 64 megapixels"),
        (lambda: bomb(24, 385), "too-long", "a shorter one"),
        (lambda: bomb(8_000, 8_001), "too-large", "a row above the limit"),
        (lambda: picture("WEBP", size=(8_000, 4_001)), "too-large", "for a WebP half as much"),
        (lambda: with_chunk(b"iCCP", b"a\0\0" + zlib.compress(bytes(10**8))), "broken-photo",
         "a colour bomb"),
        (lambda: with_chunk(b"zTXt", b"a\0\0" + zlib.compress(bytes(10**8))), "broken-photo",
         "a text bomb"),
        (heic_of_two_sizes, "broken-photo", "libheif has limits of its own"),
    ],
)  # fmt: skip
def test_refuses_in_words(make_file: Callable[[], bytes], code: str, reason: str) -> None:
    data = make_file()
    with pytest.raises(PhotoError) as refusal:
        open_photo(data, "hand.jpg")
    assert refusal.value.code == code, reason
    assert str(refusal.value).endswith(".")
