"""The secret that signs whose a phone is: one for all processes that share a store."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from device.doctor.report import write_report
from device.host.machine import Machine
from device.settings.access import ensure_phone_secret, load_phone_secret
from device.settings.settings import SettingsLog
from device.store import Store
from device.store.events import BOX, SettingChanged
from device.store.store_url import open_store


def test_it_is_made_once_and_is_every_processs(where: str, tmp_path: Path) -> None:
    with closing(open_store(tmp_path / "box", where)) as one:
        assert load_phone_secret(one) == ""
        secret = ensure_phone_secret(one)
        with closing(open_store(tmp_path / "box", where)) as other:
            assert load_phone_secret(other) == ensure_phone_secret(other) == secret
    assert len(secret) > 40
    with closing(open_store(tmp_path / "box", where)) as again:
        assert ensure_phone_secret(again) == secret, "after a restart"


def test_of_two_that_are_made_at_once_all_take_the_first(store: Store) -> None:
    for secret in ("first", "second"):
        store.append(BOX, SettingChanged("phone_secret", secret))
    SettingsLog(store).change("phone_secret", "third")
    assert ensure_phone_secret(store) == "first"


def test_no_report_tells_it(store: Store, tmp_path: Path) -> None:
    secret = ensure_phone_secret(store)
    assert secret not in write_report(Machine(tmp_path), (), store)
