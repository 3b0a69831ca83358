"""How sets lie on the table by each ruleset, and where one ends when no gap tells."""

from __future__ import annotations

import pytest

from scorer.hand import RULESETS
from scorer.layings import (
    classify_group,
    cut_by_face_down,
    cut_into_sets,
    face_down_layings,
    find_laying_rule,
    laying_shapes,
)
from scorer.rulesets.builtin import load_builtin

FACE_DOWN = "??"

RULES = [
    ("?? B5 B5 ??", "bmja", "BMJA-V04", "both ends down"),
    ("B5 B5 B5 ??", "bmja", "BMJA-V03", "one end down"),
    ("?? B5 B5 B5", "bmja", "BMJA-V03", "or the other"),
    ("B5 ?? B5", "bmja", "BMJA-V05", "the middle down"),
    ("B5 B5 ??", "bmja", "", "V12: it means nothing here"),
    ("B5 B5 B5 ??", "safalra", "SAF-V02", "V06: here it is concealed"),
    ("B5 B5 ??", "safalra", "SAF-V03", "the usual way"),
    ("B5 B5 B5", "bmja", "", "all up: the row says what it is"),
    ("B5 ?? B6", "bmja", "", "the neighbours differ"),
    ("?? ?? ??", "safalra", "", "nothing to see"),
]


@pytest.mark.parametrize(("tiles", "rules", "rule", "reason"), RULES)
def test_by_which_rule_tiles_lie_so(tiles: str, rules: str, rule: str, reason: str) -> None:
    assert find_laying_rule(tuple(tiles.split()), rules) == rule, reason


LAYINGS = {
    "bmja": [
        ("XXX", False, "BMJA-V02", False),
        ("?XX?", True, "BMJA-V04", False),
        ("XXX?", False, "BMJA-V03", False),
        ("?XXX", False, "BMJA-V03", False),
        ("X?X", True, "BMJA-V05", False),
        ("XXX?", False, "BMJA-V10", True),
    ],
    "safalra": [
        ("XXX", False, "SAF-V01", False),
        ("XXXX", False, "SAF-V01", False),
        ("XXX?", True, "SAF-V02", False),
        ("XX?X", True, "SAF-V02", False),
        ("X?XX", True, "SAF-V02", False),
        ("?XXX", True, "SAF-V02", False),
        ("XX?", True, "SAF-V03", False),
        ("X?X", True, "SAF-V03", False),
        ("?XX", True, "SAF-V03", False),
        ("XXXX", False, "SAF-V01", True),
    ],
}
"""Shape, whether concealed, rule, and whether a promoted pung: by the rules' own tables V."""


@pytest.mark.parametrize("rules", RULESETS)
def test_the_layings_are_those_of_the_rules(rules: str) -> None:
    layings = load_builtin(rules).layings
    assert [(each.shape, each.concealed, each.rule, each.promoted) for each in layings] == LAYINGS[
        rules
    ]
    assert set(laying_shapes(rules)) == {each.shape for each in layings if "?" in each.shape}
    assert {each.kind for each in face_down_layings(rules)} == {"pung", "kong"}
    assert len({each.shape for each in face_down_layings(rules)}) == len(face_down_layings(rules))
    for concealed in (True, False):  # every set is laid somehow
        kinds = {each.kind for each in layings if each.concealed == concealed}
        assert kinds == {"pung", "kong"}


def test_nobody_lays_by_rules_that_there_are_not() -> None:
    with pytest.raises(KeyError):
        laying_shapes("riichi")


CUT = [
    ("B2 B2 B2 O5 O5 O5 O5 C3 C4 C5", "bmja", [3, 4, 3], "three sets"),
    ("B2 B2 B2 B2 B3 B4", "bmja", [3, 3], "not a kong and two tiles too many"),
    ("B2 B2 B2 O5", "bmja", [3, 1], "one is loose"),
    ("B2 B2 B2 ?? O9 O9 ??", "bmja", [3, 4], "the kong needs its end"),
    ("", "bmja", [], "nothing"),
]


@pytest.mark.parametrize(("tiles", "rules", "sizes", "reason"), CUT)
def test_where_one_set_ends(tiles: str, rules: str, sizes: list[int], reason: str) -> None:
    codes = tuple(tiles.split())
    pieces = cut_into_sets(codes, laying_shapes(rules))
    assert [piece.stop - piece.start for piece in pieces] == sizes, reason


COVERS = [
    ("B1 B1 B1 ?? C3 C3 ??", [("", ""), ("", ""), ("", ""), ("?XX?", "C3")], "not the nearer kong"),
    ("B1 ?? B1 ??", [("X?X", "B1"), ("", "")], "one that nothing explains"),
]


@pytest.mark.parametrize(("tiles", "cuts", "reason"), COVERS)
def test_the_most_face_down_tiles_are_explained(
    tiles: str, cuts: list[tuple[str, str]], reason: str
) -> None:
    pieces = cut_by_face_down(tuple(tiles.split()), laying_shapes("bmja"))
    assert [(shape, code) for _, shape, code in pieces] == cuts, reason


@pytest.mark.parametrize(("tiles", "kind"), [(f"B5 {FACE_DOWN} B5", "loose"), ("JK JK", "loose")])
def test_what_is_not_known_is_loose(tiles: str, kind: str) -> None:
    assert classify_group(tiles.split()) == kind
