"""Decode a photograph: JPEG, PNG, WebP or HEIC, turned upright by its EXIF mark.

Pillow reads them all (pillow-heif adds HEIC, the iPhone's format), tells the size before it
decodes anything, and so can refuse a decompression bomb without unpacking it.
"""

from __future__ import annotations

import io
import math
import warnings
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError
from pillow_heif import register_heif_opener

from scorer.message import message
from vision.errors import PhotoError
from vision.preprocess import RGB, shrink_for_locator

MAX_PIXELS = 64_000_000
"""The largest photograph taken: above any phone's usual 12 to 50 megapixels."""

_MOST = MAX_PIXELS // 1_000_000

AMPLE = 16_000_000
"""Pixels with which a hand is read as well as with more: a tile of fourteen in a row is then 250
wide, and the classifier is given 48. A picture just above that is halved to 2300 by 1700 or so:
twenty along a side of the whole table, which fill it, are then some 110 wide."""

MIN_SIDE = 24
"""Below this many pixels on a side there is nothing to read."""

FORMATS = ("JPEG", "PNG", "WEBP", "HEIF")
"""Pillow's names of what is accepted."""

register_heif_opener()


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded photograph."""

    name: str
    rgb: RGB
    """Pixels, shape (height, width, 3), upright after EXIF rotation; never changed."""

    @property
    def width(self) -> int:
        """Width in pixels."""
        return int(self.rgb.shape[1])

    @property
    def height(self) -> int:
        """Height in pixels."""
        return int(self.rgb.shape[0])

    @cached_property
    def shrunk(self) -> tuple[RGB, float]:
        """The picture in which tiles and the mat are looked for first, and its scale."""
        return shrink_for_locator(self.rgb)


def open_photo(data: bytes, name: str, most: int = MAX_PIXELS) -> Photo:
    """Decode the bytes of a picture file; raise PhotoError with a sentence for the player.

    One of more than `most` pixels is halved until it has no more, the same way every time.
    """
    if not data:
        raise PhotoError("empty-file", message("photo.empty"))
    try:
        with warnings.catch_warnings():
            # Pillow's own bomb warning comes at a size that we judge ourselves, just below.
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                _check_size(*image.size)
                factor = _shrink_by(*image.size, most)
                whole = image.size
                if factor > 1:
                    image.draft("RGB", (whole[0] // factor, whole[1] // factor))  # JPEG's short cut
                # Each copy of 12 megapixels would cost a twentieth of a second more.
                ImageOps.exif_transpose(image, in_place=True)
                upright = image if image.mode == "RGB" else image.convert("RGB")
                if factor > 1 and math.prod(upright.size) == math.prod(whole):
                    upright = upright.reduce(factor)
                pixels = np.asarray(upright)
    except (UnidentifiedImageError, Image.DecompressionBombError) as error:
        raise _refusal(error) from error
    except (OSError, ValueError, SyntaxError, EOFError) as error:  # Pillow's words for broken files
        raise PhotoError("broken-photo", message("photo.broken")) from error
    pixels.setflags(write=False)
    return Photo(name, pixels)


def _shrink_by(width: int, height: int, most: int) -> int:
    """Return by what a picture is shrunk, rounding up, to have no more than `most` pixels."""
    factors = (1, 2, 4, 8)  # JPEG's
    fits = (f for f in factors if math.ceil(width / f) * math.ceil(height / f) <= most)
    return next(fits, factors[-1])


def _check_size(width: int, height: int) -> None:
    if width * height > MAX_PIXELS:
        raise PhotoError(
            "too-large", message("photo.too-large", count=round(width * height / 1e6), most=_MOST)
        )
    if min(width, height) < MIN_SIDE:
        raise PhotoError("too-small", message("photo.too-small", width=width, height=height))


def _refusal(error: Exception) -> PhotoError:
    if isinstance(error, Image.DecompressionBombError):
        return PhotoError("too-large", message("photo.far-too-large", most=_MOST))
    return PhotoError("not-a-photo", message("photo.no-photo"))
