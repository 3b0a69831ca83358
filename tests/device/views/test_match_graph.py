"""The graph of a match: every total where it belongs, and no name over another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.views.table.match_graph import (
    BOTTOM_Y,
    LABEL_HEIGHT,
    TOP_Y,
    find_round_bounds,
    match_graph,
    shorten_names,
    spread_labels,
)
from tests.device.match_play import played_match


def test_before_the_first_deal_there_is_no_graph() -> None:
    assert match_graph(played_match(())) is None


def test_each_player_has_a_line_from_the_start_to_the_total() -> None:
    match = played_match(("Cy", None, "Bob"))
    graph = match_graph(match)
    assert graph
    assert [line.label for line in graph.lines] == ["Ann", "Bob", "Cy", "Di"]
    points = [[tuple(map(float, p.split(","))) for p in x.points.split()] for x in graph.lines]
    assert {len(line) for line in points} == {4}, "the start, two deals and a wash-out"
    assert len({line[0] for line in points}) == 1, "all begin alike"
    totals = list(match.course.totals.values())
    heights = [-line[-1][1] for line in points]
    assert sorted(range(4), key=heights.__getitem__) == sorted(range(4), key=totals.__getitem__)
    assert all(
        graph.left <= x <= graph.right and TOP_Y <= y <= BOTTOM_Y
        for line in points
        for x, y in line
    )


def test_the_words_say_who_leads_and_every_total() -> None:
    graph = match_graph(played_match(("Cy",)))
    assert graph
    assert graph.says.startswith("Cy leads with")
    assert all(f"{each} " in graph.says for each in ("Ann", "Bob", "Cy", "Di"))


@given(st.lists(st.floats(TOP_Y, BOTTOM_Y), min_size=2, max_size=5))
def test_no_name_lies_over_another(heights: list[float]) -> None:
    positions = sorted(spread_labels({str(number): y for number, y in enumerate(heights)}).values())
    assert all(after - before >= LABEL_HEIGHT - 1e-9 for before, after in pairwise(positions))
    assert positions[-1] <= BOTTOM_Y
    assert positions[0] >= TOP_Y - 1e-9


@given(st.lists(st.integers(-(10**7), 10**7), min_size=1))
def test_the_bounds_are_round_and_hold_every_total(totals: list[int]) -> None:
    low, high, step = find_round_bounds(totals)
    assert low <= min(totals) <= max(totals) <= high
    assert low % step == high % step == 0
    assert 2 <= len(range(low, high + 1, step)) <= 6
    assert str(step).rstrip("0") in ("1", "2", "5")


@pytest.mark.parametrize(
    ("names", "short", "reason"),
    [
        (["Ann", "Bob"], ["Ann", "Bob"], "short already"),
        (["Jacqueline Mary", "Bob Roy"], ["Jacqueline", "Bob"], "the first word is enough"),
        (["Anne B", "Anne C", "Di Roy"], ["Anne B", "Anne C", "Di"], "two begin alike"),
    ],
)
def test_names_are_shortened_where_they_stay_apart(
    names: list[str], short: list[str], reason: str
) -> None:
    assert list(shorten_names(names).values()) == short, reason
