"""One photograph of the whole table: who sits where in it, and the hands that come of it."""

from __future__ import annotations

import io
import threading
from collections.abc import Mapping

import pytest
from flask.testing import FlaskClient
from msgspec import structs
from msgspec.structs import replace

from device.hands.repository import HandRepository
from device.jobs import PhotoQueue
from device.matches.match import Match
from device.matches.repository import MatchRepository
from device.matches.seats import seat_hands
from device.matches.table_photo import SIDES, TablePhotos, UnknownTablePhotoError, players_by_side
from device.store import Store
from device.store.events import DealSettled, ScoreTyped, TableRead, WinnerEntered
from scorer.message import plain_text
from tests.device.events import event_of
from tests.device.fake_camera import wait_until
from tests.device.fake_reader import FakeReader, Group, lay
from tests.device.fake_table import lay_round
from tests.device.match_play import AGREED_TERMS, PLAYERS
from tests.device.page import get_page
from vision.errors import PhotoError
from vision.reader import MIRRORED_PHOTO
from vision.reading import Reading, Side, make_problem

LOSING: dict[Side, list[Group]] = {
    "right": [("exposed", "C7 C7 C7"), ("concealed", "B3 B4 B5 O2 O2 O2 WN WN B7 B9")],
    "top": [("exposed", "DG DG DG"), ("concealed", "C1 C2 C3 C6 C6 C8 B1 B1 O5 O8")],
    "left": [("concealed", "O1 O2 O3 C4 C4 B6 B6 B8 WS WW DW DW O7")],
}


def with_note(reading: Reading) -> Reading:
    return structs.replace(
        reading, problems=(make_problem("kong-declared", plain_text("Is it a kong?")),)
    )


HANDS: dict[Side, Reading] = {"bottom": lay(), **{s: lay(hand) for s, hand in LOSING.items()}}


@pytest.fixture
def match(matches: MatchRepository) -> str:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, WinnerEntered(winner="Cy", won_by="wall"))
    return match


@pytest.fixture
def photos(hands: HandRepository) -> TablePhotos:
    return TablePhotos(hands)


def take_photo(
    client: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    hands: Mapping[Side, Reading] = HANDS,
) -> str:
    """Photograph the table and wait until it is read; return the photograph's id."""
    reader.table, data = lay_round(hands)
    answer = client.post("/table/whole/", data={"photo": (io.BytesIO(data), "table.jpg")})
    photo = answer.headers["Location"].split("/")[-1]
    wait_until(lambda: jobs.stage(photo) is None)
    return photo


def test_it_is_asked_once_who_sits_where_and_then_the_hands_are_given_in(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    client.post("/table/join", data={"number": "2"})
    photo = take_photo(client, jobs, reader)
    assert "Who sits at the bottom of the picture?" in client.get(f"/table/whole/{photo}").text
    assert not matches.get(match).deal.hands
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    hands = matches.get(match).deal.hands
    assert list(hands) == ["Cy", "Di", "Ann", "Bob"], "in the order of play from the bottom"
    page = client.get(f"/table/whole/{photo}").text
    assert "All 4 look right" in page
    assert client.get(f"/table/whole/{photo}/photo.jpg").status_code == 200
    second_photo = take_photo(client, jobs, reader)
    assert "Who sits" not in client.get(f"/table/whole/{second_photo}").text, "it is remembered"
    client.post("/table/join", data={"number": "-1"})
    unknown_photo = take_photo(client, jobs, reader)
    assert "Who sits" in client.get(f"/table/whole/{unknown_photo}").text, "it may lie anywhere"
    client.post(f"/table/whole/{unknown_photo}/bottom", data={"number": "2"})
    assert matches.get(match).deal.given_hand("Cy") != hands["Cy"], "the newer photograph counts"


def test_hands_that_are_somebody_elses_after_all_are_scored_as_theirs(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, hands: HandRepository,
    matches: MatchRepository, match: str,
) -> None:  # fmt: skip
    """Who sits at the bottom is put right: each hand was for a moment another player's."""
    client.post("/table/join", data={"number": "2"})
    right, turned_photo = take_photo(client, jobs, reader), take_photo(client, jobs, reader)

    def count_scores(photo: str, *numbers: str) -> dict[str, int | None]:
        for number in numbers:
            client.post(f"/table/whole/{photo}/bottom", data={"number": number})
        return {seat.player: seat.score for seat in seat_hands(matches.get(match), hands)}

    expected_scores = count_scores(right, "2")
    assert None not in expected_scores.values()
    assert count_scores(turned_photo, "1", "3", "0", "2") == expected_scores


def test_all_are_agreed_to_at_once_and_it_is_taken_back_at_once(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    photo = take_photo(client, jobs, reader)
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    answer = client.post(
        f"/table/whole/{photo}/right", data={"seen": str(matches.get(match).version)}
    )
    assert answer.headers["Location"] == "/table/settle"
    matches.undo(match, matches.get(match).doings[-1].seq)
    assert not any(given.agreed for given in matches.get(match).deal.hands.values())


@pytest.mark.parametrize(
    ("hand", "asks", "reason"),
    [
        (with_note(lay(LOSING["top"])), "a question", "a note of the reading is a question"),
        (lay(LOSING["top"], doubtful=(3,)), "Check 1 tile", "so is a tile in doubt"),
        (lay([*LOSING["top"], ("concealed", "DW")]), "a question", "fourteen, and Cy has won"),
    ],
)
def test_a_hand_with_any_question_is_not_agreed_to_with_the_others(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str,
    hand: Reading, asks: str, reason: str,
) -> None:  # fmt: skip
    photo = take_photo(client, jobs, reader, {**HANDS, "top": hand})
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    page = get_page(client, f"/table/whole/{photo}")
    assert "The other 3 look right" in page.text, reason
    assert page.texts(".name")[0].startswith("Ann"), reason
    assert asks in page.text, reason
    client.post(f"/table/whole/{photo}/right", data={"seen": str(matches.get(match).version)})
    agreed_players = {
        player for player, given in matches.get(match).deal.hands.items() if given.agreed
    }
    assert agreed_players == {"Cy", "Di", "Bob"}, reason
    # Who has looked at the hand may say that it is right all the same.
    hand_id = matches.get(match).deal.given_hand("Ann").hand
    client.post(f"/table/hand/{PLAYERS.index('Ann')}/right", data={"hand": hand_id})
    assert matches.get(match).deal.given_hand("Ann").agreed
    assert "a question" not in client.get(f"/table/whole/{photo}").text


def test_a_hand_of_the_table_is_not_read_anew_as_if_alone(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    mirrored_hands = structs.replace(HANDS["top"], problems=(MIRRORED_PHOTO,))
    photo = take_photo(client, jobs, reader, {**HANDS, "top": mirrored_hands})
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    hand = matches.get(match).deal.given_hand("Ann").hand
    page = get_page(client, f"/hand/{hand}/")
    assert page.all('[name="mirrored"][value="no"]')
    assert not page.all('[name="mirrored"][value="yes"]'), (
        "the whole table would be read as one hand"
    )


def test_the_names_are_turned_and_a_hand_agreed_to_by_itself_stays(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    matches.change(match, ScoreTyped(player="Ann", score=24))
    photo = take_photo(client, jobs, reader)
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    before = matches.get(match).deal.hands
    client.post(f"/table/whole/{photo}/bottom", data={"number": "3"})
    after = matches.get(match).deal
    assert after.given_hand("Di").hand == before["Cy"].hand
    assert after.given_hand("Ann").typed == 24


def test_a_phone_that_somebody_acted_on_since_changes_nothing(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    photo = take_photo(client, jobs, reader)
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    seen_version = matches.get(match).version
    matches.change(match, ScoreTyped(player="Ann", score=24, by="Bob"))
    answer = client.post(f"/table/whole/{photo}/right", data={"seen": str(seen_version)})
    assert answer.status_code == 409
    assert "Bob typed a score" in answer.text


def test_until_the_hands_are_given_in_nobody_is_told_that_there_are_none(
    client: FlaskClient,
    jobs: PhotoQueue,
    reader: FakeReader,
    photos: TablePhotos,
    match: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The photograph is read by then: where a worker ends just there, phones wait for another."""
    first = take_photo(client, jobs, reader)
    client.post(f"/table/whole/{first}/bottom", data={"number": "2"})
    go_on, give = threading.Event(), TablePhotos.give_hands

    def give_late(self: TablePhotos, photo: str, player: str) -> None:
        assert go_on.wait(20)
        give(self, photo, player)

    monkeypatch.setattr(TablePhotos, "give_hands", give_late)
    data = {"photo": (io.BytesIO(lay_round(HANDS)[1]), "table.jpg")}
    page = client.post("/table/whole/", data=data).headers["Location"]
    photo = page.split("/")[-1]
    photos.say_bottom(photo, "Cy")
    wait_until(lambda: photos.get(photo).is_read)
    waiting_page = client.get(page).text
    go_on.set()
    wait_until(lambda: jobs.stage(photo) is None)
    assert "data-busy" in waiting_page
    assert "data-busy" not in client.get(page).text


def test_what_cannot_be_read_is_told_and_read_again(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    reader.fault = PhotoError("too-dark", plain_text("It is too dark to read."))
    photo = take_photo(client, jobs, reader)
    client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    assert "It is too dark to read." in client.get(f"/table/whole/{photo}").text
    reader.fault = None
    client.post(f"/table/whole/{photo}/again")
    wait_until(lambda: bool(matches.get(match).deal.hands))
    assert len(matches.get(match).deal.hands) == 4


def test_a_photograph_of_another_deal_gives_no_hands(
    client: FlaskClient, jobs: PhotoQueue, reader: FakeReader, matches: MatchRepository, match: str
) -> None:
    photo = take_photo(client, jobs, reader)
    scores = dict.fromkeys(PLAYERS, 20)
    matches.change(match, DealSettled(winner="Cy", scores=scores))
    matches.change(match, WinnerEntered(winner="Di", won_by="wall"))
    assert client.get(f"/table/whole/{photo}").headers["Location"] == "/table/"
    answer = client.post(f"/table/whole/{photo}/bottom", data={"number": "2"})
    assert answer.status_code == 404
    assert not matches.get(match).deal.hands


@pytest.mark.parametrize(
    ("players", "shown_sides", "expected", "reason"),
    [
        (4, SIDES, "bottom:Bob right:Cy top:Di left:Ann", "by side, in the order of play"),
        (4, ("bottom", "left"), "bottom:Bob right:Cy top:Di left:Ann", "two hands were not seen"),
        (
            3,
            ("bottom", "right", "left"),
            "bottom:Bob right:Cy left:Ann",
            "an empty side is none's",
        ),
        (2, ("bottom", "top"), "bottom:Bob top:Ann", "two sit opposite each other"),
        (2, (), "bottom:Bob top:Ann", "and so before anything is read"),
    ],
)
def test_who_sits_where(
    store: Store,
    matches: MatchRepository,
    photos: TablePhotos,
    players: int,
    shown_sides: tuple[Side, ...],
    expected: str,
    reason: str,
) -> None:
    match = matches.get(matches.begin(replace(AGREED_TERMS, players=tuple(PLAYERS[:players]))))
    photograph(store, match)
    photos.say_bottom("p", "Bob")
    if shown_sides:
        store.append("p", TableRead(hands={side: side for side in shown_sides}))
    found = players_by_side(photos.get("p"), match)
    assert " ".join(f"{side}:{player}" for side, player in found.items()) == expected, reason


def photograph(store: Store, match: Match) -> None:
    """Have the table of a match photographed in its first deal."""
    names = dict.fromkeys(("original", "display", "thumbnail", "name"), "x")
    photo = {**names, "width": 9, "height": 9}
    fields = {"match": match.id, "deal": 1, "source": "camera", "photo": photo}
    store.append("p", event_of("table-photographed", fields))


def test_hands_of_a_deal_that_is_over_are_given_to_nobody(
    store: Store, matches: MatchRepository, photos: TablePhotos
) -> None:
    """Of five players, whoever sat at the bottom may be the one who sits out by now."""
    five = [*PLAYERS, "Eve"]
    match = matches.get(matches.begin(replace(AGREED_TERMS, players=tuple(five))))
    seated_players = set(match.course.next_deal.seats.values())
    photograph(store, match)
    store.append("p", TableRead(hands={side: side for side in SIDES}))
    scores = dict.fromkeys(seated_players, 20)
    matches.change(match.id, WinnerEntered("Bob", "wall"))
    matches.change(match.id, DealSettled("Bob", scores))
    (dreamer,) = seated_players - set(matches.get(match.id).course.next_deal.seats.values())
    photos.say_bottom("p", dreamer)
    photos.give_hands("p", player="")
    assert not matches.get(match.id).deal.hands


def test_a_photograph_that_is_not_there(photos: TablePhotos, read_hand: str) -> None:
    for name in ("nothing", read_hand):
        with pytest.raises(UnknownTablePhotoError):
            photos.get(name)
