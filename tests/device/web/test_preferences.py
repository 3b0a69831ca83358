"""How the page looks and speaks on one phone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from device.i18n.words import say, use_words
from device.web.preferences import CHOICES
from scorer.message import rule_text


def _html(client: FlaskClient) -> str:
    found = re.search(r"<html[^>]*>", client.get("/phone/").text)
    return found[0] if found else ""


def test_a_new_phone_has_the_usual_look(client: FlaskClient) -> None:
    assert 'data-theme="auto" data-text="usual" data-indices="on"' in _html(client)
    assert 'media="(prefers-color-scheme: dark)"' in client.get("/").text


@pytest.mark.parametrize(("name", "value"), [("theme", "dark"), ("text", "big")])
def test_a_choice_stays_on_the_phone(client: FlaskClient, name: str, value: str) -> None:
    client.post("/phone/", data={name: value})
    client.post("/phone/", data={"indices": "off"})  # says nothing of the first
    assert f'data-{name}="{value}"' in _html(client)
    assert f'name="{name}" value="{value}" checked' in client.get("/phone/").text


def test_a_forced_theme_asks_the_phone_nothing(client: FlaskClient) -> None:
    client.post("/phone/", data={"theme": "dark"})
    assert re.search(r'href="/assets/dark[^"]*">', client.get("/").text)
    client.post("/phone/", data={"theme": "light"})
    assert "/assets/dark" not in client.get("/").text


@pytest.mark.parametrize("cookie", ["", "theme=purple", "=&=&;", "language=../../etc", "x" * 4000])
def test_a_cookie_that_makes_no_sense_is_ignored(client: FlaskClient, cookie: str) -> None:
    client.set_cookie("look", cookie)
    assert 'data-theme="auto"' in _html(client)


def test_every_choice_is_offered(client: FlaskClient) -> None:
    page = client.get("/phone/").text
    assert all(f'name="{n}" value="{v}"' in page for n, those in CHOICES.items() for v in those)


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
    assert f'<html lang="{language}"' in page
    client.post("/phone/", data={"language": "en-GB"})
    page = client.get("/", headers={"Accept-Language": asked}).text
    assert '<html lang="en-GB"' in page, "what was chosen counts"
