"""Every hand in a row, for spreadsheets and other programs: derived from the log as the page is."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import TextIO

from device.hands.hand import Change, HandRecord
from device.hands.repository import Records
from device.hands.scoring import hand_from, judge
from device.store.events import TileCorrected
from scorer.errors import ScorerError
from scorer.notation import format_hand

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula (OWASP, CSV injection)."""


@dataclass(frozen=True, slots=True)
class Row:
    """One hand. The columns stay as they are; further ones are added at the end."""

    hand: str
    """Its id, as in the address of its page."""
    taken: str
    """When the box thinks that it was photographed, or begun by hand: ISO 8601, UTC. The rows stand
    in the order of playing, which no clock decides."""
    rules: str
    seat_wind: str
    prevailing_wind: str
    winner: bool
    hand_text: str
    """Empty for tiles that make no hand yet."""
    score: int | None
    """None where there is none."""
    problem: str
    """Why there is none, in words."""
    confirmed: bool
    """A player said that the tiles are right."""
    corrections: str
    """What players changed, in order: `tile 3: B3 to B4`."""
    photo: str
    """The SHA-256 of the photograph as it came; empty for a hand entered without one."""
    camera: str
    """What the box's own camera said of it, as JSON in libcamera's words; empty for a phone's."""
    asked: bool = False
    """Somebody asked what these tiles are; nobody played them."""


def rows(records: Records) -> Iterator[Row]:
    """Yield every hand whose events are whole, the first that was played first."""
    return map(_row, whole_hands(records))


def whole_hands(records: Records, newest: int = -1) -> Iterator[HandRecord]:
    """Yield the newest hands, or all, whose events are whole: the first that was played first."""
    return filter(None, map(records.get_if_whole, records.store.hands(newest)[::-1]))


def write_csv(out: TextIO, found: Iterable[object], kind: type = Row) -> None:
    """Write a table with a head as RFC 4180 has it, safe to open in a spreadsheet.

    `kind` is the dataclass of the rows, of which there may be none.
    """
    table = csv.writer(out)
    table.writerow(field.name for field in fields(kind))
    for row in found:
        table.writerow(_cell(value) for value in _values(row).values())


def write_json(out: TextIO, found: Iterable[object]) -> None:
    """Write one JSON object a row and line."""
    for row in found:
        out.write(json.dumps(_values(row), ensure_ascii=False) + "\n")


def _row(record: HandRecord) -> Row:
    text, score, problem = "", None, ""
    try:
        text = format_hand(hand_from(record))
        score = judge(record).total
    except ScorerError as error:
        problem = str(error)
    situation = record.situation
    return Row(
        hand=record.id,
        taken=record.taken_at.isoformat(timespec="seconds"),
        rules=record.rules,
        seat_wind=situation.seat_wind,
        prevailing_wind=situation.prevailing_wind,
        winner=situation.winner,
        hand_text=text,
        score=score,
        problem=problem,
        confirmed=record.tiles_right,
        corrections="; ".join(filter(None, map(_correction, record.changes))),
        photo=record.photo.original if record.photo else "",
        camera=json.dumps(record.camera) if record.camera else "",
        asked=record.asked,
    )


def _correction(change: Change) -> str:
    if change.tile is None:
        return ""  # a confirmation changes no tile, and has a column of its own
    tile = f"tile {change.tile + 1}"
    if change.kind != TileCorrected.kind:
        return f"{tile}: {change.kind}"
    return f"{tile}: {change.before or 'no tile'} to {change.after or 'no tile'}"


def _values(row: object) -> dict[str, object]:
    kind: type = type(row)
    return {field.name: getattr(row, field.name) for field in fields(kind)}


def _cell(value: object) -> object:
    """Return what stands in the table: text that looks like a formula after an apostrophe."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
