"""A player picks a newer version on a phone, and another phone looks on."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.updates.upload import open_upload
from device.web import updates as page
from tests.device.fake_reader import FakeReader
from tests.device.updates.machine import Updating
from tests.e2e.conftest import ServeWith
from tests.e2e.outage import Cut, outage
from tests.e2e.player import Player


def test_a_newer_version_is_picked_and_installed(
    player: Player, serve_with: ServeWith, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "PIECE_BYTES", 1500)
    computer = Updating.made(tmp_path / "computer")
    machine = computer.machine
    box = serve_with(FakeReader(), machine=machine, arrival=open_upload(machine))
    player.open(f"{box.url}/settings/box/")
    player.tap('a[href="/update/"]')
    player.see("#pick label")  # the page has come
    choose = player.browser.find_element("css selector", "#pick input")
    choose.send_keys(__file__)
    player.wait_until(
        lambda: "not an update of Tongbox" in player.text("#pick [role=status]"), "no refusal"
    )
    choose.send_keys(str(computer.bundle()))
    player.wait_until(lambda: "Version 9.9.9 is here" in player.text("#update"), "it is not taken")
    player.tap("#update .primary")
    player.wait_until(lambda: "begins in a moment" in player.text("#update"), "not begun")
    assert computer.wanted.exists()
    computer.tells("making 9.9.9")
    player.wait_until(lambda: "prepared" in player.text("#update"), "how far it is, by itself")
    computer.wanted.unlink()
    computer.tells("done 9.9.9")
    player.wait_until(lambda: "is done" in player.text("#update"), "that it is done, by itself")
    assert [each for each in player.complaints() if "422" not in each] == []


NOTE_WORDS = """
sessionStorage.said = "";
const words = document.querySelector("#pick [role=status]");
const note = () => (sessionStorage.said += words.textContent);
new MutationObserver(note).observe(words, {childList: true});
"""
"""Remembers all that the page says of an upload."""


@pytest.mark.parametrize(
    "cut_path",
    [
        pytest.param("/update/begin", marks=pytest.mark.prove),
        pytest.param("/update/piece", marks=pytest.mark.prove),
        "/update/finish",
    ],
)
def test_an_upload_whose_answer_is_lost_arrives_all_the_same(
    player: Player, serve_with: ServeWith, tmp_path: Path, cut_path: str
) -> None:
    computer = Updating.made(tmp_path / "computer")
    machine = computer.machine
    box = serve_with(FakeReader(), machine=machine, arrival=open_upload(machine))
    with outage(box.url) as network:
        player.open(f"{network.url}/update/")
        player.see("#pick label")
        player.browser.execute_script(NOTE_WORDS)
        network.cut, network.cut_path = Cut.NO_ANSWER, cut_path
        choose = player.browser.find_element("css selector", "#pick input")
        choose.send_keys(str(computer.bundle()))
        player.wait_until(lambda: network.is_away, "it was not sent")
        network.is_away = False
        player.wait_until(
            lambda: "Version 9.9.9 is here" in player.text("#update"), "it is not taken"
        )
        notice = player.browser.execute_script("return sessionStorage.said")
        assert "Another phone" not in notice
