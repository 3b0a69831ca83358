"""Write results as a workbook (XLSX): numbers as numbers, names as text, a sheet for each kind.

A spreadsheet opens it in any language; what CSV means differs from one country to the next.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from device.hands.export import ResultTable, is_number

MAX_CELL_CHARS = 32_767
"""Excel's limit. XlsxWriter leaves out a longer text altogether."""

_LETTER_PX, _WIDE_LETTER_PX = 8, 15
"""A Chinese letter is as wide as it is high, 11 points; XlsxWriter takes it for a Latin one."""

_MAX_COLUMN_PX = 1790
"""Excel's limit."""

_MADE_AT = datetime(2000, 1, 1)
"""Without a time of its own, the same results make the same file."""


def write_workbook(sheets: Iterable[ResultTable]) -> bytes:
    """Return a file with these sheets, each with a header that stays in sight."""
    buffer = io.BytesIO()
    with xlsxwriter.Workbook(buffer, {"in_memory": True}) as workbook:
        workbook.set_properties({"created": _MADE_AT})
        bold = workbook.add_format({"bold": True})
        for sheet in sheets:
            page = workbook.add_worksheet(sheet.name)
            page.write_row(0, 0, [field.name for field in fields(sheet.kind)], bold)
            rows = list(sheet.rows)
            for number, row in enumerate(rows, 1):
                _write_row(page, number, row)
            for column, field in enumerate(fields(sheet.kind)):
                widest = max((_wide_text_px(getattr(row, field.name)) for row in rows), default=0)
                page.set_column_pixels(column, column, min(widest, _MAX_COLUMN_PX))
            page.freeze_panes(1, 0)
            page.autofit()  # never narrower than that
    return buffer.getvalue()


def _wide_text_px(value: object) -> int:
    """Return how wide a column must be for a text with wide letters; 0 for other values."""
    if not isinstance(value, str):
        return 0
    widest = 0
    for line in value.split("\n"):
        wide_letters = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
        if wide_letters:
            other_letters = len(line) - wide_letters + 1  # and a rim as wide as one
            widest = max(widest, wide_letters * _WIDE_LETTER_PX + other_letters * _LETTER_PX)
    return widest


def _write_row(page: Worksheet, number: int, row: object) -> None:
    kind: type = type(row)
    for column, field in enumerate(fields(kind)):
        value = getattr(row, field.name)
        if value is None:
            continue
        if isinstance(value, bool):
            page.write_boolean(number, column, value)
        elif is_number(field) or isinstance(value, int | float):
            page.write_number(number, column, float(value))
        else:  # never as a formula or a link, whatever it looks like
            page.write_string(number, column, str(value)[:MAX_CELL_CHARS])
