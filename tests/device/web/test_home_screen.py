"""What a phone is told that puts the box on its home screen."""

from __future__ import annotations

import io
import re

import pytest
from flask.testing import FlaskClient
from PIL import Image

from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, use_words
from device.settings.access import set_new_pin
from device.settings.settings import SettingsLog
from tests.device.page import Page, get_page

FREE = ("/manifest.webmanifest", "/service-worker.js", "/no-answer")


def test_the_manifest_says_what_browsers_ask_of_one(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    said = answer.get_json()
    assert (said["name"], said["short_name"], said["display"]) == (
        "Tongbox",
        "Tongbox",
        "standalone",
    )
    assert client.get(said["start_url"]).status_code == 200
    assert {(each["sizes"], each["purpose"]) for each in said["icons"]} == {
        ("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable"),
    }  # fmt: skip
    for each in said["icons"]:
        picture = Image.open(io.BytesIO(client.get(each["src"]).data))
        assert f"{picture.width}x{picture.height}" == each["sizes"]
        opaque = picture.convert("RGBA").getchannel("A").getextrema()[0] == 255
        assert opaque == (each["purpose"] == "maskable"), "a phone cuts that one to a shape"


def test_every_page_links_the_manifest_and_what_apples_phones_ask_for(client: FlaskClient) -> None:
    page = get_page(client, "/learn/")
    assert page.one("link[rel=manifest]")["href"] == "/manifest.webmanifest"
    icon = page.one("link[rel=apple-touch-icon]")["href"]
    picture = Image.open(io.BytesIO(client.get(icon).data))
    assert picture.size == (180, 180)
    assert picture.convert("RGBA").getchannel("A").getextrema() == (255, 255), (
        "or it is black there"
    )


@pytest.mark.parametrize(
    ("theme", "colours"),
    [("auto", ["#15452f", "#08130e"]), ("light", ["#15452f"]), ("dark", ["#08130e"])],
)
def test_a_phones_bars_go_with_the_theme(
    client: FlaskClient, theme: str, colours: list[str]
) -> None:
    client.post("/phone/", data={"theme": theme})
    said = get_page(client, "/").all("meta[name=theme-color]")
    assert [each["content"] for each in said] == colours
    assert all(("media" in each) == (theme == "auto") for each in said)
    manifest = client.get("/manifest.webmanifest").get_json()
    assert manifest["background_color"] == manifest["theme_color"] == colours[0]


def test_the_page_for_no_answer_speaks_the_phones_language_and_is_kept_anew(
    client: FlaskClient,
) -> None:
    pages, scripts = set(), set()
    for language in LANGUAGES:
        client.post("/phone/", data={"language": language})
        pages.add(client.get("/no-answer").text)
        scripts.add(client.get("/service-worker.js").text)
    use_words("en-GB")
    assert len(pages) == len(scripts) == len(LANGUAGES)
    assert all(Page(page).one("[http-equiv=refresh]") for page in pages)
    assert all(Page(page).one('a[href=""]') for page in pages)


def test_the_script_keeps_that_page_and_nothing_that_grows_old(client: FlaskClient) -> None:
    answer = client.get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-store"
    kept = re.findall(r'"(/[^"]*)"', answer.text)
    assert kept[0] == "/no-answer"
    assert all(each.startswith("/assets/") for each in kept[1:]), "of hashed names"
    linked = get_page(client, "/no-answer").addresses
    assert set(linked) == set(kept[1:]), "all that it needs to be drawn, and no more"


def test_none_of_it_asks_for_the_pin_or_for_another_policy(
    client: FlaskClient, hands: HandRepository
) -> None:
    set_new_pin(SettingsLog(hands.store))
    assert client.get("/learn/").status_code == 403
    for path in FREE:
        answer = client.get(path)
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'self'; img-src 'self' blob:; object-src 'none'")
