"""The camera takes the photograph by itself where the table has chosen so, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from flask import Flask
from flask.testing import FlaskClient

from device.club.table_switches import AUTO_SNAP_SETTING, auto_snap
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
from tests.device.fake_camera import wait_until
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
        wait_until(lambda table=table: is_ready(phone_at(app, table)))  # type: ignore[misc]
    return app, *tables


def is_switched_on(phone: FlaskClient, path: str, target: str = "by-itself") -> bool:
    """Return whether a page shows the switch as on, whose form leads `target` what ends so."""
    _, separator, form = phone.get(path).text.partition(target)
    assert separator, path
    return "checked" in form.partition("</form>")[0]


def is_on(app: Flask, table: str) -> bool:
    """Return whether it does so at a table, which all that a phone there is shown must agree on."""
    phone = phone_at(app, table)
    answers = {
        "snap" in (phone.get("/camera/now").json or {}),
        phone.post("/camera/photo-if-due").status_code == 204,
        is_switched_on(phone, "/single/"),
        is_switched_on(phone, f"/club/tables/{table}/"),
    }
    assert len(answers) == 1
    return answers.pop()


def test_a_switch_at_one_table_changes_no_other(hall: tuple[Flask, str, str]) -> None:
    app, window, door = hall
    for way, reason in WAYS:
        post(phone_at(app, door), way.format(table=door), on="yes")
        for on in (True, False):
            post(phone_at(app, window), way.format(table=window), on="yes" if on else "no")
            assert (is_on(app, window), is_on(app, door)) == (on, True), reason
        post(phone_at(app, door), way.format(table=door), on="no")


def test_it_stays_so_after_a_start_and_under_another_camera(start: Start) -> None:
    app = start()
    window, door = lay(app, "Window"), lay(app, "Door")
    post(phone_at(app, door), "/camera/by-itself", on="yes")
    restarted_app = start()
    assert choose(restarted_app, door, SECOND) == 303
    wait_until(lambda: is_ready(phone_at(restarted_app, door)))
    wait_until(lambda: is_ready(phone_at(restarted_app, window)))
    assert (is_on(restarted_app, window), is_on(restarted_app, door)) == (False, True)


def test_the_setup_page_offers_it_of_the_boxs_camera_where_that_hangs(
    hall: tuple[Flask, str, str],
) -> None:
    app, window, door = hall
    for table in (door, ""):
        page = phone_at(app, table).get("/settings/table/").text
        assert "camera_turned" in page
        assert AUTO_SNAP_SETTING not in page
    for switch_on in (True, False):
        assert post(
            phone_at(app, window),
            f"/setup/switch/{AUTO_SNAP_SETTING}",
            on="yes" if switch_on else "no",
        )
        assert (
            is_switched_on(phone_at(app, window), "/settings/table/", target=AUTO_SNAP_SETTING)
            == switch_on
        )
    post(app.test_client(), "/setup/switch/snap_when_ready", on="yes")
    assert not is_on(app, window)
    assert not is_on(app, door)


def test_on_a_box_of_one_table_it_is_a_setting_as_ever(start: Start, hands: HandRepository) -> None:
    app = start()
    phone = app.test_client()
    for switch_on in (True, False):
        post(phone, "/camera/by-itself", on="yes" if switch_on else "no")
        assert SettingsLog(hands.store).read().snap_when_ready == switch_on
        assert is_switched_on(phone, "/settings/table/", target=AUTO_SNAP_SETTING) == switch_on
        assert is_switched_on(phone, "/single/") == switch_on
    assert {each.event.name for each in hands.store.of_kinds(SettingChanged)} == {"snap_when_ready"}
    assert hands.store.latest(SnappingChosen) is None


def box_choice(*, on: bool) -> tuple[str, Event]:
    return BOX, SettingChanged("snap_when_ready", on)


def table_choice(table: str, *, on: bool) -> tuple[str, Event]:
    return BOX, SnappingChosen(table, on)


TABLES_CREATED: list[tuple[str, Event]] = [
    ("t1", TableCreated("Window")),
    ("t2", TableCreated("Door")),
]

TABLES_CLEARED: list[tuple[str, Event]] = [("t1", TableCleared()), ("t2", TableCleared())]

LOGS: list[tuple[list[tuple[str, Event]], str, str]] = [
    ([], "", "nobody has chosen"),
    ([box_choice(on=True)], "- t1 t2", "one table, and what is laid later begins so"),
    ([*TABLES_CREATED, box_choice(on=True)], "- t1 t2", "a log of before: for all of them"),
    (
        [box_choice(on=True), *TABLES_CREATED, table_choice("t1", on=False)],
        "- t2",
        "one of them would not",
    ),
    ([*TABLES_CREATED, table_choice("t2", on=True)], "t2", "one of them would"),
    ([*TABLES_CREATED, table_choice("", on=True)], "-", "what goes on at the one without a name"),
    (
        [*TABLES_CREATED, table_choice("t2", on=True), box_choice(on=False)],
        "",
        "a log of before, after another update",
    ),
    (
        [*TABLES_CREATED, table_choice("", on=True), *TABLES_CLEARED],
        "-",
        "one table again, which goes on as it was",
    ),
    ([(BOX, SettingChanged("snap_when_ready", "yes"))], "", "a word is no answer"),
]
"""What was kept, and at which tables the camera does so by then; `-` is the one without a name."""


@pytest.mark.parametrize(("events", "expected_tables", "reason"), LOGS)
def test_what_the_log_says(
    store: Store, events: Sequence[tuple[str, Event]], expected_tables: str, reason: str
) -> None:
    for stream, event in events:
        store.append(stream, event)
    tables = [table for table in ("", "t1", "t2") if auto_snap(store).is_on_at(table)]
    assert " ".join(each or "-" for each in tables) == expected_tables, reason


def test_each_choice_is_the_tables_alone_and_kept_once(store: Store) -> None:
    snapping, tables = auto_snap(store), ClubTables(store)
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
