"""How often a page asks the log: each question is a wait behind all other phones' questions."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.device.asked import asked
from tests.device.club.rooms import begin, lay, phone_at, post

ASKS = [
    ("/table/", 7),  # whose phones there are, and whether the log was damaged, besides
    ("/table/winner", 5),  # settings, table, which match is on, whether it is over, and it
    ("/table/hand/0", 5),
]
"""What is looked at in every deal; it was 10, 6 and 6."""

PLAYERS = ("Ann", "Bob", "Cy", "Di")


@pytest.fixture(params=[False, True], ids=["one table", "of several"])
def phone(request: pytest.FixtureRequest, app: Flask) -> FlaskClient:
    """Return a phone at a table where a deal is scored."""
    tables = [lay(app, name) for name in ("Table 1", "Table 2")] if request.param else [""]
    found = phone_at(app, tables[0])
    begin(found, PLAYERS)
    post(found, "/table/join", number="0")
    post(found, "/table/winner", who="1", won_by="wall")
    found.get("/table/")
    return found


@pytest.mark.parametrize(("path", "most"), ASKS)
def test_a_page_of_the_table_asks_little(phone: FlaskClient, path: str, most: int) -> None:
    with asked() as seen:
        assert phone.get(path).status_code == 200
    assert len(seen) <= most, [str(each) for each in seen]


@pytest.mark.parametrize("path", [path for path, _ in ASKS])
def test_what_a_page_asks_is_put_into_words_once(phone: FlaskClient, path: str) -> None:
    asked_for = []
    for _ in range(2):
        with asked() as seen:
            phone.get(path)
        asked_for.append(seen)
    first, again = asked_for
    assert all(new is old for new, old in zip(again, first, strict=True))
