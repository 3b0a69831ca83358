"""Tabulate the ablation: each lesson beside the one with everything, training by training."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from vision.measure.shares import BOOTSTRAP_DRAWS, BOOTSTRAP_SEED

TABLE_FILE = Path("models/ablation.md")

COLUMNS = {
    "found": "found",
    "invented": "invented",
    "both": "found and none invented",
    "cut": "named as cut out",
    "base": "suits, honours",
    "bonus": "flowers, seasons",
}
"""What is counted of a photograph, and heading."""

INTRODUCTION = """\
# What each part of the drawn pictures brings

Written by `make ablate`. Each training has the same photographs, seeds and steps, and lacks a part
of the drawn pictures. It reads photographs of tables and sets that it never saw. The trainings are
short, so the figures lie far below the shipped networks'. A long training may need drawn pictures
more, or less: a step on one is not spent on a photograph.

Shares in per cent. Below the first row stands the difference to it, over the trainings that both
have. In brackets: the 95 % interval over photographs (drawn again in pairs; how two trainings
differ by chance is not in it), and in how many trainings the share went down. "Found and none
invented" is the F measure. "Named as cut out" is of the tiles found, by one classifier that has met
drawn faces alone: it says how well the quads fit.
"""

Figures = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Trial:
    """One training: what it is left to learn from, what it must not see, and where it lies."""

    lesson: str
    hold_out: str
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


@dataclass(frozen=True, slots=True)
class ExperimentTable:
    """The trainings of one experiment."""

    title: str
    steps: int
    lessons: Sequence[str]
    trials: Sequence[Trial]

    def pairs(self, lesson: str) -> list[tuple[Trial, Trial]]:
        """Return the trainings with everything, each with the one that had this lesson alone."""
        of_lesson = {(t.hold_out, t.seed): t for t in self.trials if t.lesson == lesson}
        whole = [t for t in self.trials if t.lesson == self.lessons[0]]
        keys = [(t, (t.hold_out, t.seed)) for t in whole]
        return [(t, of_lesson[key]) for t, key in keys if key in of_lesson]


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


def compare_trials(pairs: Iterable[tuple[Trial, Trial]], measure: str) -> ShareChange | None:
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


def _figures(pair: tuple[Trial, Trial], measure: str) -> dict[str, Figures]:
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


def publish(tables: Iterable[ExperimentTable], drawn: str) -> None:
    """Write the tables of the experiments that were begun; `drawn` says from how many pictures."""
    told = [format_table(table) for table in tables if table.trials]
    TABLE_FILE.write_text("\n".join([INTRODUCTION, drawn, *told]), encoding="utf-8")


def format_table(table: ExperimentTable) -> str:
    """Return one experiment's table for people: the lessons that were tried so far."""
    pairs = {lesson: table.pairs(lesson) for lesson in table.lessons if table.pairs(lesson)}
    rows = {lesson: {m: compare_trials(pairs[lesson], m) for m in COLUMNS} for lesson in pairs}
    used = [m for m in COLUMNS if rows[table.lessons[0]][m] is not None]
    head = ["left to learn from", "trainings", *(COLUMNS[m] for m in used)]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(head) - 1)}"]
    for lesson, row in rows.items():
        tell = _format_share if lesson == table.lessons[0] else _format_difference
        cells = [lesson, str(len(pairs[lesson])), *(tell(row[m]) for m in used)]
        lines.append(f"| {' | '.join(cells)} |")
    return f"## {table.title} ({table.steps:,} steps a training)\n\n" + "\n".join(lines) + "\n"


def _format_share(value: ShareChange | None) -> str:
    return f"{100 * value.before:.1f}" if value else "–"


def _format_difference(value: ShareChange | None) -> str:
    if value is None:
        return "–"
    gain, low, high = (100 * x for x in (value.after - value.before, value.low, value.high))
    return f"{gain:+.1f} ({low:+.1f} to {high:+.1f}; {value.down} of {value.of})"
