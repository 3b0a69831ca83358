"""Pages on paper are dark on light, whatever their colours on the phone and however it prints."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pypdfium2

from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.contrast import TEXT, contrast
from tests.e2e.engines import HEIGHT, WIDTH, Chromium, browser
from tests.e2e.test_score_sheet import play
from tests.e2e.tour import NAMES, post
from tests.pdf_pages import render_pages

PX_PER_MM = 6
"""Of the sheets that are measured: a line of text is some 20 pixels high."""

MIN_LINE_PT = 4
"""Lower or narrower texts are no lines: dots, rules and signs."""

PAPERS = ("/learn/rules/BMJA-D10", "/learn/rules/", "/learn/", "/table/", "/")
"""Pages that are printed, besides a match and a hand."""

DARK_PHONES = [("dark", "chosen on the phone", 2), ("auto", "as the phone is", 6)]
"""The themes of a phone on which pages are dark, why, and of how many papers one is tried.

The second makes pages dark by the same sheet (`test_style.py`)."""


def faint_lines(pdf: bytes) -> list[tuple[str, float]]:
    """Return the lines of text that can hardly be read, with their contrast."""
    faint_text = []
    document = pypdfium2.PdfDocument(pdf)
    for page, sheet in zip(document, render_pages(pdf, PX_PER_MM), strict=True):
        text = page.get_textpage()
        scale = sheet.shape[1] / page.get_width()
        for number in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(number)
            if min(right - left, top - bottom) < MIN_LINE_PT:
                continue
            upper, lower = page.get_height() - top - 1, page.get_height() - bottom + 1
            rows = slice(max(0, int(upper * scale)), int(lower * scale))
            ink_contrast = contrast(sheet[rows, int(left * scale) : int(right * scale)])
            if ink_contrast < TEXT:
                line_text = text.get_text_bounded(left, bottom, right, top).strip()
                faint_text.append((line_text, round(ink_contrast, 1)))
    document.close()
    return [each for each in faint_text if each[0]]


def test_every_line_can_be_read(serve_with: ServeWith) -> None:
    """As most browsers print, and half with what is tinted; what is dark prints no other.

    In a browser of its own: one that had opened many pages hung at some runs.
    """
    live = serve_with(FakeReader())
    match_id = play(MatchRepository(live.hands.store), NAMES)
    papers = (f"/match/{match_id}/", *PAPERS, post(live, "/enter").removeprefix(live.url))
    faults = {}
    with browser(WIDTH, HEIGHT) as phone:
        _show(phone, live.url, "light")
        looks_by_path = {}
        for path in papers:
            phone.get(live.url + path)
            for grounds in (False, True):
                pdf = phone.print_to_paper(grounds=grounds)
                looks_by_path[path] = _look(pdf)
                assert looks_by_path[path].mean() > 200, path
                if (not grounds or path in papers[::2]) and (faint := faint_lines(pdf)):
                    faults[path] = faint
        for theme, reason, step in DARK_PHONES:
            _show(phone, live.url, theme)
            for path in papers[::step]:
                phone.get(live.url + path)
                dark = phone.print_to_paper(grounds=True)
                assert np.array_equal(_look(dark), looks_by_path[path]), (path, reason)
    assert faults == {}


def _show(phone: Chromium, url: str, theme: str) -> None:
    """Choose a theme on a phone that prefers the dark, but for the light one."""
    phone.keep(url, look=f"theme={theme}")
    phone.prefer(prefers_color_scheme="light" if theme == "light" else "dark")


def _look(pdf: bytes) -> npt.NDArray[np.uint8]:
    """Return the pixels of all sheets, one for each millimetre."""
    return np.concatenate([sheet.reshape(-1) for sheet in render_pages(pdf, 1)])
