"""The box's settings are what the log says last."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from device.access import ensure_phone_secret, load_phone_secret
from device.doctor.report import write_report
from device.host.machine import Machine
from device.settings import Settings, SettingsLog
from device.store import Store
from device.store.events import BOX, SettingChanged
from device.store.store_url import open_store
from tests.device.events import write_raw


def test_a_new_box_has_the_defaults(store: Store) -> None:
    assert SettingsLog(store).read() == Settings()


def test_the_last_word_counts_and_survives_a_restart(store: Store) -> None:
    settings = SettingsLog(store)
    settings.change("pin", "4821")
    settings.change("camera_turned", True)
    settings.change("pin", "1111")
    assert SettingsLog(store).read() == Settings(camera_turned=True, pin="1111")


def test_a_choice_already_in_force_writes_nothing(store: Store) -> None:
    settings = SettingsLog(store)
    settings.change("snap_when_ready", True)
    settings.change("snap_when_ready", True)
    assert len(store.events("box")) == 1


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "red"),  # no such setting
        ("pin", True),  # of the wrong kind
        ("camera_turned", "yes"),  # a word is not an answer
    ],
)
def test_what_is_no_setting_is_refused_and_not_kept(
    store: Store, name: str, value: bool | str
) -> None:
    with pytest.raises(ValueError, match="no setting"):
        SettingsLog(store).change(name, value)
    assert store.events("box") == ()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        ({"name": "pin"}, "no value"),
        ({"name": "colour", "value": "red"}, "no such setting"),
        ({"name": "camera_turned", "value": "yes"}, "a word is not an answer"),
    ],
)
def test_an_event_that_makes_no_sense_is_told_and_changes_nothing(
    store: Store, caplog: pytest.LogCaptureFixture, data: dict[str, object], reason: str
) -> None:
    SettingsLog(store).change("pin", "4821")
    write_raw(store, "box", "setting-changed", data)
    for _ in range(2):
        assert SettingsLog(store).read() == Settings(pin="4821"), reason
    assert caplog.text.count("Event 2 (setting-changed) of box makes no sense") == 1


def test_it_is_made_once_and_is_every_processs(store_url: str, tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "box", store_url)) as first_store:
        assert load_phone_secret(first_store) == ""
        secret = ensure_phone_secret(first_store)
        with closing(open_store(tmp_path / "box", store_url)) as other:
            assert load_phone_secret(other) == ensure_phone_secret(other) == secret
    assert len(secret) > 40
    with closing(open_store(tmp_path / "box", store_url)) as second_store:
        assert ensure_phone_secret(second_store) == secret, "after a restart"


def test_of_two_that_are_made_at_once_all_take_the_first(store: Store) -> None:
    for secret in ("first", "second"):
        store.append(BOX, SettingChanged("phone_secret", secret))
    SettingsLog(store).change("phone_secret", "third")
    assert ensure_phone_secret(store) == "first"


def test_no_report_tells_it(store: Store, tmp_path: Path) -> None:
    secret = ensure_phone_secret(store)
    assert secret not in write_report(Machine(tmp_path), (), store)
