"""The recipe's stages: each is done once, and what it took is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from models.train.pipeline import recipe
from models.train.stages import Record, Records, Stage, StageError, format_hours, run


def stage(name: str, file: Path, status: int = 0) -> Stage:
    """Return a stage that adds its name to a file, then ends with a status."""
    program = f"open({str(file)!r}, 'a').write('{name} '); raise SystemExit({status})"
    return Stage(name, (sys.executable, "-c", program))


@pytest.fixture
def records(tmp_path: Path) -> Records:
    return Records(tmp_path / "runs" / "stages.jsonl")


def test_a_stage_is_done_once(tmp_path: Path, records: Records) -> None:
    file = tmp_path / "said"
    groups = [[stage("draw", file)], [stage("learn", file)]]
    run(groups, records)
    run([*groups, [stage("export", file)]], Records(tmp_path / "runs" / "stages.jsonl"))
    assert file.read_text().split() == ["draw", "learn", "export"]


def test_another_command_is_another_stage(tmp_path: Path, records: Records) -> None:
    """More pictures are asked for: what was drawn with fewer is not done."""
    file = tmp_path / "said"
    run([[stage("draw", file)]], records)
    longer_stage = stage("draw", file)
    run([[Stage("draw", (*longer_stage.command, "--count", "9"))]], records)
    assert file.read_text().split() == ["draw", "draw"]


def test_a_stage_that_fails_ends_it_and_is_run_again(tmp_path: Path, records: Records) -> None:
    file = tmp_path / "said"
    with pytest.raises(StageError, match="learn ended with 3"):
        run([[stage("learn", file, status=3)], [stage("export", file)]], records)
    assert file.read_text().split() == ["learn"], "nothing after it is run"
    with pytest.raises(StageError):
        run([[stage("learn", file, status=3)]], records)
    assert [record.done for record in records.all()] == [False, False]


def test_stages_of_one_group_are_all_run(tmp_path: Path, records: Records) -> None:
    run([[stage("look", tmp_path / "a"), stage("mirror", tmp_path / "b")]], records)
    assert (tmp_path / "a").exists()
    assert (tmp_path / "b").exists()
    assert all(record.hours >= record.core_hours / 2 > 0 for record in records.all())


def test_hours_add_up() -> None:
    stage_records = [
        Record("learn", ("x",), 0.5, 0.75, done=False),
        Record("learn", ("x",), 1.0, 2.0, done=True),
        Record("export", ("y",), 0.25, 0.25, done=True),
    ]
    table = format_hours(stage_records).splitlines()[2:]
    assert table == [
        "| learn | 2 | 1.50 | 2.75 |",
        "| export | 1 | 0.25 | 0.25 |",
        "| all | 3 | 1.75 | 3.00 |",
    ]


@pytest.mark.parametrize("further", [False, True])
def test_the_recipe_names_every_stage_once(further: bool) -> None:
    stages = [stage for group in recipe(1, 1, 1, further=further) for stage in group]
    assert len({stage.name for stage in stages}) == len(stages)
    starts = {part for s in stages for part in s.command if part.startswith("models/train/start/")}
    assert len(starts) == (3 if further else 5), "all networks; and the classifier's heads"
    assert all(Path(start).exists() for start in starts), "the repository holds what it begins with"
    modules = {stage.command[2] for stage in stages if len(stage.command) > 2}
    for module in modules:
        path = Path(module.replace(".", "/"))
        assert path.with_suffix(".py").exists() or (path / "__main__.py").exists(), module


def test_a_trial_shortens_every_training() -> None:
    stages = [stage for group in recipe(1, 1, 1, steps=7, further=True) for stage in group]
    counts = [s.command[s.command.index("--steps") + 1] for s in stages if "--steps" in s.command]
    assert len(counts) == 4
    assert set(counts) == {"7"}
