"""Which of the box's tables are proposed for a tournament's."""

from __future__ import annotations

import pytest

from device.club.tables import ClubTable
from device.club.tournament.match_results import propose_tables


@pytest.mark.parametrize(
    ("names", "number", "proposed", "why"),
    [
        (["Table 1", "Table 2"], 2, ["Table 1", "Table 2"], "by their numbers"),
        (["Table 2", "Table 1"], 2, ["Table 1", "Table 2"], "in whatever order they were laid"),
        (["Window", "Door"], 2, ["Window", "Door"], "without numbers as they were laid"),
        (["Door", "3"], 3, ["Door", "", "3"], "one without a number fills what is free"),
        (["Table 7", "Table 8"], 2, ["Table 7", "Table 8"], "numbers that there are no tables for"),
        (["Table 1"], 3, ["Table 1", "", ""], "too few"),
        (["A 1", "B 1"], 2, ["A 1", "B 1"], "of two with one number the first laid"),
        (["Table 1", "Table 2", "Table 3"], 2, ["Table 1", "Table 2"], "more than are needed"),
        ([], 1, [""], "none"),
    ],
)
def test_proposed(names: list[str], number: int, proposed: list[str], why: str) -> None:
    laid = [ClubTable(f"id of {name}", name) for name in names]
    ids = tuple(f"id of {name}" if name else "" for name in proposed)
    assert propose_tables(laid, number) == ids, why
