"""Pages on paper are dark on light, whatever their colours on the phone and however it prints."""

from __future__ import annotations

import numpy as np
import pypdfium2
import pytest

from device.matches.repository import MatchRepository
from tests.device.fake_reader import FakeReader
from tests.e2e.conftest import ServeWith
from tests.e2e.contrast import TEXT, contrast
from tests.e2e.engines import Chromium
from tests.e2e.test_score_sheet import play
from tests.e2e.tour import NAMES, post
from tests.printed import rendered

PX_PER_MM = 6
"""Of the sheets that are measured: a line of text is some 20 pixels high."""

MIN_LINE_PT = 4
"""Lower or narrower texts are no lines: dots, rules and signs."""

PRINTED = [
    ("light", False, "as most browsers print"),
    ("light", True, "what is chosen and what is tinted"),
    ("dark", True, "chosen on the phone"),
    ("auto", True, "as the phone is"),
]
"""The theme, whether grounds are printed, and why."""


def faint_lines(pdf: bytes) -> list[tuple[str, float]]:
    """Return the lines of text that can hardly be read, with their contrast."""
    found = []
    document = pypdfium2.PdfDocument(pdf)
    for page, sheet in zip(document, rendered(pdf, PX_PER_MM), strict=True):
        text = page.get_textpage()
        scale = sheet.shape[1] / page.get_width()
        for number in range(text.count_rects()):
            left, bottom, right, top = text.get_rect(number)
            if min(right - left, top - bottom) < MIN_LINE_PT:
                continue
            upper, lower = page.get_height() - top - 1, page.get_height() - bottom + 1
            rows = slice(max(0, int(upper * scale)), int(lower * scale))
            seen = contrast(sheet[rows, int(left * scale) : int(right * scale)])
            if seen < TEXT:
                said = text.get_text_bounded(left, bottom, right, top).strip()
                found.append((said, round(seen, 1)))
    document.close()
    return [each for each in found if each[0]]


@pytest.mark.parametrize(("theme", "grounds", "why"), PRINTED)
def test_every_line_can_be_read(
    phone: Chromium, serve_with: ServeWith, theme: str, why: str, *, grounds: bool
) -> None:
    live = serve_with(FakeReader())
    over = play(MatchRepository(live.hands.store), NAMES)
    hand = post(live, "/enter").removeprefix(live.url)
    phone.renew()
    phone.keep(live.url, look=f"theme={theme}")
    phone.prefer(prefers_color_scheme="light" if theme == "light" else "dark")
    faults = {}
    try:
        for path in (
            f"/match/{over}/",
            "/learn/rules/BMJA-D10",
            "/learn/rules/",
            "/learn/",
            "/table/",
            "/",
            hand,
        ):
            phone.get(live.url + path)
            printed = phone.print_to_paper(grounds=grounds)
            assert np.concatenate([each.reshape(-1) for each in rendered(printed, 1)]).mean() > 200
            if faint := faint_lines(printed):
                faults[path] = faint
    finally:
        phone.prefer()
    assert faults == {}, why
