"""What tests of custom rules do on their pages: copy a ruleset, find a row and change it."""

from __future__ import annotations

from flask.testing import FlaskClient

from scorer.rulesets.files import load_builtin_text
from tests.device.club.rooms import post
from tests.device.page import Page, get_page

HERE = "/settings/rules/"

NAMES = {"player0": "Ann", "player1": "Bob", "player2": "Cy", "player3": "Di"}

OURS = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "Our rules", 1)

NEW_HAND = {"name": "Run, pung and pair", "pattern": "x1-9, pung y, pair z", "value": "500"}


def copied(client: FlaskClient, of: str = "bmja", title: str = "Our rules") -> str:
    """Copy a ruleset by the page; return its id."""
    return post(client, f"{HERE}copy", of=of, title=title).split("/")[3]


def text_of(page: Page) -> str:
    """Return what stands in the form's box."""
    return page.single('textarea[name="text"]').tag.text().removeprefix("\n")


def row_named(page: Page, says: str) -> str:
    """Return where the row of these words is changed."""
    return next(
        each["href"]
        for each in page.all(".rule-list a")
        if each.single("span").text.startswith(says)
    )


def play_by(client: FlaskClient, *changes: tuple[str, dict[str, str]]) -> None:
    """Begin a match by a copy of the British rules in which these rows were changed."""
    ours = copied(client)
    for row, fields in changes:
        page = get_page(client, row_named(get_page(client, f"{HERE}{ours}/"), row))
        where = f"{HERE}{ours}/change/{page.main.single('form')['action'].split('/')[-1]}"
        post(client, where, seen=page.value("seen"), **fields)
    post(client, "/match/new", ruleset=ours, **NAMES)
