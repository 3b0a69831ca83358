"""Intervals and calibration, against figures worked out by hand or published."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.measure.test_evaluate import result, tile
from vision.measure.evaluate import PhotoResult, Share, expected_calibration_error, reliability_bins
from vision.measure.shares import bootstrap_interval


@pytest.mark.parametrize(
    ("part", "whole", "low", "high", "why"),
    [
        (81, 263, 0.2553, 0.3662, "Newcombe 1998, table I"),
        (15, 148, 0.0624, 0.1605, "Newcombe 1998, table I"),
        (0, 20, 0.0, 0.1611, "Newcombe 1998, table I"),
        (1, 29, 0.0061, 0.1718, "Newcombe 1998, table I"),
        (0, 10, 0.0, 3.8415 / 13.8415, "of none: z² / (n + z²)"),
        (10, 10, 10 / 13.8415, 1.0, "of all: n / (n + z²)"),
        (5, 10, 0.5 - 0.2634, 0.5 + 0.2634, "1.96/1.384146 × √(0.025 + 3.841459/400) each way"),
        (0, 0, 0.0, 1.0, "of nothing it may be anything"),
    ],
)
def test_wilsons_interval(part: int, whole: int, low: float, high: float, why: str) -> None:
    assert Share(part, whole).interval == pytest.approx((low, high), abs=6e-5), why


@given(st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_more_tiles_narrow_it(counts: tuple[int, int]) -> None:
    part, whole = counts
    share, more = Share(part, whole), Share(10 * part, 10 * whole)
    (low, high), value = share.interval, share.value
    assert value is not None
    assert 0 <= low <= value <= high <= 1
    assert more.interval[1] - more.interval[0] < high - low


@pytest.mark.parametrize(
    ("clusters", "expected", "why"),
    [
        ([(0, 10), (10, 10)], (0, 1), "a quarter of the draws has twice the same"),
        ([(9, 10)], None, "one photograph says nothing of others"),
        ([(9, 10), (18, 20)], None, "no two differ: not a width of nought"),
        ([(9, 10), (0, 0)], None, "a photograph without tiles tells nothing"),
        ([], None, "nothing at all"),
    ],
)
def test_whole_photographs_are_drawn(
    clusters: list[tuple[int, int]], expected: tuple[float, float] | None, why: str
) -> None:
    assert bootstrap_interval([Share(*c) for c in clusters]) == expected, why


def test_errors_that_come_together_widen_the_interval() -> None:
    together = [Share(0, 10)] * 2 + [Share(10, 10)] * 18
    apart = [Share(9, 10)] * 19 + [Share(10, 10)]
    wide, narrow = bootstrap_interval(together), bootstrap_interval(apart)
    assert wide is not None
    assert narrow is not None
    low, high = Share(180, 200).interval
    assert wide[1] - wide[0] > high - low > narrow[1] - narrow[0]
    assert wide[0] <= 0.9 <= wide[1]
    assert bootstrap_interval(together) == wide, "the same draws every time"


def said(confidence: float, right: int, wrong: int) -> PhotoResult:
    rights, wrongs = [tile("B1", "B1", confidence)] * right, [tile("B1", "B7", confidence)] * wrong
    return result(*rights, *wrongs, tile("B1", None), tile(None, "B1", 0.2))


@pytest.mark.parametrize(
    ("results", "error", "why"),
    [
        ([said(0.75, 75, 25)], 0, "right as often as said"),
        ([said(0.95, 50, 50)], 0.45, "far too sure"),
        ([said(0.25, 50, 50)], 0.25, "not sure enough"),
        ([said(0.95, 50, 50), said(0.5, 50, 50)], 0.225, "half of the tiles, far too sure"),
        ([said(0.92, 10, 0), said(0.98, 9, 1)], 0, "one bin, 0.95 said and 0.95 right"),
        ([said(0.89, 0, 10), said(0.91, 10, 0)], 0.49, "two bins: (0.89 + 0.09) / 2"),
        ([], 0, "nothing said"),
    ],
)
def test_calibration_error(results: list[PhotoResult], error: float, why: str) -> None:
    assert expected_calibration_error(results) == pytest.approx(error), why


def test_the_reliability_table_sorts_tiles_by_what_was_said() -> None:
    table = reliability_bins([said(1.0, 3, 0), said(0.9, 1, 1), said(0.0, 0, 1)])
    assert [(b.low, b.high) for b in table] == [(i / 10, (i + 1) / 10) for i in range(10)]
    assert [b.right.whole for b in table] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 5], "found tiles alone"
    assert table[9].right.part == 4
    assert table[9].confidence == pytest.approx(0.96)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=30))
def test_every_confidence_is_in_one_bin(pairs: list[tuple[float, bool]]) -> None:
    results = [result(*(tile("B1", "B1" if right else "B2", c) for c, right in pairs))]
    table = reliability_bins(results)
    assert sum(b.right.whole for b in table) == len(pairs)
    assert 0 <= expected_calibration_error(results) <= 1
    assert all(b.low - 1e-9 <= b.confidence <= b.high + 1e-9 for b in table if b.right.whole)
