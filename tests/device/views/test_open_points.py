"""What is open about a hand before it can be said to look right: one thing first, and a way on."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.hands.readings import reading_event
from device.hands.record import HandRecord
from device.hands.repository import ChangeRefusedError, HandRepository
from device.matches.repository import MatchRepository
from device.store.events import (
    ContextSet,
    HandChange,
    PointSettled,
    SetsMoved,
    TileAdded,
)
from device.views.hand_page import hand_view
from device.views.winning import winning_tiles
from scorer.message import plain_text
from tests.device.fake_reader import WINNING, FakeReader, Group, lay, picture
from tests.device.long_matches import AGREED_TERMS
from tests.device.page import Page, Part, get_page
from vision.reading import Reading, make_problem

LOSING: tuple[Group, ...] = (
    ("exposed", "B2 B2 B2"),
    ("concealed", "C3 C4 C5"),
    ("concealed", "DR DR"),
    ("concealed", "WE WS O1 O9 DG"),
)
SHORT = LOSING[:-1]
TWO_CHOWS: tuple[Group, ...] = (
    ("exposed", "B2 B3 B4"),
    ("exposed", "C3 C4 C5"),
    ("concealed", "C7 C8 C9"),
    ("concealed", "DR DR DR"),
    ("concealed", "WE WE"),
)
ROW: tuple[Group, ...] = (
    ("concealed", "B2 B2 B2"),
    ("concealed", "C3 C4 C5"),
    ("concealed", "DR DR"),
    ("concealed", "WE WS O1 O9 DG"),
)
NO_PUNG: tuple[Group, ...] = (("concealed", "B2 B3 B4"), *ROW[1:])


def add_remarks(reading: Reading, *codes: str) -> Reading:
    """Return a reading with remarks of the reader."""
    return structs.replace(
        reading, problems=tuple(make_problem(code, plain_text(code)) for code in codes)
    )


LOSER, WINNER = ContextSet(winner=False), ContextSet(winner=True)
NO_TILE = ContextSet(winning_tile=None)
DISCARD = ContextSet(won_by="discard")
WINDS = ContextSet(seat_wind="E", prevailing_wind="E")
ROUND = ContextSet(prevailing_wind="E")

CASES: tuple[tuple[str, Reading, tuple[HandChange, ...], str, str], ...] = (
    ("all is well", lay(LOSING), (), "", ""),
    ("a tile in doubt", lay(LOSING, doubtful=(1,)), (), "tile", "Is this the 2 bamboo?"),
    ("too dark to trust", add_remarks(lay(LOSING), "too-dark"), (), "photo", "Take it again"),
    ("blurred comes before doubts", add_remarks(lay(LOSING, (1,)), "blurred"), (), "photo",
     "Take it"),
    ("five are missing", lay(SHORT), (), "count", "8 of 13: 5 are missing."),
    ("one too many is to be tapped", lay((*LOSING, ("concealed", "WN"))), (LOSER,), "count",
     "14 of 13: one too many. Tap a tile that does not belong. The number is right"),
    ("so many there were", lay(SHORT), (PointSettled("count"),), "", ""),
    (
        "one more since it was said",
        lay(SHORT),
        (PointSettled("count"), TileAdded("O5", "concealed", None)),
        "count",
        "9 of 13: 4 are missing.",
    ),
    ("a loser's Mah-Jong", lay(WINNING), (LOSER,), "complete", "Did this hand win?"),
    ("it did not", lay(WINNING), (LOSER, PointSettled("complete"), WINDS), "", ""),
    ("its pair may be of the own wind", lay(WINNING), (ROUND,), "winds", "seat wind?"),
    ("no tile tells how it won", lay(WINNING), (WINDS,), "way", "How was it won?"),
    ("it lies sideways, and so it was claimed", lay(WINNING, sideways=14), (WINDS,), "", ""),
    ("too many chows", lay(TWO_CHOWS), (WINNER,), "unscored", "A hand may have only one chow."),
    ("a winner short of tiles", lay(LOSING), (WINNER,), "unscored", "13 of 14: one is missing."),
    ("points hang on the last tile", lay(WINNING), (WINDS, DISCARD), "won", "Which tile won?"),
    ("nobody can tell", lay(WINNING), (WINDS, DISCARD, NO_TILE), "", ""),
    ("one row", add_remarks(lay(ROW), "exposed-or-concealed"), (), "rows",
     "Which of these were exposed?"),
    ("without three alike it scores the same in either row",
     add_remarks(lay(NO_PUNG), "exposed-or-concealed"), (), "", ""),
    ("three alike may be a pung that was claimed",
     add_remarks(lay((("concealed", "B2 B2 B2 B3 B4 C9"), *ROW[2:])), "exposed-or-concealed"),
     (), "rows", "Which of these were exposed?"),
    ("that was all", add_remarks(lay(ROW), "exposed-or-concealed"),
     (SetsMoved((0, 1), "exposed"), PointSettled("rows")), "", ""),
)  # fmt: skip


@pytest.mark.parametrize(
    ("reading", "answers", "code", "label"), [c[1:] for c in CASES], ids=[c[0] for c in CASES]
)
def test_the_first_open_thing_stands_on_the_button(
    hands: HandRepository,
    client: FlaskClient,
    unread_hand: str,
    reading: Reading,
    answers: tuple[HandChange, ...],
    code: str,
    label: str,
) -> None:
    hands.change(unread_hand, reading_event(reading))
    for each in answers:
        hands.change(unread_hand, each)
    open_point = hand_view(hands.get(unread_hand)).open
    assert [point.code for point in open_point][:1] == ([code] if code else [])
    assert label in Page(client.get(f"/hand/{unread_hand}/").text).single("aside#bar").text


@pytest.mark.parametrize("point", ["count", "rows", "complete", "several", "photo", "won", ""])
def test_only_what_may_be_so_is_said_to_be_so(
    client: FlaskClient, read_hand: str, point: str
) -> None:
    answer = client.post(f"/hand/{read_hand}/so", data={"point": point})
    assert answer.status_code == (303 if point in ("count", "rows", "complete", "several") else 400)


def test_what_is_so_is_said_once_and_can_be_taken_back(
    hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay(SHORT)))
    hands.change(unread_hand, PointSettled("count", by="Ann"))
    assert (
        "A question about the hand answered (Ann, " in hand_view(hands.get(unread_hand)).changes[-1]
    )
    with pytest.raises(ChangeRefusedError):
        hands.change(unread_hand, PointSettled("count"))
    hands.undo(unread_hand, hands.get(unread_hand).changes[-1].seq)
    assert [point.code for point in hand_view(hands.get(unread_hand)).open] == ["count"]


def test_a_tap_turns_a_whole_row_until_that_is_all(
    hands: HandRepository, client: FlaskClient, unread_hand: str
) -> None:
    """Its pairs and loose tiles stay: nobody can have exposed them."""
    hands.change(unread_hand, reading_event(add_remarks(lay(ROW), "exposed-or-concealed")))

    def bar() -> Part:
        return get_page(client, f"/hand/{unread_hand}/").single("#bar")

    assert bar().button("None were exposed")["class"] == "button primary"
    row_move = {"sets": bar().value("sets"), "row": bar().button("All exposed")["value"]}
    assert client.post(f"/hand/{unread_hand}/sets", data=row_move).status_code == 303
    assert hands.get(unread_hand).assembled_hand.exposed == (("B2",) * 3, ("C3", "C4", "C5"))
    assert bar().button("All concealed"), "and back"
    assert bar().button("Done: 2 exposed")["class"] == "button primary"
    hands.undo(unread_hand, hands.get(unread_hand).changes[-1].seq)
    assert hands.get(unread_hand).assembled_hand.exposed == ()


def test_which_were_exposed_is_asked_of_the_sets_as_they_lie(
    hands: HandRepository, client: FlaskClient, unread_hand: str
) -> None:
    """The score makes a pung of the nines, and a pair and loose tiles of the chow."""
    groups: list[Group] = [
        ("concealed", "B5 B5 B5"),
        ("concealed", "B9"),
        ("concealed", "B7 B8 B9"),
        ("concealed", "B9 DW DR WN WE WS"),
    ]
    hands.change(unread_hand, reading_event(add_remarks(lay(groups), "exposed-or-concealed")))
    client.post(f"/hand/{unread_hand}/set/2", data={"row": "exposed"})
    strip = get_page(client, f"/hand/{unread_hand}/").single("#strip .strip-laid")
    sets = [each.all("use") for each in strip.all(".set")]
    symbols = [[use["href"].partition("#tile-")[2] for use in uses] for uses in sets]
    assert symbols[:3] == [["B5"] * 3, ["B9"], ["B7", "B8", "B9"]]
    assert [button["aria-pressed"] for button in strip.all("button.turn")][:2] == ["false", "true"]
    assert strip.all(".small-tile[data-tile='3']"), "a loose tile leads to its sheet"


@pytest.mark.parametrize("sets", ["", "7"])
def test_sets_that_are_not_there_are_not_moved(
    hands: HandRepository, client: FlaskClient, unread_hand: str, sets: str
) -> None:
    hands.change(unread_hand, reading_event(lay(ROW)))
    response = client.post(f"/hand/{unread_hand}/sets", data={"sets": sets, "row": "exposed"})
    assert response.status_code in (400, 409)


def test_no_tile_of_a_kong_is_offered_as_the_winning_tile(
    hands: HandRepository, unread_hand: str
) -> None:
    hands.change(unread_hand, reading_event(lay(WINNING)))
    codes = {each.symbol.removeprefix("tile-") for each in winning_tiles(hands.get(unread_hand))}
    assert codes == {"B2", "C3", "C4", "C5", "DR", "WE"}, "the score refuses O9"


def test_fourteen_tiles_that_are_no_mah_jong_ask_who_went_out_then_what_is_too_many(
    client: FlaskClient,
    matches: MatchRepository,
    reader: FakeReader,
    wait_settled: Callable[[str], HandRecord],
) -> None:
    """Before anybody is said to have gone out, fourteen tiles are taken for a winner's."""
    matches.begin(AGREED_TERMS)
    reader.reading = lay((*LOSING[:-1], ("concealed", "WE WS O1 O9 DG WN")))
    data = {"photo": (io.BytesIO(picture(reader.reading)), "hand.jpg")}
    address = client.post("/table/hand/2", data=data).headers["Location"]
    wait_settled(address.strip("/").rpartition("/")[2])
    question = get_page(client, address).single("#bar")
    assert "do not make four sets and a pair. Did Cy go out?" in question.text
    assert question.single("a", "Yes")["href"] == "/table/winner?who=2"
    assert client.post(f"{address}situation", data={"winner": "no"}).status_code == 303
    bar = get_page(client, address).single("#bar")
    assert "14 of 13: one too many. Tap a tile that does not belong." in bar.text
    client.post("/table/winner", data={"who": "2", "won_by": "wall"})
    bar = get_page(client, address).single("#bar")
    assert "Did Cy go out?" not in bar.text, "he did"
    assert "do not make four sets and a pair." in bar.text
