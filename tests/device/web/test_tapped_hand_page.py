"""A special hand that is made by tapping: its tiles, the questions, its name and worth."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from device.matches.repository import MatchRepository
from device.rulesets.repository import CustomRulesets
from device.views.tapped_hand import load_samples
from scorer.notation import parse_hand
from scorer.score import score
from tests.device.club.rooms import post
from tests.device.page import Form, Page, get_page
from tests.device.web.custom_rules import HERE, NAMES, copied
from tests.scorer.oracle.patterns import is_of_pattern

TILES = ("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "O8", "O8", "O8", "C7", "C7")


def begin(client: FlaskClient, ruleset: str) -> Page:
    """Open the keypad as the page of the ruleset leads there."""
    return get_page(client, get_page(client, f"{HERE}{ruleset}/").link("Add a special hand"))


def tap(client: FlaskClient, page: Page, name: str, code: str) -> Page:
    """Tap a button of the keypad, as a phone without a script does."""
    (form,) = [each for each in page.forms if each.buttons]
    assert (name, code, "") in form.buttons
    return Page(client.get(form.action, query_string={**form.hidden_fields, name: code}).text)


def questions_about(client: FlaskClient, ruleset: str, tiles: tuple[str, ...] = TILES) -> Page:
    """Open the questions about fourteen tiles."""
    return get_page(client, f"{HERE}{ruleset}/tap/pattern?tiles={'+'.join(tiles)}")


def form_of(page: Page) -> Form:
    """Return the form in the middle of a page."""
    return next(each for each in page.forms if "tiles" in each.fields)


def answer(client: FlaskClient, page: Page, **answers: str) -> Page:
    """Answer questions, and leave the other answers as they are."""
    form = form_of(page)
    names = ("meant", "suits", "ranks", "honours", "sets", "lying")
    now = {name: page.chosen_values(name)[0] for name in names if page.chosen_values(name)}
    return Page(client.get(form.action, query_string={**form.hidden_fields, **now, **answers}).text)


def pattern_of(page: Page) -> str:
    """Return the pattern as the page has it in small."""
    return page.main.single("code").text


def hands_of(page: Page) -> list[tuple[str, ...]]:
    """Return the tiles of the other hands."""
    trays = page.single("#shown").all(".tray")
    return [tuple(use["href"].partition("#tile-")[2] for use in each.all("use")) for each in trays]


def test_a_hand_is_tapped_to_the_end_and_scored_by(
    client: FlaskClient, rulesets: CustomRulesets, matches: MatchRepository
) -> None:
    ruleset = copied(client)
    page = begin(client, ruleset)
    for code in TILES:
        page = tap(client, page, "add", code)
    page = get_page(client, page.link("Next"))
    assert pattern_of(page) == "B1-9, pung O8, pair C7"
    assert hands_of(page) == []
    assert "No other tiles make this hand." in page.text
    page = answer(client, page, suits="same", ranks="any", sets="kongs")
    assert pattern_of(page) == "x1-9, pung/kong y, pair z"
    assert "1 to 9 of one suit, a pung or kong of a second suit" in page.single("#shown").text
    hands = hands_of(page)
    assert len({tuple(sorted(each)) for each in hands}) == 3
    assert all(is_of_pattern("x1-9, pung y, pair z", each) for each in hands)
    page = answer(client, page, lying="yes")
    page = get_page(client, page.link("Next"))
    form = form_of(page)
    address = post(
        client, form.action, **form.hidden_fields, name="Long run", value="500", fishing="200"
    )
    assert "Saved as version 2." in get_page(client, address).text
    special = rulesets.get(ruleset).rules.specials_by_id["OURS-1"]
    assert special.pattern
    assert (special.pattern.text, special.concealed) == ("x1-9, pung/kong y, pair z", True)
    assert (special.value, special.fishing) == (500, 200)
    post(client, "/match/new", ruleset=ruleset, **NAMES)
    match = matches.current()
    assert match
    hand = parse_hand("| C123456789 B555 O11 | won=wall with=O1")
    assert score(hand, match.agreement.rules).special == "OURS-1"


def test_what_is_tapped_can_be_taken_out_and_is_no_more_than_a_hand(client: FlaskClient) -> None:
    page = begin(client, copied(client))
    assert "0 of 14" in page.main.text
    for _ in range(4):
        page = tap(client, page, "add", "B1")
    assert "disabled" in page.single('.key[value="B1"]')
    page = tap(client, page, "drop", "B1")
    assert page.value("tiles") == "B1 B1 B1"
    for code in TILES[1:-2]:
        page = tap(client, page, "add", code)
    assert "14 of 14" in page.main.text
    assert all("disabled" in each for each in page.all(".key"))


def test_a_hand_may_be_worth_less_with_a_set_exposed(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ruleset = copied(client)
    page = answer(client, questions_about(client, ruleset), suits="same", ranks="any", lying="less")
    page = get_page(client, page.link("Next"))
    form = form_of(page)
    post(client, form.action, **form.hidden_fields, name="Long run", value="500", exposed="250")
    rules = rulesets.get(ruleset).rules
    kept = parse_hand("| C123456789 B555 O11 | won=wall with=O1")
    laid = parse_hand("B555 | C123456789 O11 | won=wall with=O1")
    assert [score(each, rules).total for each in (kept, laid)] == [500, 250]
    assert "Long run, exposed" in get_page(client, f"{HERE}{ruleset}/").text


def test_a_known_hand_is_begun_from(client: FlaskClient, rulesets: CustomRulesets) -> None:
    ruleset = copied(client)
    samples = get_page(client, begin(client, ruleset).link("Start from a known hand"))
    page = get_page(client, samples.all("a", "Windfall")[0]["href"])
    assert pattern_of(page) == "5 pairs x, each wind"
    assert "As in “Windfall”" in page.text
    last = get_page(client, page.link("Next"))
    assert last.value("name") == "Windfall"
    assert last.value("value") == "1000"
    form = form_of(last)
    post(client, form.action, **form.hidden_fields, name="Windfall", value="800", fishing="")
    assert rulesets.get(ruleset).rules.specials_by_id["OURS-1"].value == 800
    questions = get_page(client, page.link("Ask me about these tiles instead"))
    assert pattern_of(questions) != "5 pairs x, each wind"


@pytest.mark.parametrize("name", load_samples())
def test_every_known_hand_is_shown_with_its_tiles(client: FlaskClient, name: str) -> None:
    ruleset = copied(client)
    for sample in load_samples()[name]:
        patterns = (sample.pattern.text, sample.pattern.text.replace("kong", "pung"))
        assert any(is_of_pattern(each, sample.tiles) for each in patterns), sample.key
    at = f"{HERE}{ruleset}/tap/pattern?like={load_samples()[name][0].key}"
    assert hands_of(get_page(client, at))


def test_a_hand_that_the_rules_have_is_said_before_it_is_named(client: FlaskClient) -> None:
    ruleset = copied(client)
    couples = tuple(suit + rank for rank in "1135579" for suit in "BC")
    page = answer(client, questions_about(client, ruleset, couples), suits="any", ranks="any")
    assert 'same hands as that of "Knitting"' in page.single('#shown [role="alert"]').text
    assert not page.main.all("a", "Next")


def test_a_hand_that_the_tiles_are_already_is_named(client: FlaskClient) -> None:
    ruleset = copied(client)
    snake = ("B1", "B1", *(f"B{rank}" for rank in range(2, 10)), "WE", "WS", "WW", "WN")
    said = questions_about(client, ruleset, snake).single('#shown [role="note"]').text
    assert said == "These rules already have these tiles: “The wriggling snake”."
    assert not questions_about(client, ruleset).all('#shown [role="note"]')


def test_a_pattern_that_leaves_too_much_open_is_said(client: FlaskClient) -> None:
    pungs = ("B1",) * 3 + ("B4",) * 3 + ("C7",) * 3 + ("O2",) * 3 + ("O9",) * 2
    page = questions_about(client, copied(client), pungs)
    page = answer(client, page, suits="any", ranks="any")
    page = answer(client, page, honours="either", sets="any")
    assert pattern_of(page) == "4 chows/pungs/kongs any, pair any"
    assert "Every Mah-Jong" in page.single('#shown [role="alert"]').text


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ({"name": "Knitting"}, '"Knitting" is the name of another hand'),
        ({"name": " "}, "“Name” is empty"),
        ({"value": "0"}, "must be worth something"),
        ({"value": "much"}, '"Worth" is "much"'),
        ({"value": ""}, "Worth"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_or_tapped_is_lost(
    client: FlaskClient, rulesets: CustomRulesets, typed: dict[str, str], says: str
) -> None:
    ruleset = copied(client)
    page = get_page(
        client, answer(client, questions_about(client, ruleset), suits="same").link("Next")
    )
    form = form_of(page)
    fields = {**form.hidden_fields, "name": "Long run", "value": "500", "fishing": "100", **typed}
    response = client.post(form.action, data=fields)
    assert response.status_code == 422
    reply = Page(response.text)
    assert says in reply.main.single('[role="alert"]').text
    assert "Line " not in reply.main.single('[role="alert"]').text
    assert reply.value("fishing") == "100"
    assert form_of(reply).hidden_fields == form.hidden_fields
    assert rulesets.get(ruleset).newest.number == 1


def test_a_phone_that_was_overtaken_is_told_and_loses_nothing(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ruleset = copied(client)
    page = get_page(
        client, answer(client, questions_about(client, ruleset), suits="same").link("Next")
    )
    form = form_of(page)
    limit = f"{HERE}{ruleset}/change/limit"
    post(client, limit, seen=get_page(client, limit).value("seen"), limit="2000")
    fields = {**form.hidden_fields, "name": "Long run", "value": "500"}
    response = client.post(form.action, data=fields)
    assert response.status_code == 409, form.action
    reply = Page(response.text)
    assert "Somebody else has saved version 2" in reply.text
    assert reply.value("name") == "Long run"
    again = form_of(reply)
    post(client, again.action, **again.hidden_fields, name="Long run", value="500")
    assert rulesets.get(ruleset).newest.number == 3


@pytest.mark.parametrize(
    ("at", "query", "status"),
    [
        ("", {"tiles": "B1 F1"}, 400),
        ("", {"tiles": "B1", "add": "??"}, 400),
        ("pattern", {"tiles": "B1"}, 400),
        ("worth", {}, 400),
        ("pattern", {"tiles": " ".join(TILES), "suits": "many"}, 400),
        ("pattern", {"tiles": " ".join(TILES), "meant": "77"}, 400),
        ("pattern", {"tiles": " ".join(TILES), "meant": "3"}, 200),
        ("pattern", {"tiles": " ".join(TILES), "sets": "any", "honours": "either"}, 200),
        ("pattern", {"like": "western:nothing"}, 400),
        ("", {"tiles": "B1 " * 200}, 200),
    ],
)
def test_addresses_that_no_page_makes(
    client: FlaskClient, at: str, query: dict[str, str], status: int
) -> None:
    address = f"{HERE}{copied(client)}/tap/{at}"
    assert client.get(address, query_string=query).status_code == status


@pytest.mark.parametrize("language", ["fr", "zh-Hant"])
def test_it_is_said_in_the_phones_language(client: FlaskClient, language: str) -> None:
    ruleset = copied(client)
    client.post("/phone/", data={"language": language})
    address = f"{HERE}{ruleset}/tap/pattern"
    answers = {"suits": "same", "ranks": "any", "sets": "kongs", "lying": "less"}
    page = Page(client.get(address, query_string={"tiles": " ".join(TILES), **answers}).text)
    words = {"fr": "1 à 9 d’une famille", "zh-Hant": "一至九"}
    assert words[language] in page.single("#shown").text
