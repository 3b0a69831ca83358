"""What a spreadsheet makes of the files that the box writes."""

from __future__ import annotations

import csv
import io
from typing import Any

import openpyxl


def csv_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a CSV file by its header; hold that it says it is UTF-8."""
    assert text.startswith("\ufeff"), "Excel takes it for a Windows encoding"
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def workbook_sheets(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each sheet of a workbook by its header, as Excel's kinds of values."""
    book = openpyxl.load_workbook(io.BytesIO(data))
    rows_by_sheet = {}
    for sheet in book:
        header, *rows = sheet.iter_rows()
        names = [str(cell.value) for cell in header]
        assert all(cell.data_type != "f" and cell.hyperlink is None for row in rows for cell in row)
        values = ([cell.value for cell in row] for row in rows)
        rows_by_sheet[sheet.title] = [dict(zip(names, row, strict=True)) for row in values]
    book.close()
    return rows_by_sheet
