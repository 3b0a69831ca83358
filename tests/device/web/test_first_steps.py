"""A new box and the phone that comes first: met once, walked through, in nobody's way."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.access import set_new_organiser_pin
from device.cameras.service import CameraService, CameraTiming
from device.doctor import Machine
from device.hands.repository import HandRepository
from device.i18n.words import say
from device.matches.repository import MatchRepository
from device.services import Services, open_services
from device.settings import SettingsLog
from device.store import Store
from device.store.events import (
    BOX,
    ChargeMade,
    FirstStepsEnded,
    LogSalvaged,
    MatchBegun,
)
from device.tutoring.progress import PracticeLog
from device.web import Box, create_app
from device.web.club.organiser import ORGANISER_COOKIE
from device.web.contexts import Upkeep, provide
from device.web.first_steps import STEPS
from device.web.first_steps_phones import STEP_TIMEOUT_S, FirstStepsPhones
from tests.device.conftest import Wait
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.fake_reader import FakeReader, lay, picture
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page
from tests.device.shared_decoder import DECODER
from vision.photo import open_photo

PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)
LANGUAGE = "/first/steps/language"
NAMES = ["Ann", "Bob", "Cy", "Di"]
CURRENT_TIME = datetime(2027, 7, 1, 19, 30, tzinfo=UTC)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a computer whose clock was set by one that is right."""
    return Machine(tmp_path, root=tmp_path, ask=lambda _: "yes", current_time=lambda: CURRENT_TIME)


@pytest.fixture
def box(services: Services, machine: Machine) -> Box:
    return Box(services, greets=True, upkeep=Upkeep(machine))


@pytest.fixture
def app(box: Box) -> Flask:
    return create_app(box)


@pytest.fixture
def other(app: Flask) -> FlaskClient:
    """Return another phone."""
    phone = app.test_client()
    phone.environ_base["REMOTE_ADDR"] = "192.168.1.9"
    return phone


@pytest.fixture
def with_camera(box: Box) -> Iterator[tuple[FlaskClient, CameraService]]:
    camera = FakeCamera(picture(lay()))
    service = CameraService(camera, optional=True, pace=PACE)
    wait_until(lambda: service.status.state == "ready")
    yield create_app(replace(box, cameras=single_camera(service))).test_client(), service
    service.close()


def is_met(client: FlaskClient, page: str = "/") -> bool:
    return get_page(client, page).single("body")["data-page"] == "welcome"


def read_answers(store: Store) -> list[FirstStepsEnded]:
    return [each.event for each in store.of_kinds(FirstStepsEnded)]


BEFORE: list[tuple[Callable[[Box], object], bool, str]] = [
    (lambda box: None, True, "nobody was here"),
    (lambda box: _practise(box), True, "practice"),
    (lambda box: box.services.hands.begin_by_hand("bmja"), False, "a hand, tile by tile"),
    (lambda box: _photograph_hand(box), False, "a photograph"),
    (
        lambda box: MatchRepository(box.services.store).begin(AGREED_TERMS),
        False,
        "a match that is on",
    ),
    (
        lambda box: box.services.store.append(BOX, FirstStepsEnded(skipped=True)),
        False,
        "passed over once",
    ),
    (
        lambda box: box.services.store.append(BOX, LogSalvaged("missing", "", 0, ())),
        False,
        "a log that was lost: much was played",
    ),
]


def _practise(box: Box) -> None:
    PracticeLog(box.services.store).mark("Ann", "hand", "pungs", right=1, asked=1)


def _photograph_hand(box: Box) -> None:
    data = picture(lay())
    box.services.hands.begin(open_photo(data, "hand.jpg"), data, "bmja")


@pytest.mark.parametrize(("before", "welcomes", "reason"), BEFORE)
def test_only_who_comes_first_to_an_untouched_box_is_met(
    client: FlaskClient, box: Box, before: Callable[[Box], object], welcomes: bool, reason: str
) -> None:
    before(box)
    assert is_met(client, "/first/") == welcomes, reason
    if MatchRepository(box.services.store).current() is None:
        assert is_met(client) == welcomes, reason
    else:
        assert client.get("/").location == "/table/"
    create = create_app(replace(box, greets=False)).test_client()
    assert not is_met(create, "/first/"), "the demo is met as ever"


def test_a_stranger_is_not_met_by_what_only_the_owner_may_do(
    client: FlaskClient, other: FlaskClient, store: Store
) -> None:
    client.set_cookie(ORGANISER_COOKIE, set_new_organiser_pin(SettingsLog(store)).organiser_token)
    assert is_met(client)
    assert not is_met(other), "it could neither go on nor pass over them"
    assert other.get("/", follow_redirects=True).status_code == 200
    assert other.get(LANGUAGE).status_code == 403
    assert other.post("/first/steps/skip").status_code == 403
    assert read_answers(store) == []


def test_the_one_button_begins_and_one_tap_passes_over_everything(
    client: FlaskClient, store: Store
) -> None:
    assert get_page(client, "/").single(".primary")["href"] == LANGUAGE
    for each in ("/", *(f"/first/steps/{name}" for name in STEPS)):
        shown_page = Page(client.get(each, follow_redirects=True).text)
        assert shown_page.single('[action="/first/steps/skip"]'), each
    assert client.post("/first/steps/skip").location == "/"
    assert read_answers(store) == [FirstStepsEnded(skipped=True)]
    assert "/match/new" in get_page(client, "/").links()
    client.post("/first/steps/skip")
    assert len(read_answers(store)) == 1, "twice is once"


def test_a_restart_and_another_phone_begin_it_no_more(
    client: FlaskClient, box: Box, store: Store, machine: Machine, reader: FakeReader
) -> None:
    assert is_met(client)
    client.post("/first/steps/end?ruleset=safalra")
    store.close()
    with (
        closing(Store(store.folder)) as other_store,
        closing(open_services(other_store, reader, DECODER)) as services,
    ):
        new_phone = create_app(Box(services, greets=True, upkeep=Upkeep(machine))).test_client()
        assert not is_met(new_phone)


def proposed_answers(phone: FlaskClient) -> tuple[list[str], list[str]]:
    """Return the names and the rules that the form of a match proposes."""
    form = get_page(phone, "/match/new")
    names = form.attributes("value", '[name^="player"]:not([value=""])')
    return names, form.chosen_values("ruleset")


def test_it_is_walked_through_by_taps_alone(
    client: FlaskClient, store: Store, hands: HandRepository
) -> None:
    (begin,) = get_page(client, "/").links("/first/steps/")
    next_step = get_page(client, begin).value("then")
    answer = client.post("/phone/", data={"language": "fr", "then": next_step})
    assert urlsplit(answer.location).path == "/first/steps/rules", (
        "no clock and no camera to ask of"
    )
    page = get_page(client, answer.location)
    assert page.single("html")["lang"] == "fr"
    assert page.values("ruleset") == ["bmja", "safalra"]
    page = get_page(client, "/first/steps/names?ruleset=safalra")
    assert page.values("ruleset", "[type=hidden]") == ["safalra"]
    fields = {"ruleset": "safalra", "player": NAMES}
    page = get_page(client, f"/first/steps/photo?{urlencode(fields, doseq=True)}")
    end = page.single('[action^="/first/steps/end"]')["action"]
    assert read_answers(store) == [], "nothing is kept before the end"
    assert client.post(end).location == "/"
    assert read_answers(store) == [FirstStepsEnded(ruleset="safalra", players=tuple(NAMES))]
    assert not is_met(client)
    assert proposed_answers(client) == (NAMES, ["safalra"])
    assert hands.recent() == ()


def test_going_back_and_reloading_keep_what_was_said_and_change_nothing(
    client: FlaskClient, store: Store
) -> None:
    before = store.newer(-1, 0)
    answers = {"ruleset": ["safalra"], "player": ["Ann", "Bob"]}
    query = urlencode(answers, doseq=True)
    page = get_page(client, f"/first/steps/photo?{query}")
    steps = []
    for _ in range(3):
        back_url = back_and_on(page)[0]
        steps.append(urlsplit(back_url).path.rpartition("/")[2])
        assert parse_qs(urlsplit(back_url).query) == answers
        page = get_page(client, back_url)
        assert str(get_page(client, back_url)) == str(page), "reloaded"
    assert steps == ["names", "rules", "language"]
    assert back_and_on(page)[0] == "/", "and to where it began"
    names = get_page(client, f"/first/steps/names?{query}").attributes("value", "[name=player]")
    assert [each for each in names if each] == ["Ann", "Bob"]
    next_url = get_page(client, "/").links("/first/steps/")[0]
    assert urlsplit(next_url).path == "/first/steps/names", "the first page leads on where one was"
    assert store.newer(-1, 0) == before, "looking writes nothing"


def back_and_on(page: Page) -> list[str]:
    """Return where the way back leads, and the way on if there is one."""
    return page.single("nav.back-and-on").links()


def test_every_question_can_be_passed_over_alone(client: FlaskClient) -> None:
    ways, steps = ["", LANGUAGE], []
    while len(ways) > 1:
        steps.append(urlsplit(ways[1]).path.rpartition("/")[2])
        ways = back_and_on(get_page(client, ways[1]))
    assert steps == ["language", "rules", "names", "photo"]


FIELDS: list[tuple[str, FirstStepsEnded, str]] = [
    ("ruleset=chess&player=Ann", FirstStepsEnded(players=("Ann",)), "no such rules"),
    ("player=" + "x" * 900, FirstStepsEnded(players=("x" * 24,)), "longer than a field takes"),
    ("player=&player=+&player=Di", FirstStepsEnded(players=("Di",)), "fields left empty"),
    (
        "&".join(f"player=P{n}" for n in range(9)),
        FirstStepsEnded(players=("P0", "P1", "P2", "P3")),
        "more than it has fields",
    ),
]


def test_what_is_kept_is_what_the_fields_take(client: FlaskClient, store: Store) -> None:
    for query, expected, reason in FIELDS:
        client.post(f"/first/steps/end?{query}")
        assert read_answers(store)[-1] == expected, reason
        assert client.get("/match/new").status_code == 200


def test_an_unknown_question_is_none(client: FlaskClient) -> None:
    assert client.get("/first/steps/weather").status_code == 404


def test_other_phones_are_told_and_not_held_up(
    client: FlaskClient, other: FlaskClient, box: Box
) -> None:
    sentence = say("first.elsewhere")
    assert is_met(client)
    assert is_met(other), "nobody has begun"
    client.get(LANGUAGE)
    page = get_page(other, "/")
    assert sentence in page.text
    assert "/match/new" in page.links(), "as usual"
    assert sentence not in get_page(client, "/").text
    players = {f"player{n}": name for n, name in enumerate(NAMES)}
    assert other.post("/match/new", data={**players, "ruleset": "bmja"}).status_code == 303
    assert sentence in get_page(other, "/table/").text
    assert client.get("/first/steps/rules").status_code == 200, "nor is the first one held up"
    before = box.services.store.newer(-1, 0)
    client.post("/first/steps/end")
    assert box.services.store.newer(before, 0) > before, "of which the others hear"
    assert sentence not in get_page(other, "/table/").text
    assert MatchRepository(box.services.store).current() is not None


def test_who_has_put_the_phone_away_is_not_waited_for(
    box: Box, client: FlaskClient, other: FlaskClient, app: Flask
) -> None:
    clock_s = [0.0]
    provide(app, FirstStepsPhones(greets=True, clock=lambda: clock_s[0]))
    client.get(LANGUAGE)
    assert not is_met(other)
    clock_s[0] += STEP_TIMEOUT_S + 1
    assert is_met(other)


def test_two_at_once_do_no_harm(client: FlaskClient, other: FlaskClient, store: Store) -> None:
    for phone in (client, other, client, other):
        assert phone.get(LANGUAGE).status_code == 200
        assert phone.get("/first/steps/names?ruleset=bmja").status_code == 200
    client.post("/first/steps/end?ruleset=bmja&player=Ann&player=Bob")
    other.post("/first/steps/skip")
    assert proposed_answers(client)[0] == ["Ann", "Bob"], (
        "who passes it over takes nothing from the other"
    )
    for _ in range(2):
        other.post("/first/steps/end?ruleset=bmja&player=Cy")
    assert [each.players for each in read_answers(store)] == [("Ann", "Bob"), ("Cy",)], (
        "the last counts"
    )
    assert not is_met(client)
    assert not is_met(other)


def test_it_is_gone_through_again_when_somebody_asks(
    client: FlaskClient, box: Box, store: Store
) -> None:
    matches = MatchRepository(store)
    matches.change(matches.begin(AGREED_TERMS), ChargeMade("Ann", {"Bob": 5}, "x"))
    assert LANGUAGE in get_page(client, "/settings/box/").links()
    assert get_page(client, "/first/steps/names").values("player") == list(AGREED_TERMS.players)
    client.post("/first/steps/skip")
    assert read_answers(store) == [], "there was nothing to pass over"
    client.post("/first/steps/end?ruleset=safalra&player=Flo&player=Gus")
    assert proposed_answers(client) == (["Flo", "Gus"], ["safalra"]), "newer than the last match"
    event = MatchBegun(players=("Hal", "Ida"), ruleset="bmja", limit=None, house=())
    matches.begin(event)
    assert proposed_answers(client) == (["Hal", "Ida"], ["bmja"]), "and older than the next"


def test_the_rehearsal_is_read_as_any_hand_and_counts_for_nothing(
    client: FlaskClient, store: Store, hands: HandRepository, wait_settled: Wait, box: Box
) -> None:
    photo = {"photo": (io.BytesIO(picture(lay())), "hand.jpg")}
    address = client.post("/first/steps/photo?ruleset=safalra&player=Ann", data=photo).location
    hand = address.rstrip("/").rpartition("/")[2]
    assert wait_settled(hand).rules == "safalra"
    assert read_answers(store) == [FirstStepsEnded(ruleset="safalra", players=("Ann",), hand=hand)]
    page = get_page(client, address)
    assert say("first.done") in page.text
    assert page.single("#score"), "as always"
    assert not is_met(client)
    matches = MatchRepository(store)
    match = matches.get(matches.begin(AGREED_TERMS))
    assert not match.deal.hands
    assert hands.get(hand).match == ""


def test_no_photo_is_a_sentence_and_ends_nothing(client: FlaskClient, store: Store) -> None:
    answer = client.post("/first/steps/photo")
    assert answer.status_code == 400
    assert say("error.no-photo") in Page(answer.text).text
    assert read_answers(store) == []


def test_the_box_s_own_camera_is_looked_through_and_takes_the_rehearsal(
    with_camera: tuple[FlaskClient, CameraService], store: Store, hands: HandRepository
) -> None:
    client, service = with_camera
    page = get_page(client, "/first/steps/camera?ruleset=bmja")
    assert "/camera/live.mjpg" in str(page)
    assert say("first.camera.title") in page.text
    (next_step,) = set(page.values("then"))
    for choice in ("yes", "no"):
        answer = client.post("/setup/switch/camera_turned", data={"on": choice, "then": next_step})
        assert answer.location == "/first/steps/camera?ruleset=bmja", "and back to the question"
        assert SettingsLog(store).read().camera_turned == service.is_turned == (choice == "yes")
        other_answer = "no" if choice == "yes" else "yes"
        assert get_page(client, next_step).value("on") == other_answer
    assert client.post("/camera/adjust", data={"then": next_step}).location == next_step
    page = get_page(client, "/first/steps/photo?ruleset=bmja")
    assert page.single('[action="/first/steps/shot?ruleset=bmja"]')
    address = client.post("/first/steps/shot?ruleset=bmja").location
    hand = address.rstrip("/").rpartition("/")[2]
    assert read_answers(store) == [FirstStepsEnded(ruleset="bmja", hand=hand)]
    assert hands.get(hand).match == ""


def test_a_box_without_a_camera_is_not_asked_of_one(client: FlaskClient) -> None:
    answer = client.get("/first/steps/camera?ruleset=bmja")
    assert answer.location == "/first/steps/rules?ruleset=bmja"
    page = client.get("/first/steps/photo").text
    assert "/camera/" not in page
    assert "capture" in page, "the phone takes it"
