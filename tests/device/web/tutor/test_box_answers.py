"""The answers about using the box: enough of them, with the names of buttons and a way there."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.i18n.words import LANGUAGES, load, use_words
from device.views.tutor.box_answers import box_answers
from tests.device.page import get_page

MIN_ANSWERS = 30
"""What a table asks about the box in an evening."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_answer_is_on_the_page_with_its_buttons_named(
    client: FlaskClient, language: str
) -> None:
    client.post("/phone/", data={"language": language})
    page = get_page(client, "/learn/lessons/box")
    use_words(language)
    answers = tuple(box_answers())
    use_words("en-GB")
    assert len(answers) >= MIN_ANSWERS
    assert {each.id for each in answers} <= set(page.attributes("id"))
    assert {each.page for each in answers} <= set(page.main.links())
    assert "{" not in page.main.text


def test_an_answer_quotes_the_button_as_it_is_called() -> None:
    (answer,) = (each.answer for each in box_answers() if each.id == "start-over")
    assert f"“{load()['table.new']}”" in answer


def test_every_answer_leads_to_a_page_of_the_box(client: FlaskClient) -> None:
    urls = client.application.url_map.bind("")
    for each in box_answers():
        assert urls.match(each.page, "GET"), each.id


def test_the_section_is_found_and_one_answer_opened(client: FlaskClient) -> None:
    assert "/learn/lessons/box" in get_page(client, "/learn/lessons/").links()
    page = get_page(client, "/learn/lessons/box?open=east-now")
    assert page.single("details[open]").single("#east-now")
    results = get_page(client, "/learn/lessons/search?q=who+is+East+now").main
    assert results.links("/learn/lessons/box")[0] == "/learn/lessons/box?open=east-now#east-now"
