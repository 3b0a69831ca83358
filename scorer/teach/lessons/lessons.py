"""The lessons: what a newcomer asks, section by section, as data without its words.

What stands here is everything but language: which rules an answer rests on, a picture in tiles, an
example for the scorer. Question and answer stand in the page's words, under the lesson's id.

>>> [lesson.id for lesson in lessons_about("BMJA-P14", "bmja")]
['claims-at-once']
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal

from scorer.hand import Codes
from scorer.notation import parse_hand

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "bmja": ("equipment", "preparing", "playing", "scoring", "oddities", "glossary"),
    "safalra": ("safalra-play", "safalra-scoring"),
}
"""The sections of each ruleset, in the order in which a newcomer asks."""

_Mark = Literal["", "correction", "clarified"]
"""Whether the answer corrects the printed book, or follows its authors where it was unclear."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One question and its answer."""

    id: str
    """Of the anchor and of the words: small letters and hyphens, one of its kind."""
    section: str
    ruleset: str
    rules: Codes
    """The ids of the rules that the answer rests on."""
    facts: tuple[int, ...] = ()
    """Which facts of the list of what newcomers ask it answers."""
    picture: tuple[Codes, ...] = ()
    """Tiles as they lie, in groups; `??` lies face down."""
    laid: tuple[str, ...] = ()
    """What each group of the picture is: `pung`, `concealed kong`; empty where they are no sets."""
    table: str = ""
    """Which table of figures or names stands with the answer; empty for none."""
    drawn: str = ""
    """At which step of setting the table it is drawn, walls and seats and all; empty for none."""
    example: str = ""
    """The text of a hand that shows it, for the scorer to score; empty for none."""
    hands: Mapping[str, str] = field(default_factory=dict)
    """Hand texts by the name under which the answer quotes their totals."""
    options: Codes = ()
    """The table's choices that change the answer."""
    notes: Codes = ()
    """What else of the table's agreement changes the answer: `limit`, `players`, `paying`."""
    mark: _Mark = ""


@cache
def lessons_of(ruleset_name: str) -> tuple[Lesson, ...]:
    """Return the lessons about a ruleset, section by section; KeyError for an unknown one."""
    return tuple(
        lesson for section in SECTIONS[ruleset_name] for lesson in _read(ruleset_name, section)
    )


def lessons_about(rule: str, ruleset_name: str) -> tuple[Lesson, ...]:
    """Return the lessons of a ruleset that rest on a rule."""
    return tuple(lesson for lesson in lessons_of(ruleset_name) if rule in lesson.rules)


def lessons_in(section: str) -> tuple[Lesson, ...]:
    """Return the lessons of one section; KeyError when there is no such section."""
    ruleset = next((name for name, sections in SECTIONS.items() if section in sections), "")
    return tuple(lesson for lesson in lessons_of(ruleset) if lesson.section == section)


def _read(ruleset: str, section: str) -> Iterator[Lesson]:
    """Yield the lessons of one file."""
    text = files("scorer.teach.lessons").joinpath("rows", f"{section}.toml").read_text("utf-8")
    for row in tomllib.loads(text)["lesson"]:
        lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
        if "picture" in lists:
            lists["picture"] = parse_hand(f"{' '.join(row['picture'])} | |").exposed
        yield Lesson(**{**row, **lists, "section": section, "ruleset": ruleset})
