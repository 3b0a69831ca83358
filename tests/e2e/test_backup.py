"""A backup is downloaded and restored from a phone, by the real program; and the plug is pulled."""

from __future__ import annotations

import http.client
import signal
import time
import urllib.request
from contextlib import closing, suppress
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException

from device.host.machine import LOOPBACK_ADDRESS
from device.i18n.words import load
from device.matches.repository import MatchRepository
from device.store import Store
from device.store.backup import write_backup
from tests.device.match_play import AGREED_TERMS, settle
from tests.e2e.engines import in_webkit_at_length
from tests.e2e.player import Player
from tests.e2e.test_deal import port, running_box
from tests.form_data import encode_upload

__all__ = ["port"]

RESTART_TIMEOUT_S = 60.0

NOTE_ALARM = """
const away = document.getElementById("away");
const note = () => { if (away && !away.hidden) sessionStorage.alarm = "raised"; };
note();
if (away && !window.isWatched) {
  window.isWatched = true;
  new MutationObserver(note).observe(away, { attributes: true });
}
"""
"""Notes whether the page says that the box does not answer, also after it was loaded again."""


def note_alarm(player: Player) -> None:
    with suppress(WebDriverException):  # a page is being loaded
        player.browser.execute_script(NOTE_ALARM)


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Return the backup of a box with one match, of Ann and others."""
    with closing(Store(tmp_path / "other")) as store:
        matches = MatchRepository(store)
        settle(matches, matches.begin(AGREED_TERMS), "Cy")
    write_backup(tmp_path / "other", tmp_path / "tongbox.tar")
    return tmp_path / "tongbox.tar"


def begin_match(url: str, *names: str) -> None:
    """Begin a match on the box by a form."""
    form = "&".join(f"player{number}={name}" for number, name in enumerate(names))
    urllib.request.urlopen(f"{url}/match/new", form.encode()).close()  # noqa: S310


def text_of(url: str) -> str:
    """Return a page as text; empty while the box is away."""
    with suppress(OSError, http.client.HTTPException), urllib.request.urlopen(url) as page:  # noqa: S310
        return str(page.read().decode())
    return ""


@in_webkit_at_length
def test_a_phone_restores_a_backup_and_brings_back_what_was_there(
    player: Player, backup: Path, tmp_path: Path, port: int
) -> None:
    url = f"http://{LOOPBACK_ADDRESS}:{port}"
    with running_box(tmp_path / "box", port) as box:
        begin_match(url, "Eva", "Fay", "Gus", "Hal")
        player.open(f"{url}/settings/box/")
        player.tap('a[href="/backup/"]')
        player.see("#pick")
        choose = player.browser.find_element("css selector", "#pick input")
        choose.send_keys(__file__)
        player.wait_until(
            lambda: "not a backup" in player.text("#pick [role=status]"), "no refusal"
        )
        choose.send_keys(str(backup))
        player.wait_until(
            lambda: "1 match, 0 hands" in player.text("#backup-page"), "not looked at"
        )
        note_alarm(player)
        player.tap("#backup-page .primary")

        def is_restored() -> bool:
            note_alarm(player)
            return "Restored from a backup" in player.text("#backup-page")

        player.wait_until(is_restored, "not back")
        alarm = player.browser.execute_script("return sessionStorage.getItem('alarm')")
        assert alarm is None, "the page knows that the box restarts"
        assert "Ann, Bob, Cy, Di" in text_of(f"{url}/matches")
        assert "Eva" not in text_of(f"{url}/matches")
        form = player.browser.find_element("css selector", 'form[action$="/bring-back"]')
        address = str(form.get_attribute("action"))
        player.open(f"{url}/table/")  # as another phone, which restores nothing itself
        note_alarm(player)
        post(url, address.partition("/backup/")[2], "")
        player.reads("#restart", load()["backup.under-way"])
        player.wait_until(lambda: "Eva" in text_of(f"{url}/matches"), "not brought back")
        player.wait_until(lambda: "Eva" in player.text(".felt"), "the other phone does not see it")
        assert "The box was restored from a backup at" in player.text("#restored")
        display = player.see("#restored .problem").value_of_css_property("display")
        assert display == "block", "no line of it covers the one before"
        assert player.browser.execute_script("return sessionStorage.getItem('alarm')") is None
        assert box.poll() is None, "it is the same process"
        box.send_signal(signal.SIGTERM)


@pytest.mark.prove
@pytest.mark.parametrize("delay", [0.0, 0.4, 0.9, 1.05, 1.2, 1.6, 2.2, 3.0])
def test_whoever_pulls_the_plug_finds_the_old_or_the_new_whole(
    backup: Path, tmp_path: Path, port: int, delay: float
) -> None:
    url = f"http://{LOOPBACK_ADDRESS}:{port}"
    with running_box(tmp_path / "box", port) as box:
        begin_match(url, "Eva", "Fay", "Gus", "Hal")
        data = backup.read_bytes()
        token = post(url, "begin", f"size={len(data)}").partition('"token":"')[2][:16]
        send_piece(url, token, data)
        post(url, "finish", f"token={token}")
        post(url, "restore", "")
        time.sleep(delay)
        box.kill()
    with running_box(tmp_path / "box", port):
        ends = time.monotonic() + RESTART_TIMEOUT_S
        while not (page_text := text_of(f"{url}/matches")) and time.monotonic() < ends:
            time.sleep(0.1)
        assert ("Ann, Bob, Cy, Di" in page_text) != ("Eva, Fay, Gus, Hal" in page_text)
        set_aside = text_of(f"{url}/backup/")
        assert ("/set-aside/" in set_aside) == ("Ann" in page_text), "and the other is set aside"


def post(url: str, name: str, content: str) -> str:
    """Send a form to the page of backups; return the answer without spaces."""
    with urllib.request.urlopen(f"{url}/backup/{name}", content.encode()) as answer:  # noqa: S310
        return str(answer.read().decode()).replace(" ", "")


def send_piece(url: str, token: str, data: bytes) -> None:
    """Send a whole file as one piece."""
    body, kind = encode_upload(data, {"token": token, "at": 0}, "piece", "piece")
    request = urllib.request.Request(f"{url}/backup/piece", body, {"Content-Type": kind})  # noqa: S310
    urllib.request.urlopen(request).close()  # noqa: S310
