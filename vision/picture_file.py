"""Open a picture file: upright RGB pixels, no more than are wanted.

Pillow reads all formats; pillow-heif adds HEIC, the iPhone's format. Pillow knows the size before
it decodes, so a picture that is too large is refused first. This module loads neither NumPy nor
OpenCV, because it runs in a small process of its own (`device.decoding`).
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
"""The largest photograph accepted, above the usual 12 to 50 megapixels of phones."""

MAX_PIXELS_BY_FORMAT = dict.fromkeys(("JPEG", "HEIF", "PNG"), MAX_PIXELS) | {
    "WEBP": MAX_PIXELS // 2
}
"""Largest picture of each accepted format, by Pillow's names. Decoding WebP takes 16 bytes of
memory per pixel, twice as much as any other format, and no camera produces it."""

MIN_SIDE_PX = 24
"""A picture with a shorter side has nothing to read."""

MAX_SIDE_RATIO = 16
"""Greatest ratio of the longer side to the shorter one: twice that of the longest panoramas. A row
of fourteen tiles is twelve times as long as it is high."""

_EXIF_ORIENTATION_TAG = 0x0112
"""EXIF tag that says how the camera was held."""

_TURN_BY_ORIENTATION = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""Transposition that makes a picture with that orientation upright."""

_DAMAGE_ERRORS = (
    OSError, ValueError, SyntaxError, EOFError, RuntimeError, ArithmeticError, struct.error,
    zlib.error,
)  # fmt: skip
"""Errors that Pillow and its libraries raise for a damaged file."""


@cache
def load_heif() -> None:
    """Register the HEIC decoder. It takes 3 MB, so only processes that open pictures load it."""
    from pillow_heif import register_heif_opener

    # The player means the picture, not its thumbnail or depth map.
    register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)


def open_picture(data: bytes, max_pixels: int = MAX_PIXELS) -> Image.Image:
    """Decode a picture file; raise PhotoError with a sentence for the player.

    Returns the picture as RGB, upright. A picture of more than `max_pixels` pixels is halved until
    it fits, in the same way every time.
    """
    load_heif()
    if not data:
        raise PhotoError("empty-file", message("photo.empty"))
    try:
        with warnings.catch_warnings():
            # The size is checked below, and the player need not hear Pillow's other warnings.
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(data), formats=tuple(MAX_PIXELS_BY_FORMAT)) as image:
                return _decode(image, max_pixels)
    except Image.DecompressionBombError as error:
        problem = message("photo.far-too-large", most=_to_megapixels(MAX_PIXELS))
        raise PhotoError("too-large", problem) from error
    except UnidentifiedImageError as error:
        raise PhotoError("not-a-photo", message("photo.no-photo")) from error
    except MemoryError as error:
        raise decoder_failure() from error
    except _DAMAGE_ERRORS as error:
        raise PhotoError("broken-photo", message("photo.broken")) from error


def decoder_failure() -> PhotoError:
    """Return the error for a picture whose decoder process failed."""
    return PhotoError("unopened", message("photo.unopened"))


def _decode(image: Image.Image, size: int) -> Image.Image:
    _check_size(image)
    turn = _TURN_BY_ORIENTATION.get(_read_orientation(image))
    factor = _shrink_factor(*image.size, size)
    if factor > 1 and image.draft("RGB", (image.width // factor, image.height // factor)):
        factor = 1  # the JPEG decoder shrinks by itself
    stated_size = image.size
    image.load()
    if image.size != stated_size:  # the size stated in a HEIC may be wrong
        _check_size(image)
        factor = _shrink_factor(*image.size, size)
    # Copies are avoided: each takes 50 ms for 12 megapixels.
    plain = image if image.mode == "RGB" else image.convert("RGB")
    small = plain.reduce(factor) if factor > 1 else plain
    return small if turn is None else small.transpose(turn)


def _read_orientation(image: Image.Image) -> int:
    """Return the EXIF orientation; 1, upright, where it is missing or unreadable.

    A photograph without a readable orientation is still accepted: an upside-down hand is read as
    well. Pillow would take XMP's in place of EXIF's, which no browser does: the player saw the
    photograph without that turn.
    """
    for xmp in ("xmp", "XML:com.adobe.xmp"):
        image.info.pop(xmp, None)
    try:
        return int(image.getexif().get(_EXIF_ORIENTATION_TAG, 1))
    except (*_DAMAGE_ERRORS, TypeError, LookupError):
        return 1


def _shrink_factor(width: int, height: int, max_pixels: int) -> int:
    """Return the factor by which to shrink a picture so that it has at most `max_pixels` pixels."""
    factors = (1, 2, 4, 8)  # JPEG's
    fits = (f for f in factors if math.ceil(width / f) * math.ceil(height / f) <= max_pixels)
    return next(fits, factors[-1])


def _check_size(image: Image.Image) -> None:
    width, height = image.size
    max_pixels = MAX_PIXELS_BY_FORMAT.get(
        image.format or "", MAX_PIXELS
    )  # some JPEGs are called MPO
    if width * height > max_pixels:
        count = _to_megapixels(width * height)
        raise PhotoError(
            "too-large", message("photo.too-large", count=count, most=_to_megapixels(max_pixels))
        )
    if min(width, height) < MIN_SIDE_PX:
        raise PhotoError("too-small", message("photo.too-small", width=width, height=height))
    if max(width, height) > MAX_SIDE_RATIO * min(width, height):
        raise PhotoError("too-long", message("photo.too-long", width=width, height=height))


def _to_megapixels(pixels: int) -> int:
    return round(pixels / 1e6)
