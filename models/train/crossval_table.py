"""Tabulate the cross-validation: shares summed over the folds, by kind of scene and in all."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from vision.measure.shares import Share

TABLE_FILE = Path("models/cross_validation.md")

COLUMNS = {
    "found": "found",
    "invented": "invented",
    "named_right_base": "suits, honours",
    "named_right_bonus": "flowers, seasons",
    "all_right": "hands all right",
    "unflagged": "unflagged error",
}
"""Key in a report to heading."""

CROP_COLUMNS = ("named_right_base", "named_right_bonus")
"""The columns that apply to single tiles, which need not be found."""

ALL_ROW, LARGE_TILES_ROW = "all photographs", "… with tiles of 60 px or wider"

Report = Mapping[str, Any]


def tabulate(reports: Iterable[Report]) -> dict[str, dict[str, Any]]:
    """Return, row by row, `pictures`, `tiles` and each column's share with its interval."""
    rows: dict[str, dict[str, Any]] = {}
    for report in reports:
        for part, columns in (("photographs", [*COLUMNS]), ("single_tiles", CROP_COLUMNS)):
            for scene, figures in report[part].get("groups", {}).items():
                _add_figures(rows, _family(scene), figures, columns)
        everything = report["photographs"]["all"]
        _add_figures(rows, ALL_ROW, everything, [*COLUMNS])
        _add_figures(rows, LARGE_TILES_ROW, everything["as_asked"], [*COLUMNS])
    return {name: {k: _to_json(v) for k, v in rows[name].items()} for name in _sort_rows(rows)}


def format_table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the table for people."""
    head = ["scenes", "pictures", "tiles", *COLUMNS.values()]
    lines = [" | ".join(head), "|".join(["---", *["---:"] * (len(head) - 1)])]
    for name, row in rows.items():
        cells = [_format_share(row.get(key)) for key in COLUMNS]
        lines.append(" | ".join([name, str(row["pictures"]), str(row["tiles"]), *cells]))
    return "".join(f"| {line} |\n" if i != 1 else f"|{line}|\n" for i, line in enumerate(lines))


def publish(rows: Mapping[str, Any], cards: Iterable[Path], introduction: str) -> None:
    """Write the table beside the networks, and into their cards."""
    TABLE_FILE.write_text(f"{introduction}{format_table(rows)}", encoding="utf-8")
    for path in cards:
        card = json.loads(path.read_text(encoding="utf-8"))
        card["cross_validated"] = rows
        path.write_text(json.dumps(card, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _family(scene: str) -> str:
    """Return the kind of a scene: those that differ by number alone are counted together."""
    return re.sub(r"-\d+$", "s", scene)


def _add_figures(
    rows: dict[str, dict[str, Any]], name: str, figures: Mapping[str, Any], columns: Sequence[str]
) -> None:
    row = rows.setdefault(name, {"pictures": 0, "tiles": 0})
    row["pictures"] += figures["pictures"]
    row["tiles"] += figures["tiles"]
    for key in columns:
        before, added_share = row.get(key, Share(0, 0)), figures[key]
        row[key] = Share(before.part + added_share["part"], before.total + added_share["whole"])


def _to_json(value: int | Share) -> int | list[float | None]:
    if isinstance(value, int):
        return value
    return [None if v is None else round(v, 4) for v in (value.value, *value.interval)]


def _sort_rows(rows: Mapping[str, Any]) -> list[str]:
    """Return the rows' names, the largest first, then those of everything."""
    totals = [name for name in (ALL_ROW, LARGE_TILES_ROW) if name in rows]
    return sorted({*rows} - {*totals}, key=lambda name: -rows[name]["tiles"]) + totals


def _format_share(share: list[float | None] | None) -> str:
    if not share or share[0] is None or share[1] is None or share[2] is None:
        return "–"
    value, low, high = (100 * end for end in (share[0], share[1], share[2]))
    return f"{value:.1f} ({low:.0f}–{high:.0f})"
