"""The page that downloads and restores backups: what each phone is shown, and who may."""

from __future__ import annotations

import io
import re
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device import web
from device.access import set_new_organiser_pin
from device.backups import RestoreDesk
from device.club.people import PeopleRepository
from device.host.service_manager import RESTART_DELAY_S
from device.matches.repository import MatchRepository
from device.services import Services
from device.settings import SettingsLog, append_to_box
from device.store import Store
from device.store.events import BackupRestored
from device.web import Box, create_app
from device.web.club.organiser import ORGANISER_COOKIE
from device.web.contexts import Upkeep
from tests.device.match_play import AGREED_TERMS, settle
from tests.device.page import get_page, main_text
from tests.device.web.test_updates import send_file

pytestmark = pytest.mark.slow


@pytest.fixture
def restarts() -> list[str]:
    return []


@pytest.fixture
def phone(services: Services, restarts: list[str]) -> FlaskClient:
    desk = RestoreDesk(services.store, lambda: restarts.append("now"))
    return create_app(Box(services, upkeep=Upkeep(restores=desk))).test_client()


@pytest.fixture
def match(matches: MatchRepository) -> str:
    match = matches.begin(AGREED_TERMS)
    settle(matches, match, "Cy")
    return match


def download(phone: FlaskClient) -> bytes:
    answer = phone.get("/backup/tongbox.tar")
    assert answer.status_code == 200
    assert answer.mimetype == "application/x-tar"
    name = answer.headers["Content-Disposition"]
    assert name.startswith("attachment; filename=tongbox-20")
    assert name.endswith(".tar")
    data: bytes = answer.data
    return data


def test_a_download_holds_the_log_and_the_photographs(
    phone: FlaskClient, match: str, read_hand: str
) -> None:
    assert "/backup/" in get_page(phone, "/settings/box/").links()
    assert "/backup/tongbox.tar" in get_page(phone, "/backup/").links()
    with tarfile.open(fileobj=io.BytesIO(download(phone))) as tar:
        names = tar.getnames()
    assert (names[0], names[-1]) == ("events.sqlite3", "files.json")
    assert sum(name.startswith("photos/") for name in names) == 3


def test_one_phone_downloads_at_a_time(phone: FlaskClient, match: str) -> None:
    first = phone.get("/backup/tongbox.tar", buffered=False)
    second = phone.get("/backup/tongbox.tar")
    assert second.status_code == 503
    assert "Another phone" in second.text
    first.close()
    assert download(phone)


def test_hidden_names_leave_the_box_by_an_organiser_alone(
    phone: FlaskClient, match: str, store: Store
) -> None:
    people = PeopleRepository(store)
    people.remove(people.register().find_person("Cy"), is_hidden=True)
    assert "/backup/tongbox.tar" not in get_page(phone, "/backup/").links()
    answer = phone.get("/backup/tongbox.tar")
    assert answer.status_code == 403
    assert "organiser’s PIN" in answer.text


def status_of(phone: FlaskClient, address: str) -> int:
    with phone.get(address) as answer:  # or the next download has to wait
        return answer.status_code


def test_what_is_set_aside_is_refused_for_the_names_that_it_hides(
    phone: FlaskClient, store: Store
) -> None:
    """Nobody is hidden in the log that is open now, or somebody else is."""
    for number, is_hidden in (1, True), (2, False):
        folder = store.folder / f"replaced-{number}"
        folder.mkdir()
        with closing(Store(folder)) as other_store:
            MatchRepository(other_store).begin(AGREED_TERMS)
            people = PeopleRepository(other_store)
            people.remove(people.register().find_person("Cy"), is_hidden=is_hidden)
    addresses = [f"/backup/set-aside/replaced-{number}.tar" for number in (1, 2)]
    assert [status_of(phone, address) for address in addresses] == [403, 200]
    assert "organiser’s PIN" in phone.get(addresses[0]).text
    settings = set_new_organiser_pin(SettingsLog(store))
    phone.set_cookie(ORGANISER_COOKIE, settings.organiser_token)
    assert [status_of(phone, address) for address in addresses] == [200, 200]


def test_a_backup_is_looked_at_and_restored(
    phone: FlaskClient,
    match: str,
    matches: MatchRepository,
    store: Store,
    services: Services,
    restarts: list[str],
) -> None:
    data = download(phone)
    assert send_file(phone, "/backup", data) == (200, {})
    moment = r"\d+ \w+ 20\d\d, \d\d:\d\d\."
    last = f"The last change in it: {moment}"
    assert re.search(f"{last} Nothing on this box is newer", main_text(phone, "/backup/"))
    matches.begin(AGREED_TERMS)
    with closing(Store(store.folder / "replaced-1")) as other_store:  # what was set aside, of later
        MatchRepository(other_store).begin(AGREED_TERMS)
    append_to_box(store, BackupRestored())
    page = main_text(phone, "/backup/")
    assert re.search(f"{last} That is older than the last change on this box: {moment}", page)
    phone.post("/backup/drop")
    page = main_text(phone, "/backup/")
    assert re.search(f"1 match, 0 hands, 0 photos {last} That is newer than the last", page)
    assert re.search(f"Restored from a backup on {moment}", page)
    restarted_box = Box(services, upkeep=Upkeep(restores=RestoreDesk(store, lambda: None)))
    for box, is_told in (restarted_box, True), (Box(services), False):
        table = main_text(create_app(box).test_client(), "/table/")
        assert ("The box was restored from a backup at" in table) == is_told
    send_file(phone, "/backup", data)
    page = main_text(phone, "/backup/")
    assert "1 match, 0 hands, 0 photos" in page
    assert "is set aside" in page
    assert "A match is going on" in page
    assert phone.post("/backup/restore").headers["Location"] == "/backup/"
    assert restarts == ["now"]
    meanwhile = get_page(phone, "/backup/")
    assert "The box restarts with the backup" in meanwhile.main.text
    assert "/settings/box/" not in meanwhile.links(), "a tap would find no box"
    phone.post("/backup/restore")  # a second phone
    assert restarts == ["now"]
    script = (Path(web.__file__).parent / "static" / "news.js").read_text("utf-8")
    waits_ms = re.findall(r"^const (?:POLL|PASSING)_MS = (\d+);", script, re.M)
    assert [int(wait) + 400 < RESTART_DELAY_S * 1000 for wait in waits_ms] == [True, True], (
        "every phone hears of it before the box goes away"
    )


def test_a_checked_backup_can_be_dropped(phone: FlaskClient, match: str) -> None:
    send_file(phone, "/backup", download(phone))
    phone.post("/backup/drop")
    assert "1 match" not in main_text(phone, "/backup/")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"no backup", "This is not a backup"),
        (bytes(2048), "damaged"),
        (b"", "This is not a backup"),
    ],
)
def test_a_bad_file_is_refused_in_words(phone: FlaskClient, data: bytes, sentence: str) -> None:
    status, text = send_file(phone, "/backup", data)
    assert status == 422
    assert sentence in text["words"]
    assert "Nothing was changed" in text["words"] or not data


def test_a_shared_database_says_what_to_do_instead(client: FlaskClient) -> None:
    page = get_page(client, "/backup/")
    assert "tongbox restore" in page.main.text
    assert not page.main.all("form")
    assert client.post("/backup/begin", data={"size": "9"}).status_code == 404


def test_nothing_set_aside_is_found_under_another_name(phone: FlaskClient, store: Store) -> None:
    assert phone.get("/backup/set-aside/photos.tar").status_code == 404
    assert phone.post("/backup/set-aside/photos/delete").status_code == 303
    assert (Path(store.folder) / "photos").exists()
