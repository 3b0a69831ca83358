"""The versions of a custom ruleset on the phone: what each changed, and going back to one."""

from __future__ import annotations

from flask.testing import FlaskClient

from device.rulesets.repository import CustomRulesets
from device.store.events import RULESET, RulesetSaved
from tests.device.club.rooms import post
from tests.device.page import Page, Part, get_page
from tests.device.web.custom_rules import HERE, NEW_HAND, OURS, copied, row_named, text_of


def change_limit(client: FlaskClient, ruleset: str, limit: str) -> None:
    """Keep another limit as the next version."""
    page = get_page(client, f"{HERE}{ruleset}/change/limit")
    post(client, f"{HERE}{ruleset}/change/limit", seen=page.value("seen"), limit=limit)


def version_lines(page: Page) -> list[Part]:
    """Return the versions in the list, the newest first."""
    return page.main.all("li.version")


def test_the_head_says_the_version_and_no_signs(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ruleset = copied(client)
    digest = rulesets.get(ruleset).newest.digest
    page = get_page(client, f"{HERE}{ruleset}/")
    assert [each.text for each in page.main.all("code") if digest in each.text] == [digest]
    assert digest in page.main.single("details", "Compare with another box").text
    assert digest not in get_page(client, HERE).text


def test_each_version_says_what_it_changed(client: FlaskClient) -> None:
    ruleset = copied(client)
    change_limit(client, ruleset, "2000")
    post(
        client,
        f"{HERE}{ruleset}/change/special-new",
        seen=version_seen_by(client, ruleset),
        **NEW_HAND,
    )
    at = row_named(get_page(client, f"{HERE}{ruleset}/"), "Run, pung and pair")
    post(client, f"{at}/remove", seen=version_seen_by(client, ruleset))
    said = [each.text for each in version_lines(get_page(client, f"{HERE}{ruleset}/"))]
    expected = (
        "Removed: Run, pung and pair",
        "New: Run, pung and pair (500)",
        "Limit of a hand: 2,000, was 1,000",
    )
    for wanted, line in zip(expected, said, strict=False):
        assert wanted in line
    assert ", was" not in said[3], "the first version changes nothing"


def version_seen_by(client: FlaskClient, ruleset: str) -> str:
    """Return what the page of a ruleset knows of it."""
    return get_page(client, f"{HERE}{ruleset}/").values("seen")[0]


def test_one_tap_goes_back_to_an_older_version_and_nothing_is_lost(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ruleset = copied(client)
    change_limit(client, ruleset, "2000")
    page = get_page(client, f"{HERE}{ruleset}/")
    (back,) = page.main.all('button[name="version"]')
    assert back.text == "Go back to version 1"
    (form,) = [each for each in page.forms if each.action.endswith("/restore")]
    address = post(client, form.action, version=back["value"], **form.hidden_fields)
    found = rulesets.get(ruleset)
    assert [each.rules.limit for each in found.versions] == [1000, 2000, 1000]
    assert found.newest.digest == found.versions[0].digest
    page = get_page(client, address)
    assert "Saved as version 3." in page.main.single('[role="status"]').text
    newest = version_lines(page)[0].text
    assert "the same as version 1" in newest
    assert "Limit of a hand: 1,000, was 2,000" in newest


def test_going_back_to_what_holds_makes_no_version(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ruleset = copied(client)
    change_limit(client, ruleset, "2000")
    change_limit(client, ruleset, "1000")
    for _ in range(2):
        post(client, f"{HERE}{ruleset}/restore", seen=version_seen_by(client, ruleset), version="1")
    assert len(rulesets.get(ruleset).versions) == 3


def test_a_phone_that_was_overtaken_does_not_go_back(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    ruleset = copied(client)
    change_limit(client, ruleset, "2000")
    seen = version_seen_by(client, ruleset)
    change_limit(client, ruleset, "3000")
    answer = client.post(f"{HERE}{ruleset}/restore", data={"seen": seen, "version": "1"})
    assert answer.status_code == 409
    reply = Page(answer.text)
    assert "Somebody else has saved version 3" in reply.main.single('[role="status"]').text
    assert rulesets.get(ruleset).rules.limit == 3000


def test_a_version_that_never_was_is_not_found(client: FlaskClient) -> None:
    ruleset = copied(client)
    change_limit(client, ruleset, "2000")
    for version, status in (("7", 404), ("0", 400), ("x", 400)):
        fields = {"seen": version_seen_by(client, ruleset), "version": version}
        assert client.post(f"{HERE}{ruleset}/restore", data=fields).status_code == status


def test_a_version_that_is_taken_no_more_says_why(
    client: FlaskClient, rulesets: CustomRulesets
) -> None:
    """An older box took two hands whose names differ by their capitals alone."""
    ruleset = copied(client)
    old = rulesets.get(ruleset).newest
    wrong = old.text.replace('name = "Knitting"', 'name = "PURITY"')
    keep_unchecked(rulesets, ruleset, wrong)
    change_limit_of_text(client, rulesets, ruleset, old.text)
    answer = client.post(
        f"{HERE}{ruleset}/restore", data={"seen": version_seen_by(client, ruleset), "version": "2"}
    )
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "is the name of another hand" in page.main.single('[role="alert"]').text
    assert 'name = "PURITY"' in text_of(page), "it can be mended here"


def keep_unchecked(rulesets: CustomRulesets, ruleset: str, text: str) -> None:
    """Keep a version as a box did whose check found less."""
    rulesets._projector.change(RULESET + ruleset, RulesetSaved(2, text))


def change_limit_of_text(
    client: FlaskClient, rulesets: CustomRulesets, ruleset: str, text: str
) -> None:
    """Keep a file with another limit as the next version."""
    fields = {"text": text.replace("limit = 1000", "limit = 500", 1)}
    post(client, f"{HERE}{ruleset}/text", seen=str(rulesets.get(ruleset).seen), **fields)


def test_a_figure_that_is_dearer_exposed_is_pointed_out(client: FlaskClient) -> None:
    ruleset = copied(client)
    row = row_named(get_page(client, f"{HERE}{ruleset}/"), "Pung of ")
    trial = Page(client.get(row, query_string={"exposed": "50"}).text)
    assert "50 exposed, but only" in trial.main.single('[role="note"]').text
    post(client, row, seen=trial.value("seen"), exposed="50")
    page = get_page(client, f"{HERE}{ruleset}/")
    assert "50 exposed, but only" in page.main.single('[role="note"]').text
    limit = get_page(client, f"{HERE}{ruleset}/change/limit")
    assert limit.main.all('[role="note"]') == [], "the row of another figure says nothing of it"
    other = OURS.replace("exposed = 2\n", "exposed = 20\n", 1).replace("Our rules", "Theirs")
    import_page = get_page(client, post(client, f"{HERE}bring", text=other))
    assert "20 exposed, but only 4 concealed" in import_page.main.single('[role="note"]').text


def test_an_example_that_shows_no_such_hand_is_pointed_out(client: FlaskClient) -> None:
    text = OURS.replace('["| | F3 S1 seat=S"]', '["| | seat=N"]').replace("Our rules", "Theirs")
    page = get_page(client, post(client, f"{HERE}bring", text=text))
    note = 'Flower or season: "| | seat=N" stands among its examples, and is no such hand.'
    assert page.main.single('[role="note"]').text == note
    row = get_page(client, row_named(page, "Flower or season"))
    assert row.main.single('[role="note"]').text == note
