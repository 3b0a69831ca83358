"""The schema of a ruleset's file: its blocks, their keys, and the values of each.

The fields are explained in `scorer.ruleset`. Two keys of a rule differ: `points` means both
`exposed` and `concealed`, and `who` means `winner_only`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scorer.hand import PLAYERS, WON_BY, Codes
from scorer.predicates.bonus_tests import BONUS_TESTS
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import TILE_TESTS
from scorer.special.table import EVENT_HANDS, SETS_HANDS, TILES_HANDS

MOST_POINTS = 1_000_000
MOST_DOUBLES = 20
"""Limits of one row, far above any rule, so that a typing mistake cannot give a huge score."""

MOST_CHOWS = 4


class SchemaValue(NamedTuple):
    """The allowed values of a key."""

    wanted: str
    """A description that follows "must be"."""
    fits: Callable[[object], bool]
    known: Codes = ()
    """The allowed words, if the value must be one of some words."""


def whole(least: int, most: int) -> SchemaValue:
    """Allow a whole number within these bounds, but not true or false."""
    wanted = f"a whole number from {least:,} to {most:,}"
    return SchemaValue(wanted, lambda value: type(value) is int and least <= value <= most)


def one_of(words: Codes) -> SchemaValue:
    """Allow one of these words."""
    wanted = ", ".join(f'"{word}"' for word in words)
    return SchemaValue(f"one of {wanted}", lambda value: value in words, words)


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.splitlines() == [value]


def _name(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[a-z0-9_]+", value))


def _laid(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[X?]{3,4}", value)) and "X" in value


TEXT = SchemaValue("words on one line, in quotation marks", _text)
ANY_TEXT = SchemaValue("words in quotation marks", lambda value: isinstance(value, str))
NAME = SchemaValue("a name of small letters, digits and underscores, in quotation marks", _name)
SHAPE_LAID = SchemaValue("three or four signs, X for a tile face up and ? for one face down", _laid)
SWITCH = SchemaValue("true or false", lambda value: isinstance(value, bool))
POINTS, DOUBLES = whole(0, MOST_POINTS), whole(0, MOST_DOUBLES)


class SchemaKey(NamedTuple):
    """One key of a block."""

    value: SchemaValue
    needed: bool = False
    many: bool = False
    """Whether the value is a list of at least one such value."""


class SchemaBlock(NamedTuple):
    """A kind of block: single, such as `[chows]`, or repeatable, such as `[[rule]]`."""

    called: str
    keys: Mapping[str, SchemaKey]
    many: bool = False
    needed: bool = False


class SchemaSubject(NamedTuple):
    """The keys that a rule of one subject accepts besides those of all rules."""

    who: Codes
    """Who may receive it; a `set` rule cannot be limited to the winner."""
    takes: Codes
    needs: Codes = ()
    tests: Collection[str] = ()


class SchemaShape(NamedTuple):
    """The keys that a special hand of one shape accepts besides those of all."""

    takes: Codes
    tests: Collection[str]


WHO = ("everyone", "winner")

SUBJECTS = MappingProxyType(
    {
        "set": SchemaSubject(
            ("everyone",), ("points", "exposed", "concealed"), ("when", "kinds"), TILE_TESTS
        ),
        "bonus": SchemaSubject(("everyone",), ("points",), ("when",), BONUS_TESTS),
        "hand": SchemaSubject(("winner",), ("points",), ("when",), HAND_TESTS),
        "win": SchemaSubject(WHO, ("points", "ways")),
        "special": SchemaSubject(("winner",), ("points", "ways"), ("special",)),
        "apart": SchemaSubject(("winner",), ("ways",), ("below",)),
    }
)

SHAPES = MappingProxyType(
    {
        "sets": SchemaShape(("fishing", "doubles"), SETS_HANDS),
        "tiles": SchemaShape(("fishing",), TILES_HANDS),
        "event": SchemaShape((), EVENT_HANDS),
    }
)

RULE = {
    "id": SchemaKey(TEXT, needed=True),
    "of": SchemaKey(one_of(tuple(SUBJECTS)), needed=True),
    "label": SchemaKey(TEXT, needed=True),
    "sentence": SchemaKey(TEXT, needed=True),
    "who": SchemaKey(one_of(WHO), needed=True),
    "when": SchemaKey(TEXT),
    "kinds": SchemaKey(one_of(("chow", "pung", "kong", "pair")), many=True),
    "ways": SchemaKey(one_of(WON_BY), many=True),
    "points": SchemaKey(POINTS),
    "exposed": SchemaKey(POINTS),
    "concealed": SchemaKey(POINTS),
    "doubles": SchemaKey(DOUBLES),
    "option": SchemaKey(TEXT),
    "special": SchemaKey(TEXT),
    "below": SchemaKey(whole(1, MOST_POINTS)),
}
SPECIAL = {
    "id": SchemaKey(TEXT, needed=True),
    "name": SchemaKey(TEXT, needed=True),
    "of": SchemaKey(one_of(tuple(SHAPES)), needed=True),
    "when": SchemaKey(TEXT, needed=True),
    "sentence": SchemaKey(TEXT, needed=True),
    "value": SchemaKey(POINTS),
    "fishing": SchemaKey(POINTS),
    "doubles": SchemaKey(DOUBLES),
}
OPTION = {
    "name": SchemaKey(NAME, needed=True),
    "rule": SchemaKey(TEXT, needed=True),
    "default": SchemaKey(SWITCH, needed=True),
    "sentence": SchemaKey(TEXT, needed=True),
}
LAYING = {
    "shape": SchemaKey(SHAPE_LAID, needed=True),
    "concealed": SchemaKey(SWITCH, needed=True),
    "rule": SchemaKey(TEXT, needed=True),
    "promoted": SchemaKey(SWITCH),
}
CHOWS = {each: SchemaKey(whole(0, MOST_CHOWS)) for each in (*map(str, PLAYERS), "goulash")}
TWO_PLAYERS = {"doubles": SchemaKey(DOUBLES, needed=True), "points": SchemaKey(POINTS, needed=True)}

BLOCKS = MappingProxyType(
    {
        "chows": SchemaBlock("this table of chows", CHOWS, needed=True),
        "two_players": SchemaBlock("this table for two players", TWO_PLAYERS),
        "rule": SchemaBlock("this rule", RULE, many=True, needed=True),
        "special": SchemaBlock("this special hand", SPECIAL, many=True),
        "option": SchemaBlock("this option", OPTION, many=True),
        "laying": SchemaBlock("this laying", LAYING, many=True),
    }
)

FILE = SchemaBlock(
    "this file",
    {
        "name": SchemaKey(NAME, needed=True),
        "title": SchemaKey(TEXT, needed=True),
        "notice": SchemaKey(ANY_TEXT),
        "players": SchemaKey(whole(min(PLAYERS), max(PLAYERS)), needed=True, many=True),
        "limit": SchemaKey(whole(1, MOST_POINTS)),
        "goulash": SchemaKey(SWITCH),
        "bonus_tiles": SchemaKey(SWITCH),
        "prevailing_wind": SchemaKey(SWITCH),
        "one_suit": SchemaKey(SWITCH),
        "chow_claims": SchemaKey(SWITCH),
    },
)
"""The keys before the first heading."""
