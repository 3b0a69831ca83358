"""How the page looks and speaks on one phone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from device.i18n.words import say, use_words
from device.web.preferences import CHOICES
from scorer.message import rule_text
from tests.device.page import Page, Part, get_page


def _html(client: FlaskClient) -> Part:
    return get_page(client, "/phone/").one("html")


def test_a_new_phone_has_the_usual_look(client: FlaskClient) -> None:
    look = {"data-theme": "auto", "data-text": "usual", "data-indices": "on"}
    assert look.items() <= _html(client).tag.attrs.items()
    assert get_page(client, "/").all('[media="(prefers-color-scheme: dark)"]')


@pytest.mark.parametrize(("name", "value"), [("theme", "dark"), ("text", "big")])
def test_a_choice_stays_on_the_phone(client: FlaskClient, name: str, value: str) -> None:
    client.post("/phone/", data={name: value})
    client.post("/phone/", data={"indices": "off"})  # says nothing of the first
    assert _html(client)[f"data-{name}"] == value
    assert get_page(client, "/phone/").all(f'[name="{name}"][value="{value}"][checked]')


def test_a_forced_theme_asks_the_phone_nothing(client: FlaskClient) -> None:
    client.post("/phone/", data={"theme": "dark"})
    assert get_page(client, "/").one('link[href^="/assets/dark"]:not([media])')
    client.post("/phone/", data={"theme": "light"})
    assert not get_page(client, "/").all('[href^="/assets/dark"]')


@pytest.mark.parametrize("cookie", ["", "theme=purple", "=&=&;", "language=../../etc", "x" * 4000])
def test_a_cookie_that_makes_no_sense_is_ignored(client: FlaskClient, cookie: str) -> None:
    client.set_cookie("look", cookie)
    assert _html(client)["data-theme"] == "auto"


def test_every_choice_is_offered(client: FlaskClient) -> None:
    page = get_page(client, "/phone/")
    assert all({*those} <= {*page.values(name)} for name, those in CHOICES.items())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Exposed pung of dragons", "Exposed pong of dragons"),
        ("Pungs and kongs", "Pongs and kongs"),
        ("3 circles, 1 circle", "3 dots, 1 dot"),
        ("Circle the house_pung", "Dot the house_pung"),  # names of fields are not words
        ("no such word", "no such word"),
    ],
)
def test_a_table_hears_its_own_words(text: str, said: str) -> None:
    use_words("en-GB", ("pong", "dots"))
    assert say(rule_text(text)) == said
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
    assert 'name="kind" value="pung" checked><span>Pong</span>' in page
    offered = re.findall(
        r'name="pung" value="(\w+)"[^<]*<span[^>]*>(\w+)', client.get("/phone/").text
    )
    assert offered == [("pung", "pung"), ("pong", "pong")]
    use_words("en-GB")


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("fr-CH,fr;q=0.9,en;q=0.8", "fr"),
        ("zh-TW", "zh-Hant"),
        ("zh-CN,en;q=0.5", "zh-Hant"),
        ("de,fr;q=0.5", "fr"),
        ("en-US,en", "en-GB"),
        ("de", "en-GB"),
        ("", "en-GB"),
        ("*", "en-GB"),
    ],
)
def test_the_first_word_is_in_the_phone_s_own_language(
    client: FlaskClient, asked: str, language: str
) -> None:
    page = client.get("/", headers={"Accept-Language": asked}).text
    assert Page(page).all(f'html[lang="{language}"]')
    client.post("/phone/", data={"language": "en-GB"})
    page = client.get("/", headers={"Accept-Language": asked}).text
    assert Page(page).all('html[lang="en-GB"]'), "what was chosen counts"
