"""Every text stands in all languages on one page, for readers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import device.web.texts
from device.i18n.words import LANGUAGES, load
from tests.device.page import get_page
from tests.device.walking.boxes import Played, played


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Played]:
    """Yield a box with samples."""
    with played("alone", tmp_path / "box") as box:
        yield box


def test_every_text_of_every_language_is_there(demo: Played) -> None:
    page = get_page(demo.app.test_client(), "/texts/")
    shown = {
        (row["id"], said["lang"]): said.words
        for row in page.all(".text-row")
        for said in row.all("dd")
    }
    assert shown == {
        (key, language): text for language in LANGUAGES for key, text in load(language).items()
    }
    assert len(page.attributes("id", ".text-row")) == len({key for key, _ in shown}), "each once"


def test_a_text_with_markup_is_shown_as_it_is(
    demo: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = '<b onclick="x">{who}</b> & <script>'
    monkeypatch.setattr(device.web.texts, "load", lambda language: {text: text})
    monkeypatch.setattr(device.web.texts, "load_files", lambda language: {"page": {text: text}})
    row = get_page(demo.app.test_client(), "/texts/").one(".text-row")
    assert [row["id"], row.one("dt").text] == [text, text]
    assert [said.words for said in row.all("dd")] == [text] * len(LANGUAGES)
    assert not row.all("b, script")


def test_only_the_demo_shows_them(client: FlaskClient) -> None:
    assert client.get("/texts/").status_code == 404
