"""The ablation: trainings compared in pairs, and drawn sets that lack what they are to lack."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from models.train import ablate_table
from models.train.ablate_faces import limit_designs
from models.train.ablate_table import HEADING, Trial, compare_trials, format_table, publish
from models.train.faces.random_style import random_style

ALL, LESS = "all of it", "less"


def trial(folder: Path, lesson: str, seed: int, right: list[int]) -> Trial:
    """Return a training that got so many of ten right in each photograph."""
    made = Trial(lesson, seed, folder / lesson / str(seed))
    made.folder.mkdir(parents=True)
    counts = {f"{k}.jpg": {"base": (n, 10)} for k, n in enumerate(right)}
    made.counts.write_text(json.dumps(counts), encoding="utf-8")
    return made


@pytest.fixture
def trials(tmp_path: Path) -> list[Trial]:
    return [
        trial(tmp_path, ALL, 1, [9, 8, 10, 9]),
        trial(tmp_path, LESS, 1, [5, 4, 6, 5]),
        trial(tmp_path, ALL, 2, [9, 8, 10, 9]),
        trial(tmp_path, LESS, 2, [10, 9, 10, 10]),
        trial(tmp_path, ALL, 3, [0, 0, 0, 0]),
    ]


def test_a_change_is_of_all_tiles_together_and_told_training_by_training(
    trials: list[Trial],
) -> None:
    found = compare_trials([(trials[0], trials[1]), (trials[2], trials[3])], "base")
    assert found is not None
    assert (found.before, found.after) == (72 / 80, 59 / 80)
    assert (found.down, found.of) == (1, 2)
    assert found.low <= found.after - found.before <= found.high


def test_the_same_change_in_every_photograph_has_no_width(tmp_path: Path) -> None:
    pair = trial(tmp_path, ALL, 1, [9, 9, 9]), trial(tmp_path, LESS, 1, [7, 7, 7])
    found = compare_trials([pair], "base")
    assert found is not None
    assert (found.low, found.high) == pytest.approx((-0.2, -0.2))


def test_what_nobody_counted_has_no_change(trials: list[Trial]) -> None:
    assert compare_trials([(trials[0], trials[1])], "bonus") is None


def test_the_table_tells_the_first_row_s_shares_and_differences_to_it(
    trials: list[Trial], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = format_table((ALL, LESS), trials).splitlines()
    assert lines[0] == "| left to learn from | trainings | suits, honours | flowers, seasons |"
    assert lines[2] == "| all of it | 3 | 60.0 | – |"
    assert lines[3].startswith("| less | 2 | -16.2 ("), "seed 3 has no partner yet"
    assert lines[3].endswith("; 1 of 2) | – |")
    file = tmp_path / "ablation.md"
    monkeypatch.setattr(ablate_table, "TABLE_FILE", file)
    file.write_text(f"Of before.\n\n{HEADING} (10 steps)\n\nOld.\n", encoding="utf-8")
    publish((ALL, LESS), trials, 1500, 320)
    written = file.read_text(encoding="utf-8").splitlines()
    assert written == [
        "Of before.",
        "",
        f"{HEADING} (1,500 steps a training, 320 drawn sets)",
        "",
        *lines,
    ]


def test_a_lesson_that_was_not_tried_yet_has_no_row(tmp_path: Path) -> None:
    begun = [trial(tmp_path, ALL, 1, [1])]
    assert format_table((ALL, LESS), begun).splitlines()[-1] == "| all of it | 1 | 10.0 | – |"


def test_of_few_designs_nothing_is_made_up_anew() -> None:
    rng = np.random.default_rng(5)
    styles = [limit_designs(random_style(rng)) for _ in range(60)]
    made_up = {"invented", "medallion", "bouquet", "basket", "figure", "landscape", "beast"}
    shown = {name for s in styles for name in (s.bird, s.circle, s.great_circle, s.bonus, s.season)}
    assert not shown & made_up
    assert not any(style.beasts for style in styles)
    assert len({style.bird for style in styles}) == 5, "every design that is left is drawn"
