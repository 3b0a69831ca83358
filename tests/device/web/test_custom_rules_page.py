"""The page of rules: copy, bring, change and hand on a ruleset, and play by it everywhere."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from selectolax.lexbor import LexborNode
from werkzeug.test import TestResponse

from device.club.tables import ClubTables
from device.club.tournament.repository import TournamentRepository
from device.i18n.words import load
from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.services import Services
from device.settings.access import set_new_organiser_pin
from device.settings.settings import SettingsLog
from device.store import Store
from device.web import Box, create_app
from scorer.notation import parse_hand
from scorer.rulesets.custom import read_custom_ruleset
from scorer.rulesets.files import load_builtin_text, load_sample_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score
from tests.device.club.rooms import lay, phone_at, post
from tests.device.page import Page, Part, get_page, main_text

HERE = "/settings/rules/"

NAMES = {"player0": "Ann", "player1": "Bob", "player2": "Cy", "player3": "Di"}

OURS = load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "Our rules", 1)


@pytest.fixture
def rulesets(store: Store) -> CustomRulesets:
    return CustomRulesets(store)


def copied(client: FlaskClient, of: str = "bmja", title: str = "Our rules") -> str:
    """Copy a ruleset by the page; return its id."""
    return post(client, f"{HERE}copy", of=of, title=title).split("/")[3]


def text_of(page: Page) -> str:
    """Return what stands in the form's box."""
    return page.one('textarea[name="text"]').tag.text().removeprefix("\n")


def test_the_settings_lead_to_the_rules(client: FlaskClient) -> None:
    assert HERE in get_page(client, "/settings/").links()
    words = main_text(client, HERE)
    assert "British Mah-Jong (BMJA)" in words
    assert "Safalra's Mah Jong" in words


def test_a_copy_is_made_named_and_played_by(client: FlaskClient, matches: MatchRepository) -> None:
    ours = copied(client)
    page = get_page(client, f"{HERE}{ours}/")
    assert "Version 1" in page.text
    form = get_page(client, page.link("Play by these rules"))
    assert form.chosen("ruleset") == [ours]
    post(client, "/match/new", ruleset=ours, **NAMES)
    match = matches.current()
    assert match
    assert match.agreement.rules.version == 1
    assert "Our rules, version 1" in main_text(client, "/table/history")
    assert get_page(client, "/match/new").chosen("ruleset") == [ours], "the next is played alike"


def test_a_name_that_is_taken_is_asked_again(client: FlaskClient) -> None:
    copied(client)
    answer = client.post(f"{HERE}copy", data={"of": "safalra", "title": "OUR RULES"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "There are rules called “OUR RULES” already." in page.main.one('[role="alert"]').text
    assert "OUR RULES" in page.values("title")


def test_a_name_of_spaces_is_asked_again(client: FlaskClient, rulesets: CustomRulesets) -> None:
    client.post("/phone/", data={"language": "fr"})
    answer = client.post(f"{HERE}copy", data={"of": "safalra", "title": "  "})
    assert answer.status_code == 422
    assert (
        Page(answer.text).main.one('label [role="alert"]').text == "Tapez un nom, s’il vous plaît."
    )
    assert rulesets.list_all() == ()


@pytest.mark.parametrize(("at", "field"), [("special-new", "name"), ("rule-7", "sentence")])
def test_words_that_are_missing_are_said_by_the_label(
    client: FlaskClient, at: str, field: str
) -> None:
    ours = copied(client)
    answer = client.post(f"{HERE}{ours}/change/{at}", data={"seen": "1", **NEW_HAND, field: " "})
    assert answer.status_code == 422
    label = {"name": "Name", "sentence": "The rule in a sentence"}[field]
    faults = Page(answer.text).main.one('[role="alert"]').texts("li")
    assert faults == [f"“{label}” is empty: please type something."]


def test_the_match_form_leads_to_the_rules(client: FlaskClient) -> None:
    ours = copied(client)
    assert get_page(client, "/match/new").link("Look at Our rules") == f"{HERE}{ours}/"


@pytest.mark.parametrize("as_file", [True, False])
def test_a_file_is_brought_or_its_text_pasted(
    client: FlaskClient, rulesets: CustomRulesets, as_file: bool
) -> None:
    file = (io.BytesIO(OURS.encode()), "ours.toml")
    data = {"file": file} if as_file else {"text": OURS.replace("\n", "\r\n"), "file": ""}
    answer = client.post(f"{HERE}bring", data=data, content_type="multipart/form-data")
    assert answer.status_code == 303
    assert "Kept as version 1." in main_text(client, answer.headers["Location"])
    (kept,) = rulesets.list_all()
    assert kept.title == "Our rules"
    again = client.post(f"{HERE}bring", data={"text": kept.newest.text})
    assert "The box has these rules already" in main_text(client, again.headers["Location"])


def test_every_fault_is_said_and_the_text_stays_in_the_form(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    wrong = OURS.replace("points = 20", "points = -1", 1).replace("limit = ", "limits = ", 1)
    answer = client.post(f"{HERE}bring", data={"text": wrong})
    assert answer.status_code == 422
    page = Page(answer.text)
    faults = page.main.one('[role="alert"]').texts("li")
    assert [each.partition(":")[0] for each in faults] == ["Line 17", "Line 53"]
    assert text_of(page) == wrong
    assert rulesets.list_all() == ()


def test_a_file_that_is_no_text_is_refused(client: FlaskClient) -> None:
    data = {"file": (io.BytesIO(b"\xff\xfe"), "ours.toml")}
    answer = client.post(f"{HERE}bring", data=data, content_type="multipart/form-data")
    assert answer.status_code == 422
    assert "This is not UTF-8 text" in answer.text


def test_the_file_is_changed_in_its_box(client: FlaskClient, rulesets: CustomRulesets) -> None:
    ours = copied(client)
    page = get_page(client, f"{HERE}{ours}/")
    text, seen = text_of(page), page.value("seen")
    assert text == rulesets.get(ours).newest.text
    changed = text.replace("limit = 1000", "limit = 2000", 1)
    where = post(client, f"{HERE}{ours}/text", text=changed, seen=seen)
    assert "Kept as version 2." in main_text(client, where)
    form = get_page(client, f"/match/new?ruleset={ours}")
    assert "Our rules: a limit of 2000." in form.text
    wrong = client.post(f"{HERE}{ours}/text", data={"text": text + "x", "seen": seen})
    assert wrong.status_code == 422
    assert text_of(Page(wrong.text)) == text + "x"


def test_a_phone_that_was_overtaken_is_told_and_loses_nothing(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = copied(client)
    page = get_page(client, f"{HERE}{ours}/")
    text, seen = text_of(page), page.value("seen")
    first, second = (text.replace("points = 20", f"points = {n}", 1) for n in (21, 22))
    post(client, f"{HERE}{ours}/text", text=first, seen=seen)
    answer = client.post(f"{HERE}{ours}/text", data={"text": second, "seen": seen})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert "Somebody else has kept version 2" in told.text
    assert text_of(told) == second
    post(client, f"{HERE}{ours}/text", text=second, seen=told.value("seen"))
    assert rulesets.get(ours).newest.number == 3


def test_every_version_can_be_taken_along(client: FlaskClient) -> None:
    ours = copied(client, title="規則")
    text = text_of(get_page(client, f"{HERE}{ours}/"))
    post(client, f"{HERE}{ours}/text", text=text.replace("points = 20", "points = 30"), seen="1")
    for link, number in ((f"{HERE}{ours}/file", 2), (f"{HERE}{ours}/file?version=1", 1)):
        assert link in get_page(client, f"{HERE}{ours}/").links()
        answer = client.get(link)
        assert answer.headers["Content-Disposition"].endswith(f"{ours}-{number}.toml")
        rules = read_custom_ruleset(answer.text)
        assert rules.version == number
    assert read_ruleset(client.get(f"{HERE}safalra/file").text).name == "safalra"
    assert client.get(f"{HERE}{ours}/file?version=9").status_code == 404
    assert client.get(f"{HERE}ours-9/").status_code == 404


def test_what_is_retired_is_not_offered(client: FlaskClient) -> None:
    ours = copied(client)
    post(client, f"{HERE}{ours}/retire")
    assert ours not in get_page(client, "/match/new").values("ruleset")
    assert "Not offered for new matches." in main_text(client, HERE)
    post(client, f"{HERE}{ours}/bring-back")
    assert ours in get_page(client, "/match/new").values("ruleset")


def test_the_organisers_pin_guards_the_rules(client: FlaskClient, store: Store) -> None:
    set_new_organiser_pin(SettingsLog(store))
    assert client.post(f"{HERE}copy", data={"of": "bmja", "title": "Ours"}).status_code == 403


def test_a_table_and_a_tournament_play_by_them(
    app: Flask, store: Store, rulesets: CustomRulesets
) -> None:
    phone = app.test_client()
    ours = copied(phone)
    table = lay(app, "One")
    post(phone, f"/club/tables/{table}/rules", ruleset=ours)
    assert ClubTables(store).get(table).ruleset == ours
    here = phone_at(app, table)
    assert get_page(here, "/match/new").chosen("ruleset") == [ours]
    names = "\n".join(("Ann", "Bob", "Cy", "Di"))
    at = post(phone, "/club/tournaments/new", name="Autumn", players=names, rounds="1")
    tournament = at.split("/")[3]
    post(phone, f"{at}tables/", table0=table, ruleset=ours)
    rulesets.keep_file(rulesets.get(ours).newest.text.replace("points = 20", "points = 30", 1))
    assert get_page(phone, f"{at}tables/").chosen("ruleset") == [ours]
    post(phone, f"{at}draw", number="1")
    post(phone, f"{at}tables/begin")
    now = TournamentRepository(store).get(tournament)
    assert now.played_at
    assert now.played_at.ruleset == f"{ours}@1"
    match = MatchRepository(store).at_table(table).current()
    assert match
    assert match.agreement.rules.version == 1, "all rounds are played by the version chosen"


def test_a_box_may_propose_a_custom_ruleset(services: Services) -> None:
    kept = CustomRulesets(services.store).keep_file(OURS)
    phone = create_app(Box(services, rules=kept.id)).test_client()
    assert get_page(phone, "/match/new").chosen("ruleset") == [kept.id]
    hand = post(phone, "/enter").split("/")[2]
    assert services.hands.get(hand).agreement.rules.version == 1


def test_the_rules_in_force_are_shown(client: FlaskClient, rulesets: CustomRulesets) -> None:
    flower = 'label = "Flower or season"\npoints = '
    dearer = OURS.replace(f"{flower}4", f"{flower}7")
    dearer = dearer.replace('id = "BMJA-S13"', 'id = "OUR-S1"', 1)
    ours = rulesets.keep_file(dearer).id
    post(client, "/match/new", ruleset=ours, **NAMES)
    assert "7" in get_page(client, "/learn/rules/BMJA-B10").one("dl.worth").text
    own = get_page(client, "/learn/rules/OUR-S1")
    assert "Knitting" in own.one("h1").text
    assert "Our rules" in own.main.text
    assert client.get("/learn/rules/OUR-S2").status_code == 404


@pytest.mark.parametrize("language", ["fr", "zh-Hant"])
def test_the_pages_speak_the_phones_language(client: FlaskClient, language: str) -> None:
    ours = copied(client)
    client.post("/phone/", data={"language": language})
    for path in (HERE, f"{HERE}{ours}/"):
        page = get_page(client, path)
        assert load(language)["custom-rules.title"] in page.text


def row_named(page: Page, says: str) -> str:
    """Return where the row of these words is changed."""
    return next(
        each["href"] for each in page.all(".rule-list a") if each.one("span").text.startswith(says)
    )


def test_a_figure_is_tried_kept_and_played_by(
    client: FlaskClient, rulesets: CustomRulesets, matches: MatchRepository
) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Flower or season")
    form = get_page(client, where)
    assert "This hand: 8" in form.text
    tried = get_page(client, f"{where}?points=6&sentence={form.one('textarea').text}")
    assert "This hand: 8 → 12" in tried.text
    assert "Each flower and each season scores 6." in tried.main.text
    assert rulesets.get(ours).newest.number == 1, "trying keeps nothing"
    seen = form.value("seen")
    next_page = post(client, where, points="6", seen=seen, then="play")
    assert get_page(client, next_page).chosen("ruleset") == [ours]
    post(client, "/match/new", ruleset=ours, **NAMES)
    match = matches.current()
    assert match
    (row,) = (row for row in match.agreement.rules.rules if row.id == "BMJA-B10")
    assert row.exposed_points == 6
    client.post("/phone/", data={"language": "fr"})
    assert "6" in get_page(client, "/learn/rules/BMJA-B10").one(".row p.sentence").text


@pytest.mark.parametrize(
    ("row", "fields", "shows"),
    [
        ("Knitting", {"played": "no"}, "500 → no Mah-Jong"),
        ("Knitting", {"value": "700", "fishing": ""}, "500 → 700"),
        ("The two doubles of a bouquet", {"default": "no"}, "64 → 128"),
        ("Limit of a hand", {"limit": "3000"}, "1,000 → 3,000"),
        ("Two players", {"doubles": "1", "points": "2"}, "This hand"),
        ("Chows in a Mah-Jong", {"4": "2"}, "This hand: no Mah-Jong → 304"),
        ("Chows in a Mah-Jong", {"3": "1"}, "This hand: no Mah-Jong → "),
        (
            "Kong box",
            {"4": "16"},
            "3 players 90 · 4 players 77 · 5 players 77. After: 2 players 103",
        ),
        (
            "Payments",
            {"tallies": "0", "misnamed": "20", "false_mah_jong": "300"},
            "After: East 80 · South 120 · West −300 · North 100.",
        ),
        (
            "The player of the prevailing wind",
            {"default": "yes"},
            "Before: East −1096 · South +336 · West −36 · North +796. "
            "After: East −632 · South +504 · West −248 · North +376.",
        ),
        ("The loose tiles lie", {"default": "yes"}, "After: number 1 and number 3."),
    ],
)
def test_special_hands_switches_and_the_table_are_changed(
    client: FlaskClient, rulesets: CustomRulesets, row: str, fields: dict[str, str], shows: str
) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), row)
    tried = Page(client.get(where, query_string=fields).text)
    assert shows in tried.text
    where = post(client, where, seen=tried.value("seen"), **fields)
    assert "Kept as version 2." in main_text(client, where)
    assert len(rulesets.get(ours).versions) == 2


def test_a_kong_box_is_an_even_number(client: FlaskClient) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Kong box")
    answer = client.post(where, data={"seen": "1", "2": "14", "3": "", "4": "15", "5": "14"})
    assert answer.status_code == 422
    faults = Page(answer.text).main.one('[role="alert"]').text
    assert '"4 players" is 15, but must be an even number from 4 to 40' in faults
    assert "[kong_box] does not say how many tiles when 3 may play" in faults


def play_by(client: FlaskClient, *changes: tuple[str, dict[str, str]]) -> None:
    """Begin a match by a copy of the British rules in which these rows were changed."""
    ours = copied(client)
    for row, fields in changes:
        page = get_page(client, row_named(get_page(client, f"{HERE}{ours}/"), row))
        where = f"{HERE}{ours}/change/{page.main.one('form')['action'].split('/')[-1]}"
        post(client, where, seen=page.value("seen"), **fields)
    post(client, "/match/new", ruleset=ours, **NAMES)


def test_payments_and_the_kong_box_are_played_by(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play_by(
        client,
        ("Payments", {"tallies": "500", "misnamed": "20", "false_mah_jong": "300"}),
        ("Kong box", {"2": "14", "3": "14", "4": "16", "5": "14"}),
    )
    match = matches.current()
    assert match
    assert set(match.course.totals.values()) == {500}
    amounts = get_page(client, "/table/charge/amounts?payer=1&penalty=false-mah-jong")
    assert "pays 300, shared by the others" in amounts.text
    assert [amounts.value(f"amount{place}") for place in (0, 2, 3)] == ["100", "100", "100"]
    wall = get_page(client, "/learn/wall/?step=box&first=8&second=3")
    assert "kong box: 16 tiles" in wall.text
    assert "75 are left in the wall" in main_text(client, "/learn/rules/BMJA-P09")
    said = main_text(client, "/learn/rules/BMJA-P19")
    assert "20 for misnaming a tile" in said
    assert "300 for a false Mah-Jong" in said


def test_the_prevailing_wind_pays_double_where_the_table_says_so(
    client: FlaskClient, matches: MatchRepository
) -> None:
    play_by(client, ("The player of the prevailing wind", {"default": "yes"}))
    match = matches.current()
    assert match
    assert match.game.double == "prevailing"
    post(client, "/match/new", ruleset="bmja", **NAMES, **{"house-bmja": "prevailing_wind_doubles"})
    match = matches.current()
    assert match
    assert match.game.double == "prevailing", "and where it is chosen for one match"


def test_rules_without_goulashes_have_none_after_a_wash_out(
    client: FlaskClient, matches: MatchRepository
) -> None:
    post(client, f"{HERE}bring", text=load_sample_text("classical"))
    post(client, "/match/new", ruleset="ours-1", **NAMES)
    post(client, "/table/winner", who="-1")
    page = main_text(client, "/table/settle")
    assert "Wash-out: nobody pays. East stays." in page
    post(client, "/table/settle")
    match = matches.current()
    assert match
    assert not match.course.next_deal.goulash
    assert "goulash" not in main_text(client, "/learn/wall/?step=next&first=8&second=3")
    assert "dealt again" in main_text(client, "/learn/rules/BMJA-P18")


def test_a_row_with_a_fault_is_not_kept(client: FlaskClient, rulesets: CustomRulesets) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Flower or season")
    seen = get_page(client, where).value("seen")
    answer = client.post(where, data={"points": "-4", "seen": seen})
    assert answer.status_code == 422
    page = Page(answer.text)
    fault = page.main.one('[role="alert"]').text
    assert '"Points" is -4, but must be a whole number' in fault, "by the label of the form"
    assert page.value("points") == "-4"
    assert len(rulesets.get(ours).versions) == 1
    assert client.get(f"{HERE}{ours}/change/rule-999").status_code == 404


def test_two_phones_that_change_a_row_are_told(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Flower or season")
    seen = get_page(client, where).value("seen")
    post(client, where, points="6", seen=seen)
    answer = client.post(where, data={"points": "7", "seen": seen})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert "Somebody else has kept version 2" in told.text
    assert told.value("points") == "7"
    post(client, where, points="7", seen=told.value("seen"))
    assert rulesets.get(ours).newest.number == 3


NEW_HAND = {"name": "Run, pung and pair", "pattern": "x1-9, pung y, pair z", "value": "500"}


def new_hand_form(client: FlaskClient, ours: str) -> str:
    """Return where a special hand is added, as the page of the ruleset leads there."""
    return get_page(client, f"{HERE}{ours}/").link("Add a special hand")


def shown_hands(page: Page) -> list[tuple[str, ...]]:
    """Return the tiles of each example of a pattern."""
    trays = page.one('section[role="status"]').all(".tray")
    return [tuple(use["href"].partition("#t-")[2] for use in each.all("use")) for each in trays]


def test_a_special_hand_is_added_shown_and_played_by(
    client: FlaskClient, rulesets: CustomRulesets, matches: MatchRepository
) -> None:
    ours = copied(client)
    where = new_hand_form(client, ours)
    blank = get_page(client, where)
    assert not blank.main.all('[role="alert"]'), "nothing typed is no fault"
    assert "4 pungs or kongs of one suit and a pair of the same suit." in blank.text
    tried = Page(client.get(where, query_string=NEW_HAND).text)
    assert "1 to 9 of one suit, a pung of a second suit and a pair of the third" in tried.text
    assert [len(hand) for hand in shown_hands(tried)] == [14] * 3
    assert "This hand: no Mah-Jong → 500" in tried.text
    assert rulesets.get(ours).newest.number == 1, "trying keeps nothing"
    typed = {key: tried.value(key) for key in ("name", "value", "seen")}
    where = post(client, where, pattern=NEW_HAND["pattern"], then="play", **typed)
    assert get_page(client, where).chosen("ruleset") == [ours]
    post(client, "/match/new", ruleset=ours, **NAMES)
    match = matches.current()
    assert match
    hand = parse_hand("| C123456789 B555 O11 | won=wall with=O1")
    assert score(hand, match.agreement.rules).special == "OURS-1"
    own = get_page(client, "/learn/rules/OURS-1")
    assert own.one("h1").text == "Run, pung and pair"
    assert "1 to 9 of one suit, a pung of a second suit" in own.main.text
    client.post("/phone/", data={"language": "fr"})
    assert "1 à 9 d’une famille" in get_page(client, "/learn/rules/OURS-1").main.text


def test_a_game_without_special_hands_is_given_one(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = copied(client, "safalra")
    post(client, new_hand_form(client, ours), seen="1", **NEW_HAND)
    hand = parse_hand("| C123456789 B555 O11 | won=wall with=O1 rules=safalra")
    assert score(hand, rulesets.get(ours).rules).total == 500
    post(client, "/match/new", ruleset=ours, **NAMES)
    assert "Run, pung and pair" in main_text(client, "/learn/rules/special/")
    for page in ("/learn/rules/", "/learn/rules/OURS-1", "/learn/card/", "/practise/hand/"):
        get_page(client, page)


def test_an_added_hand_is_changed_and_taken_out(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = copied(client)
    post(client, new_hand_form(client, ours), seen="1", **NEW_HAND)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Run, pung and pair")
    form = get_page(client, where)
    typed = {"name": "Run and honours", "pattern": "x1-7, each honour", "fishing": "200"}
    choices = {"concealed": "yes", "claim": "none", "played": "yes"}
    post(client, where, seen=form.value("seen"), value="1000", **typed, **choices)
    special = rulesets.get(ours).rules.specials_by_id["OURS-1"]
    assert (special.value, special.fishing) == (1000, 200)
    assert (special.concealed, special.claim) == (True, "none")
    form = get_page(client, where)
    assert [form.chosen("concealed"), form.chosen("claim")] == [["yes"], ["none"]]
    assert "This hand: 1,000" in form.text, "its example follows the pattern"
    at = post(client, form.button("Take this hand out")["formaction"], seen=form.value("seen"))
    assert "Kept as version 4." in main_text(client, at)
    assert "OURS-1" not in rulesets.get(ours).rules.specials_by_id


def test_a_shipped_special_hand_is_not_taken_out(client: FlaskClient) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Knitting")
    assert not get_page(client, where).all('[formaction$="/remove"]')
    assert client.post(f"{where}/remove", data={"seen": "1"}).status_code == 404


@pytest.mark.parametrize(
    ("typed", "faults"),
    [
        ({"pattern": "4 punks x, pare x"}, ['Did you mean "pung"?', 'Did you mean "pair"?']),
        ({"pattern": "7 pairs x, pair y"}, ["The pattern has 16 tiles"]),
        ({"pattern": "4 chows/pungs/kongs any, pair any"}, ["Every Mah-Jong is of this pattern"]),
        ({"pattern": "x11, x2-9, each wind"}, ['same hands as that of "The wriggling snake"']),
        ({"name": "Knitting", "value": "much"}, ['"Worth" is "much"', "a second time"]),
        ({"name": "", "pattern": ""}, ["“Name” is empty", "“Pattern” is empty"]),
    ],
)
def test_every_fault_of_a_new_hand_is_said_and_nothing_typed_is_lost(
    client: FlaskClient, rulesets: CustomRulesets, typed: dict[str, str], faults: list[str]
) -> None:
    ours = copied(client)
    where, said = new_hand_form(client, ours), {**NEW_HAND, **typed}
    for answer in (
        client.post(where, data={"seen": "1", **said}),
        client.get(where, query_string=said),
    ):
        assert answer.status_code == 422
        page = Page(answer.text)
        shown = page.main.one('[role="alert"]').texts("li")
        assert [any(fault in each for each in shown) for fault in faults] == [True] * len(faults)
        assert len(shown) == len(faults)
        assert [page.value("name"), page.value("value")] == [said["name"], said["value"]]
        assert page.one('textarea[name="pattern"]').text == said["pattern"]
    assert rulesets.get(ours).newest.number == 1


def test_faults_are_said_in_the_phones_language(client: FlaskClient) -> None:
    ours = copied(client)
    where = new_hand_form(client, ours)
    client.post("/phone/", data={"language": "fr"})
    answer = client.post(where, data={"seen": "1", **NEW_HAND, "pattern": "7 pairs x, pair y"})
    said = Page(answer.text).main.one('[role="alert"]').text
    assert "Le motif a 16 tuiles" in said
    wrong = OURS.replace("points = 20", "points = -1", 1)
    answer = client.post(f"{HERE}bring", data={"text": wrong})
    said = Page(answer.text).main.one('[role="alert"]').text
    assert "Ligne 53" in said
    assert "un nombre entier de 0 à 1 000 000" in said


def test_two_phones_that_add_or_take_out_hands_are_told(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ours = copied(client)
    where = new_hand_form(client, ours)
    post(client, where, seen="1", **NEW_HAND)
    answer = client.post(where, data={"seen": "1", **NEW_HAND, "name": "Another"})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert "Somebody else has kept version 2" in told.text
    assert told.value("name") == "Another"
    row = row_named(get_page(client, f"{HERE}{ours}/"), "Run, pung and pair")
    assert client.post(f"{row}/remove", data={"seen": "1"}).status_code == 409
    assert rulesets.get(ours).newest.number == 2
    typed = {**NEW_HAND, "name": "Another", "pattern": "x1-7, each honour"}
    post(client, where, seen=told.value("seen"), **typed)
    assert {"OURS-1", "OURS-2"} <= rulesets.get(ours).rules.specials_by_id.keys()


MAX_TAPS = 8


class Tapping:
    """A phone that goes by what it is shown, each tap counted; a closed part costs one more."""

    def __init__(self, client: FlaskClient, at: str) -> None:
        self._client = client
        self.page, self.taps = get_page(client, at), 0

    def link(self, css: str, says: str = "") -> None:
        """Follow a link."""
        link = self.page.one(css, says)
        self._tap(link)
        self._show(self._client.get(link["href"], follow_redirects=True))

    def button(self, says: str, near: str = "main", **typed: str) -> None:
        """Press a button of a form after typing into its fields."""
        (button,) = (each for each in self.page.all(f"{near} form button") if each.text == says)
        self._tap(button)
        form = next(each for each in _outwards(button.tag) if each.tag == "form")
        fields = {
            each["name"]: each.get("value")
            for each in Part(form).all("input[name]")
            if each.get("type", "text") not in ("radio", "checkbox") or "checked" in each
        }
        fields |= {each["name"]: each.text for each in Part(form).all("textarea")}
        fields |= {button["name"]: button["value"]} if "name" in button else {}
        action = form.attributes["action"] or ""
        data = {**fields, **typed}
        self._show(self._client.post(action, data=data, follow_redirects=True))

    def _tap(self, part: Part) -> None:
        closed = [
            each.mem_id
            for each in _outwards(part.tag)
            if each.tag == "details" and "open" not in each.attributes
        ]
        self.taps += 1 + len(closed)

    def _show(self, answer: TestResponse) -> None:
        assert answer.status_code == 200, answer.text
        self.page = Page(answer.text)


def _outwards(tag: LexborNode) -> Iterator[LexborNode]:
    """Yield what a tag lies in, from the nearest on."""
    while tag.parent is not None:
        tag = tag.parent
        yield tag


@pytest.mark.parametrize("made_before", [False, True])
def test_from_the_table_to_playing_by_a_changed_figure_it_is_eight_taps(
    client: FlaskClient, matches: MatchRepository, made_before: bool
) -> None:
    if made_before:
        copied(client)
    post(client, "/match/new", ruleset="bmja", **NAMES)
    first = matches.current()
    phone = Tapping(client, "/table/")
    phone.link('a[href="/first/"]')
    phone.link('a[href="/settings/"]')
    phone.link(f'a[href="{HERE}"]')
    if made_before:
        phone.link(f'a[href="{HERE}ours-1/"]')
    else:
        phone.button("Copy", "li:first-child", title="Our rules")
    phone.link(".rule-list a", "Flower or season")
    phone.button("Keep it and play by it", points="6")
    phone.button("Begin", **NAMES)
    match = matches.current()
    assert match
    assert first
    assert match.id != first.id
    assert match.agreement.rules.version == 2
    assert phone.taps <= MAX_TAPS


@pytest.mark.slow
def test_rows_of_both_games_have_pages(client: FlaskClient) -> None:
    for of in ("bmja", "safalra"):
        ours = copied(client, of, f"Ours of {of}")
        rows = get_page(client, f"{HERE}{ours}/").all(".rule-list a")
        assert len(rows) > 10
        for row in rows[::4]:
            get_page(client, row["href"])
