"""Several tables on one box: laid by the page, sat at by a code, each with a match of its own."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pypdfium2 import PdfDocument

from device.access import set_new_pin
from device.club.tables import MAX_TABLE_NAME_CHARS, ClubTables
from device.hands.repository import HandRepository
from device.i18n.words import load
from device.matches.repository import MatchRepository
from device.services import Services
from device.settings import SettingsLog
from device.web import Box, create_app
from device.web.club.overview import CLUB_LINKS
from device.web.contexts import Records, Room, find_context
from device.web.cookies import TABLE_COOKIE
from tests.device.club.rooms import begin, lay, match_at, phone_at, post, text
from tests.device.page import Page, get_page
from tests.pdf_pages import MM, letters_on, render_pages

FOUR_PLAYERS = ("Ann", "Bob", "Cy", "Di")
OTHER = ("Eva", "Fay", "Gus", "Hal")

SCREENS = ("/", "/first/", "/match/new", "/single/", "/table/", "/table/winner",
           "/learn/", "/sets/", "/setup/", "/phone/", "/join", "/table/end")  # fmt: skip


def two_tables(app: Flask) -> tuple[str, str, FlaskClient, FlaskClient]:
    """Return the ids of two new tables, and a phone at each."""
    first, second = lay(app, "Table 1"), lay(app, "Table 2")
    return first, second, phone_at(app, first), phone_at(app, second)


def two_tables_that_play(app: Flask) -> tuple[str, str, FlaskClient, FlaskClient]:
    """Return the ids of two tables with a match each, and a phone at each."""
    first, second, ann, eve = two_tables(app)
    begin(ann, FOUR_PLAYERS)
    begin(eve, OTHER)
    return first, second, ann, eve


def test_a_box_where_nothing_was_laid_says_nothing_of_it(app: Flask) -> None:
    """No new word, no new tap, no new cookie: but for a line of *Settings* and of *Matches*."""
    phone = app.test_client()
    begin(phone, FOUR_PLAYERS)
    texts = load()
    other_texts = {sentence for key, sentence in texts.items() if not key.startswith("club.")}
    words = [
        sentence
        for key, sentence in texts.items()
        if key.startswith("club.") and "{" not in sentence and sentence not in other_texts
    ]
    assert len(words) > 20, "the search itself works"
    for path in SCREENS:
        page = text(phone, path)
        assert [each for each in words if f">{each}<" in page] == [], path
        assert not re.search("/at/|/club/", page), path
    assert phone.get_cookie(TABLE_COOKIE) is None
    for path in ("/settings/", "/matches"):
        assert text(phone, path).count("/club/") == 1
    assert phone.get("/").headers["Location"] == "/table/", "straight to the table as ever"


def test_each_table_has_a_match_of_its_own(app: Flask, hands: HandRepository) -> None:
    """On a box without tables, the second group to begin ended the first one's match."""
    first, second, ann, eve = two_tables_that_play(app)
    assert "Ann" in text(ann, "/")
    assert "Eva" not in text(ann, "/")
    assert "Eva" in text(eve, "/")
    assert (match_at(hands, first).ended, match_at(hands, second).ended) == (False, False)
    post(ann, "/table/end")
    assert "Eva" in text(eve, "/table/"), "the other table plays on"
    assert MatchRepository(hands.store, first).current() is None
    assert "Table 1" in text(phone_at(app, first), "/")


def test_the_code_on_the_table_is_all_that_it_takes(app: Flask) -> None:
    table = lay(app, "Window")
    page = get_page(app.test_client(), f"/club/tables/{table}/")
    assert f"/at/{table}/" in page.links()
    assert page.all(".code")
    phone = app.test_client()
    response = phone.get(f"/at/{table}/")
    assert Page(response.text).single("meta[http-equiv=refresh]")["content"] == "0; url=/"
    cookie = phone.get_cookie(TABLE_COOKIE)
    assert cookie
    assert (cookie.http_only, cookie.same_site) == (True, "Strict")
    begin(phone, FOUR_PLAYERS)
    assert "Window" in text(phone, "/table/"), "the felt says which table it is"


def test_a_phone_that_scanned_nothing_chooses_among_names_and_players(app: Flask) -> None:
    first, second = lay(app, "Table 1"), lay(app, "Table 2")
    begin(phone_at(app, second), OTHER)
    for path in ("/", "/first/", "/table/", "/match/new"):
        page = text(app.test_client(), path)
        links = [(each["href"], each.text) for each in Page(page).all('a[href^="/at/"]')]
        assert links == [
            (f"/at/{first}/", "Table 1 Nobody plays here"),
            (f"/at/{second}/", "Table 2 Eva · Fay · Gus · Hal"),
        ], path


def test_the_only_table_needs_no_choice(app: Flask) -> None:
    table = lay(app, "Table 1")
    answer = app.test_client().get("/")
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/at/{table}/")


def test_the_code_that_a_phone_holds_out_leads_to_its_table(app: Flask) -> None:
    table = lay(app, "Table 1")
    lay(app, "Table 2")
    assert f"/at/{table}/" in text(phone_at(app, table), "/join")
    assert "/at/" not in text(app.test_client(), "/join")


def test_who_plays_while_tables_are_laid_notices_nothing(app: Flask, hands: HandRepository) -> None:
    phone, new = app.test_client(), app.test_client()
    begin(phone, FOUR_PLAYERS)
    post(phone, "/table/join", number="1")
    lay(app, "Table 2")
    assert phone.get("/").headers["Location"] == "/table/"
    post(phone, "/table/winner", who="1", won_by="wall")
    assert match_at(hands, "").deal.ending
    labels = Page(text(new, "/")).texts("span:has(> small)")
    assert labels == ["Table without a name Ann · Bob · Cy · Di", "Table 2 Nobody plays here"], (
        "others may still come to it"
    )


def test_the_clubs_page_leads_to_all_that_there_is(app: Flask) -> None:
    page = get_page(app.test_client(), "/club/")
    links = page.attributes("href", 'a.button.door[href^="/club/"]')
    assert links[0] == "/club/tables/"
    assert len(links) == len(set(links)) == len(CLUB_LINKS)
    assert all(
        app.test_client().get(each, follow_redirects=True).status_code == 200 for each in links
    )


def test_the_boxs_own_pin_stands_before_the_tables(app: Flask, hands: HandRepository) -> None:
    table = lay(app, "Table 1")
    settings = set_new_pin(SettingsLog(hands.store))
    owner = app.test_client()
    owner.post("/pin", data={"pin": settings.pin, "back": "/"})
    assert f"/at/{table}/" in get_page(owner, f"/club/tables/{table}/").links()
    code = re.search(r"\?code=([\w-]+)", text(owner, "/join") + _qr_link(app, table))
    assert code
    phone = app.test_client()
    assert phone.get(f"/at/{table}/").status_code == 403, "the box asks first"
    response = phone.get(f"/at/{table}/?code={code[1]}")
    assert (
        Page(response.text).single("meta[http-equiv=refresh]")["content"] == f"0; url=/at/{table}/"
    )
    assert phone.get(f"/at/{table}/").status_code == 200


def _qr_link(app: Flask, table: str) -> str:
    """Return what the QR code of a table says."""
    from device.access import qr_code_secret
    from device.host.page_links import PageLink

    settings = find_context(Records, app).settings.read()
    return PageLink("http://box/", code=qr_code_secret(settings)).link_to(f"at/{table}/")


@pytest.mark.parametrize(
    ("name", "status", "words", "reason"),
    [
        ("Table 1", 422, "already", "two of one name cannot be told apart"),
        ("", 422, "Please type a name", "a table has a name"),
        ("\u200b", 422, "Please type a name", "of signs that are seen"),
        ("x" * 200, 303, "", "what is too long is cut where the field ends"),
    ],
)
def test_a_table_is_laid_under_a_name(
    app: Flask, tables: ClubTables, name: str, status: int, words: str, reason: str
) -> None:
    lay(app, "Table 1")
    answer = app.test_client().post("/club/tables/", data={"name": name})
    assert answer.status_code == status, reason
    assert words in answer.text
    names = [each.name for each in tables.list_tables()]
    assert len(names) == 1 + (status == 303)
    assert names[-1] in (name[:MAX_TABLE_NAME_CHARS], "Table 1")
    assert names[-1] in text(app.test_client(), "/tables/")


def test_a_table_is_renamed_and_cleared_away(app: Flask, tables: ClubTables) -> None:
    table, other = lay(app, "Table 1"), lay(app, "Table 2")
    phone = phone_at(app, table)
    for typed_name, sentence in (("table 2", "already a table called table 2"), (" ", "a name")):
        refusal = phone.post(f"/club/tables/{table}/name", data={"name": typed_name})
        page = Page(refusal.text)
        assert refusal.status_code == 422
        assert sentence in page.single(".problem[role=alert]").text
        assert page.value("name") == (typed_name.strip() or "Table 1"), "on the form, as typed"
    post(phone, f"/club/tables/{table}/name", name="Window")
    begin(phone, FOUR_PLAYERS)
    refusal = phone.post(f"/club/tables/{table}/clear")
    assert refusal.status_code == 422
    assert (
        "A match is being played at Window"
        in Page(refusal.text).single(".problem[role=alert]").text
    )
    post(phone, "/table/end")
    begin(phone_at(app, other), OTHER)
    post(phone, f"/club/tables/{table}/clear")
    assert [each.name for each in tables.list_tables()] == ["Table 2"]
    response = phone.get(f"/at/{table}/")
    assert response.status_code == 404
    assert "table was removed" in response.text
    shown_page = get_page(phone, "/matches")
    assert "Table 2" in shown_page.text
    match = shown_page.single("a:has(time)", "Window")["href"]  # what was played there stays
    assert "Window" in get_page(phone, match).text
    assert phone.post(f"{match}resume").status_code == 404, "nobody could sit there"


def test_a_finished_match_goes_on_at_its_own_table_alone(app: Flask, hands: HandRepository) -> None:
    first, second, ann, eve = two_tables(app)
    begin(ann, FOUR_PLAYERS)
    match = match_at(hands, first).id
    post(ann, "/table/end")
    begin(eve, OTHER)  # the newest match of all is another table's
    assert "/resume" in text(ann, f"/match/{match}/final")
    assert "/resume" not in text(eve, f"/match/{match}/final")
    post(ann, f"/match/{match}/resume")
    assert match_at(hands, first).id == match
    post(ann, "/table/end")
    post(ann, f"/match/{match}/again")
    assert match_at(hands, first).game.players == FOUR_PLAYERS
    assert match_at(hands, second).game.players == OTHER


def test_a_page_that_outlasts_its_match_follows_that_one(app: Flask, hands: HandRepository) -> None:
    """It asked for the match of the phone's table, whichever the hand was of."""
    first, _, ann, eve = two_tables_that_play(app)
    post(ann, "/table/winner", who="0", won_by="wall")
    hand = post(ann, "/table/hand/0/enter").split("/")[2]
    asks = get_page(eve, f"/hand/{hand}/dispute").single('[data-news*="while-on"]')["data-news"]
    post(eve, "/table/end")
    assert eve.get(asks).status_code == 200, "its own match is over, that one is not"
    match = match_at(hands, first).id
    post(ann, "/table/end")
    assert eve.get(asks).headers["Location"] == f"/match/{match}/final"


def test_each_table_proposes_its_own_rules_and_players(app: Flask) -> None:
    first, _, ann, eve = two_tables(app)
    post(ann, f"/club/tables/{first}/rules", ruleset="safalra")
    assert get_page(ann, "/match/new").chosen_values("ruleset") == ["safalra"]
    assert get_page(eve, "/match/new").chosen_values("ruleset") == ["bmja"]
    begin(ann, FOUR_PLAYERS)  # by the rules of the form, the British ones
    begin(eve, OTHER)
    form = get_page(ann, "/match/new")
    assert form.chosen_values("ruleset") == ["bmja"], "the last match counts more"
    assert form.value("player0") == "Ann"
    assert get_page(eve, "/match/new").value("player0") == "Eva"


def test_whose_phones_are_here_is_known_of_every_table(app: Flask, hands: HandRepository) -> None:
    tables = [lay(app, f"Table {n}") for n in (1, 2)]
    phones = [phone_at(app, table) for table in tables]
    for phone, names in zip(phones, (FOUR_PLAYERS, OTHER), strict=True):
        begin(phone, names)
        post(phone, "/table/join", number="2")
    seats = find_context(Room, app).phones
    for phone in phones:
        phone.get("/table/")
    players = [seats.players_with_phone(match_at(hands, table).id) for table in tables]
    assert players == [{2}, {2}]
    phones[0].get(f"/at/{tables[1]}/")
    assert seats.players_with_phone(match_at(hands, tables[0]).id) == set(), (
        "it has gone to another table"
    )


def test_the_box_is_not_switched_off_unasked_while_any_table_plays(app: Flask) -> None:
    first, _ = lay(app, "Table 1"), lay(app, "Table 2")
    begin(phone_at(app, first), FOUR_PLAYERS)
    with app.test_request_context("/"):
        matches = find_context(Room).matches
        assert matches.current() is None, "nobody plays where this phone sits"
        assert matches.running_tables() == (first,)


def test_the_codes_are_printed_two_on_a_sheet(app: Flask) -> None:
    tables = [lay(app, f"Table {n}") for n in range(1, 6)]
    phone = app.test_client()
    assert "/print/tables.pdf" in text(phone, "/club/tables/")
    for path, sheets in (("/print/tables.pdf", 3), (f"/print/tables.pdf?table={tables[0]}", 1)):
        answer = phone.get(path)
        assert answer.mimetype == "application/pdf"
        assert len(render_pages(answer.data, 1)) == sheets
    assert phone.get("/print/tables.pdf?table=nowhere").status_code == 404


@pytest.mark.parametrize("name", ["W" * MAX_TABLE_NAME_CHARS, "桌" * MAX_TABLE_NAME_CHARS])
def test_the_longest_name_stays_within_its_label(app: Flask, name: str) -> None:
    """By the widths in the PDF: the Chinese font is in no file, and need not be on this machine."""
    table = lay(app, name)
    pdf = app.test_client().get(f"/print/tables.pdf?table={table}").data
    with PdfDocument(pdf) as document:
        letters = letters_on(document[0])[: len(name)]
    assert "".join(each.text for each in letters) == name
    left = (210 - 148) / 2
    assert left < min(each.left for each in letters) * MM
    assert max(each.right for each in letters) * MM < left + 148


@pytest.mark.parametrize("path", ["/club/tables/nowhere/", "/at/nowhere/"])
def test_a_table_that_there_is_not_is_said_in_words(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert answer.status_code == 404
    assert "table was removed" in answer.text


def test_a_box_where_a_table_was_laid_greets_nobody_as_new(services: Services) -> None:
    app = create_app(Box(services, greets=True))
    assert "first/steps" in text(app.test_client(), "/"), "a new one does"
    table = lay(app, "Table 1")
    assert "first/steps" not in text(phone_at(app, table), "/")


@pytest.mark.parametrize(
    ("typed_pin", "status", "reason"),
    [
        ("{pin}", 200, "the right one"),
        ("{wrong}", 403, "another"),
        ("１２３４5", 403, "too long, and of signs that are no digits of a phone"),
    ],
)
def test_a_table_with_a_pin_asks_for_it_once(
    app: Flask, tables: ClubTables, typed_pin: str, status: int, reason: str
) -> None:
    table, other = lay(app, "Table 1"), lay(app, "Table 2")
    owner = phone_at(app, table)
    post(owner, f"/club/tables/{table}/pin", pin="new")
    pin = tables.get(table).pin
    assert pin in text(owner, f"/club/tables/{table}/"), "who sits there may tell the others"
    phone = app.test_client()
    assert phone.get(f"/at/{table}/").status_code == 403
    assert not re.search(rf"\b{pin}\b", text(phone, f"/club/tables/{table}/")), "but to nobody else"
    forger = app.test_client()
    forger.set_cookie(TABLE_COOKIE, f"table={table}&key=x")
    assert "Table 2" in text(forger, "/match/new"), "who has not the table's key sits nowhere"
    pin_text = typed_pin.format(pin=pin, wrong=f"{(int(pin) + 1) % 10000:04}")
    assert phone.post(f"/at/{table}/", data={"pin": pin_text}).status_code == status, reason
    sits = status == 200
    assert (phone.get(f"/at/{table}/").status_code == 200) == sits, "asked once"
    assert ("Table 2" in text(phone, "/match/new")) != sits, "who sits nowhere is asked where"
    assert phone.get(f"/at/{other}/").status_code == 200, "the other table asks for none"
    post(owner, f"/club/tables/{table}/pin", pin="new")
    assert phone.get(f"/at/{table}/").status_code == 403, "a new PIN logs out"
    assert owner.get(f"/at/{table}/").status_code == 200, "but not the phone that made it"


def test_a_pin_is_guessed_slowly_and_each_table_by_itself(app: Flask, tables: ClubTables) -> None:
    known_table, guessed_table = lay(app, "Table 1"), lay(app, "Table 2")
    for table in (known_table, guessed_table):
        tables.new_pin(table)
    phone = app.test_client()
    right = {"pin": tables.get(known_table).pin}
    wrong = {"pin": f"{(int(tables.get(guessed_table).pin) + 1) % 10000:04}"}
    for _ in range(3):
        assert phone.post(f"/at/{guessed_table}/", data=wrong).status_code == 403
        assert phone.post(f"/at/{known_table}/", data=right).status_code == 200
    answer = phone.post(f"/at/{guessed_table}/", data={"pin": tables.get(guessed_table).pin})
    assert answer.status_code == 429, "knowing one table's PIN begins no new count at another"
    assert "Please wait a minute" in answer.text


@pytest.mark.parametrize("setting", ["name", "clear"])
def test_a_table_with_a_pin_is_changed_by_those_who_sit_there(
    app: Flask, tables: ClubTables, setting: str
) -> None:
    table = lay(app, "Table 1")
    tables.new_pin(table)
    before = tables.get(table)
    fields = {"name": "Mine", "pin": "off", "ruleset": "safalra", "set": "first", "here": "yes"}
    address = post(app.test_client(), f"/club/tables/{table}/{setting}", **fields)
    assert address == f"/at/{table}/", "it is asked for the PIN instead"
    assert tables.get(table) == before


@pytest.mark.parametrize(
    ("setting", "sender", "expected_page", "reason"),
    [
        ("pin", "organiser", "/club/tables/{table}/", "also where the PIN is forgotten"),
        ("rules", "player", "/club/tables/{table}/", "what is played with is the table's to say"),
        ("clear", "player", "", "the room is the organiser's"),
        ("rules", "stranger", "/at/{table}/", "who sits there not is asked for the table's PIN"),
        ("clear", "stranger", "", "or for the organiser's"),
    ],
)
def test_with_an_organiser_the_room_is_the_organisers(
    app: Flask,
    hands: HandRepository,
    tables: ClubTables,
    setting: str,
    sender: str,
    expected_page: str,
    reason: str,
) -> None:
    table = lay(app, "Table 1")
    player, organiser = phone_at(app, table), app.test_client()
    post(player, f"/club/tables/{table}/pin", pin="new")
    post(organiser, "/club/organiser/pin", pin="new")
    phone = {"player": player, "organiser": organiser, "stranger": app.test_client()}[sender]
    fields = {"name": "Mine", "pin": "new", "ruleset": "safalra"}
    answer = phone.post(f"/club/tables/{table}/{setting}", data=fields)
    assert answer.headers.get("Location", "") == expected_page.format(table=table), reason
    if not expected_page:
        assert answer.status_code == 403
        assert "organiser" in answer.text
        assert [each.name for each in tables.list_tables()] == ["Table 1"]
    assert app.test_client().post("/club/tables/", data={"name": "New"}).status_code == 403
    shown_text = (
        text(phone, f"/club/tables/{table}/") if setting != "clear" or not expected_page else ""
    )
    assert (f"/club/tables/{table}/clear" in shown_text) == (
        sender == "organiser" and setting != "clear"
    )
