"""Special hands of a custom ruleset: added, shown, changed and taken out on the phone."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from scorer.notation import parse_hand
from scorer.score import score
from tests.device.club.rooms import post
from tests.device.page import Page, get_page, main_text
from tests.device.web.custom_rules import HERE, NAMES, NEW_HAND, OURS, copied, row_named


def new_hand_form(client: FlaskClient, ours: str) -> str:
    """Return where a special hand is written, as the page of the ruleset leads there."""
    tapping = get_page(client, f"{HERE}{ours}/").link("Add a special hand")
    return get_page(client, tapping).link("Type it as a pattern instead")


def shown_hands(page: Page) -> list[tuple[str, ...]]:
    """Return the tiles of each example of a pattern."""
    trays = page.single('section[role="status"]').all(".tray")
    return [tuple(use["href"].partition("#tile-")[2] for use in each.all("use")) for each in trays]


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
    assert get_page(client, where).chosen_values("ruleset") == [ours]
    post(client, "/match/new", ruleset=ours, **NAMES)
    match = matches.current()
    assert match
    hand = parse_hand("| C123456789 B555 O11 | won=wall with=O1")
    assert score(hand, match.agreement.rules).special == "OURS-1"
    own = get_page(client, "/learn/rules/OURS-1")
    assert own.single("h1").text == "Run, pung and pair"
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
    assert [form.chosen_values("concealed"), form.chosen_values("claim")] == [["yes"], ["none"]]
    assert "This hand: 1,000" in form.text, "its example follows the pattern"
    at = post(client, form.button("Remove this hand")["formaction"], seen=form.value("seen"))
    assert "Saved as version 4." in main_text(client, at)
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
        ({"name": "Knitting", "value": "much"}, ['"Worth" is "much"', '"Knitting" is the name of']),
        ({"name": "KNITTING"}, ['"KNITTING" is the name of another']),
        ({"name": "le tricot"}, ['"le tricot" is the name of another hand']),
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
        shown = page.main.single('[role="alert"]').texts("li")
        assert [any(fault in each for each in shown) for fault in faults] == [True] * len(faults)
        assert len(shown) == len(faults)
        assert [page.value("name"), page.value("value")] == [said["name"], said["value"]]
        assert page.single('textarea[name="pattern"]').text == said["pattern"]
    assert rulesets.get(ours).newest.number == 1


def test_faults_are_said_in_the_phones_language(client: FlaskClient) -> None:
    ours = copied(client)
    where = new_hand_form(client, ours)
    client.post("/phone/", data={"language": "fr"})
    answer = client.post(where, data={"seen": "1", **NEW_HAND, "pattern": "7 pairs x, pair y"})
    said = Page(answer.text).main.single('[role="alert"]').text
    assert "Le motif a 16 tuiles" in said
    wrong = OURS.replace("points = 20", "points = -1", 1)
    answer = client.post(f"{HERE}bring", data={"text": wrong})
    said = Page(answer.text).main.single('[role="alert"]').text
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
    assert "Somebody else has saved version 2" in told.text
    assert told.value("name") == "Another"
    row = row_named(get_page(client, f"{HERE}{ours}/"), "Run, pung and pair")
    assert client.post(f"{row}/remove", data={"seen": "1"}).status_code == 409
    assert rulesets.get(ours).newest.number == 2
    typed = {**NEW_HAND, "name": "Another", "pattern": "x1-7, each honour"}
    post(client, where, seen=told.value("seen"), **typed)
    assert {"OURS-1", "OURS-2"} <= rulesets.get(ours).rules.specials_by_id.keys()
