"""The pages of lessons: every question answered, by the rules that the table plays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from device.i18n.words import LANGUAGES, load, use_words
from device.web.contexts import Room, find_context
from scorer.message import to_english
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.lessons import SECTIONS, Lesson, lessons_in, lessons_of
from tests.device.events import event_of
from tests.device.page import Page, get_page

pytestmark = pytest.mark.slow

FOUR = ["Ann", "Bob", "Cy", "Di"]
ALL = [section for those in SECTIONS.values() for section in those]
WORDS = load()


def answer(client: FlaskClient, section: str, lesson: str) -> str:
    """Return all that stands in one answer."""
    return get_page(client, f"/learn/lessons/{section}").single(f"details:has(#{lesson})").text


def british_answers(client: FlaskClient) -> Iterator[tuple[Lesson, str]]:
    """Yield each lesson of the British rules, with all that stands in its answer."""
    for section in SECTIONS["bmja"]:
        page = get_page(client, f"/learn/lessons/{section}")
        for lesson in lessons_in(section):
            yield lesson, page.single(f"details:has(#{lesson.id})").text


def begin(client: FlaskClient, **rules: object) -> None:
    """Begin a match by these rules."""
    usual = {"players": FOUR, "ruleset": "bmja", "limit": 1000, "house": []}
    event = event_of("match-begun", {**usual, **rules})
    find_context(Room, client.application).matches.begin(event)


def test_all_sections_are_on_the_first_page_those_in_force_first(client: FlaskClient) -> None:
    def sections() -> list[str]:
        main = get_page(client, "/learn/lessons/").main
        links = [each.rpartition("/")[2] for each in main.links("/learn/lessons/")]
        return [each for each in links if each in ALL]

    assert sections() == [*ALL]
    begin(client, ruleset="safalra")
    assert sections() == [*SECTIONS["safalra"], *SECTIONS["bmja"]]


@pytest.mark.parametrize("section", ALL)
def test_every_lesson_is_on_its_page(client: FlaskClient, section: str) -> None:
    language = LANGUAGES[ALL.index(section) % len(LANGUAGES)]
    client.post("/phone/", data={"language": language})
    page = get_page(client, f"/learn/lessons/{section}")
    use_words("en-GB")
    words, text, ids, links = load(language), page.text, page.attributes("id"), page.links()
    for lesson in lessons_in(section):
        assert " ".join(words[f"lesson.{lesson.id}.question"].split()) in text
        assert lesson.id in ids
        for rule in lesson.rules:
            assert f"/learn/rules/{rule}" in links
    assert "{" not in str(page), "every figure is filled in"


def test_an_unknown_section_is_refused_with_a_sentence(client: FlaskClient) -> None:
    page = client.get("/learn/lessons/cookery")
    assert page.status_code == 404
    assert WORDS["error.404"] in Page(page.text).text


def test_a_link_opens_one_answer(client: FlaskClient) -> None:
    page = get_page(client, "/learn/lessons/playing?open=robbing")
    assert page.single("details[open]").single("#robbing")
    assert "/learn/lessons/playing?open=robbing#robbing" in str(page)


@pytest.mark.parametrize(
    ("section", "lesson", "figures"),
    [
        ("equipment", "whole-set", "144: 108 in the three suits, 16 winds, 12 dragons, and 8"),
        ("preparing", "dealing", "has 14 and the others have 13. There are 77 left"),
        ("scoring", "limit", "would score 1,490,944"),
        ("scoring", "limit-and-east", "may be 2,000, and East may take 6,000"),
        ("oddities", "two-players", "4 doubles or 500 points"),
        ("safalra-scoring", "saf-figures", "2,592 for the highest hand"),
    ],
)
def test_answers_have_their_figures(
    client: FlaskClient, section: str, lesson: str, figures: str
) -> None:
    assert figures in answer(client, section, lesson)


def test_corrections_and_clarifications_are_marked(client: FlaskClient) -> None:
    marks = {"correction": "Correction to the book", "clarified": "Explained by the authors"}
    for lesson, found in british_answers(client):
        for mark, words in marks.items():
            assert (words in found) == (lesson.mark == mark), lesson.id
    corrections = {lesson.id for lesson in lessons_of("bmja") if lesson.mark == "correction"}
    assert corrections == {"kong-box", "special-and-flowers", "prevailing-does-not-double"}


def test_tables_show_the_rules_figures(client: FlaskClient) -> None:
    assert "Concealed kong of a major tile 32" in answer(client, "scoring", "pungs-and-kongs")
    assert "All pair honours 500 200" in answer(client, "scoring", "special-hands")
    assert "Purity ×2 ×2 ×2 –" not in answer(client, "scoring", "special-hands")
    assert "North's wall 4, 8, 12" in answer(client, "preparing", "breaking")
    assert "East pays North 2 × 336 672" in answer(client, "scoring", "paying")
    assert "South in all +336" in answer(client, "scoring", "paying")
    assert "Together 136" in answer(client, "safalra-play", "saf-tiles")
    assert "Together 144" in answer(client, "equipment", "whole-set")


@pytest.mark.parametrize(
    ("rules", "section", "lesson", "says"),
    [
        ({"limit": None}, "scoring", "limit", "At your table: hands have no limit."),
        ({"limit": 500}, "scoring", "limit", "At your table: no hand scores more than 500."),
        ({"players": FOUR[:2]}, "scoring", "paying", "nobody pays or receives double"),
        ({"players": [*FOUR, "Eve"]}, "preparing", "how-many-play", "At your table: five play"),
    ],
)
def test_an_answer_says_what_this_table_plays(
    client: FlaskClient, rules: dict[str, object], section: str, lesson: str, says: str
) -> None:
    assert says not in answer(client, section, lesson)
    begin(client, **rules)
    assert says in answer(client, section, lesson)


def test_every_choice_of_the_table_that_a_lesson_names_is_told(client: FlaskClient) -> None:
    options = {option.name: option for option in load_builtin("bmja").options}
    option_names = {name for lesson in lessons_of("bmja") for name in lesson.options}
    changed_options = [
        f"{name}:{'off' if options[name].default else 'on'}" for name in option_names
    ]
    begin(client, house=changed_options)
    for lesson, lesson_answer in british_answers(client):
        for name in lesson.options:
            option = options[name]
            sentence = "Not played at your table: " if option.default else "At your table: "
            assert sentence + to_english(option.sentence) in lesson_answer, lesson.id


def test_what_a_british_table_chose_is_nothing_to_safalras_lessons(client: FlaskClient) -> None:
    begin(client, players=FOUR[:3])
    assert "At your table" not in get_page(client, "/learn/lessons/safalra-play").text


def test_what_the_square_draws_is_a_tap_away(client: FlaskClient) -> None:
    """At its own step, or at the dice without which there is nothing to draw."""
    for section in ALL:
        links = get_page(client, f"/learn/lessons/{section}").links("/")
        for lesson in filter(lambda drawn_lesson: drawn_lesson.drawn, lessons_in(section)):
            query = f"step={lesson.drawn}&rules={lesson.ruleset}"
            (link,) = {drawn_lesson for drawn_lesson in links if drawn_lesson.endswith(query)}
            response = client.get(link, follow_redirects=True)
            assert response.status_code == 200
            assert response.request.args["step"] in (lesson.drawn, "which")
