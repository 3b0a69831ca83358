"""The wall: where the dice break it, what is set apart, and who is dealt what."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.rulesets.custom import read_custom_ruleset
from scorer.rulesets.files import load_builtin_text, load_sample_text
from scorer.table_setup.wall import (
    LooseTile,
    Wall,
    WallError,
    WallPair,
    WallPlace,
    WallRules,
    break_wall,
    choose_wall,
    deal,
    wall_rules,
)
from tests.scorer.walls import BMJA, BMJA_BOOK_WALL, SAFALRA, SAFALRA_MINIATURE_WALL

RULES = {"BMJA": BMJA, "book": BMJA_BOOK_WALL, "Safalra": SAFALRA, "mini": SAFALRA_MINIATURE_WALL}

throw = st.integers(2, 12)


@st.composite
def walls(draw: st.DrawFn) -> tuple[Wall, str]:
    """Any wall that can be, and the seats that it is dealt to."""
    rules = draw(st.sampled_from(list(RULES.values())))
    throws = draw(st.lists(throw, min_size=rules.throws, max_size=rules.throws))
    players = draw(st.sampled_from(list(rules.kong_box)))
    seats = draw(st.sampled_from({2: ["EW"], 3: ["ESW", "ESN", "EWN"]}.get(players, ["ESWN"])))
    return break_wall(throws, rules, players=players), seats


THROWS_BY_WALL = {"E": (5, 9), "S": (2, 6, 10), "W": (3, 7, 11), "N": (4, 8, 12)}


@pytest.mark.parametrize(("wall", "throws"), THROWS_BY_WALL.items())
def test_which_wall(wall: str, throws: tuple[int, ...]) -> None:
    assert {choose_wall(throw) for throw in throws} == {wall}, "P05"


BREAKS = [
    (BMJA, (8, 3), WallPair("N", 11), "P06: 11 pairs from the right end of North's wall"),
    (BMJA, (8, 12), WallPair("W", 2), "P06: 20 is pair 2 of the next wall, West's"),
    (BMJA, (12, 12), WallPair("W", 6), "P06: the largest count there is"),
    (BMJA, (9, 9), WallPair("E", 18), "the last pair of East's own wall"),
    (BMJA, (9, 10), WallPair("N", 1), "one more: clockwise from East comes North"),
    (BMJA, (10, 10), WallPair("E", 2), "from South on to East"),
    (BMJA, (11, 10), WallPair("S", 3), "from West on to South"),
    (BMJA, (2, 2), WallPair("S", 4), "the smallest count there is"),
    (SAFALRA, (12,), WallPair("N", 12), "SAF-S03: one throw says both"),
    (SAFALRA, (5,), WallPair("E", 5), "SAF-S03"),
    (SAFALRA_MINIATURE_WALL, (12,), WallPair("W", 4), "SAF-N03: past the end of eight pairs"),
]


@pytest.mark.parametrize(("rules", "throws", "break_place", "reason"), BREAKS)
def test_where_the_wall_breaks(
    rules: WallRules, throws: tuple[int, ...], break_place: WallPair, reason: str
) -> None:
    wall = break_wall(throws, rules, players=2)
    assert wall.broken_at == break_place, reason
    assert wall.side == choose_wall(throws[0])
    assert wall.count == sum(throws)


def pairs_of(places: tuple[WallPlace, ...]) -> list[tuple[str, int]]:
    return list(dict.fromkeys((place.wall, place.pair) for place in places))


BOXES = [
    (BMJA, (8, 3), 4, [("N", n) for n in (11, 10, 9, 8, 7, 6, 5)], "P08: seven pairs"),
    (BMJA, (2, 2), 4, [("S", 4), ("S", 3), ("S", 2), ("S", 1), ("W", 18), ("W", 17), ("W", 16)],
     "P06: on into the left end of the right-hand neighbour's wall"),
    (BMJA, (8, 3), 2, [("N", n) for n in (11, 10, 9, 8, 7, 6, 5)], "no smaller for two"),
    (SAFALRA, (5,), 4, [("E", 5), ("E", 4), ("E", 3), ("E", 2), ("E", 1), ("S", 17), ("S", 16),
                        ("S", 15)], "SAF-S04: eight pairs"),
    (SAFALRA, (9,), 3, [("E", n) for n in (9, 8, 7, 6, 5, 4)], "SAF-N02: twelve tiles"),
    (SAFALRA, (9,), 2, [("E", n) for n in (9, 8, 7, 6)], "SAF-N02: eight tiles"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "throws", "players", "box", "reason"), BOXES)
def test_the_kong_box(
    rules: WallRules,
    throws: tuple[int, ...],
    players: int,
    box: list[tuple[str, int]],
    reason: str,
) -> None:
    assert pairs_of(break_wall(throws, rules, players=players).kong_box) == box, reason


LOOSE = [
    (BMJA, (8, 3), (WallPair("N", 9), WallPair("N", 10)),
     "P07: the first lies further from the break"),
    (BMJA_BOOK_WALL, (8, 3), (WallPair("N", 8), WallPair("N", 10)),
     "C10: on the third and the first"),
    (SAFALRA, (2,), (WallPair("W", 17), WallPair("S", 1)), "round the corner"),
    (replace(BMJA_BOOK_WALL, kong_box={4: 2}), (8, 3), (WallPair("N", 10), WallPair("N", 10)),
     "the smallest box that rules may have: both on its last pair"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "throws", "pairs", "reason"), LOOSE)
def test_where_the_loose_tiles_are_put(
    rules: WallRules, throws: tuple[int, ...], pairs: tuple[WallPair, WallPair], reason: str
) -> None:
    wall = break_wall(throws, rules)
    top, bottom = wall.kong_box[:2]
    assert (top.layer, bottom.layer) == ("top", "bottom")
    assert wall.loose == (LooseTile(top, pairs[0]), LooseTile(bottom, pairs[1])), reason


@given(walls())
def test_every_tile_lies_in_one_place(wall_and_seats: tuple[Wall, str]) -> None:
    wall, seats = wall_and_seats
    rules = wall.rules
    all_places = {
        WallPlace(side, pair, layer)
        for side in "ESWN"
        for pair in range(1, rules.pairs + 1)
        for layer in ("top", "bottom")
    }
    deal_result = deal(wall, seats)
    all_tiles = [
        *wall.kong_box,
        *(p for hand in deal_result.hands.values() for p in hand),
        *deal_result.left,
    ]
    assert set(all_tiles) == all_places
    assert len(all_tiles) == len(all_places) == rules.tiles


def test_all_throws_leave_all_144_tiles() -> None:
    for first in range(2, 13):
        for second in range(2, 13):
            wall = break_wall((first, second), BMJA)
            assert len({*wall.kong_box, *wall.live}) == 144
            assert (len(wall.kong_box), len(wall.live)) == (14, 130)


@given(walls())
def test_the_live_wall_runs_clockwise_from_the_break(wall_and_seats: tuple[Wall, str]) -> None:
    wall, _ = wall_and_seats
    clockwise = dict(pairwise("ENWSE"))
    pairs = [(wall.broken_at.wall, wall.broken_at.number), *pairs_of(wall.live)]
    for (side, number), following in pairwise(pairs):
        end = number == wall.rules.pairs
        assert following == ((clockwise[side], 1) if end else (side, number + 1))
    assert [place.layer for place in wall.live] == ["top", "bottom"] * (len(wall.live) // 2)


LEFT = [
    ("four", BMJA, 4, "ESWN", 77, "P09"),
    ("three", BMJA, 3, "ESN", 90, "N01: all four walls, three hands"),
    ("two", BMJA, 2, "EW", 103, "N02"),
    ("two and dummies", BMJA, 2, "ESWN", 77, "N02: dummy hands for South and North"),
    ("Safalra's four", SAFALRA, 4, "ESWN", 67, "SAF-S04, S06"),
    ("Safalra's three", SAFALRA, 3, "ESW", 84, "SAF-N02"),
    ("miniature", SAFALRA_MINIATURE_WALL, 2, "EW", 29, "SAF-N03"),
]


@pytest.mark.parametrize(("name", "rules", "players", "seats", "left", "reason"), LEFT)
def test_what_everybody_is_dealt_and_what_is_left(
    name: str, rules: WallRules, players: int, seats: str, left: int, reason: str
) -> None:
    deal_result = deal(break_wall((7, 7)[: rules.throws], rules, players=players), seats)
    assert deal_result.counts == {seat: 14 if seat == "E" else 13 for seat in seats}, name
    assert len(deal_result.left) == left, reason


def test_the_order_of_dealing() -> None:
    wall = break_wall((8, 3), BMJA)
    deal_result = deal(wall)
    assert [(packet.seat, len(packet.places)) for packet in deal_result.packets] == [
        *[("E", 4), ("S", 4), ("W", 4), ("N", 4)] * 3,
        ("E", 1), ("S", 1), ("W", 1), ("N", 1), ("E", 1),
    ]  # fmt: skip
    assert (
        tuple(p for packet in deal_result.packets for p in packet.places) + deal_result.left
        == wall.live
    )
    assert deal_result.hands["E"][:4] == wall.live[:4]
    assert deal_result.hands["E"][12:] == (wall.live[48], wall.live[52])


STEPS = [
    (BMJA, (8, 12), ["BMJA-P04", "BMJA-P05", "BMJA-P06", "BMJA-P07", "BMJA-P08"],
     ["18 pairs", "East throws 8", "North throws 12: 8 + 12 = 20. Count 20 pairs from the right "
      "end, past the end of North's wall. The wall breaks at pair 2 of West's wall.",
      "pairs 1 and 2 right", "14 tiles"]),
    (BMJA_BOOK_WALL, (8, 3), ["BMJA-P04", "BMJA-P05", "BMJA-P06", "BMJA-P07", "BMJA-P08"],
     ["", "North's wall", "right end. The wall breaks at pair 11", "pairs 1 and 3", "6 pairs"]),
    (SAFALRA, (5,), ["SAF-S02", "SAF-S03", "SAF-S03", "SAF-S05", "SAF-S04"],
     ["17 pairs", "East's wall", "Count 5 pairs from the right end", "further", "16 tiles"]),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "throws", "ids", "words"), STEPS)
def test_every_step_is_said_with_its_rule(
    rules: WallRules, throws: tuple[int, ...], ids: list[str], words: list[str]
) -> None:
    steps = break_wall(throws, rules).steps
    assert [step.rule for step in steps] == ids
    for step, part in zip(steps, words, strict=True):
        assert part in step.text


def test_the_deal_is_said_with_its_rule() -> None:
    dealing, bonus = deal(break_wall((8, 3), BMJA)).steps
    assert (dealing.rule, bonus.rule) == ("BMJA-P09", "BMJA-P10")
    assert "East, South, West and North take 4 tiles each, 3 times" in dealing.text
    (step,) = deal(break_wall((5,), SAFALRA, players=2), "EW").steps
    assert step.rule == "SAF-S06", "Safalra has no bonus tiles"
    assert "East and West take" in step.text


ERRORS = [
    ((8,), BMJA, 4, ["throws"], "P06: the second throw is missing"),
    ((8, 3), SAFALRA, 4, ["throws"], "SAF-S03: thrown once"),
    ((), BMJA, 4, ["throws"], "no throw"),
    ((1, 13), BMJA, 4, ["dice", "dice"], "what two dice cannot show"),
    ((5,), SAFALRA_MINIATURE_WALL, 4, ["players"], "SAF-N03: for two"),
    ((0, 5, 5), BMJA, 6, ["throws", "dice", "players"], "everything at once"),
]


@pytest.mark.parametrize(("throws", "rules", "players", "codes", "reason"), ERRORS)
def test_impossible_throws_are_refused(
    throws: tuple[int, ...], rules: WallRules, players: int, codes: list[str], reason: str
) -> None:
    with pytest.raises(WallError) as failure:
        break_wall(throws, rules, players=players)
    assert Counter(p.code for p in failure.value.problems) == Counter(codes), reason


@pytest.mark.parametrize("seats", ["", "SWN", "EE", "EX"])
def test_seats_that_cannot_be_dealt_to_are_refused(seats: str) -> None:
    with pytest.raises(WallError):
        deal(break_wall((8, 3), BMJA), seats)


def test_a_table_has_a_kong_box_of_its_own() -> None:
    rules = read_custom_ruleset(load_sample_text("classical"))
    wall = break_wall((8, 3), wall_rules(rules))
    assert (len(wall.kong_box), len(deal(wall).left)) == (16, 75), "seven pairs and two loose tiles"
    assert "8 pairs" not in wall.steps[-1].text
    assert "the 7 pairs right of the break are the kong box: 16 tiles" in wall.steps[-1].text
    short = break_wall((8, 3), replace(BMJA_BOOK_WALL, kong_box={4: 2})).steps[-1].text
    assert "the pair right of the break are the kong box: 4 tiles" in short


def test_a_table_without_bonus_tiles_builds_shorter_walls() -> None:
    text = load_builtin_text("bmja").replace("bonus_tiles = true", "bonus_tiles = false")
    wall = break_wall((8, 3), wall_rules(read_custom_ruleset(text)))
    assert (wall.rules.pairs, wall.rules.tiles) == (17, 136)
    assert [step.rule for step in deal(wall).steps] == ["BMJA-P09"], "no bonus tiles to lay out"


def test_a_file_without_a_kong_box_has_that_of_its_game() -> None:
    text = load_builtin_text("bmja").replace("[kong_box]\n2 = 14\n3 = 14\n4 = 14\n5 = 14\n", "")
    assert wall_rules(read_custom_ruleset(text)) == BMJA
