"""Every figure and choice of the rulesets' files matters: change one, and some case goes wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from scorer.errors import HandError
from scorer.hand import Hand
from scorer.notation import parse_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import read_ruleset
from scorer.score import score_total
from tests.scorer.test_cases import CASES, UNREADABLE, Case

pytestmark = pytest.mark.slow

FIGURE = re.compile(r"(?m)^(\w+) = (\d+|true|false)$")
UNSCORED_KEYS = {
    "prevailing_wind": "says whether there is a prevailing wind; tiles are judged by their rules",
    "loose_tiles_spread": "C10 is about the wall",
    "prevailing_wind_doubles": "C15 is about who pays double",
    "fishing_must_be_declared": "C11 is a remark, not a figure",
    "chow_claims": "SAF-H05 is a remark, not a figure",
    "kong_box": "P08 is about the wall: `test_wall`",
    "payments": "P01 and P19 are about tallies: `test_penalties`",
    "elsewhere": "what others count; test_foreign_rules.py has every row",
    "laying": "how a set lies tells what it is; test_laying.py has every row",
}
"""What no total hangs on, and why."""

FREE = ("safalra 3 5", "safalra 4 5", "bmja goulash 1")
"""Five chows: no hand has so many sets, so four are as many as one likes (SAF-H03). A goulash has
none (BMJA-G04), and a file that says otherwise is refused."""


def changes(name: str) -> Iterator[tuple[str, str, str]]:
    """Yield where a figure stands with what it becomes, of what it is, and the changed file."""
    text = load_builtin_text(name)
    for figure in FIGURE.finditer(text):
        key, value = figure.groups()
        block = text[: figure.start()].rpartition("\n[")[2]
        title = re.search(r'(?:id|name) = "([^"]+)"', block)
        place = title[1] if title else name
        kind = block.strip("[").partition("]")[0]
        if UNSCORED_KEYS.keys().isdisjoint((key, place, kind)):
            new = {"true": "false", "false": "true"}.get(value) or str(int(value) + 1)
            line = text.count("\n", 0, figure.start()) + 1
            yield (
                f"{name}:{line} {place} {key} {new}",
                place,
                (text[: figure.start(2)] + new + text[figure.end(2) :]),
            )


@cache
def cases_of(name: str) -> tuple[tuple[Hand, Case], ...]:
    """Return the hands of the case tables under one ruleset."""
    readable = [
        case for case in CASES.values() if case.error != UNREADABLE and case.error is not True
    ]
    hands = [(parse_hand(case.hand), case) for case in readable]
    return tuple((hand, case) for hand, case in hands if hand.ruleset == name)


def likeliest_first(name: str, title: str) -> list[tuple[Hand, Case]]:
    """Return the same, and first the hands whose rows name the rule or the choice."""
    return sorted(cases_of(name), key=lambda case: title not in repr(case[1]))


def answer(hand: Hand, rules: Ruleset) -> int | None:
    """Return the total; None when the hand is refused."""
    try:
        return score_total(hand, rules)
    except HandError:
        return None


@pytest.mark.parametrize(
    ("name", "title", "text"),
    [
        pytest.param(name, title, text, id=where)
        for name in ("bmja", "safalra")
        for where, title, text in changes(name)
        if not where.endswith(FREE)
    ],
)
def test_no_figure_can_change_unnoticed(name: str, title: str, text: str) -> None:
    rules = read_ruleset(text)
    assert any(answer(hand, rules) != case.total for hand, case in likeliest_first(name, title))
