"""The first evening: eleven steps in order, remembered by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urljoin

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from device.i18n.words import load
from device.store import Store
from device.tutoring.first_evening import BOX_ANSWER_PREFIX, STEPS, finished_steps
from device.tutoring.progress import PracticeLog
from device.views.tutor.box_answers import box_answers
from device.web.tutor.practice import QUIZZES
from scorer.rulesets.builtin import load_builtin
from scorer.teach.lessons.lessons import lessons_of
from scorer.teach.practice.exercises import make_exercise
from scorer.teach.practice.levels import levels_for
from tests.device.identities import identity
from tests.device.page import Page, Part, get_page
from tests.device.web.tutor.test_page_lessons import begin

FIRST, SECOND = STEPS[:2]

EVENING_PATH = "/learn/first-evening/"

SCREENS = [f"{EVENING_PATH}{s.id}/{n}" for s in STEPS for n in range(1, len(s.answers) + 1)]
"""All screens of the steps, in order."""

MAX_TAPS = 130
"""Taps of the whole way, with every question of its exercises."""

ONWARD = "#main .button.primary, .choice"
"""What is tapped: the gold button, or in a quiz the first answer."""

PLAY = "#own .actions button, #own .rack input"
"""Of a deal without a gold button: a claim is made, or the first tile is tapped."""


def name_pupil(client: FlaskClient, name: str) -> str:
    form = {"name": name, "then": "/learn/first-evening/onward"}
    path = client.post("/practise/who", data=form).headers["Location"]
    return client.get(path).headers["Location"]


def test_the_steps_use_what_there_is() -> None:
    rules = load_builtin("bmja")
    lessons = {each.id for each in lessons_of("bmja")}
    about_box = {f"{BOX_ANSWER_PREFIX}{each.id}" for each in box_answers()}
    quizzes = {(key, level) for key, quiz in QUIZZES.items() for level in quiz.levels(rules)}
    exercises = quizzes | {("hand", each.key) for each in levels_for(rules)} | {("deal", "4")}
    assert len(STEPS) == 11
    answer_ids = [answer for step in STEPS for answer in step.answers]
    assert len(answer_ids) == len(set(answer_ids)), "nothing is shown twice"
    assert set(answer_ids) <= lessons | about_box
    assert {step.exercise for step in STEPS if step.exercise} <= exercises


def test_a_step_that_is_done_is_remembered_by_name(client: FlaskClient) -> None:
    assert name_pupil(client, "Ann") == SCREENS[0]
    assert load()["evening.start"] in get_page(client, "/learn/first-evening/").main.text
    for _ in range(2):  # sent twice, it counts once
        response = client.post(f"/learn/first-evening/{FIRST.id}/done")
        assert response.headers["Location"] == "/practise/tile/suits/"
    assert name_pupil(client, "Ann") == "/practise/tile/suits/", "its exercise is still to come"
    assert "0 of 11" in get_page(client, SCREENS[-1]).main.text
    client.post("/phone/", data={"language": "fr"})
    text = get_page(client, SCREENS[-1]).main.text
    assert "0 sur 11" in text
    assert "0 étapes" not in text, "French says 0 in the singular"
    client.post("/phone/", data={"language": "en-GB"})
    client.post("/practise/tile/suits/1/done", data={"said": "0" * 10})
    page = get_page(client, "/learn/first-evening/")
    assert page.single("[aria-current] b").text.endswith(load()[f"evening.step.{SECOND.id}"])
    assert page.attributes("href", "a.primary")[0] == "/learn/first-evening/onward"
    name_pupil(client, "Bob")
    assert load()["evening.start"] in get_page(client, "/learn/first-evening/").main.text
    assert name_pupil(client, "Ann") == f"/learn/first-evening/{SECOND.id}/1"
    assert "1 of 11" in get_page(client, "/learn/").main.text


def test_a_players_phone_learns_under_its_name(client: FlaskClient, store: Store) -> None:
    client.set_cookie("player", identity(store, "any match", 0, "Ann"))
    page = get_page(client, EVENING_PATH)
    assert "Ann: 0 of 11" in page.main.text
    assert load()["practise.other"] in page.main.text
    client.post("/learn/first-evening/turn/done")
    assert "Ann: 1 of 11" in get_page(client, SCREENS[-1]).main.text
    name_pupil(client, "")
    assert load()["practise.nameless"] in get_page(client, EVENING_PATH).main.text


def test_a_name_refused_on_the_way_leads_on_to_the_way(client: FlaskClient) -> None:
    form = {"name": "x" * 25, "then": "/learn/first-evening/onward"}
    page = Page(client.post("/practise/who", data=form).text)
    assert set(page.values("then")) == {form["then"]}


def test_without_a_name_the_way_goes_on_all_the_same(client: FlaskClient) -> None:
    assert client.post("/learn/first-evening/turn/done").headers["Location"].endswith("turn/after")
    next_path = client.get("/learn/first-evening/turn/after").headers["Location"]
    assert next_path == "/learn/first-evening/shown/1"
    assert load()["evening.start"] in get_page(client, "/learn/first-evening/").main.text


def submit(client: FlaskClient, path: str, button: Part, **answers: int) -> TestResponse:
    """Send the form of a button with what is chosen in it already, and with these answers."""
    tag = button.tag
    while tag.tag != "form" and tag.parent:
        tag = tag.parent
    form = Part(tag)
    fields = {each["name"]: each.get("value") for each in form.all("[type=hidden], [checked]")}
    if name := button.get("name"):
        fields[name] = button["value"]
    fields |= {name: str(value) for name, value in answers.items()}
    url = urljoin(path, form.get("action", path))
    if form.get("method") == "post":
        return client.post(url, data=fields, follow_redirects=True)
    return client.get(url, query_string=fields, follow_redirects=True)


def walk(client: FlaskClient) -> Iterator[str]:
    """Tap onward until the list of steps is back, by the buttons that the browser's walk taps."""
    path, page = EVENING_PATH, get_page(client, EVENING_PATH)
    for _ in range(MAX_TAPS):
        exercise = re.fullmatch(r"/practise/hand/(\w+)/(\d+)/.*", path)
        if exercise and page.all("#step .questions"):
            steps = make_exercise(exercise[1], int(exercise[2]), load_builtin("bmja")).steps
            names = {each["name"] for each in page.all("#step .questions [name]")}
            answers = {q.name: q.expected for step in steps for q in step.questions}
            button = page.all("#step .questions button:not([name])")[0]
            answer = submit(
                client, path, button, **{name: answers[name] for name in names & answers.keys()}
            )
        elif re.fullmatch(r"/practise/deal/\w+/.*", path) and not page.all(ONWARD):
            answer = submit(client, path, page.all(PLAY)[0])
        else:
            onward = page.all(ONWARD)[0]
            answer = (
                client.get(urljoin(path, onward["href"]), follow_redirects=True)
                if "href" in onward
                else submit(client, path, onward)
            )
        assert answer.status_code == 200, (path, answer.request.path)
        path, page = answer.request.full_path.rstrip("?"), Page(answer.text)
        if path.startswith(EVENING_PATH):
            yield path
        if path == EVENING_PATH:
            return
    raise AssertionError(f"still at {path}")


def test_the_whole_evening_is_walked(client: FlaskClient, store: Store) -> None:
    name_pupil(client, "Ann")
    assert list(walk(client)) == [*SCREENS, EVENING_PATH], "each question once, in order"
    text = get_page(client, EVENING_PATH).main.text
    assert "Ann: 11 of 11 steps done" in text
    assert load()["evening.all-done"] in text
    progress = PracticeLog(store).progress("Ann")
    assert finished_steps(progress) == {step.id for step in STEPS}
    assert ("tile", "suits") in progress, "the exercises were done on the way"


def test_what_is_no_step_is_not_there(client: FlaskClient) -> None:
    for path in ("cookery/1", "tiles/0", f"tiles/{len(FIRST.answers) + 1}", "cookery/after"):
        assert client.get(f"/learn/first-evening/{path}").status_code == 404
    assert client.post("/learn/first-evening/cookery/done").status_code == 404


def test_under_other_rules_the_evening_is_not_offered(client: FlaskClient) -> None:
    assert "/learn/first-evening/" in get_page(client, "/learn/").links()
    begin(client, ruleset="safalra")
    assert "/learn/first-evening/" not in get_page(client, "/learn/").links()
