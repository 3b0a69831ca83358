"""Practising on the page: a hand from its first step to its score, right or wrong, kept once."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from flask.testing import FlaskClient

from device.i18n.words import catalogue, load, spoken
from device.store import Store
from device.tutoring.progress import PracticeLog
from scorer.message import Message
from scorer.rulesets.builtin import load_builtin
from scorer.rulesets.files import load_builtin_text
from scorer.score import score
from scorer.teach.practice.exercises import Exercise, make_exercise
from scorer.teach.practice.levels import LEVELS, levels_for
from scorer.teach.practice.score_questions import CLAIMED_REASON
from scorer.teach.practice.special_questions import APART_REASON, BETTER_REASON, FIXED_REASON
from tests.device.page import Page, get_page
from tests.pdf_pages import text_of
from tests.scorer.teach.practice.answers import right_answers

pytestmark = pytest.mark.slow

BMJA = load_builtin("bmja")
KEYS = [level.key for level in levels_for(BMJA)]
EXERCISE_PATH = "/practise/hand/winner/3/"


def build_exercise(level: str = "winner", seed: int = 3) -> Exercise:
    return make_exercise(level, seed, BMJA)


def hand_in(client: FlaskClient, path: str, **answers: int) -> str:
    """Send all answers; return the address that it leads to."""
    answer = client.post(path, data=answers)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def checked_url(path: str, step: int, answers: dict[str, int]) -> str:
    return f"{path}?{urlencode({**answers, 'at': step, 'checked': 1})}"


def levels_on(page: Page) -> list[str]:
    """Return the levels to whose hands a page leads."""
    links = page.links("/practise/hand/")
    return [each.split("/")[3] for each in links if each.count("/") == 5]


def test_every_level_is_offered_with_what_it_teaches(client: FlaskClient) -> None:
    assert levels_on(get_page(client, "/practise/hand/")) == KEYS


def test_safalras_levels_are_fewer_and_say_that_the_figures_are_guessed(
    client: FlaskClient,
) -> None:
    players = {f"player{n}": name for n, name in enumerate("ABCD")}
    client.post("/match/new", data={**players, "ruleset": "safalra", "limit": "off"})
    rules = load_builtin("safalra")
    page = get_page(client, "/practise/hand/")
    assert levels_on(page) == [level.key for level in levels_for(rules)]
    assert "reconstructed" in page.text
    assert "reconstructed" in client.get("/practise/hand/winner/3/").text
    assert client.get("/practise/hand/settlement/3/").status_code == 404


def test_hands_follow_what_the_table_agreed(client: FlaskClient) -> None:
    players = {f"player{n}": name for n, name in enumerate("ABC")}
    client.post("/match/new", data={**players, "ruleset": "bmja", "limit": "off"})
    page = client.get("/practise/hand/").text
    assert "/practise/hand/limit/" not in page, "there is no limit to practise"
    assert "deals of four players" in page
    assert client.get("/practise/hand/limit/3/").status_code == 404


@pytest.mark.parametrize("level", KEYS)
def test_a_hand_answered_right_is_all_right_to_the_end(client: FlaskClient, level: str) -> None:
    exercise, path = build_exercise(level), f"/practise/hand/{level}/3/"
    answers: dict[str, int] = {}
    for index, step in enumerate(exercise.steps):
        shown_page = get_page(client, f"{path}?{urlencode({**answers, 'at': index})}")
        for question in step.questions:
            assert shown_page.fields(question.name)
        answers |= {q.name: q.expected for q in step.questions}
        page = get_page(client, checked_url(path, index, answers))
        assert len(page.all(".marked.good")) == len(step.questions)
        assert not page.all(".marked.bad")
    text = client.get(hand_in(client, path, **answers)).text
    assert f"{exercise.question_count} of {exercise.question_count} right" in text
    for hand in exercise.drawn_hands.hands:
        assert f"Score {score(hand, BMJA).total}" in text


def test_the_way_on_holds_all_answers_so_far(client: FlaskClient) -> None:
    answers = right_answers(build_exercise())
    first = {q.name: answers[q.name] for q in build_exercise().steps[0].questions}
    next_url = get_page(client, checked_url(EXERCISE_PATH, 0, first)).single(
        "a.button.primary.wide"
    )["href"]
    fields = dict(parse_qsl(urlsplit(next_url).query))
    assert fields == {"at": "1", **{name: str(answer) for name, answer in first.items()}}


def test_a_wrong_answer_is_told_with_reason_and_rule(client: FlaskClient) -> None:
    page = get_page(client, checked_url(EXERCISE_PATH, 0, {"p0": 32}))
    question = build_exercise().steps[0].questions[0]
    assert question.expected != 32
    assert f"you said 32, it is {question.expected}" in page.text
    assert spoken(question.reasons[0]) in page.text
    assert f"/learn/rules/{question.rule}" in page.links()
    assert "No answer" in page.text, "the other lines were left empty"
    assert len(page.all(".marked.bad")) == len(build_exercise().steps[0].questions)


def test_a_sum_of_ones_own_figures_counts(client: FlaskClient) -> None:
    step = build_exercise().steps[0]
    answers = {q.name: q.expected for q in step.questions} | {"p0": 32}
    page = get_page(
        client, checked_url(EXERCISE_PATH, 1, {**answers, "sum": sum(answers.values())})
    )
    assert page.all(".marked.good", "Right for your figures")


def test_after_four_totals_each_is_added_up(client: FlaskClient) -> None:
    exercise = build_exercise("settlement")
    page = client.get(checked_url("/practise/hand/settlement/3/", 0, {})).text
    assert page.count("How it adds up") == 4
    for hand in exercise.drawn_hands.hands:
        for line in score(hand, BMJA).lines:
            assert line.rule in page


def test_a_double_left_off_is_an_answer_once_its_step_is_handed_in(client: FlaskClient) -> None:
    page = get_page(client, checked_url(EXERCISE_PATH, 2, {}))
    wrong = sum(q.expected for q in build_exercise().steps[2].questions)
    assert len(page.all(".marked.bad")) == wrong > 0
    assert "No answer" not in page.text


@pytest.fixture
def log(store: Store) -> PracticeLog:
    return PracticeLog(store)


def test_progress_is_kept_once_however_often_it_is_sent(
    client: FlaskClient, log: PracticeLog
) -> None:
    client.set_cookie("pupil", "Ann")
    answers = right_answers(build_exercise())
    for _ in range(3):
        address = hand_in(client, EXERCISE_PATH, **answers)
        client.get(address)
    standing = log.progress("Ann")["hand", "winner"]
    assert (standing.right, standing.asked) == (
        build_exercise().question_count,
        build_exercise().question_count,
    )
    hand_in(client, "/practise/hand/winner/4/")
    standing = log.progress("Ann")["hand", "winner"]
    assert (standing.right, standing.asked) == (
        build_exercise().question_count,
        build_exercise().question_count + build_exercise(seed=4).question_count,
    )
    page = client.get("/practise/hand/").text
    assert f"{standing.right} of {standing.asked} right" in page
    assert log.progress("Bob") == {}


def test_without_a_name_nothing_is_kept(client: FlaskClient, log: PracticeLog) -> None:
    hand_in(client, EXERCISE_PATH, **right_answers(build_exercise()))
    assert log.progress("") == {}
    assert "Saved for" not in client.get(EXERCISE_PATH + "done").text


MISSING = [
    ("/practise/hand/nothing/3/", "no such level"),
    ("/practise/hand/winner/x/", "a number is a number"),
    (f"/practise/hand/winner/{'9' * 5000}/", "no number of 5000 digits is even read"),
    ("/practise/hand/winner/³/", "a digit to some, no number"),
    ("/practise/hand/winner/3/?at=9", "there are five steps"),
    ("/practise/hand/nothing/3/done", "no such level"),
    ("/print/exercises.pdf?level=nothing", "no such level"),
    ("/print/exercises.pdf?seed=x", "a number is a number"),
]


def test_what_there_is_not_is_not_found(client: FlaskClient) -> None:
    for path, why in MISSING:
        assert client.get(path).status_code == 404, why


def test_a_level_without_a_hand_under_a_low_limit_says_so(client: FlaskClient) -> None:
    rules_text = load_builtin_text("bmja").replace("limit = 1000", "limit = 5", 1)
    client.post(
        "/settings/rules/bring", data={"text": rules_text.replace("British Mah-Jong", "Ours")}
    )
    names = {f"player{n}": name for n, name in enumerate(("Ann", "Bob", "Cy", "Di"))}
    client.post("/match/new", data={"ruleset": "ours-1", **names})
    no_hands = load()["exercise.no-hands"]
    levels = get_page(client, "/practise/hand/").attributes("href", "a.level")
    pages = [client.get(level) for level in levels]
    assert {each.status_code for each in pages} == {200, 404}
    assert all(no_hands in each.text for each in pages if each.status_code == 404)
    assert client.get("/print/exercises.pdf").status_code == 200, "without those levels"
    answer = client.get("/print/exercises.pdf?level=sets")
    assert (answer.status_code, no_hands in answer.text) == (404, True)


def test_what_is_no_number_is_asked_again(client: FlaskClient) -> None:
    for answer in ("x", "-4", "12345678", "³"):
        page = client.get(f"{EXERCISE_PATH}?{urlencode({'at': 1, 'checked': 1, 'sum': answer})}")
        assert page.status_code == 422
        assert "not a whole number" in page.text
        assert Page(page.text).all('[name="sum"]')


def test_the_last_hand_is_followed_by_the_first(client: FlaskClient) -> None:
    page = get_page(client, "/practise/hand/winner/999999/done")
    assert "/practise/hand/winner/0/" in page.links()


@pytest.mark.parametrize(
    ("level", "easier", "harder"),
    [(KEYS[0], None, KEYS[1]), (KEYS[4], KEYS[3], KEYS[5]), (KEYS[-1], KEYS[-2], None)],
)
def test_the_next_hand_may_be_easier_or_harder(
    client: FlaskClient, level: str, easier: str | None, harder: str | None
) -> None:
    links = get_page(client, f"/practise/hand/{level}/3/done").links("/practise/hand/")
    ways = [each.split("/")[3] for each in links if each.endswith("/4/")]
    assert ways == [each for each in (level, easier, harder) if each]


def test_every_level_is_spoken_in_another_language(client: FlaskClient) -> None:
    client.post("/phone/", data={"language": "fr"})
    words, levels_page = load("fr"), get_page(client, "/practise/hand/").text
    for level in LEVELS:
        for part in ("title", "teaches"):
            text = " ".join(words[f"exercise.level.{level.key}.{part}"].split())
            assert text in levels_page
    page = get_page(client, "/practise/hand/limit/3/?at=5")
    assert words["question.yes"] in page.text
    assert not page.all("*", "Yes")


@pytest.mark.parametrize("language", ["fr", "zh-Hant"])
def test_every_reason_and_choice_is_in_every_language(language: str) -> None:
    texts = {
        words
        for key in KEYS
        for seed in range(3)
        for step in make_exercise(key, seed, BMJA).steps
        for question in step.questions
        for words in (question.label, *question.names, *question.choices, *question.reasons)
        if isinstance(words, Message)
    }
    assert {CLAIMED_REASON, BETTER_REASON} <= texts, "the search itself works"
    assert [each for each in texts if not catalogue(language).has(each)] == []
    assert all(map(catalogue(language).has, (FIXED_REASON, APART_REASON)))


def test_ten_hands_are_printed_with_their_answers_behind_them(client: FlaskClient) -> None:
    pages = text_of(client.get("/print/exercises.pdf?seed=5").data)
    text = "\n".join(pages)
    first_answers = next(n for n, page in enumerate(pages) if "(limit 1000)" in page)
    for number in range(1, 11):
        assert len(re.findall(rf"^{number}\. ", text, re.M)) == 2, "a hand, and its answer"
    assert "BMJA-" not in "".join(pages[:first_answers]), "no answer before the last hand"
    for place, key in enumerate(KEYS[:10]):
        total = score(build_exercise(key, 5 + place).drawn_hands.hands[0], BMJA).total
        assert re.search(rf"\b{total}\b", "".join(pages[first_answers:]))


def test_a_sheet_of_one_level_has_nothing_else_in_the_language_of_the_phone(
    client: FlaskClient,
) -> None:
    client.post("/phone/", data={"language": "fr"})
    sheet = client.get("/print/exercises.pdf?level=settlement&seed=5").data
    assert b"/Lang (fr)" in sheet, "for what reads it aloud"
    first, *_ = pages = text_of(sheet)
    words = load("fr")
    assert words["exercise.title"] in first
    assert "\n".join(pages).count(words["exercise.level.settlement.title"]) == 20
