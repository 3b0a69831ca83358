"""Answers about using the box, in the words of its own buttons."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from device.i18n.words import say

BOX_SECTION = "box"
"""The section of these answers, beside the sections of the lessons."""


@dataclass(frozen=True, slots=True)
class BoxAnswer:
    """A question about using the box, and its answer."""

    id: str
    question: str
    answer: str
    page: str
    """Path of the page where it is done."""
    page_name: str


def box_answers() -> Iterator[BoxAnswer]:
    """Yield all answers in the language of the phone, in the order of the file."""
    for name, row in _read_rows().items():
        quotes = {field: say(key) for field, key in row.get("quotes", {}).items()}
        yield BoxAnswer(
            id=name,
            question=say(f"box-answer.{name}.question"),
            answer=say(f"box-answer.{name}.answer", **quotes),
            page=row["page"],
            page_name=say(row["called"]),
        )


@cache
def _read_rows() -> Mapping[str, Mapping[str, Any]]:
    text = files(__package__).joinpath("box_answers.toml").read_text("utf-8")
    return MappingProxyType(tomllib.loads(text))
