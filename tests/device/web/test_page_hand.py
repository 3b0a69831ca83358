"""The page of a hand: corrections, the situation, the score."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.repository import HandRepository
from tests.device.fake_reader import lay
from tests.device.page import Page, get_page


def show_hand(client: FlaskClient, hand: str, status: int = 200) -> Page:
    return get_page(client, f"/hand/{hand}/", status)


def total(page: Page) -> str:
    return " ".join(page.texts(".total > strong")) or "none"


@pytest.mark.parametrize(
    ("path", "form", "expected", "reason"),
    [
        ("tile/0", {"code": "B3"}, "none", "two of one and one of another are no set"),
        ("set/0", {"row": "concealed"}, "232", "a concealed pung scores 2 more, doubled twice"),
        ("tile/15", {"code": "F2"}, "112", "East's own flower is the first"),
        ("situation", {"winner": "no"}, "136", "a loser has neither 20 nor 2 for the wall"),
        ("situation", {"seat_wind": "S"}, "108", "no pair of own wind, and not his flower"),
        ("situation", {"original_call": "yes"}, "896", "one double for the call, one for winning"),
        ("add", {"code": "S1", "row": "bonus"}, "480", "own season: 4 more, and a double"),
    ],
)
def test_every_change_is_scored_at_once(
    client: FlaskClient, read_hand: str, path: str, form: dict[str, str], expected: str, reason: str
) -> None:
    assert total(show_hand(client, read_hand)) == "224"
    answer = client.post(f"/hand/{read_hand}/{path}", data=form)
    assert answer.status_code == 303
    assert answer.headers["Location"] == f"/hand/{read_hand}/"
    assert total(show_hand(client, read_hand)) == expected, reason


def test_the_total_before_a_change_is_shown(client: FlaskClient, read_hand: str) -> None:
    client.post(f"/hand/{read_hand}/set/0", data={"row": "concealed"})
    page = show_hand(client, read_hand)
    assert "was 224" in page.text
    assert "The set of tile 1 moved to the row “Concealed”" in page.text


def test_five_of_a_kind_is_a_sentence_and_no_score(client: FlaskClient, read_hand: str) -> None:
    for place in (7, 8):
        client.post(f"/hand/{read_hand}/tile/{place}", data={"code": "B2"})
    page = show_hand(client, read_hand, 422)
    assert "No score yet" in page.text
    assert page.all("[role=alert]", "2 bamboo")
    client.post(f"/hand/{read_hand}/tile/7", data={"code": "C3"})
    client.post(f"/hand/{read_hand}/tile/8", data={"code": "C4"})
    assert total(show_hand(client, read_hand)) == "224"


def test_an_unfinished_hand_is_a_page_like_any_other(client: FlaskClient, read_hand: str) -> None:
    client.post(f"/hand/{read_hand}/tile/7", data={"code": "none"})
    page = show_hand(client, read_hand)
    assert "No score yet" in page.text
    assert page.all("[role=alert]", "needs 15 tiles")


def test_a_made_up_winning_tile_breaks_nothing(client: FlaskClient, read_hand: str) -> None:
    for place, status in (("9" * 5000, 400), ("-1", 400), ("99", 303), ("", 303), ("²", 400)):
        answer = client.post(f"/hand/{read_hand}/situation", data={"winning_tile": place})
        assert answer.status_code == status, place
        assert total(show_hand(client, read_hand)) == "224", place


def test_a_correction_stays_visible_and_can_be_undone(
    client: FlaskClient, read_hand: str, hands: HandRepository
) -> None:
    client.post(f"/hand/{read_hand}/tile/15", data={"code": "F3"})
    page = show_hand(client, read_hand)
    assert "Tile 16: read flower 1 (plum), changed to flower 3 (chrysanthemum)" in page.text
    labels = page.attributes("aria-label")
    assert any("Tile 16: flower 3 (chrysanthemum), changed by hand" in each for each in labels)
    (change,) = hands.get(read_hand).changes
    client.post(f"/hand/{read_hand}/undo", data={"seq": str(change.seq)})
    assert "changed by hand" not in str(show_hand(client, read_hand))


def test_a_doubtful_tile_is_marked_and_asked_about(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay(doubtful=(1,))))
    page = show_hand(client, unread_hand)
    assert page.single("#question").text == "Is this the 2 bamboo?"
    assert page.single("#bar").link("No") == f"/hand/{unread_hand}/tile/1"
    assert page.single("#bar").button("Yes")["value"] == "1"
    assert any("Tile 2: 2 bamboo, doubtful" in each for each in page.attributes("aria-label"))
    sheet = get_page(client, f"/hand/{unread_hand}/tile/1").text
    assert "% sure" not in sheet, "a figure says not why it is asked"
    assert "% sure" in get_page(client, f"/hand/{unread_hand}/tile/0").text
    assert "Yes, 2 bamboo" in sheet
    client.post(f"/hand/{unread_hand}/tile/1", data={"code": "B2"})
    assert "Is this the" not in show_hand(client, unread_hand).text


def test_a_tile_renamed_by_its_company_shows_what_was_seen(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    reading = lay(doubtful=(1,))
    renamed_tile = structs.replace(reading.tiles[1], seen="B8", alternatives=(("B8", 0.6),))
    reading = structs.replace(reading, tiles=(reading.tiles[0], renamed_tile, *reading.tiles[2:]))
    hands.change(unread_hand, reading_event(reading))
    sheet = get_page(client, f"/hand/{unread_hand}/tile/1")
    assert "It looks like 8 bamboo." in sheet.text
    assert sheet.values("code")[:2] == ["B2", "B8"]


def test_the_sheet_offers_the_best_alternatives_first_and_then_all_faces(
    client: FlaskClient, read_hand: str
) -> None:
    codes = get_page(client, f"/hand/{read_hand}/tile/0").values("code")
    assert codes[:5] == ["B4", "B3", "O2", "C2", "S2"]
    assert len(codes[5:]) == 45, "42 faces, face down, joker, not a tile"
    assert codes[-3:] == ["??", "JK", "none"]


def test_the_sheet_of_a_clear_tile_offers_nothing_unlikely_and_a_doubtful_one_no_tile_early(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    reading = lay(doubtful=(1,))
    clear_tile = structs.replace(reading.tiles[0], alternatives=(("B3", 0.1), ("S2", 0.0001)))
    reading = structs.replace(reading, tiles=(clear_tile, *reading.tiles[1:]))
    hands.change(unread_hand, reading_event(reading))
    address = f"/hand/{unread_hand}/tile"
    assert get_page(client, f"{address}/0").attributes("value", ".alternatives ") == ["B3"]
    sheet = get_page(client, f"{address}/1")
    assert sheet.attributes("value", ".alternatives ")[-1] == "none"
    assert sheet.values("code").count("none") == 1


def test_after_a_correction_the_first_reading_is_the_first_alternative(
    client: FlaskClient, read_hand: str
) -> None:
    client.post(f"/hand/{read_hand}/tile/0", data={"code": "O1"})
    assert get_page(client, f"/hand/{read_hand}/tile/0").values("code")[0] == "B2"


def test_a_line_names_its_tiles_its_rule_and_its_reason(
    client: FlaskClient, read_hand: str
) -> None:
    line = show_hand(client, read_hand).single(
        '[data-tiles="0 1 2"]', "Exposed pung of a minor tile"
    )
    assert "Three alike of 2 to 8 in a suit score 2 exposed and 4 concealed." in line.text
    assert "BMJA-B02" in line.text


def test_what_the_player_has_not_said_is_marked_as_assumed_beside_the_total(
    client: FlaskClient, read_hand: str
) -> None:
    assert len(show_hand(client, read_hand).all("#bar .assumed")) == 3, (
        "seat, round, way of winning"
    )
    client.post(f"/hand/{read_hand}/situation", data={"seat_wind": "E"})
    assert len(show_hand(client, read_hand).all("#bar .assumed")) == 2
    client.post("/phone/", data={"language": "zh-Hant"})
    marks = show_hand(client, read_hand).texts("#bar .assumed small [aria-hidden]")
    assert marks == ["？"] * 2


def test_a_total_is_provisional_until_all_is_said_that_it_depends_on(
    client: FlaskClient, read_hand: str, hands: HandRepository
) -> None:
    for fields in ({"seat_wind": "W"}, {"prevailing_wind": "S"}, {"won_by": "discard"}):
        page = show_hand(client, read_hand)
        assert "so far" in page.single("#bar").text
        assert "so far" in page.single("#score .total").text
        client.post(f"/hand/{read_hand}/situation", data=fields)
    client.post(f"/hand/{read_hand}/situation", data={"winning_tile": ""})
    page = show_hand(client, read_hand)
    assert "so far" not in page.text
    assert page.single("#bar a", "How it adds up")
    client.post(f"/hand/{read_hand}/situation", data={"won_by": "no"})
    assert not hands.get(read_hand).situation.winner


def test_without_a_script_the_whole_form_is_sent_at_once(
    client: FlaskClient, read_hand: str, hands: HandRepository
) -> None:
    form = [
        ("winner", "yes"),
        ("won_by", "discard"),
        ("winning_tile", "9"),
        ("seat_wind", "W"),
        ("prevailing_wind", "E"),
        ("original_call", "yes"),
        ("original_call", "no"),  # the hidden field that speaks for a box left open
    ]
    body = "&".join(f"{key}={value}" for key, value in form)
    kind = "application/x-www-form-urlencoded"
    client.post(f"/hand/{read_hand}/situation", data=body, content_type=kind)
    situation = hands.get(read_hand).situation
    assert (situation.won_by, situation.winning_tile, situation.seat_wind) == ("discard", 9, "W")
    assert situation.original_call
    assert "with=C5" in str(show_hand(client, read_hand))


@pytest.mark.parametrize(
    ("fields", "won_by", "reason"),
    [
        ({}, "wall", "its set was not exposed, so it was drawn"),
        ({"won_by": "loose"}, "loose", "what the player said stays"),
    ],
)
def test_the_winning_tiles_set_tells_where_it_came_from_also_once_it_is_moved(
    client: FlaskClient, hands: HandRepository, unread_hand: str,
    fields: dict[str, str], won_by: str, reason: str,
) -> None:  # fmt: skip
    hands.change(unread_hand, reading_event(lay(sideways=2)))
    assert hands.get(unread_hand).situation.won_by == "discard", "sideways in the exposed row"
    if fields:
        client.post(f"/hand/{unread_hand}/situation", data=fields)
    client.post(f"/hand/{unread_hand}/set/0", data={"row": "concealed"})
    assert hands.get(unread_hand).situation.won_by == won_by, reason


def test_a_loose_tile_is_out_of_the_question_without_kong_or_bonus_tile(
    client: FlaskClient, hands: HandRepository, unread_hand: str
) -> None:
    hand = lay([("exposed", "B2 B2 B2"), ("concealed", "C1 C1 C1 C4 C4 C4 DR DR DR WE WE")])
    hands.change(unread_hand, reading_event(hand))
    client.post(f"/hand/{unread_hand}/situation", data={"seat_wind": "E", "prevailing_wind": "E"})
    page = show_hand(client, unread_hand)
    assert page.single('#bar [value="loose"][disabled]')
    assert "This hand has none" in page.text


NONSENSE: list[tuple[str, str, dict[str, str], int]] = [
    ("GET", "/hand/none/", {}, 404),
    ("GET", "/hand/none/photo.jpg", {}, 404),
    ("POST", "/hand/none/undo", {}, 404),
    ("GET", "/hand/{hand}/tile/99", {}, 404),
    ("POST", "/hand/{hand}/tile/99", {"code": "B1"}, 409),
    ("POST", "/hand/{hand}/tile/0", {"code": "Z9"}, 400),
    ("POST", "/hand/{hand}/tile/0", {}, 400),
    ("POST", "/hand/{hand}/set/0", {"row": "<script>"}, 400),
    ("POST", "/hand/{hand}/situation", {"colour": "red"}, 409),
    ("POST", "/hand/{hand}/situation", {"won_by": "luck"}, 400),
    ("POST", "/hand/{hand}/undo", {"seq": "1"}, 409),
    ("DELETE", "/hand/{hand}/", {}, 405),
    ("GET", "/assets/../box.py", {}, 404),
]


def test_requests_that_make_no_sense_are_refused_in_a_sentence(
    client: FlaskClient, read_hand: str
) -> None:
    for method, path, form, status in NONSENSE:
        answer = client.open(path.format(hand=read_hand), method=method, data=form)
        assert answer.status_code == status, path
        assert Page(answer.text).single("[role=alert]:not([hidden])").text
    assert total(show_hand(client, read_hand)) == "224", "and the hand is as it was"


def test_a_name_from_outside_is_never_markup(client: FlaskClient, read_hand: str) -> None:
    client.post(f"/hand/{read_hand}/add?set=<script>alert(1)</script>", data={"code": "B1"})
    sheet = client.get(f"/hand/{read_hand}/add?row=<script>alert(1)</script>")
    assert "<script>alert" not in sheet.text


def test_the_hand_text_is_there_to_copy(client: FlaskClient, read_hand: str) -> None:
    expected = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall"
    assert expected in show_hand(client, read_hand).attributes("value", "input")
