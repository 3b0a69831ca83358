"""PINs of several tables: each its own, asked once, guessed slowly; the organiser above them."""

from __future__ import annotations

import pytest
from flask import Flask

from device.club.tables import ClubTables
from device.hands.repository import HandRepository
from tests.device.club.rooms import lay, phone_at, post, text

ONE = ("Ann", "Bob", "Cy", "Di")
OTHER = ("Eve", "Fay", "Gus", "Hal")


@pytest.mark.parametrize(
    ("typed", "status", "why"),
    [
        ("{pin}", 200, "the right one"),
        (" {pin} ", 200, "blanks are not the player's fault"),
        ("{wrong}", 403, "another"),
        ("", 403, "none"),
        ("１２３４5", 403, "too long, and of signs that are no digits of a phone"),
    ],
)
def test_a_table_with_a_pin_asks_for_it_once(
    app: Flask, tables: ClubTables, typed: str, status: int, why: str
) -> None:
    table, other = lay(app, "Table 1"), lay(app, "Table 2")
    owner = phone_at(app, table)
    post(owner, f"/club/tables/{table}/pin", pin="new")
    pin = tables.get(table).pin
    assert pin in text(owner, f"/club/tables/{table}/"), "who sits there may tell the others"
    phone = app.test_client()
    assert phone.get(f"/at/{table}/").status_code == 403
    assert pin not in text(phone, f"/club/tables/{table}/")
    said = typed.format(pin=pin, wrong=f"{(int(pin) + 1) % 10000:04}")
    assert phone.post(f"/at/{table}/", data={"pin": said}).status_code == status, why
    sits = status == 200
    assert (phone.get(f"/at/{table}/").status_code == 200) == sits, "asked once"
    assert ("Table 2" in text(phone, "/match/new")) != sits, "who sits nowhere is asked where"
    assert phone.get(f"/at/{other}/").status_code == 200, "the other table asks for none"
    post(owner, f"/club/tables/{table}/pin", pin="new")
    assert phone.get(f"/at/{table}/").status_code == 403, "a new PIN logs out"
    assert owner.get(f"/at/{table}/").status_code == 200, "but not the phone that made it"


def test_a_pin_is_guessed_slowly_and_each_table_by_itself(app: Flask, tables: ClubTables) -> None:
    known, guessed = lay(app, "Table 1"), lay(app, "Table 2")
    for table in (known, guessed):
        tables.new_pin(table)
    phone = app.test_client()
    right = {"pin": tables.get(known).pin}
    wrong = {"pin": f"{(int(tables.get(guessed).pin) + 1) % 10000:04}"}
    for _ in range(3):
        assert phone.post(f"/at/{guessed}/", data=wrong).status_code == 403
        assert phone.post(f"/at/{known}/", data=right).status_code == 200
    answer = phone.post(f"/at/{guessed}/", data={"pin": tables.get(guessed).pin})
    assert answer.status_code == 429, "knowing one table's PIN begins no new count at another"
    assert "Please wait a minute" in answer.text


@pytest.mark.parametrize("what", ["name", "pin", "rules", "set", "camera", "clear"])
def test_a_table_with_a_pin_is_changed_by_those_who_sit_there(
    app: Flask, tables: ClubTables, what: str
) -> None:
    table = lay(app, "Table 1")
    tables.new_pin(table)
    before = tables.get(table)
    fields = {"name": "Mine", "pin": "off", "ruleset": "safalra", "set": "first", "here": "yes"}
    where = post(app.test_client(), f"/club/tables/{table}/{what}", **fields)
    assert where == f"/at/{table}/", "it is asked for the PIN instead"
    assert tables.get(table) == before


@pytest.mark.parametrize(
    ("what", "who", "where", "why"),
    [
        ("clear", "organiser", "/club/tables/", "the organiser may do everything"),
        ("pin", "organiser", "/club/tables/{table}/", "also where the PIN is forgotten"),
        ("rules", "player", "/club/tables/{table}/", "what is played with is the table's to say"),
        ("clear", "player", "", "the room is the organiser's"),
        ("name", "player", "", "and so are the names in it"),
        ("rules", "stranger", "/at/{table}/", "who sits there not is asked for the table's PIN"),
        ("clear", "stranger", "", "or for the organiser's"),
    ],
)
def test_with_an_organiser_the_room_is_the_organisers(
    app: Flask, hands: HandRepository, tables: ClubTables, what: str, who: str, where: str, why: str
) -> None:
    table = lay(app, "Table 1")
    player, organiser = phone_at(app, table), app.test_client()
    post(player, f"/club/tables/{table}/pin", pin="new")
    post(organiser, "/club/organiser/pin", pin="new")
    phone = {"player": player, "organiser": organiser, "stranger": app.test_client()}[who]
    fields = {"name": "Mine", "pin": "new", "ruleset": "safalra"}
    answer = phone.post(f"/club/tables/{table}/{what}", data=fields)
    assert answer.headers.get("Location", "") == where.format(table=table), why
    if not where:
        assert answer.status_code == 403
        assert "organiser" in answer.text
        assert [each.name for each in tables.list_tables()] == ["Table 1"]
    assert app.test_client().post("/club/tables/", data={"name": "New"}).status_code == 403
    shown = text(phone, f"/club/tables/{table}/") if what != "clear" or not where else ""
    assert (f"/club/tables/{table}/clear" in shown) == (who == "organiser" and what != "clear")
