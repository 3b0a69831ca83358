"""How the page looks and speaks on one phone."""

from __future__ import annotations

import io
import re
import shutil
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from PIL import Image

from device.access import set_new_pin
from device.hands.repository import HandRepository
from device.i18n import words
from device.i18n.words import LANGUAGES, say, use_words
from device.settings import SettingsLog
from device.web import preferences
from scorer.message import rule_text
from tests.device.page import Page, Part, get_page


def _html(client: FlaskClient) -> Part:
    return get_page(client, "/phone/").single("html")


def test_a_new_phone_has_the_usual_look(client: FlaskClient) -> None:
    look = {"data-theme": "auto", "data-text": "usual", "data-indices": "on"}
    assert look.items() <= _html(client).attrs.items()
    media = "screen and (prefers-color-scheme: dark)"
    assert get_page(client, "/").all(f'link[href^="/assets/dark"][media="{media}"]')


@pytest.mark.parametrize(("name", "value"), [("theme", "dark"), ("text", "big")])
def test_a_choice_stays_on_the_phone(client: FlaskClient, name: str, value: str) -> None:
    client.post("/phone/", data={name: value})
    client.post("/phone/", data={"indices": "off"})  # says nothing of the first
    assert _html(client)[f"data-{name}"] == value
    assert get_page(client, "/phone/").all(f'[name="{name}"][value="{value}"][checked]')


def test_a_forced_theme_asks_the_phone_nothing(client: FlaskClient) -> None:
    client.post("/phone/", data={"theme": "dark"})
    assert get_page(client, "/").single('link[href^="/assets/dark"][media="screen"]'), (
        "not for paper"
    )
    client.post("/phone/", data={"theme": "light"})
    assert not get_page(client, "/").all('[href^="/assets/dark"]')


@pytest.mark.parametrize("cookie", ["theme=purple", "=&=&;", "language=../../etc"])
def test_a_cookie_that_makes_no_sense_is_ignored(client: FlaskClient, cookie: str) -> None:
    client.set_cookie("look", cookie)
    assert _html(client)["data-theme"] == "auto"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exposed pung of dragons", "Exposed pong of dragons"),
        ("Pungs and kongs", "Pongs and kongs"),
        ("3 circles, 1 circle", "3 dots, 1 dot"),
        ("Circle the house_pung", "Dot the house_pung"),  # names of fields are not words
        ("no such word", "no such word"),
    ],
)
def test_a_table_hears_its_own_words(text: str, expected: str) -> None:
    use_words("en-GB", ("pong", "dots"))
    assert say(rule_text(text)) == expected
    use_words("en-GB")
    assert say(rule_text(text)) == text


def test_the_words_chosen_are_spoken_on_every_page(client: FlaskClient, read_hand: str) -> None:
    assert "Pung" in client.get(f"/hand/{read_hand}/").text
    client.post("/phone/", data={"pung": "pong", "circles": "dots"})
    page = unescape(client.get(f"/hand/{read_hand}/").text)
    assert "Pong" in page
    assert not re.search(r"\b[Pp]ungs?\b", page)
    use_words("en-GB")


def test_the_words_chosen_change_words_alone(client: FlaskClient) -> None:
    client.post("/phone/", data={"pung": "pong"})
    page = client.post("/enter", follow_redirects=True).text
    assert Page(page).single("label:has(> [name=kind][value=pung][checked]) span").text == "Pong"
    choices = re.findall(
        r'name="pung" value="(\w+)"[^<]*<span[^>]*>(\w+)', client.get("/phone/").text
    )
    assert choices == [("pung", "pung"), ("pong", "pong")]
    use_words("en-GB")


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("fr-CH,fr;q=0.9,en;q=0.8", "fr"),
        ("zh-CN,en;q=0.5", "zh-Hant"),
        ("de,fr;q=0.5", "fr"),
        ("", "en-GB"),
    ],
)
def test_the_first_word_is_in_the_phone_s_own_language(
    client: FlaskClient, header: str, language: str
) -> None:
    page = client.get("/", headers={"Accept-Language": header}).text
    assert Page(page).all(f'html[lang="{language}"]')
    client.post("/phone/", data={"language": "en-GB"})
    page = client.get("/", headers={"Accept-Language": header}).text
    assert Page(page).all('html[lang="en-GB"]'), "what was chosen counts"


@pytest.mark.parametrize(
    ("header", "language"), [("fr-CH", "fr-CH"), ("fr", "fr"), ("fr-BE", "fr"), ("pl-PL", "pl")]
)
def test_a_language_can_be_tried_before_it_says_anything(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    header: str,
    language: str,
) -> None:
    shutil.copytree(Path(str(words._STRINGS)), tmp_path, dirs_exist_ok=True)
    for tag in ("fr-CH", "pl"):
        (tmp_path / tag).mkdir()
    languages = (*LANGUAGES, "fr-CH", "pl")
    monkeypatch.setattr(words, "_STRINGS", tmp_path)
    monkeypatch.setattr(preferences, "LANGUAGES", languages)
    monkeypatch.setattr(preferences, "CHOICES", {**preferences.CHOICES, "language": languages})
    page = Page(client.get("/phone/", headers={"Accept-Language": header}).text)
    assert page.single("html")["lang"] == language
    assert {"polski", "français (Suisse)"} <= {each.text for each in page.all("label span")}
    address = "/learn/lessons/search?q=chow"
    assert client.get(address, headers={"Accept-Language": header}).status_code == 200


FREE = ("/manifest.webmanifest", "/service-worker.js", "/no-answer")


def test_the_manifest_says_what_browsers_ask_of_one(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = answer.get_json()
    assert (manifest["name"], manifest["short_name"], manifest["display"]) == (
        "Tongbox",
        "Tongbox",
        "standalone",
    )
    assert client.get(manifest["start_url"]).status_code == 200
    assert {(each["sizes"], each["purpose"]) for each in manifest["icons"]} == {
        ("192x192", "any"), ("512x512", "any"), ("192x192", "maskable"), ("512x512", "maskable"),
    }  # fmt: skip
    for icon in manifest["icons"]:
        picture = Image.open(io.BytesIO(client.get(icon["src"]).data))
        assert f"{picture.width}x{picture.height}" == icon["sizes"]
        opaque = picture.convert("RGBA").getchannel("A").getextrema()[0] == 255
        assert opaque == (icon["purpose"] == "maskable"), "a phone cuts that one to a shape"


def test_every_page_links_the_manifest_and_what_apples_phones_ask_for(client: FlaskClient) -> None:
    page = get_page(client, "/learn/")
    assert page.single("link[rel=manifest]")["href"] == "/manifest.webmanifest"
    icon = page.single("link[rel=apple-touch-icon]")["href"]
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
    meta_tags = get_page(client, "/").all("meta[name=theme-color]")
    assert [each["content"] for each in meta_tags] == colours
    assert all(("media" in each) == (theme == "auto") for each in meta_tags)
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
    assert all(Page(page).single("[http-equiv=refresh]") for page in pages)
    assert all(Page(page).single('a[href=""]') for page in pages)


def test_the_script_keeps_that_page_and_nothing_that_grows_old(client: FlaskClient) -> None:
    answer = client.get("/service-worker.js")
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-store"
    paths = re.findall(r'"(/[^"]*)"', answer.text)
    assert paths[0] == "/no-answer"
    assert all(each.startswith("/assets/") for each in paths[1:]), "of hashed names"
    links = get_page(client, "/no-answer").addresses
    assert set(links) == set(paths[1:]), "all that it needs to be drawn, and no more"


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


BROWSERS = [
    ("zh-TW,zh;q=0.9", "誰胡牌？", "Taiwan's words for a browser of Taiwan"),
    ("zh-Hant-TW", "誰胡牌？", "as Apple's phones write it"),
    ("zh-HK,zh-TW;q=0.5", "誰食糊？", "the first one decides"),
    ("zh-CN", "誰食糊？", "simplified Chinese has the usual words"),
    ("fr,zh-TW;q=0.5", "Qui a fait mah-jong\u202f?", "another language has no such choice"),
]


@pytest.mark.parametrize(("browser", "expected", "reason"), BROWSERS)
def test_the_browser_chooses_the_words_of_a_place(
    client: FlaskClient, browser: str, expected: str, reason: str
) -> None:
    use_words("en-GB")
    client.get("/phone/", headers={"Accept-Language": browser})
    assert say("winner.title") == expected, reason
    use_words("en-GB")


def test_the_words_of_a_place_are_chosen_on_the_phone(client: FlaskClient) -> None:
    client.post("/phone/", data={"language": "zh-Hant", "region": "taiwan"})
    page = get_page(client, "/phone/")
    assert page.all('[name="region"][value="taiwan"][checked]')
    assert say("how.discard") == "別家放槍"
    client.post("/phone/", data={"region": "hong-kong"})
    get_page(client, "/phone/")
    assert say("how.discard") == "別家出銃"
    use_words("en-GB")
