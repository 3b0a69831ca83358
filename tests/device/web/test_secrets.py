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
from tests.device.walking.boxes import Played, played
from tests.device.walking.walker import ADDRESS_WORDS, ENDLESS_VIEWS, PAPER_VIEWS

pytestmark = pytest.mark.slow

SLOW_PAPERS = PAPER_VIEWS - {"print.label", "print.tables"}
"""Papers that nobody comes in by."""

WHOLE_LOG = "backup.download"
"""The owner's: all that is on the box in one file, as the page beside it says."""

BOX, ORGANISER, TABLE = "pin-of-the-box", "pin-of-organisers", "pin-of-a-table"
TOKENS = ("token-of-the-box", "token-of-organisers", "token-of-a-table")
"""No PIN and no token that a box makes, so that a page that has one has it from there."""


def addresses(club: Played) -> dict[str, list[str]]:
    """Return where each page is that is looked at, of every table."""
    known = ADDRESS_WORDS | club.known | {"paper": ["a4"], "exercise": ["tile"]}
    found: dict[str, list[str]] = {}
    for rule in club.app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.endpoint in ENDLESS_VIEWS | SLOW_PAPERS:
            continue
        first = {name: known.get(name, ["x"])[0] for name in rule.arguments}
        numbers = {name: 1 for name in rule.arguments if f"int:{name}" in rule.rule}
        for table in club.known["table"] if "id:table" in rule.rule else [""]:
            built = rule.build(first | {"table": table} | numbers)
            if built:
                found.setdefault(rule.endpoint, []).append(built[1])
    return found


def showing(
    phone: FlaskClient, pages: Mapping[str, list[str]], lets_in: list[str]
) -> dict[str, set[str]]:
    """Return what each page shows of what is secret."""
    found: dict[str, set[str]] = {}
    for endpoint, paths in pages.items():
        for path in paths:
            lets_in.clear()
            text = phone.get(path).get_data().decode("utf-8", "replace") + " ".join(lets_in)
            shown = {each for each in (BOX, ORGANISER, TABLE, *TOKENS, *lets_in) if each in text}
            if shown:
                found.setdefault(endpoint, set()).update(shown)
    return found


def test_pins_and_codes_are_shown_to_those_alone_who_may_know_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes: list[str] = []
    link_to = PageLink.link_to

    def noted(way: PageLink, path: str) -> str:
        codes.append(way.code)
        return link_to(way, path)

    monkeypatch.setattr(PageLink, "link_to", noted)
    with played("club", tmp_path / "box") as club:
        settings, pages = SettingsLog(club.store), addresses(club)
        for name, value in zip(
            ("pin", "pin_token", "organiser_pin", "organiser_token"),
            (BOX, TOKENS[0], ORGANISER, TOKENS[1]),
            strict=True,
        ):
            settings.change(name, value)
        club.store.append(club.known["table"][-1], TablePinChanged(TABLE, TOKENS[2]))
        code = qr_code_secret(settings.now())
        player, leader = club.app.test_client(), club.app.test_client()
        for phone in (player, leader):
            phone.set_cookie(pin.PIN_COOKIE, TOKENS[0])
        leader.set_cookie(organiser.ORGANISER_COOKIE, TOKENS[1])

        said = {key for key, row in PERMISSIONS.items() if row.role is Role.ROOM}
        found = showing(player, pages, codes)
        assert set(found) == (said & pages.keys()) - {"at.sit_down"}, "each has a row: why it may"
        assert set.union(*found.values()) == {BOX, code}, "no other secret is a player's"
        more = {page: pages[page] for page in pages.keys() & PERMISSIONS.keys() - {WHOLE_LOG}}
        found = showing(leader, more, codes)
        assert [page for page, shown in found.items() if ORGANISER in shown] == ["organiser.show"]
        assert [page for page, shown in found.items() if TABLE in shown] == ["club_tables.of"]
        assert not set.union(*found.values()) & set(TOKENS), "a token is for a cookie alone"
