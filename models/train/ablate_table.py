"""Tabulate the ablation: each lesson beside the one with everything, training by training."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.measure.shares import BOOTSTRAP_DRAWS, BOOTSTRAP_SEED

TABLE_FILE = Path("models/ablation.md")

HEADING = "## Faces, for the classifier"
"""Where the table begins; what stands above it in TABLE_FILE is kept."""

COLUMNS = {"base": "suits, honours", "bonus": "flowers, seasons"}
"""What is counted of a photograph, and heading."""

Figures = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Trial:
    """One training: what it is left to learn from, and where it lies."""

    lesson: str
    seed: int
    folder: Path

    @property
    def counts(self) -> Path:
        """Where it is counted what it gets right."""
        return self.folder / "counts.json"

    @property
    def counted(self) -> bool:
        """Whether that is done."""
        return self.counts.exists()

    @cached_property
    def photographs(self) -> dict[str, dict[str, list[int]]]:
        """Right and total by photograph and measure."""
        loaded: dict[str, dict[str, list[int]]] = json.loads(self.counts.read_text("utf-8"))
        return loaded


Pair = tuple[Trial, Trial]
"""A training with everything, and one of the same seed without a part."""


@dataclass(frozen=True, slots=True)
class ShareChange:
    """What became of one share without a part of the lessons."""

    before: float
    after: float
    low: float
    high: float
    """95 % interval of the difference."""
    down: int
    of: int
    """Trainings in which it went down, and all of them."""


def publish(lessons: Sequence[str], trials: Sequence[Trial], steps: int, sets: int) -> None:
    """Write the table into TABLE_FILE; the first of the lessons has everything."""
    above = TABLE_FILE.read_text(encoding="utf-8").partition(HEADING)[0]
    heading = f"{HEADING} ({steps:,} steps a training, {sets} drawn sets)"
    TABLE_FILE.write_text(f"{above}{heading}\n\n{format_table(lessons, trials)}", encoding="utf-8")


def format_table(lessons: Sequence[str], trials: Sequence[Trial]) -> str:
    """Return the table for people: the lessons that were tried so far."""
    pairs = {lesson: [*_pairs(trials, lessons[0], lesson)] for lesson in lessons}
    lines = [
        f"| {' | '.join(('left to learn from', 'trainings', *COLUMNS.values()))} |",
        f"|---|{'---:|' * (1 + len(COLUMNS))}",
    ]
    for lesson in (lesson for lesson in lessons if pairs[lesson]):
        changes = [compare_trials(pairs[lesson], measure) for measure in COLUMNS]
        tell = _format_share if lesson == lessons[0] else _format_difference
        cells = [lesson, str(len(pairs[lesson])), *map(tell, changes)]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _pairs(trials: Sequence[Trial], everything: str, lesson: str) -> Iterator[Pair]:
    """Yield the trainings with everything, each with the one that had this lesson alone."""
    of_lesson = {trial.seed: trial for trial in trials if trial.lesson == lesson}
    whole = (trial for trial in trials if trial.lesson == everything)
    return ((trial, of_lesson[trial.seed]) for trial in whole if trial.seed in of_lesson)


def compare_trials(pairs: Iterable[Pair], measure: str) -> ShareChange | None:
    """Compare the trainings of each pair photograph by photograph; None where nothing is counted.

    The interval is that of a bootstrap over photographs (Efron 1979), each with all its trainings.
    """
    figures = [_figures(pair, measure) for pair in pairs]
    photographs: dict[str, Figures] = {}
    for of_pair in figures:
        for name, counted in of_pair.items():
            photographs[name] = photographs.get(name, np.zeros(4, np.int64)) + counted
    if not photographs:
        return None
    counts = np.stack([*photographs.values()])
    rng = np.random.default_rng(BOOTSTRAP_SEED)
    drawn = rng.integers(len(counts), size=(BOOTSTRAP_DRAWS, len(counts)))
    low, high = np.percentile([_gain(counts[each].sum(0)) for each in drawn], [2.5, 97.5])
    each = [_gain(sum(of_pair.values(), np.zeros(4, np.int64))) for of_pair in figures if of_pair]
    before, after = _shares(counts.sum(0))
    return ShareChange(before, after, float(low), float(high), sum(g < 0 for g in each), len(each))


def _figures(pair: Pair, measure: str) -> dict[str, Figures]:
    """Return photograph by photograph: right and total with everything, and without a part."""
    whole, less = (trial.photographs for trial in pair)
    return {
        name: np.array([*whole[name][measure], *less[name][measure]])
        for name in whole
        if measure in whole[name]
    }


def _shares(counts: Figures) -> tuple[float, float]:
    """Return both shares; of nothing, the share is none at all."""
    return counts[0] / max(counts[1], 1), counts[2] / max(counts[3], 1)


def _gain(counts: Figures) -> float:
    before, after = _shares(counts)
    return after - before


def _format_share(value: ShareChange | None) -> str:
    return f"{100 * value.before:.1f}" if value else "–"


def _format_difference(value: ShareChange | None) -> str:
    if value is None:
        return "–"
    gain, low, high = (100 * x for x in (value.after - value.before, value.low, value.high))
    return f"{gain:+.1f} ({low:+.1f} to {high:+.1f}; {value.down} of {value.of})"
