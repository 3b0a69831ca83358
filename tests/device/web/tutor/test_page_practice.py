"""Practising on the page: who, a round from its first question to its result, and what is kept."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec.structs import replace

from device.hands.repository import HandRepository
from device.i18n.words import LANGUAGES, is_said, use_words
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.events import ExerciseDone
from device.tilesets.tile_sets import FIRST_SET_ID, TileSets
from device.tutoring.progress import MAX_PUPIL_NAME_CHARACTERS, PracticeLog
from device.views.tutor.quiz import TILE_QUIZ
from device.web.tutor.practice import QUIZZES, QuizRound
from scorer.rulesets.builtin import load_builtin
from scorer.teach.practice.set_questions import KIND_ANSWERS, LAID_ANSWERS, SET_LEVELS, TRAPS
from scorer.teach.practice.tile_questions import QUESTIONS_PER_ROUND, make_tile_round, tile_levels
from scorer.tiles import CODES, DRAGONS
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Part, get_page
from tests.device.tilesets.test_tile_sets import teach

pytestmark = pytest.mark.slow

SUITS = "/practise/tile/suits/7"


def answers(level: str = "suits", seed: int = 7, wrong: int = 0) -> str:
    """Return what to say to a round so that its first answers are wrong and all others right."""
    rights = [question.right for question in make_tile_round(level, seed)]
    return "".join(str((r + 1) % 4 if n < wrong else r) for n, r in enumerate(rights))


def text(client: FlaskClient, path: str) -> str:
    return get_page(client, path).text


def set_name(client: FlaskClient, name: str) -> None:
    assert client.post("/practise/who", data={"name": name}).status_code == 303


@pytest.fixture
def log(store: Store) -> PracticeLog:
    return PracticeLog(store)


def test_a_new_phone_is_asked_who_practises(client: FlaskClient, matches: MatchRepository) -> None:
    matches.begin(AGREED_TERMS)
    page = get_page(client, "/practise/")
    assert "Who practises?" in page.text
    assert {*AGREED_TERMS.players} <= {*page.values("name")}
    assert {"/practise/tile/suits/", "/practise/hand/"} <= {*page.links()}


def test_the_phone_remembers_who_it_is(client: FlaskClient) -> None:
    answer = client.post("/practise/who", data={"name": "  Zoë  "})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    page = text(client, "/practise/")
    assert "Zoë practises." in page
    assert "Who practises?" not in page


def test_a_name_stays_what_it_is_in_every_language(client: FlaskClient, log: PracticeLog) -> None:
    """A button with another name on it would begin another pupil."""
    log.mark("West", "tile", "suits", right=9, asked=10)
    client.post("/phone/", data={"language": "fr"})
    assert "West" in get_page(client, "/practise/").values("name")
    set_name(client, "west")
    assert get_page(client, "/practise/").single(".sentence", "West")


def test_one_may_practise_without_a_name(client: FlaskClient, store: Store) -> None:
    set_name(client, "")
    assert "You practise without a name." in text(client, "/practise/")
    client.post(f"{SUITS}/done", data={"said": answers()})
    assert not store.of_kinds(ExerciseDone)
    assert "so this is not saved" in text(client, f"{SUITS}/done?said={answers()}")


def test_a_name_that_is_too_long_is_refused_in_words(client: FlaskClient) -> None:
    answer = client.post("/practise/who", data={"name": "x" * (MAX_PUPIL_NAME_CHARACTERS + 1)})
    assert answer.status_code == 422
    assert f"at most {MAX_PUPIL_NAME_CHARACTERS} letters" in answer.text
    assert "Set-Cookie" not in answer.headers
    assert "Who practises?" in text(client, "/practise/")


@pytest.mark.parametrize("name", ['<b>"A"</b>', "a/../b"])
def test_a_name_is_only_a_name(client: FlaskClient, log: PracticeLog, name: str) -> None:
    set_name(client, name)
    client.post(f"{SUITS}/done", data={"said": answers()})
    assert log.pupils() == (name,)
    page = get_page(client, "/practise/")
    assert not page.all("b")
    assert f"{name} practises." in page.text


@pytest.mark.parametrize("cookie", ["%ff%fe", "x" * 400])
def test_a_cookie_that_makes_no_sense_does_no_harm(client: FlaskClient, cookie: str) -> None:
    client.set_cookie("pupil", cookie)
    assert client.get("/practise/").status_code == 200
    assert client.post(f"{SUITS}/done", data={"said": answers()}).status_code == 303


def test_a_round_is_begun_with_a_seed_of_its_own(client: FlaskClient) -> None:
    addresses = {client.get("/practise/tile/suits/").headers["Location"] for _ in range(5)}
    assert len(addresses) > 1
    assert all(re.fullmatch(r"/practise/tile/suits/\d+/1", address) for address in addresses)


def test_a_right_run_is_kept_once_whatever_is_reloaded(
    client: FlaskClient, log: PracticeLog
) -> None:
    set_name(client, "Ann")
    given_answers = answers()
    for number in range(1, QUESTIONS_PER_ROUND + 1):
        question_page = get_page(client, f"{SUITS}/{number}?said={given_answers[: number - 1]}")
        assert "Right." not in question_page.text
        assert given_answers[:number] in question_page.values("said")
        answer_text = text(client, f"{SUITS}/{number}?said={given_answers[:number]}")
        assert "Right." in answer_text
    for _ in range(2):
        answer = client.post(f"{SUITS}/done", data={"said": given_answers})
        assert answer.status_code == 303
        page = text(client, answer.headers["Location"])
        assert "10 of 10 right" in page
        assert "Go on: Winds and dragons" in page
        assert "Look at these again" not in page
    assert log.progress("Ann")["tile", "suits"].times == 1


def tiles(part: Part) -> set[str]:
    """Return the tiles that are drawn, as their pictures are called."""
    uses = part.attributes("href", "use")
    return {each.partition("#tile-")[2] for each in uses if "#tile-" in each}


def test_wrong_answers_are_explained_and_come_again_at_the_end(client: FlaskClient) -> None:
    given_answers = answers(wrong=3)
    page = get_page(client, f"{SUITS}/1?said={given_answers[0]}")
    question = make_tile_round("suits", 7)[0]
    assert page.single('[tabindex="-1"][autofocus]', "Not quite.")
    assert question.code in tiles(page)
    result_page = get_page(client, f"{SUITS}/done?said={given_answers}")
    assert "7 of 10 right" in result_page.text
    section = result_page.single("section", "Look at these again")
    assert {missed.code for missed in make_tile_round("suits", 7)[:3]} <= tiles(section)
    assert "Another round" in result_page.text
    assert "Go on:" not in result_page.text, "not yet"


def test_the_numerals_are_taught_where_they_were_mistaken(client: FlaskClient) -> None:
    rounds = ((seed, make_tile_round("suits", seed)[0]) for seed in range(100))
    seed, question = next(each for each in rounds if each[1].code[0] == "C")
    path = f"/practise/tile/suits/{seed}/1?said="
    wrong = get_page(client, f"{path}{(question.right + 1) % 4}")
    assert {f"C{rank}" for rank in range(1, 10)} <= tiles(wrong)
    right = tiles(get_page(client, f"{path}{question.right}"))
    assert not [each for each in right - {question.code} if each.startswith("C")]


def test_the_corner_figures_are_hidden_until_it_is_answered(client: FlaskClient) -> None:
    assert get_page(client, f"{SUITS}/1").all(".tray.shown.bare")
    assert not get_page(client, f"{SUITS}/1?said=0").all(".tray.shown.bare")
    bonus = get_page(client, "/practise/tile/bonus/7/1")
    assert not bonus.all(".tray.shown.bare"), "the number tells"


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/4", "/1"),  # the first is still to be answered
        ("/9?said=01", "/3?said=01"),
        ("/1?said=012", "/4?said=012"),
    ],
)
def test_an_address_that_is_ahead_leads_to_what_is_next(
    client: FlaskClient, path: str, target: str
) -> None:
    answer = client.get(SUITS + path)
    assert (answer.status_code, answer.headers["Location"]) == (302, SUITS + target)


MISSING_PAGES = [
    "/practise/tile/dominoes/",
    "/practise/cards/suits/7/1",
    "/practise/tile/suits/7/11",
    "/practise/tile/suits/10000000/1",
    "/practise/tile/suits/7/1?said=9",
    "/practise/tile/suits/7/1?said=%C2%B2",  # a digit of another kind
    "/practise/tile/suits/7/done",
    "/practise/tile/suits/7/done?said=012",
    "/practise/picture/nothing",
]


def test_what_there_is_not_is_said_to_be_nowhere(client: FlaskClient) -> None:
    for path in MISSING_PAGES:
        assert client.get(path).status_code == 404, path


def test_the_first_level_that_is_not_passed_is_advised(
    client: FlaskClient, log: PracticeLog
) -> None:
    set_name(client, "Ann")
    for level, right in (("suits", 8), ("honours", 7)):
        log.mark("Ann", "tile", level, right=right, asked=10)
    page = text(client, "/practise/")
    assert "The three suits passed 8 of 10 right" in page
    assert "Winds and dragons try this next 7 of 10 right" in page
    assert page.count("try this next") == 1


def test_who_has_passed_all_levels_is_sent_on_to_whole_hands(
    client: FlaskClient, log: PracticeLog
) -> None:
    set_name(client, "Ann")
    for exercise, levels in (("tile", tile_levels()), ("set", SET_LEVELS)):
        for level in levels:
            log.mark("Ann", exercise, level, right=9, asked=10)
    page = text(client, "/practise/")
    assert page.count("try this next") == 1
    assert page.index("try this next") > page.index("Score this hand")


def test_the_exercise_on_other_pages_shows_how_far_one_is(
    client: FlaskClient, log: PracticeLog
) -> None:
    set_name(client, "Ann")
    log.mark("Ann", "hand", "pungs", right=7, asked=9)
    log.mark("Ann", "hand", "kongs", right=5, asked=9)
    assert "12 of 18 right" in text(client, "/practise/")


def test_one_may_begin_anew(client: FlaskClient, log: PracticeLog) -> None:
    set_name(client, "Ann")
    client.post(f"{SUITS}/done", data={"said": answers()})
    assert "Start from zero" in text(client, "/practise/")
    assert client.post("/practise/anew").status_code == 303
    assert log.progress("Ann") == {}
    assert "10 of 10 right" not in text(client, "/practise/")


def test_a_game_without_flowers_has_no_level_of_them(
    client: FlaskClient, matches: MatchRepository
) -> None:
    assert "Whose flower" in text(client, "/practise/")
    matches.begin(replace(AGREED_TERMS, ruleset="safalra", limit=None))
    assert "Whose flower" not in text(client, "/practise/")
    assert client.get("/practise/tile/bonus/7/1").status_code == 404
    assert "SAF-" in text(client, f"{SUITS}/1?said=0")


def test_the_players_own_tiles_are_shown_where_the_box_has_pictures(
    app: Flask,
    client: FlaskClient,
    sets: TileSets,
    hands: HandRepository,
    read_hand: str,
    store: Store,
) -> None:
    sets.allow(is_allowed=True)
    teach(sets, hands, read_hand)
    codes = set(sets.codes(FIRST_SET_ID).values()) & set(CODES)
    with app.test_request_context():
        rounds = [QuizRound(TILE_QUIZ, "all", seed, (), "") for seed in range(12)]
        cards = [each.card(place) for each in rounds for place in range(QUESTIONS_PER_ROUND)]
        crops = [
            QuizRound(TILE_QUIZ, "bonus", 7, (), "").card(place).crop
            for place in range(QUESTIONS_PER_ROUND)
        ]
    crops_by_code = {card.codes[0]: card.crop for card in cards if card.crop}
    assert crops_by_code
    assert not any(crops), "a number has to be seen in full"
    assert crops_by_code.keys() <= codes
    assert all(sets.codes(FIRST_SET_ID)[name] == code for code, name in crops_by_code.items())
    assert any(not card.crop for card in cards if card.codes[0] in codes), "drawn ones, too"
    assert not any(code[0] in "BO" for code in crops_by_code), (
        "with covered corners nobody could count"
    )
    seed, place = divmod(next(n for n, card in enumerate(cards) if card.crop), QUESTIONS_PER_ROUND)
    given_answers = "0" * place
    question = f"/practise/tile/all/{seed}/{place + 1}?said={given_answers}"
    question_page, answer_page = get_page(client, question), get_page(client, f"{question}0")
    assert question_page.all(".own-crop.covered"), "a figure in its corner would tell"
    assert not answer_page.all(".own-crop.covered")
    assert answer_page.all(".own-crop")
    answer = client.get(f"/practise/picture/{next(iter(crops_by_code.values()))}")
    assert answer.mimetype == "image/png"
    assert answer.data.startswith(b"\x89PNG")
    sets.forget(FIRST_SET_ID)
    assert client.get(f"/practise/picture/{next(iter(crops_by_code.values()))}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("ruleset", ["bmja", "safalra"])
def test_every_question_can_be_put_in_every_language(
    app: Flask, matches: MatchRepository, language: str, ruleset: str
) -> None:
    matches.begin(replace(AGREED_TERMS, ruleset=ruleset, limit=None))
    rules = load_builtin(ruleset)
    with app.test_request_context():
        use_words(language)
        for exercise in QUIZZES.values():
            for level in exercise.levels(rules):
                for seed in range(3):
                    rights = exercise.rights(level, seed, rules)
                    cards = [
                        exercise.card(level, seed, n, rules) for n in range(QUESTIONS_PER_ROUND)
                    ]
                    assert tuple(card.right for card in cards) == rights
                    assert all(card.answer == card.choices[card.right] for card in cards)
                    assert all(len(set(card.choices)) == len(card.choices) for card in cards)
                    assert all(card.explanation and all(card.explanation) for card in cards)
        use_words("en-GB")


def test_every_answer_and_every_reason_has_its_words() -> None:
    keys = {f"set-quiz.trap.{trap}" for trap in TRAPS}
    keys |= {f"set-quiz.is.{each}" for each in (*KIND_ANSWERS, *LAID_ANSWERS)}
    keys |= {f"set-quiz.why.{kind}" for kind in KIND_ANSWERS if kind != "loose"}
    keys |= {f"tile-quiz.told.{family}" for family in "BCOWFS"}
    keys |= {f"tile-quiz.told.D{colour}" for colour in DRAGONS}
    assert {key for key in keys if not is_said(key)} == set()
