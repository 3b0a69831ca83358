"""Updating from the page: what each phone is shown, and what each is told that sends a file."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.access import set_new_organiser_pin
from device.i18n.words import say
from device.services import Services
from device.settings import SettingsLog
from device.store import Store
from device.store.events import UpdateChosen
from device.updates.upload import INSTALL_FOLDER, RELEASE_KEY, UPDATE_SERVICE, open_upload
from device.web import Box, create_app
from device.web.club.organiser import ORGANISER_COOKIE
from device.web.contexts import Upkeep
from tests.device.page import Page, get_page
from tests.device.updates.bundles import pack_bundle
from tests.device.updates.machine import Updating
from tests.device.updates.test_bundle import LISTS

Begin = Callable[[], FlaskClient]


@pytest.fixture
def updating(tmp_path: Path) -> Updating:
    return Updating.made(tmp_path / "computer")


@pytest.fixture
def begin(updating: Updating, services: Services) -> Begin:
    """Return what starts a box on that computer."""

    def start_phone() -> FlaskClient:
        machine = updating.machine
        arrival = open_upload(machine)
        return create_app(Box(services, upkeep=Upkeep(machine, arrival=arrival))).test_client()

    return start_phone


def send(client: FlaskClient, data: bytes) -> tuple[int, dict[str, str]]:
    """Send a newer version; return what the box says of it."""
    return send_file(client, "/update", data)


def send_file(client: FlaskClient, address: str, data: bytes) -> tuple[int, dict[str, str]]:
    """Send a file in two pieces; return what the box says of it."""
    begin_response = client.post(f"{address}/begin", data={"size": len(data)})
    if begin_response.status_code != 200:
        return begin_response.status_code, begin_response.get_json()
    token, half = begin_response.get_json()["token"], len(data) // 2
    for offset, part in ((0, data[:half]), (half, data[half:])):
        fields = {"token": token, "at": offset, "piece": (BytesIO(part), "piece")}
        piece_response = client.post(
            f"{address}/piece", data=fields, content_type="multipart/form-data"
        )
        assert piece_response.get_json() == {"have": offset + len(part)}
    finish_response = client.post(f"{address}/finish", data={"token": token})
    return finish_response.status_code, finish_response.get_json()


@pytest.mark.parametrize(
    ("left_out_file", "reason"),
    [
        (RELEASE_KEY, "made without a key"),
        (UPDATE_SERVICE, "installed before there was such a service"),
        ("proc/self/cgroup", "somebody tries it out on a computer"),
    ],
)
def test_a_computer_that_takes_none_has_no_such_page(
    updating: Updating, begin: Begin, left_out_file: str, reason: str
) -> None:
    assert "/update/" in get_page(begin(), "/settings/box/").links()
    (updating.folder / "root" / left_out_file).unlink()
    client = begin()
    assert "/update/" not in get_page(client, "/settings/box/").links(), reason
    assert client.get("/update/").status_code == 404
    assert client.post("/update/begin", data={"size": 5}).status_code == 404


def test_it_is_sent_checked_asked_for_and_handed_to_the_system(
    updating: Updating, begin: Begin, store: Store
) -> None:
    client = begin()
    assert "This box runs version 0.2.0" in client.get("/update/").text
    assert send(client, updating.bundle().read_bytes()) == (200, {"version": "9.9.9"})
    for phone in (client, begin()):  # the other phones, and after a restart
        page = phone.get("/update/").text
        assert "Version 9.9.9 is here. The file is complete and from the right maker" in page
    assert not updating.wanted.exists(), "nobody has said so yet"
    for _ in range(2):  # two may tap
        assert client.post("/update/install").headers["Location"] == "/update/"
    assert updating.wanted.exists()
    assert [each.event for each in store.of_kinds(UpdateChosen)] == [UpdateChosen("9.9.9")]
    assert "begins in a moment" in client.get("/update/").text
    assert client.post("/update/begin", data={"size": 5}).status_code == 409, "one at a time"


def test_what_sends_the_file_is_told_in_words_that_it_asks_for_the_pin(
    begin: Begin, store: Store
) -> None:
    set_new_organiser_pin(SettingsLog(store))
    stranger = begin()
    for step in ("begin", "piece", "finish"):
        refusal = stranger.post(f"/update/{step}")
        assert refusal.status_code == 403
        assert refusal.get_json()["words"] == "The organiser's PIN is needed here", "for the script"


def test_a_stranger_sees_how_far_an_update_is_and_the_way_to_the_pin(
    begin: Begin, store: Store
) -> None:
    owner = begin()
    owner.set_cookie(ORGANISER_COOKIE, set_new_organiser_pin(SettingsLog(store)).organiser_token)
    assert any(form.files for form in Page(owner.get("/update/").text).forms)
    stranger = owner.application.test_client()
    shown_text = Page(stranger.get("/update/").text)
    assert not any(form.files for form in shown_text.forms), "what could be chosen would be refused"
    assert "/club/organiser/enter?back=/update/" in shown_text.addresses


@pytest.mark.parametrize(("listing", "version", "reason"), LISTS[:1])
def test_what_is_signed_and_makes_no_sense_is_a_sentence(
    updating: Updating, begin: Begin, listing: bytes | None, version: str, reason: str
) -> None:
    path = pack_bundle(updating.folder / "b.zip", updating.secret, version, listing=listing)
    assert send(begin(), path.read_bytes()) == (422, {"words": say("update.damaged")}), reason
    assert not list((updating.folder / "data/update").glob("*.zip")), "nothing of it stays"


def test_not_now_forgets_it(updating: Updating, begin: Begin) -> None:
    client = begin()
    send(client, updating.bundle().read_bytes())
    client.post("/update/drop")
    assert "Choose the file" in client.get("/update/").text


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a photograph", "This is not an update of Tongbox"),
        (None, "This version is older"),
    ],
)
def test_a_refusal_says_why(
    updating: Updating, begin: Begin, data: bytes | None, says: str
) -> None:
    bundle = updating.bundle("0.1.0").read_bytes() if data is None else data
    status, answer = send(begin(), bundle)
    assert status == 422
    assert says in answer["words"]


@pytest.mark.parametrize(
    ("tells", "says", "under_way"),
    [
        ("checking", "is being checked", True),
        ("making 9.9.9", "is being prepared", True),
        ("done 9.9.9", "The update is done", False),
        ("failed 9.9.9", "The box works as before. Nothing is lost", False),
        ("refused update.others-key", "not from the maker of this box", False),
        ("<script> 1", "Choose the file", False),
    ],
)
def test_every_phone_sees_how_far_it_is(
    updating: Updating, begin: Begin, tells: str, says: str, under_way: bool
) -> None:
    updating.tells(tells)
    page = begin().get("/update/").text
    assert says in page
    assert ("data-under-way" in page) == under_way
    assert ("Choose the file" in page) != under_way
    assert "<script> 1" not in page


@pytest.mark.parametrize("page", ["/first/", "/table/"])
def test_the_other_phones_are_told_what_is_going_on(
    updating: Updating, begin: Begin, page: str
) -> None:
    client = begin()
    client.post("/match/new", data={f"player{n}": name for n, name in enumerate("ABCD")})
    assert "The box is being updated" not in client.get(page).text
    updating.tells("making 9.9.9")
    assert "The box is being updated. You can play on" in client.get(page).text


@pytest.mark.parametrize("link", ["trying", "failed"])
def test_the_change_itself_is_told_by_its_links(
    updating: Updating, begin: Begin, link: str
) -> None:
    updating.tells("making 9.9.9")
    (updating.folder / "root" / INSTALL_FOLDER / link).symlink_to("versions/9.9.9")
    assert "switching to the new version" in begin().get("/update/").text


def test_what_the_installation_said_can_be_looked_at_and_is_no_page(
    updating: Updating, begin: Begin
) -> None:
    updating.tells("failed 9.9.9")
    (updating.folder / "root" / INSTALL_FOLDER / "taken").write_text(
        "No room <b>left</b> on the card\n"
    )
    page = begin().get("/update/").text
    assert "No room &lt;b&gt;left&lt;/b&gt; on the card" in page


def test_a_piece_of_another_file_is_refused(updating: Updating, begin: Begin) -> None:
    client = begin()
    first = client.post("/update/begin", data={"size": 10}).get_json()["token"]
    client.post("/update/begin", data={"size": 20})
    fields = {"token": first, "at": 0, "piece": (BytesIO(b"x"), "piece")}
    response = client.post("/update/piece", data=fields, content_type="multipart/form-data")
    assert response.status_code == 409
    assert "Another phone is already sending" in response.get_json()["words"]
