"""What players name themselves, such as rules, tables and seasons, tells of nobody who is hidden.

Forms that show "somebody" for a name save the name again, unless something else was typed.
"""

from __future__ import annotations

from html import unescape

import pytest
from flask.testing import FlaskClient

from device.club.people import PeopleRepository
from device.club.season import SeasonRepository
from device.club.tables import ClubTables
from device.i18n.words import say
from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.store import Store
from device.store.events import MatchEnded, SeasonBegun
from tests.device.identities import identity
from tests.device.match_play import AGREED_TERMS
from tests.device.page import get_page
from tests.pdf_pages import text_of

BOB = "Bob"


def hide(store: Store, name: str) -> None:
    people = PeopleRepository(store)
    people.remove(people.register().find_person(name), is_hidden=True)


@pytest.fixture
def rules(store: Store) -> str:
    """Return the key of rules that Bob made, and that are called after him; he is hidden."""
    key = CustomRulesets(store).copy("bmja", f"{BOB}’s rules", BOB)
    hide(store, BOB)
    return key


PAGES = [
    ("/settings/rules/", "the list"),
    ("/settings/rules/{key}/", "the page, with the text in its form"),
    ("/settings/rules/{key}/file", "the file"),
    ("/settings/rules/{key}/change/limit", "the form of a row"),
    ("/match/new", "rules to choose from"),
]


@pytest.mark.parametrize(("path", "page_name"), PAGES)
def test_rules_name_neither_their_author_nor_whom_they_are_called_after(
    client: FlaskClient, rules: str, path: str, page_name: str
) -> None:
    text = unescape(client.get(path.format(key=rules)).text)
    assert BOB not in text, page_name
    assert f"{say('table.somebody')}’s rules" in text, page_name


def test_rules_that_are_changed_by_a_phone_that_may_not_see_their_names_have_them_still(
    client: FlaskClient, rules: str, store: Store
) -> None:
    address = f"/settings/rules/{rules}/"
    page = get_page(client, address)
    text = unescape(client.get(f"{address}file").text).replace("limit = 1000", "limit = 500", 1)
    fields = {"seen": page.value("seen"), "text": text}
    assert client.post(f"{address}text", data=fields).status_code == 303
    ruleset = CustomRulesets(store).get(rules)
    assert (ruleset.title, ruleset.rules.author, ruleset.rules.limit) == (
        f"{BOB}’s rules",
        BOB,
        500,
    )
    fields = {"seen": str(ruleset.seen), "limit": "600"}
    assert client.post(f"{address}change/limit", data=fields).status_code == 303
    ruleset = CustomRulesets(store).get(rules)
    assert (ruleset.title, ruleset.rules.author, ruleset.rules.limit) == (
        f"{BOB}’s rules",
        BOB,
        600,
    )


def test_a_name_that_the_file_itself_needs_spoils_no_rules(
    client: FlaskClient, rules: str, store: Store
) -> None:
    hide(store, "pung")
    text = unescape(client.get(f"/settings/rules/{rules}/").text)
    assert BOB not in text
    assert client.get(f"/settings/rules/{rules}/file").status_code == 200


def test_a_table_and_a_season_are_saved_under_the_names_that_they_have(
    client: FlaskClient, store: Store
) -> None:
    hide(store, BOB)
    table = ClubTables(store).lay(f"{BOB}’s window")
    event = SeasonBegun(f"{BOB}’s autumn", "2026-01-01", "2026-12-31", "totals", (4, 2), None)
    season = SeasonRepository(store).begin(event)
    shown_name = f"{say('table.somebody')}’s"
    page = get_page(client, f"/club/tables/{table}/")
    assert page.value("name") == f"{shown_name} window"
    paper = " ".join(text_of(client.get(f"/print/tables.pdf?table={table}").data))
    assert BOB not in paper
    client.post(f"/club/tables/{table}/name", data={"name": page.value("name")})
    assert ClubTables(store).get(table).name == f"{BOB}’s window"
    form = get_page(client, f"/club/season/{season}/change")
    field_names = ("name", "first", "last", "places", "best")
    fields = {name: form.value(name) for name in field_names} | {"points": "totals", "players": "3"}
    assert fields["name"] == f"{shown_name} autumn"
    assert client.post(f"/club/season/{season}/change", data=fields).status_code == 303
    assert SeasonRepository(store).get(season).name == f"{BOB}’s autumn"
    client.post(f"/club/tables/{table}/name", data={"name": "Window"})
    assert ClubTables(store).get(table).name == "Window"


WAYS_ON = ["again", "resume"]


@pytest.mark.parametrize("way", WAYS_ON)
def test_a_match_is_shown_to_everybody_by_those_alone_who_may_see_its_names(
    client: FlaskClient, matches: MatchRepository, store: Store, way: str
) -> None:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, MatchEnded())
    hide(store, BOB)
    final = get_page(client, f"/match/{match}/final")
    assert say("final.names-hidden") in final.main.text
    assert all(f"/match/{match}/" not in form.action for form in final.forms)
    assert client.get(f"/match/{match}/again").status_code == 403
    assert client.post(f"/match/{match}/{way}").status_code == 403
    assert matches.current() is None
    assert BOB not in client.get("/table/", follow_redirects=True).text
    client.set_cookie("player", identity(store, match, 0, "Ann"))
    assert client.post(f"/match/{match}/{way}").status_code == 303
    assert matches.current() is not None


def test_a_match_of_nobody_who_is_hidden_goes_on_from_any_phone(
    client: FlaskClient, matches: MatchRepository, store: Store
) -> None:
    match = matches.begin(AGREED_TERMS)
    matches.change(match, MatchEnded())
    hide(store, "Zoe")
    assert client.post(f"/match/{match}/resume").status_code == 303
