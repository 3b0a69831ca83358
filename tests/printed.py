"""What a printer makes of a PDF."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pypdfium2

MM = 25.4 / 72
"""Of a point, PDF's unit."""


def rendered(pdf: bytes, scale: float) -> list[npt.NDArray[np.uint8]]:
    """Return each page (height, width, 3) in RGB, at so many pixels a millimetre."""
    document = pypdfium2.PdfDocument(pdf)
    pages = [np.asarray(page.render(scale=scale * MM).to_pil().convert("RGB")) for page in document]
    document.close()
    return pages


def sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return the pages' widths and heights, millimetres."""
    document = pypdfium2.PdfDocument(pdf)
    found = [(width * MM, height * MM) for width, height in (p.get_size() for p in document)]
    document.close()
    return found


def text_of(pdf: bytes) -> list[str]:
    """Return the words of each page."""
    document = pypdfium2.PdfDocument(pdf)
    found = [str(page.get_textpage().get_text_range()) for page in document]
    document.close()
    return found
