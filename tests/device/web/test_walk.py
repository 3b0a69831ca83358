"""A walk through every page with odd requests: the box answers each, and keeps nothing that harms.

`python -m tests.prove.walk` walks farther.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from device.store.events import BOX, SalvageRead
from device.store.projection import Projector
from device.web import fields
from tests.device.events import write_raw
from tests.device.log_fuzz import trials
from tests.device.walking.boxes import STATES, play_box
from tests.device.walking.random_forms import RandomForms
from tests.device.walking.walker import Walker, after

pytestmark = pytest.mark.slow

FORMS = 5
"""Requests to each box with random well-formed values; `tests.prove.forms` sends thousands."""

STRAY = 80
"""Odd requests to each box, and thousands in `tests.prove.walk`; as many again go straight, to
learn what there is to ask."""


def walk_pages(walker: Walker) -> list[str]:
    """Walk; return what the box could not answer, and what it could not show afterwards."""
    walker.look_round()
    walker.straight()
    refusals = list(RandomForms(walker).send(FORMS))
    for _ in range(STRAY):
        walker.stray()
    broken_pages = [f"{page}: {fault}" for page, fault in after(walker, hands=2)]
    return [*refusals, *dict.fromkeys(map(str, walker.failed_answers)), *broken_pages]


WALKED_ALWAYS = ("play", "club", "tournament")
"""States whose walks see most pages; the others are walked by `make prove`."""


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(each, marks=[] if each in WALKED_ALWAYS else [pytest.mark.prove])
        for each in STATES
    ],
)
def test_every_odd_request_is_answered_and_harms_nothing(state: str, tmp_path: Path) -> None:
    with play_box(state, tmp_path / "box") as box:
        walker = Walker(box, random.Random(state))
        assert walk_pages(walker) == []
        assert len(walker.reached_counts) > 50, "the walk goes deep"


def test_the_walk_finds_what_it_is_made_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fields, "parse_int", lambda text, *_: int(text))
    with play_box("play", tmp_path / "box") as box:
        walker = Walker(box, random.Random(1))
        walker.look_round()
        assert any("ValueError" in repr(walker.stray().fault) for _ in range(1000))


def test_random_forms_find_what_the_replay_refuses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Projector, "_replay", lambda _self, state, _event: state)
    with play_box("settling", tmp_path / "box") as box:
        walker = Walker(box, random.Random(2))
        walker.look_round()
        assert any("makes no sense" in each for each in RandomForms(walker).send(1000))


def test_a_page_that_changes_something_when_it_is_looked_at_is_found(tmp_path: Path) -> None:
    with play_box("new", tmp_path / "box") as box:
        box.app.add_url_rule("/looked", "looked", lambda: str(box.store.append(BOX, SalvageRead())))
        walker = Walker(box, random.Random(1))
        (rule,) = box.app.url_map.iter_rules("looked")
        assert walker.answer(walker.usual("GET", rule)).fault
        assert len(walker.failed_answers) == 1


def test_what_an_older_version_kept_breaks_no_page(tmp_path: Path) -> None:
    with play_box("give_hands", tmp_path / "box") as box:
        match, long_number = box.known_ids["match"][0], "9" * 4300
        for _ in range(3):  # together of more digits than Python writes
            charge = (
                f'{{"payer": "Ann", "amounts": {{"Bob": {long_number}}}, "why": "A book on a key"}}'
            )
            write_raw(box.store, match, "charge-made", charge)
        write_raw(box.store, match, "score-typed", f'{{"player": "Di", "score": {long_number}}}')
        walker = Walker(box, random.Random(1))
        walker.look_round()
        assert [*map(str, walker.failed_answers), *after(walker)] == []


SPOILT_LOGS = 2
"""`python -m tests.prove.spoiling` tries 2,000."""


@pytest.mark.longest
def test_a_spoilt_event_breaks_no_page_and_no_other_match(tmp_path: Path) -> None:
    damaged_count = 0
    for number, trial in trials(tmp_path, SPOILT_LOGS, seed=1):
        assert trial.failures == (), number
        assert trial.changed_matches == (), number
        assert trial.disagreements == (), number
        assert trial.begins, number
        damaged_count += trial.damage_count > 0
    assert damaged_count > SPOILT_LOGS / 4, "or nothing was spoilt"
