"""An event that makes no sense is told on the page that it concerns, and hides no other page."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from device.commands.serve import load_camera_controls
from device.damage import cut_back
from device.doctor import Machine
from device.doctor.log_checks import check_log
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository
from device.services import open_services
from device.settings import SettingsLog
from device.store import Store
from device.tilesets.tile_sets import TileSets
from device.views.box_health import finding_view
from device.web import Box, create_app
from tests.device.events import write_raw
from tests.device.fake_reader import FakeReader
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.page import get_page
from tests.device.shared_decoder import DECODER

pytestmark = pytest.mark.slow

TORN_SENTENCE = "The box cannot read entry {seq} of its records ({kind})"

FORM = {"player0": "Eve", "player1": "Fay", "ruleset": "bmja", "limit": "1000"}
"""Of a new match."""

PAGES = ("/single/", "/matches", "/setup/", "/sets/", "/learn/", "/learn/ask/", "/practise/")
"""Pages that look through many streams."""

TORN_EVENTS: list[tuple[str, str, dict[str, Any], str, str]] = [
    # stream, kind, fields, the page that tells, why
    ("HAND", "tile-corrected", {"tile": 0}, "/hand/HAND/", "a field is missing"),
    ("HAND", "match-ended", {}, "/hand/HAND/", "it happens to matches"),
    ("MATCH", "winner-said", {"winner": "Eve"}, "/table/", "who sits at another table"),
    ("MATCH", "deal-settled", {"winner": 1}, "/match/MATCH/", "of another type"),
    ("new", "match-begun", {"players": ["Ann"]}, "/match/new/", "a match of nobody"),
    ("new", "photo-taken", {"photo": {}}, "/hand/new/", "a hand of nothing"),
    ("set-1", "set-photographed", {}, "/sets/register/set-1/", "a registration of nothing"),
    ("pupil:ann", "exercise-done", {"name": "Ann"}, "", "what was practised"),
    ("box", "set-begun", {"set": 7}, "", "a set without a name"),
    ("box", "learning-allowed", {"allowed": "yes"}, "", "a word is not an answer"),
    ("box", "setting-changed", {"name": "colour", "value": "red"}, "", "no such setting"),
    ("box", "camera-adjusted", {"model": "imx708"}, "", "nothing was found"),
    ("other", "table-photographed", {"match": "MATCH"}, "", "a photograph without a deal"),
]


@pytest.mark.parametrize(("stream", "kind", "data", "page", "reason"), TORN_EVENTS)
def test_a_torn_event_is_told_and_hides_nothing_else(
    store: Store, hands: HandRepository, matches: MatchRepository, read_hand: str,
    reader: FakeReader, stream: str, kind: str, data: dict[str, Any], page: str, reason: str,
) -> None:  # fmt: skip
    other = hands.begin_by_hand("bmja")
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    ids = {"HAND": read_hand, "MATCH": match}
    seq = write_raw(store, ids.get(stream, stream), kind, data)
    load_camera_controls(store)
    services = open_services(store, reader, DECODER)  # the box starts
    client = create_app(Box(services)).test_client()
    try:
        for address in (*PAGES, f"/hand/{other}/enter"):
            assert client.get(address).status_code == 200, (address, reason)
        if page:
            answer = client.get(page.replace("HAND", read_hand).replace("MATCH", match))
            assert answer.status_code == (200 if page.startswith("/match/MATCH") else 409), reason
            assert TORN_SENTENCE.format(seq=seq, kind=kind) in answer.text, reason
        if stream != "HAND":
            assert client.get(f"/hand/{read_hand}/").status_code == 200, reason
        if stream != "MATCH":
            assert client.get(f"/match/{match}/").status_code in (200, 302), reason
        version = get_page(client, "/match/new").value("seen")
        assert client.post("/match/new", data=FORM | {"seen": version}).status_code == 303, reason
    finally:
        services.close()


def test_lists_say_what_they_cannot_show(
    client: FlaskClient, store: Store, matches: MatchRepository, read_hand: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    in_hand = write_raw(store, read_hand, "hand-won", {})
    in_match = write_raw(store, match, "match-won", {})
    for seq, kind in ((in_hand, "hand-won"), (in_match, "match-won")):
        assert TORN_SENTENCE.format(seq=seq, kind=kind) in client.get("/").text, (
            "no match leads away"
        )
    assert TORN_SENTENCE.format(seq=in_match, kind="match-won") in client.get("/matches").text


def test_a_hand_of_a_torn_match_is_still_shown(
    client: FlaskClient, store: Store, hands: HandRepository, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    hand = hands.begin_by_hand("bmja", match=match)
    write_raw(store, match, "match-won", {})
    assert client.get(f"/hand/{hand}/enter").status_code == 200


def test_what_was_chosen_before_a_torn_event_stays(store: Store, sets: TileSets) -> None:
    sets.begin("Grandmother's")
    sets.allow(is_allowed=True)
    write_raw(store, "box", "set-chosen", {})
    write_raw(store, "box", "learning-allowed", {})
    write_raw(store, "box", "set-begun", {})
    assert sets.chosen_set().name == "Grandmother's"
    assert sets.may_learn()
    assert [each.name for each in sets.list_sets()] == ["", "Grandmother's"]


def test_the_setup_page_and_the_doctor_name_torn_events(store: Store) -> None:
    machine = Machine(store.folder)
    assert (check_log(machine).level, check_log(machine).state) == ("ok", "ok")
    SettingsLog(store).change("camera_turned", True)
    seq = write_raw(store, "box", "box-moved", {})
    findings = check_log(machine)
    assert (findings.level, findings.state) == ("problem", "torn")
    assert finding_view(findings).says == (
        f"Some entries cannot be read: {seq} (the box's settings, box-moved)."
    )


def test_the_doctor_replays_what_a_look_at_each_event_lets_pass(
    store: Store, matches: MatchRepository
) -> None:
    match = matches.begin(AGREED_TERMS)
    machine = Machine(store.folder)
    assert check_log(machine).state == "ok"
    seq = write_raw(store, match, "winner-said", {"winner": "Eve"})
    assert list(store.find_torn()) == []
    assert f"{seq} (a match, winner-said)" in finding_view(check_log(machine)).says
    cut_back(store, match, seq)
    assert check_log(machine).state == "ok"


def test_before_there_is_a_log_nothing_is_made_of_it(store: Store) -> None:
    machine = Machine(store.folder / "not-there")
    assert check_log(machine).state == "none"
    assert not machine.data.exists()
    machine.data.mkdir()
    (machine.data / "events.sqlite3").write_bytes(b"no database, whatever its name says" * 99)
    assert (check_log(machine).level, check_log(machine).state) == ("problem", "broken")
    assert [path.name for path in machine.data.iterdir()] == ["events.sqlite3"], "nothing mended"
