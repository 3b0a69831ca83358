"""The lessons: a newcomer's questions, section by section, as data without text.

A lesson has the rules behind the answer, a picture in tiles and an example for the scorer. The
texts of question and answer are among the page's words, under the lesson's id.

>>> [lesson.id for lesson in lessons_about("BMJA-P14", "bmja")]
['claims-at-once', 'say-mah-jong']
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
from scorer.rulesets.builtin import load_builtin

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "bmja": ("equipment", "preparing", "playing", "scoring", "oddities", "glossary"),
    "safalra": ("safalra-play", "safalra-scoring"),
}
"""The sections of each ruleset, in the order in which a newcomer asks."""

_Mark = Literal["", "correction", "clarified"]
"""Whether the answer corrects the printed book, or clarifies it as its authors did."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """One question and its answer."""

    id: str
    """The unique id, in small letters and hyphens, for the anchor and the texts."""
    section: str
    ruleset: str
    rules: Codes
    """The ids of the rules behind the answer, those of its `options` included."""
    facts: tuple[int, ...] = ()
    """The facts that it answers, from the list of newcomers' questions."""
    picture: tuple[Codes, ...] = ()
    """Tiles in groups; `??` is face down."""
    laid: tuple[str, ...] = ()
    """The name of each group: `pung`, `concealed kong`; empty when they are no sets."""
    table: str = ""
    """The list of figures or names shown with the answer; empty for none."""
    drawn: str = ""
    """The step of setting the table that is drawn, with walls and seats; empty for none."""
    example: str = ""
    """The hand text of an example to score; empty for none."""
    hands: Mapping[str, str] = field(default_factory=dict)
    """Hand texts by the name under which the answer quotes their totals."""
    options: Codes = ()
    """The table's choices that change the answer; an option's row names its lessons."""
    notes: Codes = ()
    """Other agreements of the table that change the answer: `limit`, `players`, `paying`."""
    mark: _Mark = ""


@cache
def lessons_of(ruleset_name: str) -> tuple[Lesson, ...]:
    """Return the lessons of a ruleset by section; raise KeyError for an unknown one."""
    return tuple(
        lesson
        for section in SECTIONS[ruleset_name]
        for lesson in _read_section(ruleset_name, section)
    )


def lessons_about(rule: str, ruleset_name: str) -> tuple[Lesson, ...]:
    """Return the lessons of a ruleset that use a rule."""
    return tuple(lesson for lesson in lessons_of(ruleset_name) if rule in lesson.rules)


def lessons_in(section: str) -> tuple[Lesson, ...]:
    """Return the lessons of one section; raise KeyError for an unknown section."""
    ruleset = next((name for name, sections in SECTIONS.items() if section in sections), "")
    return tuple(lesson for lesson in lessons_of(ruleset) if lesson.section == section)


def _read_section(ruleset: str, section: str) -> Iterator[Lesson]:
    """Yield the lessons of one file."""
    text = files("scorer.teach.lessons").joinpath("rows", f"{section}.toml").read_text("utf-8")
    for row in tomllib.loads(text)["lesson"]:
        lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
        if "picture" in lists:
            lists["picture"] = parse_hand(f"{' '.join(row['picture'])} | |").exposed
        options = [each for each in load_builtin(ruleset).options if row["id"] in each.lessons]
        rule_ids = dict.fromkeys([*row["rules"], *(option.rule for option in options)])
        lists |= {"rules": tuple(rule_ids), "options": tuple(option.name for option in options)}
        yield Lesson(**{**row, **lists, "section": section, "ruleset": ruleset})
