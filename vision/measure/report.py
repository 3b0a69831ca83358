"""Report the results of a set of photographs, as lines for people and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from vision.measure.calibration import ConfidenceBin
from vision.measure.compare import PhotoResult, TileResult
from vision.measure.shares import Share
from vision.measure.summary import MEASURES, MIN_ASKED_WIDTH_PX, MeasureSummary

MAX_CONFUSIONS_LISTED = 12
"""Confused pairs in the lines; the JSON has them all."""


@dataclass(slots=True)
class Report:
    """Results of photographs of hands and of pictures of single tiles."""

    photos: list[PhotoResult] = field(default_factory=list)
    crops: list[PhotoResult] = field(default_factory=list)

    @property
    def results(self) -> list[PhotoResult]:
        """Photographs and single tiles together."""
        return self.photos + self.crops

    def lines(self) -> list[str]:
        """Return the figures as lines of text."""
        return [*_kind_lines("photographs", self.photos), *_kind_lines("single tiles", self.crops)]

    def to_json(self) -> dict[str, Any]:
        """Return all figures and all errors as plain values for `json.dumps`."""
        return {
            "photographs": _kind_json(self.photos),
            "single_tiles": _kind_json(self.crops),
            "errors": [
                {"file": str(result.path), **_error_json(tile)}
                for result in self.results
                for tile in result.tiles
                if tile.outcome != "right"
            ],
        }

    def worst(self, count: int) -> list[PhotoResult]:
        """Return the photographs with most errors, at most `count`, worst first."""
        wrong = [r for r in self.photos if not r.all_right]
        return sorted(wrong, key=lambda r: r.count("right") - len(r.tiles))[:count]


def worst_line(result: PhotoResult) -> str:
    """Return one photograph's counts."""
    summary = MeasureSummary((result,))
    return (
        f"{result.path.name}: {summary.labelled_count} labelled, {summary.tiles_found} found, "
        f"{summary.right} right, {summary.invented_count} invented"
    )


def _groups(results: list[PhotoResult]) -> dict[str, MeasureSummary]:
    """Return every named group, in the order of the labels."""
    names = dict.fromkeys(r.group for r in results if r.group)
    return {name: MeasureSummary(tuple(r for r in results if r.group == name)) for name in names}


def _kind_lines(noun: str, results: list[PhotoResult]) -> Iterator[str]:
    """Yield the figures of all, and of every group if there are several."""
    if not results:
        return
    overall = MeasureSummary(tuple(results))
    groups = _groups(results)
    for name, summary in groups.items() if len(groups) > 1 else ():
        yield from _part_lines(f"{noun}, {name}", summary)
    yield from _part_lines(f"{noun}, all", overall)


def _part_lines(title: str, summary: MeasureSummary) -> Iterator[str]:
    """Yield the figures of a group, and of its photographs taken as the page asks."""
    yield from _summary_lines(title, summary)
    advised_summary = summary.advised_photos
    if summary.results[0].kind == "crop":
        return
    share = Share(len(advised_summary.results), len(summary.results))
    yield _row(f"{MIN_ASKED_WIDTH_PX} px wide or wider", _share_text(share))
    if 0 < share.part < share.total:
        yield from _summary_lines(
            f"{title}, {MIN_ASKED_WIDTH_PX} px wide or wider", advised_summary
        )


def _summary_lines(title: str, summary: MeasureSummary) -> Iterator[str]:
    is_crops = summary.results[0].kind == "crop"
    yield f"{title}: {len(summary.results)}, with {summary.labelled_count} labelled tiles"
    yield from _measure_lines(summary)
    if not is_crops:
        yield _row("questions a hand", f"{summary.questions:7.2f}")
    yield _row("calibration error", f"{100 * summary.calibration_error:7.2f} %")
    yield from (_bin_line(b) for b in summary.reliability if b.right.total)
    median, slow = summary.milliseconds(50), summary.milliseconds(95)
    yield _row("milliseconds", f"{median:7.0f} median, {slow:.0f} at the 95th percentile")
    worst = [f"{a} as {b} × {n}" for a, b, n in summary.confusions()[:MAX_CONFUSIONS_LISTED]]
    yield _row("most often wrong", ", ".join(worst) or "none")


def _measure_lines(summary: MeasureSummary) -> Iterator[str]:
    is_crops = summary.results[0].kind == "crop"
    interval = summary.right_by_photograph
    for measure in MEASURES:
        if measure.in_crops or not is_crops:
            yield _row(measure.words, _share_text(measure.share_of(summary)))
        if measure.key == "right" and interval and not is_crops:
            yield _row("  by whole photographs", f"{'':10}{_interval_text(*interval)}")


def _row(words: str, figures: str) -> str:
    return f"  {words:<24}{figures}"


def _bin_line(b: ConfidenceBin) -> str:
    text = f"  said {b.low:.1f} to {b.high:.1f}"
    return _row(text, f"{100 * b.confidence:7.2f} % sure, right {_share_text(b.right).lstrip()}")


def _share_text(share: Share) -> str:
    if share.value is None:
        return f"{'–':>7}"
    fraction = f"({share.part} of {share.total})"
    return f"{100 * share.value:7.2f} % {_interval_text(*share.interval)} {fraction}"


def _interval_text(low: float, high: float) -> str:
    return f"[{100 * low:.1f}–{100 * high:.1f}]"


def _kind_json(results: list[PhotoResult]) -> dict[str, Any]:
    return {
        "all": _part_json(MeasureSummary(tuple(results))),
        "groups": {name: _part_json(part) for name, part in _groups(results).items()},
    }


def _part_json(summary: MeasureSummary) -> dict[str, Any]:
    advised_summary = summary.advised_photos
    return {
        **_summary_json(summary),
        "as_asked": {
            "px": MIN_ASKED_WIDTH_PX,
            "share": _share_json(Share(len(advised_summary.results), len(summary.results))),
            **_summary_json(advised_summary),
        },
    }


def _summary_json(summary: MeasureSummary) -> dict[str, Any]:
    interval = summary.right_by_photograph
    return {
        "pictures": len(summary.results),
        "tiles": summary.labelled_count,
        **{measure.key: _share_json(measure.share_of(summary)) for measure in MEASURES},
        "right_by_photograph": {"low": interval[0], "high": interval[1]} if interval else None,
        "questions": summary.questions,
        "calibration_error": summary.calibration_error,
        "reliability": [_bin_json(b) for b in summary.reliability],
        "ms": {"median": summary.milliseconds(50), "p95": summary.milliseconds(95)},
        "confusions": [{"label": a, "read": b, "count": n} for a, b, n in summary.confusions()],
    }


def _bin_json(b: ConfidenceBin) -> dict[str, Any]:
    mean = b.confidence if b.right.total else None
    return {"low": b.low, "high": b.high, "confidence": mean, "right": _share_json(b.right)}


def _share_json(share: Share) -> dict[str, Any]:
    low, high = share.interval
    counts = {"part": share.part, "whole": share.total}
    return {"share": share.value, "low": low, "high": high, **counts}


def _error_json(tile: TileResult) -> dict[str, Any]:
    return {"outcome": tile.outcome, **asdict(tile)}
