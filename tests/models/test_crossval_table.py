"""The cross-validation's table: counts of all folds together, never means of shares."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from models.train import crossval_table
from models.train.crossval_table import (
    ALL_ROW,
    COLUMNS,
    CROP_COLUMNS,
    LARGE_TILES_ROW,
    format_table,
    tabulate,
)


def figures(pictures: int, right: int, tiles: int) -> dict[str, Any]:
    return {"pictures": pictures, "tiles": tiles} | {
        key: {"part": right, "whole": tiles} for key in COLUMNS
    }


def report(groups: dict[str, dict[str, Any]], singles: dict[str, dict[str, Any]]) -> dict[str, Any]:
    everything = figures(3, 8, 10) | {"as_asked": figures(1, 4, 4)}
    return {
        "photographs": {"groups": groups, "all": everything},
        "single_tiles": {"groups": singles},
    }


REPORTS = [
    report({"table": figures(1, 1, 2), "web-photo-03": figures(1, 9, 10)}, {}),
    report({"web-photo-11": figures(1, 1, 10)}, {"shop-set-02": figures(5, 5, 5)}),
]


def test_counts_are_summed_over_folds_and_over_scenes_of_a_kind() -> None:
    rows = tabulate(REPORTS)
    assert list(rows) == ["web-photos", "shop-sets", "table", ALL_ROW, LARGE_TILES_ROW]
    assert rows["web-photos"]["pictures"] == 2
    assert rows["web-photos"]["found"][0] == 0.5, "10 of 20, not the mean of 0.9 and 0.1"
    assert rows[ALL_ROW]["tiles"] == 20
    assert rows[LARGE_TILES_ROW]["found"][0] == 1.0


def test_single_tiles_are_only_named() -> None:
    row = tabulate(REPORTS)["shop-sets"]
    assert {*row} - {"pictures", "tiles"} == {*CROP_COLUMNS}


def test_the_table_is_written_for_people_and_into_the_cards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crossval_table, "TABLE_FILE", tmp_path / "table.md")
    card = tmp_path / "card.json"
    card.write_text(json.dumps({"name": "locator"}), encoding="utf-8")
    rows = tabulate(REPORTS)
    crossval_table.publish(rows, [card], "# Title\n\n")
    assert json.loads(card.read_text()) == {"name": "locator", "cross_validated": rows}
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert lines[0] == "# Title"
    assert "| table | 1 | 2 | 50.0 (9–91) |" in format_table(rows)
    assert "| shop-sets | 5 | 5 | – | – | 100.0 (57–100) |" in format_table(rows)
    assert len({line.count("|") for line in lines[2:]}) == 1, "as many cells in every row"
