"""The camera takes the photograph by itself where the table has chosen so, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.club.camera_assignments import AUTO_SNAP_SETTING, AutoSnapChoice
from device.club.tables import ClubTables
from device.hands.repository import HandRepository
from device.settings import SettingsLog
from device.store import Store
from device.store.events import (
    BOX,
    Event,
    SettingChanged,
    SnappingChosen,
    TableCleared,
    TableCreated,
)
from tests.device.club.rooms import lay, phone_at, post
from tests.device.fake_camera import until
from tests.device.web.club.conftest import SECOND, Start, choose, is_ready

WAYS = [
    ("/camera/by-itself", "beneath the live picture"),
    ("/setup/switch/snap_when_ready", "on the Setup page"),
    ("/club/tables/{table}/by-itself", "on the table's page"),
]


@pytest.fixture
def hall(start: Start) -> tuple[Flask, str, str]:
    """Return a box and two tables: over one hangs its own camera, over the other a webcam."""
    app = start()
    tables = lay(app, "Window"), lay(app, "Door")
    assert choose(app, tables[1], SECOND) == 303
    for table in tables:
        until(lambda table=table: is_ready(phone_at(app, table)))  # type: ignore[misc]
    return app, *tables


def switched(phone: FlaskClient, path: str, to: str = "by-itself") -> bool:
    """Return whether a page shows the switch as on, whose form leads `to` what ends so."""
    _, found, form = phone.get(path).text.partition(to)
    assert found, path
    return "checked" in form.partition("</form>")[0]


def is_on(app: Flask, table: str) -> bool:
    """Return whether it does so at a table, which all that a phone there is shown must agree on."""
    phone = phone_at(app, table)
    found = {
        "snap" in (phone.get("/camera/now").json or {}),
        phone.post("/camera/photo-if-due").status_code == 204,
        switched(phone, "/single/"),
        switched(phone, f"/club/tables/{table}/"),
    }
    assert len(found) == 1
    return found.pop()


def test_a_switch_at_one_table_changes_no_other(hall: tuple[Flask, str, str]) -> None:
    app, window, door = hall
    for way, why in WAYS:
        post(phone_at(app, door), way.format(table=door), on="yes")
        for on in (True, False):
            post(phone_at(app, window), way.format(table=window), on="yes" if on else "no")
            assert (is_on(app, window), is_on(app, door)) == (on, True), why
        post(phone_at(app, door), way.format(table=door), on="no")


def test_it_stays_so_after_a_start_and_under_another_camera(start: Start) -> None:
    app = start()
    window, door = lay(app, "Window"), lay(app, "Door")
    post(phone_at(app, door), "/camera/by-itself", on="yes")
    again = start()
    assert choose(again, door, SECOND) == 303
    until(lambda: is_ready(phone_at(again, door)))
    until(lambda: is_ready(phone_at(again, window)))
    assert (is_on(again, window), is_on(again, door)) == (False, True)


def test_the_setup_page_offers_it_of_the_boxs_camera_where_that_hangs(
    hall: tuple[Flask, str, str],
) -> None:
    app, window, door = hall
    for table in (door, ""):
        page = phone_at(app, table).get("/settings/table/").text
        assert "camera_turned" in page
        assert AUTO_SNAP_SETTING not in page
    for on in (True, False):
        assert post(
            phone_at(app, window), f"/setup/switch/{AUTO_SNAP_SETTING}", on="yes" if on else "no"
        )
        assert switched(phone_at(app, window), "/settings/table/", to=AUTO_SNAP_SETTING) == on
    post(app.test_client(), "/setup/switch/snap_when_ready", on="yes")
    assert not is_on(app, window)
    assert not is_on(app, door)


def test_on_a_box_of_one_table_it_is_a_setting_as_ever(start: Start, hands: HandRepository) -> None:
    app = start()
    phone = app.test_client()
    for on in (True, False):
        post(phone, "/camera/by-itself", on="yes" if on else "no")
        assert SettingsLog(hands.store).now().snap_when_ready == on
        assert switched(phone, "/settings/table/", to=AUTO_SNAP_SETTING) == on
        assert switched(phone, "/single/") == on
    assert {each.event.name for each in hands.store.of_kinds(SettingChanged)} == {"snap_when_ready"}
    assert hands.store.latest(SnappingChosen) is None


def said(*, on: bool) -> tuple[str, Event]:
    return BOX, SettingChanged("snap_when_ready", on)


def chosen(table: str, *, on: bool) -> tuple[str, Event]:
    return BOX, SnappingChosen(table, on)


LAID: list[tuple[str, Event]] = [("t1", TableCreated("Window")), ("t2", TableCreated("Door"))]

CLEARED: list[tuple[str, Event]] = [("t1", TableCleared()), ("t2", TableCleared())]

LOGS: list[tuple[list[tuple[str, Event]], str, str]] = [
    ([], "", "nobody has chosen"),
    ([said(on=True)], "- t1 t2", "one table, and what is laid later begins so"),
    ([*LAID, said(on=True)], "- t1 t2", "a log of before: for all of them"),
    ([said(on=True), *LAID, chosen("t1", on=False)], "- t2", "one of them would not"),
    ([*LAID, chosen("t2", on=True)], "t2", "one of them would"),
    ([*LAID, chosen("", on=True)], "-", "what goes on at the one without a name"),
    ([*LAID, chosen("t2", on=True), said(on=False)], "", "a log of before, after another update"),
    ([*LAID, chosen("", on=True), *CLEARED], "-", "one table again, which goes on as it was"),
    ([(BOX, SettingChanged("snap_when_ready", "yes"))], "", "a word is no answer"),
]
"""What was kept, and at which tables the camera does so by then; `-` is the one without a name."""


@pytest.mark.parametrize(("events", "where_on", "why"), LOGS)
def test_what_the_log_says(
    store: Store, events: Sequence[tuple[str, Event]], where_on: str, why: str
) -> None:
    for stream, event in events:
        store.append(stream, event)
    found = [table for table in ("", "t1", "t2") if AutoSnapChoice(store).is_on_at(table)]
    assert " ".join(each or "-" for each in found) == where_on, why


def test_each_choice_is_the_tables_alone_and_kept_once(store: Store) -> None:
    snapping, tables = AutoSnapChoice(store), ClubTables(store)
    snapping.choose("", is_on=True)
    first, second = tables.lay("Window"), tables.lay("Door")
    for on in (False, False, True, False):
        snapping.choose(first, is_on=on)
        assert [snapping.is_on_at(each) for each in ("", first, second)] == [True, on, True]
    assert len(store.of_kinds(SnappingChosen)) == 3
    snapping.choose("", is_on=False)
    assert [snapping.is_on_at(each) for each in ("", first, second)] == [False, False, True]
    tables.clear(first)
    tables.clear(second)
    for on in (True, False, True):
        snapping.choose("", is_on=on)
        assert snapping.is_on_at("") == on, "one table again"
    assert snapping.is_on_at(tables.lay("Garden")), "which a new one begins with"
