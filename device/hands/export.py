"""All hands as rows, for spreadsheets and other programs."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import Field, dataclass, fields
from itertools import islice
from types import MappingProxyType
from typing import Any, TextIO

from device.hands.record import ChangeRecord, HandRecord
from device.hands.repository import HandRepository
from device.hands.scoring import hand_from, score_hand
from device.store.events import TileCorrected
from scorer.errors import ScorerError
from scorer.notation import format_hand

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a formula in spreadsheets (OWASP, CSV injection)."""


BYTE_ORDER_MARK = "\ufeff"
"""Begins a CSV file. Without it Excel takes UTF-8 for a Windows encoding."""

NUMBER = MappingProxyType({"number": True})
"""Metadata of a field whose text is a decimal number."""


def is_number(field: Field[Any]) -> bool:
    """Return whether a field's text is a decimal number."""
    return bool(field.metadata.get("number"))


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Rows of one kind. `kind` is their dataclass, which gives the header."""

    name: str
    kind: type
    rows: Iterable[object]


@dataclass(frozen=True, slots=True)
class ExportRow:
    """One hand. The columns stay as they are; new ones go at the end."""

    hand: str
    """Id of the hand, as in the address of its page."""
    taken: str
    """Time of the photograph or of the beginning by the box's clock: ISO 8601, UTC. The order of
    the rows is the playing order, which does not depend on the clock."""
    rules: str
    seat_wind: str
    prevailing_wind: str
    winner: bool
    hand_text: str
    """Empty if the tiles do not make a hand yet."""
    score: int | None
    """None if there is no score."""
    problem: str
    """Why there is no score, in words."""
    confirmed: bool
    """Whether a player said that the tiles are right."""
    corrections: str
    """Players' changes, in order: `tile 3: B3 to B4`."""
    photo: str
    """SHA-256 of the original photograph; empty without one."""
    camera: str
    """Metadata of the box's camera as JSON with libcamera's names; empty for a phone's
    photograph."""
    asked: bool = False
    """Whether somebody only asked about these tiles; nobody played them."""


def export_rows(hands: HandRepository) -> Iterator[ExportRow]:
    """Yield a row for every undamaged hand, in playing order."""
    return map(_row, _undamaged_hands(hands, hands.store.hands(-1)[::-1]))


def played_hands(hands: HandRepository, limit: int | None = None) -> tuple[HandRecord, ...]:
    """Return the newest undamaged hands that count, or all, in playing order.

    Questions about some tiles do not, nor does what a match took back, replaced or washed out.
    """
    newest_first = _undamaged_hands(hands, hands.store.hands(-1))
    hands_that_count = (each for each in newest_first if each.counts and not each.is_question)
    return tuple(islice(hands_that_count, limit))[::-1]


def _undamaged_hands(hands: HandRepository, ids: Iterable[str]) -> Iterator[HandRecord]:
    return filter(None, map(hands.get_if_whole, ids))


def write_csv(output: TextIO, rows: Iterable[object], kind: type = ExportRow) -> None:
    """Write rows as CSV with a header (RFC 4180), to be encoded as UTF-8.

    It is safe to open in a spreadsheet: no text is a formula.

    `kind` is the dataclass of the rows; it gives the header if there are none.
    """
    output.write(BYTE_ORDER_MARK)
    table = csv.writer(output)
    table.writerow(field.name for field in fields(kind))
    for row in rows:
        table.writerow(_cell(value) for value in _values(row).values())


def write_json(output: TextIO, rows: Iterable[object]) -> None:
    """Write one JSON object per row and line."""
    for row in rows:
        output.write(json.dumps(_values(row), ensure_ascii=False) + "\n")


def _row(record: HandRecord) -> ExportRow:
    text, score, problem = "", None, ""
    try:
        text = format_hand(hand_from(record))
        score = score_hand(record).total
    except ScorerError as error:
        problem = str(error)
    situation = record.situation
    return ExportRow(
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
        asked=record.is_question,
    )


def _correction(change: ChangeRecord) -> str:
    if change.tile is None:
        return ""  # a confirmation changes no tile and has its own column
    tile = f"tile {change.tile + 1}"
    if change.kind != TileCorrected.kind:
        return f"{tile}: {change.kind}"
    return f"{tile}: {change.before or 'no tile'} to {change.after or 'no tile'}"


def _values(row: object) -> dict[str, object]:
    kind: type = type(row)
    return {field.name: _trim_decimal(getattr(row, field.name)) for field in fields(kind)}


def _trim_decimal(value: object) -> object:
    """Return a number that is whole without a decimal point: 8, not 8.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _cell(value: object) -> object:
    """Return the cell's value; text that looks like a formula gets an apostrophe in front."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA_STARTS) else value
