"""The rows of a custom ruleset: what is tried, kept and played by."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from scorer.message import to_english
from scorer.rulesets.files import load_sample_text
from tests.device.club.rooms import post
from tests.device.page import Page, get_page, main_text
from tests.device.web.custom_rules import HERE, NAMES, OURS, copied, play_by, row_named


def test_a_figure_is_tried_kept_and_played_by(
    client: FlaskClient, rulesets: CustomRulesets, matches: MatchRepository
) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Flower or season")
    form = get_page(client, where)
    assert "This hand: 8" in form.text
    tried = get_page(client, f"{where}?points=6&sentence={form.single('textarea').text}")
    assert "This hand: 8 → 12" in tried.text
    assert "Each flower and each season scores 6." in tried.main.text
    assert rulesets.get(ours).newest.number == 1, "trying keeps nothing"
    seen = form.value("seen")
    next_page = post(client, where, points="6", seen=seen, then="play")
    assert get_page(client, next_page).chosen_values("ruleset") == [ours]
    post(client, "/match/new", ruleset=ours, **NAMES)
    match = matches.current()
    assert match
    (row,) = (row for row in match.agreement.rules.rules if row.id == "BMJA-B10")
    assert row.exposed_points == 6
    client.post("/phone/", data={"language": "fr"})
    assert "6" in get_page(client, "/learn/rules/BMJA-B10").single(".row p.sentence").text


@pytest.mark.parametrize("language", ["en-GB", "fr", "zh-Hant"])
def test_a_sentence_follows_a_figure_that_a_file_changed(
    client: FlaskClient, rulesets: CustomRulesets, language: str
) -> None:
    ruleset = rulesets.keep_file(OURS.replace("points = 20", "points = 25", 1)).id
    client.post("/phone/", data={"language": language})
    page = get_page(client, f"{HERE}{ruleset}/change/rule-0")
    assert "25" in page.single("textarea").text, "the field says what the ruleset says"
    assert "20" not in page.single("textarea").text
    post(client, f"{HERE}{ruleset}/change/rule-0", seen=page.value("seen"),
         points="30", sentence=page.single("textarea").text)  # fmt: skip
    assert "30" in get_page(client, f"{HERE}{ruleset}/change/rule-0").single("textarea").text


@pytest.mark.parametrize(
    ("row", "fields", "shows"),
    [
        ("Knitting", {"played": "no"}, "500 → no Mah-Jong"),
        ("Knitting", {"value": "700", "fishing": ""}, "500 → 700"),
        ("The two doubles of a bouquet", {"default": "no"}, "64 → 128"),
        ("Limit of a hand", {"limit": "3000"}, "1,000 → 3,000"),
        ("Limit of a hand", {"limit": "1000", "ordinary_limit": "400"}, "1,000 → 400"),
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
    assert "Saved as version 2." in main_text(client, where)
    assert len(rulesets.get(ours).versions) == 2


def test_a_kong_box_is_an_even_number(client: FlaskClient) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Kong box")
    answer = client.post(where, data={"seen": "1", "2": "14", "3": "", "4": "15", "5": "14"})
    assert answer.status_code == 422
    faults = Page(answer.text).main.single('[role="alert"]').text
    assert '"4 players" is 15, but must be an even number from 4 to 40' in faults
    assert "[kong_box] does not say how many tiles when 3 may play" in faults


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
    house = {"house-bmja": "prevailing_wind_doubles", "seen": str(matches.last_begun())}
    post(client, "/match/new", ruleset="bmja", **NAMES, **house)
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
    fault = page.main.single('[role="alert"]').text
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
    refusal = Page(answer.text)
    assert "Somebody else has saved version 2" in refusal.text
    assert refusal.value("points") == "7"
    post(client, where, points="7", seen=refusal.value("seen"))
    assert rulesets.get(ours).newest.number == 3


@pytest.mark.parametrize(("language", "usual"), [("fr", "vaut 4 points"), ("zh-Hant", "得4分")])
def test_the_field_of_a_sentence_has_it_in_the_language_of_the_phone(
    client: FlaskClient, rulesets: CustomRulesets, language: str, usual: str
) -> None:
    ours = copied(client)
    where = row_named(get_page(client, f"{HERE}{ours}/"), "Flower or season")
    client.post("/phone/", data={"language": language})
    form = get_page(client, where)
    said = form.single("textarea").text
    assert usual in said
    post(client, where, points="6", sentence=said, seen=form.value("seen"))
    (row,) = (row for row in rulesets.get(ours).rules.rules if row.id == "BMJA-B10")
    assert to_english(row.sentence) == "Each flower and each season scores 6."
