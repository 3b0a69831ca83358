"""Other people's PDF readers: what each of them reads and shows of a PDF.

pdf.js, Firefox's reader, is tried in `tests/device/paper/test_pdfjs.py`.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from tests.pdf_pages import MM, render_pages, text_of

MICRO_HEI = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
NEEDS_FONT = pytest.mark.skipif(
    not Path(MICRO_HEI).exists(), reason="fonts-wqy-microhei is not installed"
)
NEEDS_READERS = pytest.mark.skipif(
    not (shutil.which("pdftotext") and shutil.which("mutool")),
    reason="poppler-utils or mupdf-tools is not installed",
)

POPPLER_DATA = Path("/usr/share/poppler")

Picture = npt.NDArray[np.uint8]
"""A page (height, width) in grey."""


@dataclass(frozen=True)
class PdfReader:
    """An engine with its two ways to read a PDF."""

    name: str
    text: Callable[[bytes], str]
    """Return the words of all pages."""
    picture: Callable[[bytes, int], Picture]
    """Return the first page, at dots per inch."""


def _poppler(pdf: bytes, *words: str, prefix: Sequence[str] = ()) -> bytes:
    # poppler's programs take a file's name alone: `-` is not read by all versions of pdftoppm.
    with tempfile.NamedTemporaryFile(suffix=".pdf") as file:
        file.write(pdf)
        file.flush()
        command = [word.replace("FILE", file.name) for word in words]
        return subprocess.run([*prefix, *command], stdout=subprocess.PIPE, check=True).stdout


def _without_poppler_data() -> Sequence[str]:
    """Return what begins a command line so that poppler finds no maps of Chinese encodings."""
    if not POPPLER_DATA.exists():
        return ()
    hide = f'mount -t tmpfs none {POPPLER_DATA} && exec "$@"'
    return ("unshare", "--map-root-user", "--mount", "sh", "-c", hide, "sh")


def can_hide_poppler_data() -> bool:
    """Return whether this system lets a process have a view of the files of its own."""
    prefix = _without_poppler_data()
    return not prefix or subprocess.run([*prefix, "true"], capture_output=True).returncode == 0


def _poppler_text(pdf: bytes, prefix: Callable[[], Sequence[str]]) -> str:
    return _poppler(pdf, "pdftotext", "-enc", "UTF-8", "FILE", "-", prefix=prefix()).decode()


def _poppler_picture(pdf: bytes, dots: int, prefix: Callable[[], Sequence[str]]) -> Picture:
    options = ("-gray", "-singlefile", "-r", str(dots))
    return decode_grey(_poppler(pdf, "pdftoppm", *options, "FILE", prefix=prefix()))


def _mutool(pdf: bytes, *words: str) -> bytes:
    with tempfile.TemporaryDirectory() as place:
        Path(place, "in.pdf").write_bytes(pdf)
        command = ["mutool", "draw", "-q", "-o", "out", *words]
        subprocess.run(command, cwd=place, check=True, stderr=subprocess.DEVNULL)
        return Path(place, "out").read_bytes()


def _mupdf_text(pdf: bytes) -> str:
    return _mutool(pdf, "-F", "txt", "in.pdf").decode()


def _mupdf_picture(pdf: bytes, dots: int) -> Picture:
    return decode_grey(_mutool(pdf, "-F", "pgm", "-c", "gray", "-r", str(dots), "in.pdf", "1"))


def decode_grey(data: bytes) -> Picture:
    """Return a picture file's grey pixels."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert picture is not None
    return np.asarray(picture, np.uint8)


def _pdfium_text(pdf: bytes) -> str:
    return "\n".join(text_of(pdf))


def _pdfium_picture(pdf: bytes, dots: int) -> Picture:
    page, *_ = render_pages(pdf, dots / 72 / MM, pages=1)
    return np.asarray(cv2.cvtColor(page, cv2.COLOR_RGB2GRAY), np.uint8)


def _poppler_reader(name: str, prefix: Callable[[], Sequence[str]]) -> PdfReader:
    text = partial(_poppler_text, prefix=prefix)
    return PdfReader(name, text, partial(_poppler_picture, prefix=prefix))


READERS = (
    PdfReader("PDFium", _pdfium_text, _pdfium_picture),
    PdfReader("MuPDF", _mupdf_text, _mupdf_picture),
    _poppler_reader("poppler", lambda: ()),
    _poppler_reader("poppler without poppler-data", _without_poppler_data),
)
