"""What only the store knows against a change of rules is said on the page, with its line."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient
from msgspec import structs

from device.club.tables import ClubTables
from device.matches.repository import MatchRepository
from device.rulesets.repository import MAX_TITLE_CHARS, CustomRulesets
from device.store import Store
from device.store.events import RULESET, RulesetRetired, RulesetSaved
from scorer.rulesets.custom import MAX_CUSTOM_CHARS, stamp
from scorer.rulesets.editing import add_block
from scorer.rulesets.schema import MAX_RULESET_VERSION
from scorer.unseen_signs import find_unseen
from tests.device.events import write_raw
from tests.device.match_play import AGREED_TERMS
from tests.device.page import Page, get_page
from tests.device.web.custom_rules import HERE, OURS, text_of

HAND: dict[str, str | int | bool] = {
    "id": "OURS-1",
    "name": "Run",
    "pattern": "x1-9, pung y, pair z",
    "value": 500,
}

TEXT = add_block(OURS, "special", HAND)


def stored(store: Store, number: int = 1, text: str = TEXT, ruleset: str = "ours-1") -> None:
    """Keep a version as an older Tongbox did: nothing else of the log was looked at."""
    stamped = stamp(text, title="Our rules", author="", version=number)
    store.append(f"{RULESET}{ruleset}", RulesetSaved(number, stamped))


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
    assert "removed these rules" in told.main.text
    assert text_of(told) == text
    answer = client.post(row, data={"limit": "700", "seen": seen})
    assert answer.status_code == 409
    told = Page(answer.text)
    assert (told.value("limit"), "removed these rules" in told.main.text) == (
        "700",
        True,
    )
    again = client.post(row, data={"limit": "700", "seen": told.value("seen")})
    assert again.status_code == 303
    assert "They are not offered" not in get_page(client, again.headers["Location"]).main.text


OUTSIDE = [
    ("players = [2, 3, 4, 5]", "players = [4, 4, 4]", '"players" is 4 a second time'),
    ("Our rules", "Our\\u202e rules", "Line 16: Nobody sees the sign U+202E"),
    ('label = "Winning', 'label = "\\u0001Winning', "Nobody sees the sign U+0001"),
    ('id = "BMJA-B11"', 'id = "BMJA-B12"', '"id" is "BMJA-B12" a second time'),
    ("limit = 1000", "limit = 999\nversion = 99999", '"version" is 99,999'),
]


@pytest.mark.parametrize(("old", "new", "says"), OUTSIDE, ids=[each[2][:12] for each in OUTSIDE])
def test_what_comes_from_outside_is_checked_wherever_it_comes_in(
    client: FlaskClient, store: Store, old: str, new: str, says: str
) -> None:
    stored(store, text=OURS)
    kept, page = store.last_number(), get_page(client, f"{HERE}ours-1/")
    bad, seen = OURS.replace(old, new, 1), page.values("seen")[0]
    other = bad.replace("Our rules", "Theirs", 1)
    ways = {
        "a file": client.post(f"{HERE}bring", data={"file": (io.BytesIO(bad.encode()), "a.toml")}),
        "a pasted text": client.post(f"{HERE}bring", data={"text": bad}),
        "of another title": client.post(f"{HERE}bring", data={"text": other}),
        "the changed file": client.post(f"{HERE}ours-1/text", data={"text": bad, "seen": seen}),
    }
    for way, answer in ways.items():
        assert answer.status_code == 422, way
        faults = Page(answer.text).main.all('[role="alert"] li')
        assert any(says in each.text for each in faults), (way, faults)
    assert store.last_number() == kept


@pytest.mark.parametrize("letter", ["x", "中", "\U00020000"])
def test_what_a_box_gives_out_it_takes_back(
    client: FlaskClient, rulesets: CustomRulesets, letter: str
) -> None:
    """The longest file that is taken, by an author as long as any, in letters of any length."""
    author = f'author = "{letter * MAX_TITLE_CHARS}"\n'
    text = OURS.replace("limit = 1000\n", f"limit = 1000\n{author}", 1)
    text = f"#{letter * (MAX_CUSTOM_CHARS - len(OURS) - 2)}\n{text}"
    brought = client.post(f"{HERE}bring", data={"file": (io.BytesIO(text.encode()), "a.toml")})
    assert brought.status_code == 303
    own = client.get(f"{HERE}ours-1/file").data
    assert len(own.decode()) > MAX_CUSTOM_CHARS
    changed = own.decode().replace("limit = 1000", "limit = 2000", 1)
    seen, parts = str(rulesets.get("ours-1").seen), "multipart/form-data"
    ways = [
        (f"{HERE}bring", {"file": (io.BytesIO(own), "a.toml")}, "same"),
        (f"{HERE}bring", {"text": own.decode().replace("\n", "\r\n")}, "same"),
        (f"{HERE}ours-1/text", {"text": own.decode(), "seen": seen}, "same"),
        (f"{HERE}bring", {"text": changed}, "kept"),
    ]
    for path, data, done in ways:
        answer = client.post(path, data=data, content_type=parts)
        assert answer.headers.get("Location", "").endswith(done), (path, answer.status_code)
    rulesets.retire("ours-1")
    other = changed.replace("Our rules", "Theirs", 1)
    assert client.post(f"{HERE}bring", data={"text": other}, content_type=parts).status_code == 303


def test_what_an_old_box_kept_is_shown_without_signs_that_nobody_sees(
    client: FlaskClient, store: Store, matches: MatchRepository
) -> None:
    """A log of before, or a backup that somebody made by hand."""
    dirty = OURS.replace("Our rules", "Our\\u202e rules").replace(
        'label = "', 'label = "\\u0001\\u202e'
    )
    store.append(f"{RULESET}ours-1", RulesetSaved(1, dirty))
    for path in (HERE, f"{HERE}ours-1/", f"{HERE}ours-1/change/rule-0", "/match/new"):
        assert not find_unseen(client.get(path).text), path
    match = matches.begin(structs.replace(AGREED_TERMS, ruleset="ours-1"))
    assert not find_unseen(str(matches.get(match).agreement.rules))


def test_words_of_any_event_come_without_them(store: Store) -> None:
    named = {"name": "By the\u202e win\u0001dow"}
    write_raw(store, "a" * 8, "table-laid", json.dumps(named))
    write_raw(store, "b" * 8, "table-laid", json.dumps(named, ensure_ascii=False))
    assert [each.name for each in ClubTables(store).list_tables()] == ["By the window"] * 2
