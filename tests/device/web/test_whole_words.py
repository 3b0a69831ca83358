"""Words with a hyphen stay on one line, and nothing else of a page changes."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.web.whole_words import keep_whole


@pytest.mark.parametrize(
    ("html", "tag", "expected", "reason"),
    [
        ("<p>False Mah-Jong, Wi-Fi</p>", "en-GB", "<p>False Mah‑Jong, Wi‑Fi</p>", "in a text"),
        ("<p>“Mah-Jong” <b>x</b>", "zh-Hant", "<p>“Mah‑Jong” <b>x</b>", "before another tag"),
        ('<input value="Mah-Jong">', "en-GB", '<input value="Mah-Jong">', "a field's value"),
        ("<option>Mah-Jong</option>", "en-GB", "<option>Mah-Jong</option>", "it may be sent"),
        ("<textarea>Mah-Jong</textarea>", "en-GB", "<textarea>Mah-Jong</textarea>", "so may this"),
        ("<p>a-t-il, BMJA-D10</p>", "fr", "<p>a‑t‑il, BMJA-D10</p>", "no rule's id"),
        ("<p>a-t-il</p>", "en-GB", "<p>a-t-il</p>", "French alone asks so"),
        ("<p>Ann\n  · to come</p>", "en-GB", "<p>Ann\xa0· to come</p>", "no dot first"),
        ("<p><b>Ann</b> · <i>East", "fr", "<p><b>Ann</b>\xa0· <i>East", "behind a tag"),
        ("<title>A · B</title>", "en-GB", "<title>A · B</title>", "no line breaks there"),
        ('<a title="A · B">', "en-GB", '<a title="A · B">', "nor there"),
    ],
)  # fmt: skip
def test_hyphens_are_kept_whole_in_texts(html: str, tag: str, expected: str, reason: str) -> None:
    assert keep_whole(html, tag) == expected, reason


def test_pages_have_their_words_whole(client: FlaskClient) -> None:
    assert "British Mah‑Jong" in client.get("/").text
    client.set_cookie("look", "language=fr")
    assert "mah‑jong" in client.get("/").text
