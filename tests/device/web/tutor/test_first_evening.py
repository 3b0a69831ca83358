"""The first evening: ten steps in order, remembered by name."""

from __future__ import annotations

from flask.testing import FlaskClient

from device.i18n.words import load
from device.tutoring.first_evening import BOX_ANSWER_PREFIX, STEPS
from device.views.tutor.box_answers import box_answers
from device.web.tutor.practice import QUIZZES
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.lessons import lessons_of
from scorer.teach.practice.levels import levels_for
from tests.device.page import get_page
from tests.device.web.tutor.test_page_lessons import begin

FIRST, SECOND = STEPS[:2]


def name_pupil(client: FlaskClient, name: str) -> str:
    form = {"name": name, "then": "/learn/first-evening/"}
    return client.post("/practise/who", data=form).headers["Location"]


def test_the_steps_use_what_there_is() -> None:
    rules = load_builtin("bmja")
    lessons = {each.id for each in lessons_of("bmja")}
    about_box = {f"{BOX_ANSWER_PREFIX}{each.id}" for each in box_answers()}
    quizzes = {(key, level) for key, quiz in QUIZZES.items() for level in quiz.levels(rules)}
    exercises = quizzes | {("hand", each.key) for each in levels_for(rules)}
    assert len(STEPS) == 10
    answer_ids = [answer for step in STEPS for answer in step.answers]
    assert len(answer_ids) == len(set(answer_ids)), "nothing is shown twice"
    assert set(answer_ids) <= lessons | about_box
    assert {step.exercise for step in STEPS if step.exercise} <= exercises


def test_a_step_that_is_done_is_remembered_by_name(client: FlaskClient) -> None:
    assert name_pupil(client, "Ann") == "/learn/first-evening/"
    assert load()["evening.start"] in get_page(client, "/learn/first-evening/").main.text
    for _ in range(2):  # sent twice, it counts once
        response = client.post(f"/learn/first-evening/{FIRST.id}/done")
        assert response.headers["Location"] == "/practise/tile/suits/"
    page = get_page(client, "/learn/first-evening/")
    assert page.single("[aria-current] b").text.endswith(load()[f"evening.step.{SECOND.id}"])
    assert f"/learn/first-evening/{SECOND.id}/1" == page.attributes("href", "a.primary")[0]
    name_pupil(client, "Bob")
    assert load()["evening.start"] in get_page(client, "/learn/first-evening/").main.text
    name_pupil(client, "Ann")
    assert "1 of 10" in get_page(client, "/learn/").main.text


def test_without_a_name_the_way_goes_on_all_the_same(client: FlaskClient) -> None:
    assert client.post("/learn/first-evening/turn/done").headers["Location"].endswith("turn/after")
    next_path = client.get("/learn/first-evening/turn/after").headers["Location"]
    assert next_path == "/learn/first-evening/shown/1"
    assert load()["evening.start"] in get_page(client, "/learn/first-evening/").main.text


def test_the_last_step_leads_back_to_the_list(client: FlaskClient) -> None:
    name_pupil(client, "Ann")
    for step in STEPS:
        client.post(f"/learn/first-evening/{step.id}/done")
    last_path = client.get(f"/learn/first-evening/{STEPS[-1].id}/after").headers["Location"]
    assert last_path == "/learn/first-evening/"
    assert load()["evening.all-done"] in get_page(client, last_path).main.text


def test_what_is_no_step_is_not_there(client: FlaskClient) -> None:
    for path in ("cookery/1", "tiles/0", f"tiles/{len(FIRST.answers) + 1}", "cookery/after"):
        assert client.get(f"/learn/first-evening/{path}").status_code == 404
    assert client.post("/learn/first-evening/cookery/done").status_code == 404


def test_under_other_rules_the_evening_is_not_offered(client: FlaskClient) -> None:
    assert "/learn/first-evening/" in get_page(client, "/learn/").links()
    begin(client, ruleset="safalra")
    assert "/learn/first-evening/" not in get_page(client, "/learn/").links()
