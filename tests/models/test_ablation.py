"""The ablation: trainings compared in pairs, and drawn sets that lack what they are to lack."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.train import ablate_table
from models.train.ablate_faces import limit_designs
from models.train.ablate_table import ExperimentTable, Trial, compare_trials, format_table, publish
from models.train.faces.random_style import random_style

ALL, LESS = "all of it", "less"


def trial(folder: Path, lesson: str, seed: int, right: list[int]) -> Trial:
    """Return a training that got so many of ten right in each photograph."""
    made = Trial(lesson, "fold-1", seed, folder / lesson / str(seed))
    made.folder.mkdir(parents=True)
    counts = {f"{k}.jpg": {"base": (n, 10)} for k, n in enumerate(right)}
    made.counts.write_text(json.dumps(counts), encoding="utf-8")
    return made


@pytest.fixture
def table(tmp_path: Path) -> ExperimentTable:
    trials = [
        trial(tmp_path, ALL, 1, [9, 8, 10, 9]),
        trial(tmp_path, LESS, 1, [5, 4, 6, 5]),
        trial(tmp_path, ALL, 2, [9, 8, 10, 9]),
        trial(tmp_path, LESS, 2, [10, 9, 10, 10]),
        trial(tmp_path, ALL, 3, [0, 0, 0, 0]),
    ]
    return ExperimentTable("Scenes", 1500, (ALL, LESS), trials)


def test_only_trainings_of_one_seed_and_fold_are_compared(table: ExperimentTable) -> None:
    pairs = table.pairs(LESS)
    assert [(a.seed, b.seed) for a, b in pairs] == [(1, 1), (2, 2)], "seed 3 has no partner yet"


def test_a_change_is_of_all_tiles_together_and_told_training_by_training(
    table: ExperimentTable,
) -> None:
    found = compare_trials(table.pairs(LESS), "base")
    assert found is not None
    assert (found.before, found.after) == (72 / 80, 59 / 80)
    assert (found.down, found.of) == (1, 2)
    assert found.low <= found.after - found.before <= found.high


def test_the_same_change_in_every_photograph_has_no_width(tmp_path: Path) -> None:
    pair = trial(tmp_path, ALL, 1, [9, 9, 9]), trial(tmp_path, LESS, 1, [7, 7, 7])
    found = compare_trials([pair], "base")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-0.2, -0.2))


@pytest.mark.parametrize("measure", ["bonus", "found"])
def test_what_nobody_counted_has_no_change(table: ExperimentTable, measure: str) -> None:
    assert compare_trials(table.pairs(LESS), measure) is None


def test_the_table_tells_the_first_row_s_shares_and_differences_to_it(
    table: ExperimentTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = format_table(table).splitlines()
    assert lines[0] == "## Scenes (1,500 steps a training)"
    assert lines[2] == "| left to learn from | trainings | suits, honours |"
    assert lines[4] == "| all of it | 3 | 60.0 |"
    assert lines[5].startswith("| less | 2 | -16.2 (")
    assert lines[5].endswith("; 1 of 2) |")
    monkeypatch.setattr(ablate_table, "TABLE_FILE", tmp_path / "ablation.md")
    publish([table, ExperimentTable("Not begun", 1, (ALL,), ())], "Drawn: nothing.\n")
    written = (tmp_path / "ablation.md").read_text(encoding="utf-8")
    assert "Drawn: nothing." in written
    assert "Not begun" not in written


def test_a_lesson_that_was_not_tried_yet_has_no_row(tmp_path: Path) -> None:
    begun = ExperimentTable("Scenes", 10, (ALL, LESS), [trial(tmp_path, ALL, 1, [1])])
    assert format_table(begun).splitlines()[-1] == "| all of it | 1 | 10.0 |"


def test_of_few_designs_nothing_is_made_up_anew() -> None:
    rng = np.random.default_rng(5)
    styles = [limit_designs(random_style(rng)) for _ in range(60)]
    made_up = {"invented", "medallion", "bouquet", "basket", "figure", "landscape", "beast"}
    shown = {name for s in styles for name in (s.bird, s.circle, s.great_circle, s.bonus, s.season)}
    assert not shown & made_up
    assert not any(style.beasts for style in styles)
    assert len({style.bird for style in styles}) == 5, "every design that is left is drawn"
