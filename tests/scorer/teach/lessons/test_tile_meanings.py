"""What is said of a tile is what the scorer gives for it, at every seat."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest

from scorer.hand import Hand
from scorer.predicates.tile_tests import SeatWinds
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.teach.lessons.tile_meanings import explain_tile
from scorer.tiles import CODES, FACE_DOWN, JOKER, TILES

pytestmark = pytest.mark.slow

SEATS = [SeatWinds(own, prevailing) for own, prevailing in product("ESWN", repeat=2)]
PLAYING_CODES = [tile.code for tile in TILES if not tile.is_bonus]
BONUS = [tile.code for tile in TILES if tile.is_bonus]

ROWS = [
    ("bmja", "B1", "EE", "suit bird major pair-nothing pung kong", "1s are major"),
    ("bmja", "B5", "EE", "suit minor pair-nothing pung kong", "2 to 8 are minor"),
    ("bmja", "C9", "EE", "suit major pair-nothing pung kong", "9s are major"),
    ("bmja", "WE", "EE", "wind honour-major both-winds pair pung kong set-doubles", "both winds"),
    ("bmja", "WE", "ES", "wind honour-major own-wind pair pung kong set-doubles", "own"),
    ("bmja", "WS", "ES", "wind honour-major prevailing-wind pair pung kong set-doubles", "round"),
    ("bmja", "WN", "ES", "wind honour-major other-wind pair-nothing pung kong", "neither"),
    ("bmja", "DW", "ES", "dragon blank honour-major pair pung kong set-doubles", "may be blank"),
    ("bmja", "DR", "ES", "dragon honour-major pair pung kong set-doubles", "a dragon"),
    ("bmja", "F1", "EE", "flower bonus-yours bonus-points bonus-doubles bouquet", "East's own"),
    ("bmja", "F1", "SE", "flower bonus-whose bonus-points bouquet", "T03: by the seat alone"),
    ("bmja", "S4", "NE", "season bonus-yours bonus-points bonus-doubles bouquet", "North's own"),
    ("bmja", JOKER, "EE", "joker-aside joker-sets", "G01: for the goulash only"),
    ("bmja", FACE_DOWN, "EE", "face-down", "its neighbours tell"),
    ("safalra", "B1", "EE", "suit bird pair-nothing pung kong", "no major tiles in these rules"),
    ("safalra", "WS", "ES", "wind honour not-own-wind pair pung kong", "no prevailing wind"),
    ("safalra", "WE", "EE", "wind honour own-wind pair pung kong set-doubles", "seat wind"),
    ("safalra", "F1", "EE", "flower bonus-unused", "SAF-T01: not played with"),
    ("safalra", JOKER, "EE", "joker-unused", "no goulash"),
]


@pytest.mark.parametrize(("rules", "code", "seat", "keys", "reason"), ROWS)
def test_what_is_said(rules: str, code: str, seat: str, keys: str, reason: str) -> None:
    facts = explain_tile(code, SeatWinds(*seat), load_builtin(rules))
    assert [fact.key for fact in facts] == keys.split(), reason


def test_in_a_goulash_the_wild_tiles_say_so() -> None:
    keys = [fact.key for fact in explain_tile(JOKER, SEATS[0], load_builtin("bmja"), goulash=True)]
    assert keys == ["joker", "joker-sets"]
    bamboo = [fact.key for fact in explain_tile("B2", SEATS[0], load_builtin("bmja"), goulash=True)]
    assert "wild-bamboo" in bamboo
    assert "wild-bamboo" not in [f.key for f in explain_tile("B2", SEATS[0], load_builtin("bmja"))]


@pytest.mark.parametrize("rules", ["bmja", "safalra"])
@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: f"{seat.seat_wind}{seat.prevailing}")
def test_sets_are_worth_what_the_scorer_gives(rules: str, seat: SeatWinds) -> None:
    """A lone set is a hand as it lies: its points and doubles are the set's."""
    for code in PLAYING_CODES:
        facts = {fact.key: fact for fact in explain_tile(code, seat, load_builtin(rules))}
        pair, pung, kong = (code,) * 2, (code,) * 3, (code,) * 4
        times = int(facts["set-doubles"].figures["times"]) if "set-doubles" in facts else 0
        for kind, exposed, concealed in (
            ("pung", {"exposed": (pung,)}, {"concealed": pung}),
            ("kong", {"exposed": (kong,)}, {"declared_kongs": (kong,)}),
        ):
            figures = facts[kind].figures
            assert _score_parts(rules, seat, exposed) == (figures["exposed"], times), (code, kind)
            assert _score_parts(rules, seat, concealed) == (figures["concealed"], times), (
                code,
                kind,
            )
        said_of_pair = facts["pair" if "pair" in facts else "pair-nothing"].figures["points"]
        assert _score_parts(rules, seat, {"concealed": pair}) == (said_of_pair, 0), code


@pytest.mark.parametrize("seat", SEATS, ids=lambda seat: f"{seat.seat_wind}{seat.prevailing}")
def test_bonus_tiles_are_worth_what_the_scorer_gives(seat: SeatWinds) -> None:
    for code in BONUS:
        facts = {fact.key: fact for fact in explain_tile(code, seat, load_builtin("bmja"))}
        times = int(facts["bonus-doubles"].figures["times"]) if "bonus-doubles" in facts else 0
        points = facts["bonus-points"].figures["points"]
        assert _score_parts("bmja", seat, {"bonus": (code,)}) == (points, times), code
        four = tuple(f"{code[0]}{number}" for number in "1234")
        assert _score_parts("bmja", seat, {"bonus": four})[1] == facts["bouquet"].figures["times"]


def _score_parts(rules: str, seat: SeatWinds, parts: Mapping[str, object]) -> tuple[int, int]:
    circumstances = {
        "ruleset": rules,
        "seat_wind": seat.seat_wind,
        "prevailing_wind": seat.prevailing,
    }
    breakdown = score(Hand(**parts, **circumstances))  # type: ignore[arg-type]
    return breakdown.base, breakdown.doubles


def test_the_tables_choices_count() -> None:
    keep = load_builtin("bmja").with_choices(("bouquet_includes_own:off",))
    facts = {f.key: f for f in explain_tile("F1", SeatWinds("E", "E"), keep)}
    four = score(Hand(bonus=("F1", "F2", "F3", "F4"), house=("bouquet_includes_own:off",)))
    times = [facts[key].figures["times"] for key in ("bouquet", "bonus-doubles")]
    assert four.doubles == sum(map(int, times)), "the own flower doubles besides"


@pytest.mark.parametrize("rules", ["bmja", "safalra"])
def test_every_rule_named_is_one_of_the_book(rules: str) -> None:
    letters = rules[:3].upper()
    for code in (*CODES, JOKER, FACE_DOWN):
        for fact in explain_tile(code, SeatWinds("E", "S"), load_builtin(rules)):
            assert not fact.rule or fact.rule.startswith(letters), fact


@pytest.mark.parametrize("code", ["", "B0", "X1", "JKJ"])
def test_what_is_no_tile_has_no_meaning(code: str) -> None:
    with pytest.raises(KeyError):
        explain_tile(code, SEATS[0], load_builtin("bmja"))


def test_every_face_is_first_called_what_it_is() -> None:
    for code in CODES:
        first = explain_tile(code, SEATS[0], load_builtin("bmja"))[0]
        kinds = {"W": "wind", "D": "dragon", "F": "flower", "S": "season"}
        assert first.key == kinds.get(code[0], "suit")
