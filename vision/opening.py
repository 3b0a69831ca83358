"""A picture's file opened: its pixels, upright, no more of them than are wanted.

Pillow reads all kinds (pillow-heif adds HEIC, the iPhone's format) and tells the size before it
decodes anything, so what is too large is refused unseen. This module loads neither NumPy nor
OpenCV: what it does is done in a small process of its own (`device.decoding`).
"""

from __future__ import annotations

import io
import math
import struct
import warnings
import zlib
from functools import cache

from PIL import Image, UnidentifiedImageError

from scorer.message import message
from vision.errors import PhotoError

MAX_PIXELS = 64_000_000
"""The largest photograph taken: above any phone's usual 12 to 50 megapixels."""

MOST_PIXELS = {"JPEG": MAX_PIXELS, "HEIF": MAX_PIXELS, "PNG": MAX_PIXELS, "WEBP": MAX_PIXELS // 2}
"""By Pillow's names of what is accepted. WebP, which no camera makes, takes 16 bytes of memory for
each pixel until it is decoded, twice as many as any other."""

MIN_SIDE = 24
"""Below this many pixels on a side there is nothing to read."""

MAX_RATIO = 16
"""So many times as long as the other may a side be: twice the longest of panoramas. A hand of
fourteen tiles in a row is twelve times as long as they are high."""

_ORIENTATION = 0x0112
"""The number of EXIF's mark that says how the camera was held."""

_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What makes a picture with that mark upright."""

_DAMAGE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    RuntimeError,
    ArithmeticError,
    struct.error,
    zlib.error,
)
"""What Pillow and the libraries under it say of a damaged file."""


@cache
def load_heif() -> None:
    """Load what opens a HEIC file: 3 MB that a process which opens no pictures does without."""
    from pillow_heif import register_heif_opener

    # Neither the thumbnail in a HEIC file nor its depth map is what the player means to send.
    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def open_picture(data: bytes, most: int = MAX_PIXELS) -> Image.Image:
    """Decode the bytes of a picture's file; raise PhotoError with a sentence for the player.

    Returns it as RGB, upright. One of more than `most` pixels is halved until it has no more, the
    same way every time.
    """
    load_heif()
    if not data:
        raise PhotoError("empty-file", message("photo.empty"))
    try:
        with warnings.catch_warnings():
            # Pillow's own bomb warning comes at a size that we judge ourselves, just below; and
            # of what it finds odd in a file the player need not hear.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=tuple(MOST_PIXELS)) as image:
                return _decoded(image, most)
    except Image.DecompressionBombError as error:
        far = message("photo.far-too-large", most=_millions(MAX_PIXELS))
        raise PhotoError("too-large", far) from error
    except UnidentifiedImageError as error:
        raise PhotoError("not-a-photo", message("photo.no-photo")) from error
    except MemoryError as error:
        raise unopened() from error
    except _DAMAGE as error:
        raise PhotoError("broken-photo", message("photo.broken")) from error


def unopened() -> PhotoError:
    """Return what is said of a picture whose decoding ended in a way that no file should."""
    return PhotoError("unopened", message("photo.unopened"))


def _decoded(image: Image.Image, most: int) -> Image.Image:
    _check_size(image)
    turn = _TURNS.get(_orientation(image))
    factor = _shrink_by(*image.size, most)
    if factor > 1 and image.draft("RGB", (image.width // factor, image.height // factor)):
        factor = 1  # JPEG's short cut
    said = image.size
    image.load()
    if image.size != said:  # a HEIC may be of another size than it says
        _check_size(image)
        factor = _shrink_by(*image.size, most)
    # Each copy of 12 megapixels would cost a twentieth of a second more.
    plain = image if image.mode == "RGB" else image.convert("RGB")
    small = plain.reduce(factor) if factor > 1 else plain
    return small if turn is None else small.transpose(turn)


def _orientation(image: Image.Image) -> int:
    """Return how the camera was held, as EXIF numbers it; 1, upright, where that is not legible.

    Photographs come with all kinds of marks, and one without a legible one is as good a
    photograph: a hand that lies upside down is read as well.
    """
    try:
        return int(image.getexif().get(_ORIENTATION, 1))
    except (*_DAMAGE, TypeError, LookupError):
        return 1


def _shrink_by(width: int, height: int, most: int) -> int:
    """Return by what a picture is shrunk, rounding up, to have no more than `most` pixels."""
    factors = (1, 2, 4, 8)  # JPEG's
    fits = (f for f in factors if math.ceil(width / f) * math.ceil(height / f) <= most)
    return next(fits, factors[-1])


def _check_size(image: Image.Image) -> None:
    width, height = image.size
    most = MOST_PIXELS.get(image.format or "", MAX_PIXELS)  # some JPEGs are called MPO
    if width * height > most:
        count = _millions(width * height)
        raise PhotoError("too-large", message("photo.too-large", count=count, most=_millions(most)))
    if min(width, height) < MIN_SIDE:
        raise PhotoError("too-small", message("photo.too-small", width=width, height=height))
    if max(width, height) > MAX_RATIO * min(width, height):
        raise PhotoError("too-long", message("photo.too-long", width=width, height=height))


def _millions(pixels: int) -> int:
    return round(pixels / 1e6)
