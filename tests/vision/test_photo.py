"""Opening photographs: every kind a phone makes, and what is refused."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image

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
    ("orientation", "red_at", "why"),
    [
        (1, (20, 5), "held upright: red stays at the left"),
        (3, (20, 55), "held upside down: red at the right"),
        (6, (5, 20), "turned: the left of the file is the top of the photo"),
        (8, (55, 20), "turned the other way: the left is the bottom"),
    ],
)
def test_turns_the_photo_upright(orientation: int, red_at: tuple[int, int], why: str) -> None:
    photo = open_photo(picture("JPEG", orientation), "a photo")
    assert photo.rgb[red_at][0] > 150, why


@pytest.mark.parametrize(
    ("most", "size", "why"),
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
    file_format: str, orientation: int, most: int, size: tuple[int, int], why: str
) -> None:
    data = picture(file_format, orientation, (100, 60))
    photo = open_photo(data, "a photo", most)
    if orientation == 6:
        size = size[::-1]
    assert (photo.width, photo.height) == size, why
    red = photo.rgb[:1, :3] if orientation == 6 else photo.rgb[:3, :1]
    assert (red[..., 0] > 150).all(), "still the right way up"
    again = open_photo(data, "a photo", photo.width * photo.height)
    assert (again.rgb == photo.rgb).all(), "a photo kept is opened as it was taken in"


def bomb(width: int, height: int) -> bytes:
    """Return a PNG that claims a size but holds almost nothing."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)

    def chunk(kind: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        )

    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 99))


@pytest.mark.parametrize(
    ("data", "code", "why"),
    [
        (b"", "empty-file", "nothing was uploaded"),
        (b"Dear Sir, here is my hand.", "not-a-photo", "a text file named .jpg"),
        (b"GIF89a" + b"\0" * 50, "not-a-photo", "no camera makes GIFs"),
        (bomb(10_000, 10_000), "too-large", "a 100-megapixel bomb"),
        (bomb(60_000, 60_000), "too-large", "so large that Pillow itself refuses"),
        (bomb(400, 300), "broken-photo", "the pixels end too soon"),
        (picture("JPEG")[:-300], "broken-photo", "the upload broke off"),
        (picture("PNG", size=(30, 5)), "too-small", "nothing to see in five rows of pixels"),
    ],
)
def test_refuses_in_words(data: bytes, code: str, why: str) -> None:
    with pytest.raises(PhotoError) as refusal:
        open_photo(data, "hand.jpg")
    assert refusal.value.code == code, why
    assert str(refusal.value).endswith(".")
