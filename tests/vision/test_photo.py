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
    assert refusal.value.message.endswith(".")
