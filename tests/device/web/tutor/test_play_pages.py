"""A practice deal by the pages: played to its end, gone on with, taken back, from a photograph."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Sequence
from urllib.parse import urlencode, urlsplit

import pytest
from flask.testing import FlaskClient

from device.hands.repository import HandRepository
from device.i18n.words import load
from device.store import Store
from device.store.events import PracticeDealBegun, TileCorrected
from device.tutoring.practice_deals import PracticeDeals
from scorer.play.coach import advise, warn_after
from scorer.play.moves import Move, PlayError
from scorer.play.setup import DealSetup
from scorer.play.view import make_view
from tests.device.conftest import Wait
from tests.device.fake_reader import FakeReader, Group, lay, picture
from tests.device.page import Page, get_page

START = "/practise/deal/"

MAX_MOVES = 120
"""Answers of one learner: fewer than a wall has tiles."""


def begin(client: FlaskClient, game: int = 4, players: int = 3, level: str = "gentle") -> str:
    """Begin a deal by the form; return its address."""
    form = {"game": game, "players": players, "level": level}
    answer = client.post(START, data=form)
    assert answer.status_code == 303
    return answer.headers["Location"]


def id_of(address: str) -> str:
    return urlsplit(address).path.split("/")[3]


def send(client: FlaskClient, address: str, page: Page, button: int) -> None:
    """Send one of the forms of what may be done."""
    form = page.all("#own .actions form")[button]
    fields = {each["name"]: each["value"] for each in form.all("[name]")}
    assert client.post(form["action"], data=fields).status_code == 303, address


def tap_tiles(client: FlaskClient, address: str, page: Page, count: int) -> Page:
    """Tap the first tiles of the rack."""
    taps = "".join(f"tile={value}&" for value in page.attributes("value", ".rack input")[:count])
    version = page.single("#own > form [name=seen]")["value"]
    page = get_page(client, f"{address}?{taps}seen={version}")
    assert len(page.all(".rack [checked]")) == count
    return page


def make_move(client: FlaskClient, address: str, page: Page) -> None:
    """Tap the first tile and the gold button, or claim what can be claimed."""
    if page.all(".rack [type=radio]"):
        page = tap_tiles(client, address, page, 1)
        assert "primary" in page.all("#own .actions button")[0]["class"]
    send(client, address, page, 0)


@pytest.mark.parametrize(("game", "players"), [(4, 2), (10, 3)])
def test_a_deal_is_played_to_its_end(client: FlaskClient, game: int, players: int) -> None:
    address = begin(client, game, players)
    for _ in range(MAX_MOVES):
        page = get_page(client, address)
        if onward := page.all("#own .actions a"):
            break
        make_move(client, address, page)
    else:
        pytest.fail("the deal did not end")
    end = get_page(client, onward[0]["href"])
    heading = end.single("h1").text
    sentences = {load()["practice-deal.ended.me"], load()["practice-deal.ended.nobody"]}
    assert heading in sentences or " goes out" in heading
    assert "/learn/first-evening/deal/after" in end.links() or game != 4
    late_tap = {"seen": 1, "kind": "pass", "tiles": ""}
    page = Page(client.post(f"{address}move", data=late_tap, follow_redirects=True).text)
    notices = [part.text for part in page.all("#coach [role=status]")]
    assert load()["practice-deal.late"] in notices, "beside what the coach may say of the last move"
    assert page.all("#own .actions a"), "the deal as it is now"


def test_a_deal_is_gone_on_with_by_name_on_another_phone(client: FlaskClient) -> None:
    client.post("/practise/who", data={"name": "Ann"})
    address = begin(client)
    phone = client.application.test_client()
    assert address not in get_page(phone, START).links(), "nobody has said who practises"
    phone.post("/practise/who", data={"name": "ann"})
    assert address in get_page(phone, START).links()
    phone.post("/practise/who", data={"name": "Bob"})
    assert address not in get_page(phone, START).links()


def test_without_a_name_the_phone_itself_goes_on(client: FlaskClient) -> None:
    address = begin(client)
    assert address in get_page(client, START).links()
    assert address not in get_page(client.application.test_client(), START).links()


def test_a_restart_forgets_no_move(client: FlaskClient, store: Store) -> None:
    address = begin(client, 13, 4)
    for _ in range(3):
        make_move(client, address, get_page(client, address))
    before = get_page(client, address).main.text
    store.caches.clear()
    assert get_page(client, address).main.text == before


def test_the_coach_says_what_it_would_do(client: FlaskClient, store: Store) -> None:
    address = begin(client, 7)
    version = get_page(client, address).single("#own > form [name=seen]")["value"]
    page = get_page(client, f"{address}?advice=yes&seen={version}")
    with PracticeDeals(store).open(id_of(address)) as live:
        choices = advise(make_view(live.deal, live.record.seat))
    assert len(page.all("#coach li")) == len(choices) == 2
    shown_tiles = [each["aria-label"] for each in page.all("#coach li .tile")]
    assert len(shown_tiles) == 2
    fields = page.all("#own > form input")
    query = urlencode({each["name"]: each["value"] for each in fields})
    with_tile = get_page(client, f"{address}?{query}")
    assert with_tile.all(".rack [checked]"), "a tile was tapped"
    assert len(with_tile.all("#coach li")) == 2, "the advice stays in sight"
    assert not get_page(client, f"{address}?advice=yes&seen=0").all("#coach li"), "an old page"


def warned_move(store: Store, address: str) -> Move:
    """Return a discard that gives much away: the tile that the coach would keep longest."""
    with PracticeDeals(store).open(id_of(address)) as live:
        view = make_view(live.deal, live.record.seat)
    return next(move for move in view.moves if warn_after(view, move))


@pytest.fixture
def costly(store: Store) -> tuple[str, Move]:
    """Begin a deal in which a move gives much away; return its address and the move."""
    for seed in range(20):
        setup = DealSetup(seed=seed, seats="ESW", players=3, hand_size=7)
        deal = PracticeDeals(store).begin(PracticeDealBegun(setup.to_json(), "E", "gentle"))
        try:
            return f"{START}{deal}/", warned_move(store, f"{START}{deal}/")
        except StopIteration:
            continue
    raise AssertionError("no such deal")


def play(client: FlaskClient, address: str, move: Move) -> Page:
    version = get_page(client, address).single("#own > form [name=seen]")["value"]
    form = {"seen": version, "kind": move.kind, "tiles": " ".join(move.tiles)}
    assert client.post(f"{address}move", data=form).status_code == 303
    return get_page(client, address)


def test_a_costly_move_is_said_once_and_taken_back(
    client: FlaskClient, costly: tuple[str, Move]
) -> None:
    address, move = costly
    tiles_before = get_page(client, address).attributes("aria-label", ".rack .tile")
    page = play(client, address, move)
    warning = page.single("#coach [role=status] form")
    version = warning.single("[name=seen]")["value"]
    assert client.post(warning["action"], data={"seen": version}).status_code == 303
    page = get_page(client, address)
    assert page.attributes("aria-label", ".rack .tile") == tiles_before
    page = play(client, address, move)
    assert not page.all("#coach [role=status]"), "nobody says it twice"
    assert page.single("#more > form")["action"] == warning["action"], "and it is not folded away"
    page = Page(client.post(f"{address}back", data={"seen": version}, follow_redirects=True).text)
    assert page.single("#coach [role=status]").text == load()["practice-deal.late"], "an old page"
    assert version != page.single("#own > form [name=seen]")["value"]


def test_the_same_tap_twice_is_one(
    client: FlaskClient, costly: tuple[str, Move], store: Store
) -> None:
    """Without scripts, a browser sends a button that is tapped twice twice."""
    address, move = costly
    taps: Sequence[tuple[str, dict[str, str]]] = (
        ("move", {"kind": move.kind, "tiles": " ".join(move.tiles)}),
        ("back", {}),
        ("coach", {"coach": "no"}),
    )
    for action, fields in taps:
        version = get_page(client, address).single("#own > form [name=seen]")["value"]
        for _ in range(2):
            data = {**fields, "seen": version}
            page = Page(client.post(address + action, data=data, follow_redirects=True).text)
            store.caches.clear()
        assert load()["practice-deal.late"] not in page.text, action
        assert int(page.single("#own > form [name=seen]")["value"]) == int(version) + 1, action


def test_a_coach_that_is_off_says_nothing(client: FlaskClient, costly: tuple[str, Move]) -> None:
    address, move = costly
    version = get_page(client, address).single("#own > form [name=seen]")["value"]
    assert get_page(client, address).all("#own [name=advice]")
    assert client.post(f"{address}coach", data={"seen": version, "coach": "no"}).status_code == 303
    page = get_page(client, f"{address}?advice=yes&seen={int(version) + 1}")
    assert not page.all("#coach li, #own [name=advice]"), "nor does it answer an old address"
    assert load()["practice-deal.coach-is-off"] in page.single("#more").text
    assert not play(client, address, move).all("#coach [role=status]")


def test_a_move_that_is_not_allowed_is_refused_in_words(client: FlaskClient) -> None:
    address = begin(client)
    version = get_page(client, address).single("#own > form [name=seen]")["value"]
    answer = client.post(f"{address}move", data={"seen": version, "kind": "discard", "tiles": "DR"})
    assert answer.status_code == 422
    assert "You do not have this tile: red dragon." in answer.text


OLD_SETUPS = [
    ({"version": 0}, "its setup had another form"),
    ({"version": 1, "seed": 1, "hand_size": 5}, "a game that there is no more"),
    ({"version": 1, "seed": 1, "seats": 7}, "a field that meant something else"),
]


@pytest.mark.parametrize(("setup", "reason"), OLD_SETUPS)
def test_a_deal_of_another_version_gets_a_sentence_and_a_way_on(
    client: FlaskClient, store: Store, setup: dict[str, object], reason: str
) -> None:
    store.append("deal:old", PracticeDealBegun(setup, "E", "gentle", name="Ann"))
    client.post("/practise/who", data={"name": "Ann"})
    answer = client.get(f"{START}old/")
    assert answer.status_code == 409, reason
    assert load()["play.old-version"] in answer.text
    assert Page(answer.text).all("main form button.primary"), "a new deal"
    assert client.get(START).status_code == 200, reason


def test_moves_that_today_cannot_be_made_get_the_same_sentence(store: Store) -> None:
    setup = DealSetup(seed=1, hand_size=4).to_json()
    moves = ({"seat": "E", "kind": "discard", "tiles": ["DR"], "fishing": False},)
    store.append("deal:old", PracticeDealBegun(setup, "S", "gentle", moves))
    with pytest.raises(PlayError) as refusal, PracticeDeals(store).open("old"):
        pass
    assert refusal.value.problems[0].code == "old-version"


FIFTEEN: Sequence[Group] = [
    ("exposed", "O9 O9 O9 O9"),
    ("concealed", "B2 B3 B4 C3 C3 C3 DR DR DR WE WE WE"),
]
ON_THE_TABLE: Sequence[Group] = [
    ("exposed", "O9 O9 O9 O9"),
    ("exposed", "C1 C2 C3"),
    ("exposed", "WN WN"),
    ("concealed", "?? DR DR ??"),
    ("concealed", "B2 ?? B2"),
    ("bonus", "F1"),
]


def photograph(client: FlaskClient, reader: FakeReader, wait: Wait, groups: Sequence[Group]) -> str:
    """Ask about tiles that lie so; return the address of the page that plays them."""
    reader.reading = lay(groups)
    photo = {"photo": (io.BytesIO(picture(reader.reading)), "tiles.jpg")}
    address = client.post("/learn/ask/", data=photo).headers["Location"]
    wait(address.rstrip("/").rpartition("/")[2])
    return get_page(client, address).link(load()["practice-deal.play-hand"])


def test_a_photographed_hand_is_played_and_its_exposed_sets_stay_exposed(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait, store: Store
) -> None:
    """A winner's pair is no set on the table: it goes into the rack."""
    address = photograph(client, reader, wait_settled, ON_THE_TABLE)
    page = get_page(client, address)
    assert len(page.all(".rack.sets label")) == 3
    form = {"tile": page.attributes("value", ".rack [checked]"), "level": "plain"}
    refusal = client.post(address, data={**form, "players": 3})
    assert refusal.status_code == 422
    assert Page(refusal.text).single("main [role=alert]").text.startswith("With this number")
    chow = page.attributes("value", ".rack.sets [checked]")[1]
    without_chow = {**form, "tile": [value for value in form["tile"] if value != chow]}
    assert client.post(address, data={**without_chow, "players": 3}).status_code == 303
    answer = client.post(address, data={**form, "players": 4})
    with PracticeDeals(store).open(id_of(answer.headers["Location"])) as live:
        assert live.record.seat == "E", "who has fourteen tiles begins"
        player = live.deal.players["E"]
    assert [(each.tiles, each.concealed) for each in player.sets] == [
        (("O9",) * 4, False),
        (("C1", "C2", "C3"), False),
        (("DR",) * 4, True),
    ]
    assert not Counter(("B2", "B2", "B2", "WN", "WN")) - Counter(player.concealed)
    assert "F1" in player.bonus
    table = get_page(client, answer.headers["Location"]).single("#players li:last-child .open")
    assert table.attributes("aria-label", ".tile")[:4] == ["9 circles"] * 4


def test_too_many_tiles_get_a_sentence_and_a_choice(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait
) -> None:
    address = photograph(client, reader, wait_settled, FIFTEEN)
    page = get_page(client, address)
    sentence = "There are 15 tiles here. A set counts as three, flowers and seasons as none."
    assert page.single("main [role=alert]").text.startswith(sentence)
    form = {"tile": page.attributes("value", ".rack [checked]"), "players": 4, "level": "gentle"}
    answer = client.post(address, data=form)
    assert answer.status_code == 422
    page = Page(answer.text)
    assert page.single("main [role=alert]").text.startswith("There are 15 tiles here.")
    form["tile"] = page.attributes("value", ".rack [checked]")[1:]
    assert client.post(address, data=form).status_code == 303


def test_what_is_not_a_tile_is_not_said_to_be_left_out(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait, hands: HandRepository
) -> None:
    address = photograph(client, reader, wait_settled, FIFTEEN)
    hands.change(address.split("/")[-2], TileCorrected(0, None))
    page = get_page(client, address)
    assert len(page.all(".rack [checked]")) == 13, "a set on the table is one"
    assert not page.all("main .note")


def test_a_tile_too_often_gets_a_sentence_and_a_choice(
    client: FlaskClient, reader: FakeReader, wait_settled: Wait
) -> None:
    five_alike: Sequence[Group] = [("concealed", "B2 B2 B2 B2 B2 C3 C3 C3 O7 O7 O7 DR DR")]
    page = get_page(client, photograph(client, reader, wait_settled, five_alike))
    assert "There are too many of this tile: 2 bamboo." in page.single("main [role=alert]").text
    assert len(page.all(".rack [checked]")) == 13, "all can still be chosen from"
