"""Which pages show a PIN, or a code that lets a phone in, and to whom."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from device.access import qr_code_secret
from device.host.page_links import PageLink
from device.settings import SettingsLog
from device.store.events import TablePinChanged
from device.web import pin
from device.web.club import organiser
from device.web.permissions import PERMISSIONS, Role
from tests.device.walking.boxes import PlayedBox, play_box
from tests.device.walking.walker import ADDRESS_WORDS, ENDLESS_VIEWS, PAPER_VIEWS

pytestmark = pytest.mark.slow

SLOW_PAPERS = PAPER_VIEWS - {"print.label", "print.tables"}
"""Papers that nobody comes in by."""

WHOLE_LOG = "backup.download"
"""The owner's: all that is on the box in one file, as the page beside it says."""

BOX, ORGANISER, TABLE = "pin-of-the-box", "pin-of-organisers", "pin-of-a-table"
TOKENS = ("token-of-the-box", "token-of-organisers", "token-of-a-table")
"""No PIN and no token that a box makes, so that a page that has one has it from there."""


def addresses(club: PlayedBox) -> dict[str, list[str]]:
    """Return where each page is that is looked at, of every table."""
    words = ADDRESS_WORDS | club.known_ids | {"paper": ["a4"], "exercise": ["tile"]}
    page_addresses: dict[str, list[str]] = {}
    for rule in club.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in ENDLESS_VIEWS | SLOW_PAPERS:
            continue
        first = {name: words.get(name, ["x"])[0] for name in rule.arguments}
        numbers = {name: 1 for name in rule.arguments if f"int:{name}" in rule.rule}
        for table in club.known_ids["table"] if "id:table" in rule.rule else [""]:
            path = rule.build(first | {"table": table} | numbers)
            if path:
                page_addresses.setdefault(rule.endpoint, []).append(path[1])
    return page_addresses


def find_secrets(
    phone: FlaskClient, pages: Mapping[str, list[str]], lets_in: list[str]
) -> dict[str, set[str]]:
    """Return what each page shows of what is secret."""
    secrets: dict[str, set[str]] = {}
    for endpoint, paths in pages.items():
        for path in paths:
            lets_in.clear()
            text = phone.get(path).get_data().decode("utf-8", "replace") + " ".join(lets_in)
            shown_secrets = {
                each for each in (BOX, ORGANISER, TABLE, *TOKENS, *lets_in) if each in text
            }
            if shown_secrets:
                secrets.setdefault(endpoint, set()).update(shown_secrets)
    return secrets


def test_pins_and_codes_are_shown_to_those_alone_who_may_know_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[str] = []
    link_to = PageLink.link_to

    def note_page(way: PageLink, path: str) -> str:
        codes.append(way.code)
        return link_to(way, path)

    monkeypatch.setattr(PageLink, "link_to", note_page)
    with play_box("club", tmp_path / "box") as club:
        settings, pages = SettingsLog(club.store), addresses(club)
        for name, value in zip(
            ("pin", "pin_token", "organiser_pin", "organiser_token"),
            (BOX, TOKENS[0], ORGANISER, TOKENS[1]),
            strict=True,
        ):
            settings.change(name, value)
        club.store.append(club.known_ids["table"][-1], TablePinChanged(TABLE, TOKENS[2]))
        code = qr_code_secret(settings.read())
        player, leader = club.app.test_client(), club.app.test_client()
        for phone in (player, leader):
            phone.set_cookie(pin.PIN_COOKIE, TOKENS[0])
        leader.set_cookie(organiser.ORGANISER_COOKIE, TOKENS[1])

        room_pages = {key for key, row in PERMISSIONS.items() if row.role is Role.ROOM}
        secrets = find_secrets(player, pages, codes)
        assert set(secrets) == (room_pages & pages.keys()) - {"at.sit_down"}, (
            "each has a row: why it may"
        )
        assert set.union(*secrets.values()) == {BOX, code}, "no other secret is a player's"
        extra_pages = {
            page: pages[page] for page in pages.keys() & PERMISSIONS.keys() - {WHOLE_LOG}
        }
        secrets = find_secrets(leader, extra_pages, codes)
        assert [page for page, shown in secrets.items() if ORGANISER in shown] == ["organiser.show"]
        assert [page for page, shown in secrets.items() if TABLE in shown] == ["club_tables.of"]
        assert not set.union(*secrets.values()) & set(TOKENS), "a token is for a cookie alone"
