"""Pictures that are no photographs: large ones in small files, odd ones, damaged ones."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator

from PIL import Image
from pillow_heif import register_heif_opener

KINDS = ("JPEG", "PNG", "WEBP", "HEIF")

register_heif_opener()

_QUICKLY = {"WEBP": {"method": 0}, "PNG": {"compress_level": 1, "compress_type": 3}}
"""How a picture of one colour is saved in half the time, and no larger."""

_MAKE, _INCHES = b"\x01\x0f", b"\x01\x28"
"""The numbers of two of EXIF's marks, as a file has them: text, and a number by its definition."""


def one_colour(kind: str, width: int, height: int, mode: str = "RGB") -> bytes:
    """Return a picture of one colour: tens of megapixels in some hundred kilobytes."""
    return _save_image(Image.new(mode, (width, height)), kind, **_QUICKLY.get(kind, {}))


def draw_chequered(kind: str, width: int = 64, height: int = 48) -> bytes:
    """Return a small picture with something on it, and with what phones write beside it."""
    image = Image.radial_gradient("L").resize((width, height)).convert("RGB")
    exif = Image.Exif()
    exif[0x0112], exif[0x010F], exif[0x011A] = 6, "Phone", 72.0
    return _save_image(image, kind, exif=exif.tobytes())


def with_odd_exif(kind: str, width: int = 64, height: int = 48) -> bytes:
    """Return a picture that is to be turned, and whose unit of resolution is a word."""
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "inches", 6
    odd = exif.tobytes().replace(_MAKE, _INCHES, 1).replace(_MAKE[::-1], _INCHES[::-1], 1)
    return _save_image(Image.new("RGB", (width, height)), kind, exif=odd)


def heic_of_two_sizes() -> bytes:
    """Return a HEIC that shows 60 by 40 pixels of four thousand million columns."""
    data = one_colour("HEIF", 60, 40)
    size = b"ispe" + bytes(7) + b"\x40"
    assert data.count(size) == 1
    return data.replace(size, b"ispe" + bytes(4) + b"\xff\0\0\x40")


def damaged_pictures(count: int, seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield pictures with a few bytes changed, a part left out or cut off: kind and file."""
    chance = random.Random(seed)
    whole_files = {kind: draw_chequered(kind) for kind in KINDS}
    for number in range(count):
        kind = KINDS[number % len(KINDS)]
        data = bytearray(whole_files[kind])
        for _ in range(chance.choice((1, 1, 2, 8))):
            data[chance.randrange(len(data))] = chance.choice((0, 255, chance.randrange(256)))
        if chance.random() < 0.2:
            place = chance.randrange(len(data))
            del data[place : place + chance.choice((1, 16, len(data)))]
        yield kind, bytes(data)


def _save_image(image: Image.Image, kind: str, **options: bytes | int) -> bytes:
    output = io.BytesIO()
    image.save(output, kind, **{"exif": Image.Exif().tobytes(), **options})
    return output.getvalue()
