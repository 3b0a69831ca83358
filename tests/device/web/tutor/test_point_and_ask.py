"""Point and ask: from a photograph to what the tiles are and what may come of them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import structs
from msgspec.structs import replace

from device.cameras.service import CameraService, CameraTiming
from device.hands.readings import reading_event
from device.hands.repository import ChangeRefusedError, HandQuestion, HandRepository
from device.i18n.words import tile_name
from device.matches.repository import MatchRepository
from device.samples import load_samples
from device.services import Services
from device.settings import SettingsLog
from device.store.events import MatchEnded, SetAdded, WinnerEntered
from device.web import Box, create_app
from scorer.notation import parse_hand
from scorer.score import score
from tests.device.club.rooms import lay as lay_table
from tests.device.club.rooms import phone_at, post
from tests.device.conftest import Wait
from tests.device.events import event_of
from tests.device.fake_camera import FakeCamera, single_camera, wait_until
from tests.device.fake_reader import (
    FakeReader,
    Group,
    lay,
    lay_among_discards,
    lay_on_checks,
    picture,
)
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.page import Page, get_page, main_text
from vision.reading import Reading

pytestmark = pytest.mark.slow

Ask = Callable[..., str]

FISHING: Sequence[Group] = [
    ("exposed", "B2 B2 B2"),
    ("exposed", "O9 O9 O9 ??"),
    ("concealed", "C3 C4 C5"),
    ("concealed", "DR ?? DR"),
    ("concealed", "WE"),
    ("bonus", "F1"),
]
AS_TEXT = "B222 O9999 | C345 DRRR WE | F1"
FOURTEEN = "B2 B2 B2 B3 C3 C3 C3 O7 O7 O7 DR DR WE WE"


@pytest.fixture
def ask(client: FlaskClient, reader: FakeReader, wait_settled: Wait) -> Ask:
    """Ask about tiles that lie so; return the address of their page once they are read."""

    def ask_about(groups: Sequence[Group] | Reading, doubtful: Sequence[int] = ()) -> str:
        reader.reading = groups if isinstance(groups, Reading) else lay(groups, doubtful)
        photo = {"photo": (io.BytesIO(picture(reader.reading)), "tiles.jpg")}
        answer = client.post("/learn/ask/", data=photo)
        assert answer.status_code == 303
        address = answer.headers["Location"]
        wait_settled(_id(address))
        return address

    return ask_about


def _id(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def test_a_photograph_is_asked_about_and_its_reading_watched(
    client: FlaskClient, reader: FakeReader, hands: HandRepository, wait_settled: Wait
) -> None:
    reader.go_on.clear()
    photo = {"photo": (io.BytesIO(picture(reader.reading)), "tiles.jpg")}
    address = client.post("/learn/ask/", data=photo).headers["Location"]
    text = client.get(address).text
    assert "Finding tiles" in text
    assert "asking." in text, "its style sheet is there when the page changes in place"
    reader.go_on.set()
    wait_settled(_id(address))
    assert "This is Mah-Jong" in main_text(client, address)
    assert hands.get(_id(address)).is_question


@pytest.mark.parametrize(
    ("groups", "says", "reason"),
    [
        (FISHING, "This hand is fishing", "one tile short"),
        ([("concealed", FOURTEEN)], "If you discard 3 bamboo , you wait for:", "fourteen tiles"),
        ([("concealed", "B1 B4 B7 C2 C5 C8 O3 O6 O9 WE WS WW WN")], "9 more tiles", "far"),
        ([("exposed", "B2 B2 B2"), ("concealed", "?? WE WE ??")], "too few", "two sets"),
        ([("concealed", "B2 B2 B2 B2 B2 C3 C3 C3 O7")], "there are only four", "five alike"),
        ([("concealed", f"{FOURTEEN} O1 O2 O3")], "not one player's hand", "seventeen tiles"),
        ([("exposed", FOURTEEN.replace("B3", "WE"))], "This is Mah-Jong", "a rack shown above"),
        (
            [("concealed", "B1 B2 ?? B4 C3 C3 C3 O7 O7 O7 DR DR DR")],
            "do not show what it is",
            "a back",
        ),
    ],
)
def test_what_it_says_of_the_tiles(
    client: FlaskClient, ask: Ask, groups: Sequence[Group], says: str, reason: str
) -> None:
    text = main_text(client, ask(groups)).replace("bamboo,", "bamboo ,")
    assert says in text, reason


def test_the_figures_are_the_scorers(client: FlaskClient, ask: Ask) -> None:
    text = main_text(client, ask(FISHING))
    hand = parse_hand(AS_TEXT)
    (wait,) = score(hand).waits
    breakdown = score(parse_hand(AS_TEXT.replace("WE |", "WEE |") + " won=discard with=WE"))
    assert f"from the wall {wait.total} on a discard {breakdown.total}" in text
    assert f"if somebody else wins now: {score(hand).total}" in text


TWO_WAITS: Sequence[Group] = [("concealed", "B2 B2 C3 C3 C3 O7 O7 DR DR DR WN WN WN")]

COUNT_WORDS = "7 circles at most 1 left, 1 on the table"
OFF_NOTE = "This table has switched that off during a match"


def test_what_lies_on_the_table_is_not_left_to_come(client: FlaskClient, ask: Ask) -> None:
    text = main_text(client, ask(lay_among_discards(TWO_WAITS, "O7 B2 B2 C9")))
    assert COUNT_WORDS in text
    assert "2 bamboo none left" in text
    text = main_text(client, ask(lay_among_discards(TWO_WAITS, "O7 O7 O7 C9")))
    assert "7 circles more than four in the photo: please check them" in text
    text = main_text(client, ask(lay_among_discards(TWO_WAITS, "O7 B2 C9", doubtful=(14,))))
    assert COUNT_WORDS in text
    assert "2 bamboo at most 2 left" in text, "nobody is sure of that discard"
    assert "One tile on the table is not counted" in text


def test_all_four_on_the_table_are_said_so(client: FlaskClient, ask: Ask) -> None:
    hand: Sequence[Group] = [("concealed", "B1 B2 C3 C3 C3 O7 O7 O7 DR DR DR WN WN")]
    text = main_text(client, ask(lay_among_discards(hand, "B3 B3 B3 B3 C9")))
    assert "3 bamboo none left: all four lie on the table" in text


def test_a_table_may_switch_that_off_during_a_match(
    client: FlaskClient, ask: Ask, matches: MatchRepository
) -> None:
    address = ask(lay_among_discards(TWO_WAITS, "O7 C9"))
    match = matches.begin(AGREED_TERMS)
    assert COUNT_WORDS in main_text(client, address), "as long as nobody switches it off"
    assert client.post("/setup/switch/count_waits", data={"on": "no"}).status_code == 303
    text = main_text(client, address)
    assert OFF_NOTE in text
    assert "7 circles at most 2 left" in text, "the player's own tiles are counted"
    matches.change(match, MatchEnded())
    assert COUNT_WORDS in main_text(client, address), "the match is over"


def test_one_table_switches_it_off_for_itself(
    app: Flask, hands: HandRepository, matches: MatchRepository
) -> None:
    window, door = lay_table(app, "Window"), lay_table(app, "Door")
    post(phone_at(app, window), f"/club/tables/{window}/count-waits", on="no")
    for table, is_counted in ((window, False), (door, True)):
        matches.at_table(table).begin(AGREED_TERMS)
        hand = hands.begin_question(None, b"", "bmja", HandQuestion(table=table))
        hands.change(hand, reading_event(lay_among_discards(TWO_WAITS, "O7 C9")))
        text = main_text(phone_at(app, table), f"/learn/ask/{hand}/")
        assert (COUNT_WORDS in text, OFF_NOTE in text) == (is_counted, not is_counted)
        typed_hand = post(phone_at(app, table), "/learn/ask/enter").split("/")[2]
        hands.change(typed_hand, SetAdded(codes=("B2", "B2", "B2"), row="concealed"))
        assert "too few tiles" in main_text(phone_at(app, table), f"/learn/ask/{typed_hand}/")


def test_of_many_discards_the_dearest_are_in_sight(
    client: FlaskClient, hands: HandRepository
) -> None:
    reading = lay([("concealed", "B2 B2 B3 B3 B4 B4 B5 B5 B6 B6 B7 B7 B8 DR")])
    hand = hands.begin_question(None, b"", "safalra", HandQuestion())
    hands.change(hand, reading_event(reading))
    shown_text, separator, folded_text = main_text(client, f"/learn/ask/{hand}/").partition(
        "1 more discard"
    )
    assert separator
    assert (shown_text.count("If you discard"), folded_text.count("If you discard")) == (3, 1)


def test_a_hand_that_is_not_whole_has_no_score_on_the_page(client: FlaskClient, ask: Ask) -> None:
    page = client.get(ask([("concealed", FOURTEEN)])).text
    assert not Page(page).all(".total")
    assert "if somebody else wins now" not in page, "fourteen tiles: it is this player's turn"


def test_a_doubtful_tile_is_asked_about_first_and_leads_back(client: FlaskClient, ask: Ask) -> None:
    address = ask(FISHING, doubtful=(1,))
    hand = _id(address)
    text = main_text(client, address)
    assert "One tile to check" in text
    assert "The box does not guess." in text
    assert "fishing" not in text
    link = f"/hand/{hand}/tile/1?from=ask"
    assert link in get_page(client, address).attributes("href")
    sheet = get_page(client, link)
    assert sheet.single(f'[href="{address}"][data-close]')
    actions = sheet.attributes("action", '[action^="/hand/"]')
    assert actions
    assert all(action.endswith("?from=ask") for action in actions)
    answer = client.post(f"/hand/{hand}/tile/1?from=ask", data={"code": "B2"})
    assert answer.headers["Location"] == address
    assert "This hand is fishing" in main_text(client, address)


def test_the_winds_are_chosen_here(client: FlaskClient, ask: Ask) -> None:
    address = ask(FISHING)
    assert "Your seat wind, and the prevailing wind as well." in main_text(client, address)
    form = {"seat_wind": "S", "prevailing_wind": "W"}
    answer = client.post(f"/hand/{_id(address)}/situation?from=ask", data=form)
    assert answer.headers["Location"] == address
    text = main_text(client, address)
    assert "Neither your seat wind nor the prevailing one." in text
    assert "It belongs to East, not to you." in text
    (wait,) = score(parse_hand(AS_TEXT + " seat=S round=W")).waits
    assert f"from the wall {wait.total}" in text
    client.post("/phone/", data={"language": "fr"})
    assert "South" not in main_text(client, address)


@pytest.mark.parametrize(
    ("rules", "layout", "says"),
    [
        ("bmja", "?? WE WE ??", "Both ends face down: that is a concealed kong."),
        ("bmja", "WE ?? WE", "The middle one face down: that is a concealed pung."),
        ("safalra", "WE WE WE ??", "One of four face down: that is a concealed kong."),
    ],
)
def test_a_tile_face_down_says_what_the_set_is(
    client: FlaskClient, hands: HandRepository, rules: str, layout: str, says: str
) -> None:
    reading = lay([("concealed", layout)])
    hand = hands.begin_question(None, b"", rules, HandQuestion())
    hands.change(hand, reading_event(reading))
    text = main_text(client, f"/learn/ask/{hand}/")
    assert f"{says} The tile" in text
    assert "count as East wind" in text or "counts as East wind" in text


@pytest.mark.parametrize("layout", ["B2 JK B2", "JK JK"])
def test_a_joker_in_a_set_is_asked_about_outside_a_goulash(
    client: FlaskClient, hands: HandRepository, layout: str
) -> None:
    hand = hands.begin_question(None, b"", "bmja", HandQuestion())
    hands.change(hand, SetAdded(tuple(layout.split()), "exposed"))
    assert client.get(f"/learn/ask/{hand}/").status_code == 200


def test_sets_say_what_they_are_worth(client: FlaskClient, ask: Ask) -> None:
    text = main_text(client, ask([("exposed", "B2 B2 B2"), ("exposed", "DR ?? DR")]))
    assert "Pung, exposed Exposed pung of a minor tile 2 If concealed, it would score 4." in text
    assert "Pung, concealed Concealed pung of a major tile 8" in text
    assert "Pung or kong of dragons ×2" in text


def test_of_single_sets_only_tiles_face_down_say_that_they_are_concealed(
    client: FlaskClient, ask: Ask
) -> None:
    assert "Pung, exposed" in main_text(client, ask([("concealed", "O1 O1 O1")]))
    assert "Pung, concealed" in main_text(client, ask([("concealed", FOURTEEN)])), "a player's own"


def test_every_tile_is_shown_with_its_piece_of_the_photograph(
    client: FlaskClient, ask: Ask
) -> None:
    page = get_page(client, ask(FISHING))
    assert len(page.all("details")) == 9, "a face each, and the backs"
    assert len(page.all(".crop")) == 15, "fifteen tiles"
    assert {*page.attributes("data-say")} == {*page.attributes("id", "details.face")}


def test_squares_of_a_cloth_are_neither_named_nor_counted(client: FlaskClient, ask: Ask) -> None:
    cloth = lay_on_checks()
    on_cloth = main_text(client, ask(cloth))
    with_tiles = main_text(client, ask(structs.replace(cloth, left_out=())))
    for words in (tile_name("F4"), "2 tiles lie apart", "apart from the hand"):
        assert words in with_tiles
        assert words not in on_cloth


def test_a_tile_that_lies_apart_is_counted_once(client: FlaskClient, ask: Ask) -> None:
    reading = lay((("concealed", "B2 B2 B2"), ("exposed", "B2")))
    page = get_page(client, ask(structs.replace(reading, sets=reading.sets[:-1])))
    assert "One tile lies apart." in page.text
    assert page.single("details.face .name").text == "2 bamboo 3 tiles 1 apart from the hand"


def test_without_a_script_a_tile_in_the_photo_opens_its_meaning(
    client: FlaskClient, ask: Ask
) -> None:
    address = ask(FISHING)
    link = get_page(client, address).attributes("href", '[href^="?open="]')[3]
    details = get_page(client, address + link.partition("#")[0]).single("details[open]")
    assert "9 circles" in details.single("summary").text


def test_tiles_can_be_tapped_in(client: FlaskClient, hands: HandRepository) -> None:
    entry = client.post("/learn/ask/enter").headers["Location"]
    hand = entry.split("/")[2]
    assert hands.get(hand).is_question
    client.post(f"/hand/{hand}/enter", data={"kind": "pung", "code": "DR", "row": "exposed"})
    assert f"/learn/ask/{hand}/" in get_page(client, f"/hand/{hand}/enter").links()
    text = main_text(client, f"/learn/ask/{hand}/")
    assert "red dragon" in text
    assert "Pung, exposed" in text


def test_a_question_comes_into_no_match(
    client: FlaskClient, ask: Ask, hands: HandRepository, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = _id(ask([("concealed", FOURTEEN.replace("B3", "WE"))]))
    assert hands.get(hand).match == ""
    matches.change(match, WinnerEntered(winner="Bob"))
    answer = client.post("/table/hand/0/right", data={"hand": hand})
    assert answer.status_code == 409, "only a hand that was given in is agreed to"
    current = matches.current()
    assert current
    assert current.deal.hands == {}


def test_in_a_match_the_winds_and_choices_are_the_tables(
    client: FlaskClient, ask: Ask, hands: HandRepository, matches: MatchRepository
) -> None:
    matches.begin(replace(AGREED_TERMS, limit=100, house=("clean_hand:off",)))
    client.post("/table/join", data={"number": "2"})
    address = ask(FISHING)
    agreement = hands.get(_id(address)).agreement
    assert (agreement.limit, agreement.house, agreement.goulash) == (
        100,
        ("clean_hand:off",),
        False,
    )
    situation = hands.get(_id(address)).situation
    assert (situation.seat_wind, situation.prevailing_wind) == ("W", "E")
    (wait,) = score(parse_hand(AS_TEXT + " seat=W round=E limit=100")).waits
    assert f"from the wall {wait.total}" in main_text(client, address)


def test_after_a_wash_out_it_is_asked_about_a_goulash(
    client: FlaskClient, ask: Ask, hands: HandRepository, matches: MatchRepository
) -> None:
    settle(matches, matches.begin(AGREED_TERMS), None)
    text = main_text(client, ask([("concealed", "DR DR DR B2")]))
    assert hands.recent(1)[0].agreement.goulash
    assert "In a goulash without jokers it is wild" in text


def test_the_list_of_hands_leads_to_the_question_and_gives_it_no_score(
    client: FlaskClient, ask: Ask
) -> None:
    address = ask([("concealed", FOURTEEN.replace("B3", "WE"))])
    home = get_page(client, "/single/")
    assert address in home.links()
    recent = home.single("ol.recent")
    assert "Asked about" in recent.text
    assert not recent.all("strong")


def test_questions_are_on_no_score_sheet(
    client: FlaskClient, ask: Ask, hands: HandRepository
) -> None:
    from device.paper.results import print_hands
    from tests.pdf_pages import text_of

    ask(FISHING)
    assert "B222" not in " ".join(text_of(print_hands(hands)))


def test_a_sample_can_be_asked_about(services: Services, wait_settled: Wait) -> None:
    client = create_app(Box(services, samples=load_samples())).test_client()
    assert get_page(client, "/learn/ask/").all('[value="one-suit"]')
    address = client.post("/learn/ask/", data={"sample": "one-suit"}).headers["Location"]
    assert address.startswith("/learn/ask/")
    assert wait_settled(_id(address)).is_question


def test_there_is_no_page_of_a_hand_that_is_not_there(client: FlaskClient) -> None:
    assert client.get("/learn/ask/none/").status_code == 404
    assert client.post("/learn/ask/snap").status_code == 404, "no camera"


def test_a_photo_without_tiles_says_so(client: FlaskClient, ask: Ask) -> None:
    assert "found no tiles" in main_text(client, ask([]))


def test_a_reading_that_failed_says_why(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait
) -> None:
    reader.fault = RuntimeError("broken")
    photo = {"photo": (io.BytesIO(picture(reader.reading)), "tiles.jpg")}
    address = client.post("/learn/ask/", data=photo).headers["Location"]
    wait_settled(_id(address))
    assert "This photo could not be read" in main_text(client, address)


def test_only_a_question_may_say_what_it_is_asked_with(hands: HandRepository) -> None:
    hand = hands.begin_question(None, b"", "bmja", HandQuestion(seat_wind="W"))
    record = hands.get(hand)
    assert (record.situation.seat_wind, record.situation.prevailing_wind) == ("W", "E")
    with pytest.raises(ChangeRefusedError):
        hands.change(hand, event_of("set-chosen", {"set": "first"}))


PACE = CameraTiming(preview=0.01, probe=0.02, pauses=(0.01,), tick=0.02)


@pytest.fixture
def page(services: Services) -> Iterator[FlaskClient]:
    service = CameraService(FakeCamera(), optional=True, pace=PACE)
    app = create_app(Box(services, cameras=single_camera(service)))
    app.testing = True
    wait_until(lambda: service.status.state == "ready")
    yield app.test_client()
    service.close()


def test_the_shutter_asks_instead_of_scoring(
    page: FlaskClient, hands: HandRepository, wait_settled: Wait
) -> None:
    form = get_page(page, "/learn/ask/")
    assert form.all('[action="/learn/ask/snap"]')
    assert form.all('[data-due="/learn/ask/snap-if-due"]')
    address = page.post("/learn/ask/snap").headers["Location"]
    hand = address.split("/")[3]
    assert wait_settled(hand).is_question
    assert hands.get(hand).photo
    assert page.get(address).status_code == 200


def test_what_is_set_about_the_camera_leads_back_to_the_question(page: FlaskClient) -> None:
    assert len(get_page(page, "/learn/ask/").fields("ask")) == 2, "by itself, and focus"
    for path in ("/camera/adjust", "/camera/by-itself"):
        assert page.post(path, data={"ask": "yes"}).headers["Location"] == "/learn/ask/"
        assert page.post(path).headers["Location"] == "/single/"


def test_a_photo_that_the_box_takes_by_itself_leads_to_the_question(
    page: FlaskClient, hands: HandRepository
) -> None:
    assert page.post("/learn/ask/snap-if-due").status_code == 409, "it is not set to"
    SettingsLog(hands.store).change("snap_when_ready", True)
    assert page.post("/learn/ask/snap-if-due").status_code == 204, "nothing has come before it"
    photo = {"original": "o", "display": "d", "thumbnail": "t", "width": 1, "height": 1, "name": ""}
    winds = {"seat_wind": "E", "prevailing_wind": "E", "rules": "bmja"}
    data = {"photo": photo, "camera": {"by_itself": True}, "asked": True, **winds}
    hands.store.append("abc", event_of("photo-taken", data))
    status = page.get("/camera/now").json
    assert status
    assert status["hand"] == "/learn/ask/abc/"
