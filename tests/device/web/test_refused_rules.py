"""What only the store knows against a change of rules is said on the page, with its line."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from device.store import Store
from device.store.events import RULESET, RulesetKept, RulesetRetired
from scorer.rulesets.custom import MAX_CUSTOM_CHARS, stamp
from scorer.rulesets.rows import add_block
from scorer.rulesets.schema import MAX_RULESET_VERSION
from tests.device.page import Page, get_page
from tests.device.web.custom_rules import HERE, OURS, text_of

HAND = {"id": "OURS-1", "name": "Run", "pattern": "x1-9, pung y, pair z", "value": 500}

TEXT = add_block(OURS, "special", HAND)


def stored(store: Store, number: int = 1, text: str = TEXT, ruleset: str = "ours-1") -> None:
    """Keep a version as an older Tongbox did: nothing else of the log was looked at."""
    stamped = stamp(text, title="Our rules", author="", version=number)
    store.append(f"{RULESET}{ruleset}", RulesetKept(number, stamped))


def a_twin(store: Store) -> None:
    stored(store)
    stored(store, ruleset="ours-2")


def too_long(store: Store) -> None:
    comment = "#" + "x" * (MAX_CUSTOM_CHARS - len(TEXT) - 2) + "\n"
    stored(store, text=comment + TEXT)


def the_last_number(store: Store) -> None:
    stored(store, MAX_RULESET_VERSION)


REFUSED = [
    pytest.param(a_twin, 'Line 16: "title" is that of another ruleset', id="twin"),
    pytest.param(too_long, "The file has over 60,000 characters", id="long"),
    pytest.param(the_last_number, "no number is left", id="numbers"),
]


@pytest.mark.parametrize(("before", "says"), REFUSED)
def test_a_refused_change_is_said_wherever_it_is_made(
    client: FlaskClient, store: Store, before: Callable[[Store], None], says: str
) -> None:
    before(store)
    kept = store.last_number()
    page = get_page(client, f"{HERE}ours-1/")
    row = page.link("Limit of a hand")
    own = page.link("Run")
    seen, text = page.values("seen")[0], text_of(page)
    ways = {
        "a row that is kept": client.post(row, data={"limit": "10000", "seen": seen}),
        "a row that is tried": client.get(row, query_string={"limit": "10000"}),
        "words": client.post(own, data={"sentence": "It is so here.", "seen": seen}),
        "the file": client.post(
            f"{HERE}ours-1/text",
            data={"text": text.replace("limit = 1000", "limit = 10000"), "seen": seen},
        ),
    }
    if before is not too_long:
        ways["a hand taken out"] = client.post(f"{own}/remove", data={"seen": seen})
    for way, answer in ways.items():
        faults = Page(answer.text).main.all('[role="alert"] li')
        assert answer.status_code == 422, way
        assert any(says in each.text for each in faults), way
    assert store.last_number() == kept


def test_rules_that_were_retired_meanwhile_keep_what_was_typed(
    client: FlaskClient, store: Store
) -> None:
    stored(store)
    page = get_page(client, f"{HERE}ours-1/")
    row, text = page.link("Limit of a hand"), text_of(page).replace("limit = 1000", "limit = 700")
    seen = page.values("seen")[0]
    store.append(f"{RULESET}ours-1", RulesetRetired())
    answer = client.post(f"{HERE}ours-1/text", data={"text": text, "seen": seen})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert "to offer these rules no more" in told.main.text
    assert text_of(told) == text
    answer = client.post(row, data={"limit": "700", "seen": seen})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert (told.value("limit"), "to offer these rules no more" in told.main.text) == ("700", True)
    again = client.post(row, data={"limit": "700", "seen": told.value("seen")})
    assert again.status_code == 303
    assert "They are not offered" not in get_page(client, again.headers["Location"]).main.text
