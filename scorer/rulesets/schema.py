"""What may stand in a ruleset's file: the blocks, their keys, and the values that each takes.

The fields are those of `scorer.ruleset`, where they are explained, but for two of a rule: `points`
stands for `exposed` and `concealed` alike, and `who` for `winner_only`.
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
"""Of one row. Far above any rule, so that a slip of the pen cannot make a score without end."""

MOST_CHOWS = 4


class Value(NamedTuple):
    """What a key may have for its value."""

    wanted: str
    """As it goes after "must be"."""
    fits: Callable[[object], bool]
    known: Codes = ()
    """The words there are, where it must be one of them."""


def whole(least: int, most: int) -> Value:
    """Return a whole number within these bounds; true and false are none."""
    wanted = f"a whole number from {least:,} to {most:,}"
    return Value(wanted, lambda value: type(value) is int and least <= value <= most)


def one_of(words: Codes) -> Value:
    """Return one of these words."""
    wanted = ", ".join(f'"{word}"' for word in words)
    return Value(f"one of {wanted}", lambda value: value in words, words)


def _text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.splitlines() == [value]


def _name(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[a-z0-9_]+", value))


def _laid(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[X?]{3,4}", value)) and "X" in value


TEXT = Value("words on one line, in quotation marks", _text)
ANY_TEXT = Value("words in quotation marks", lambda value: isinstance(value, str))
NAME = Value("a name of small letters, digits and underscores, in quotation marks", _name)
SHAPE_LAID = Value("three or four signs, X for a tile face up and ? for one face down", _laid)
SWITCH = Value("true or false", lambda value: isinstance(value, bool))
POINTS, DOUBLES = whole(0, MOST_POINTS), whole(0, MOST_DOUBLES)


class Key(NamedTuple):
    """One key of a block."""

    value: Value
    needed: bool = False
    many: bool = False
    """Whether it has a list of such values, at least one."""


class Block(NamedTuple):
    """A kind of block: `[chows]`, or `[[rule]]`, which may stand many times."""

    called: str
    keys: Mapping[str, Key]
    many: bool = False
    needed: bool = False


class Subject(NamedTuple):
    """What a rule of one subject takes besides what all rules take."""

    who: Codes
    """Whom the scorer gives it to; a rule of a set cannot be kept to the winner."""
    takes: Codes
    needs: Codes = ()
    tests: Collection[str] = ()


class Shape(NamedTuple):
    """What a special hand of one shape takes besides what all of them take."""

    takes: Codes
    tests: Collection[str]


WHO = ("everyone", "winner")

SUBJECTS = MappingProxyType(
    {
        "set": Subject(
            ("everyone",), ("points", "exposed", "concealed"), ("when", "kinds"), TILE_TESTS
        ),
        "bonus": Subject(("everyone",), ("points",), ("when",), BONUS_TESTS),
        "hand": Subject(("winner",), ("points",), ("when",), HAND_TESTS),
        "win": Subject(WHO, ("points", "ways")),
        "special": Subject(("winner",), ("points", "ways"), ("special",)),
        "apart": Subject(("winner",), ("ways",), ("below",)),
    }
)

SHAPES = MappingProxyType(
    {
        "sets": Shape(("fishing", "doubles"), SETS_HANDS),
        "tiles": Shape(("fishing",), TILES_HANDS),
        "event": Shape((), EVENT_HANDS),
    }
)

RULE = {
    "id": Key(TEXT, needed=True),
    "of": Key(one_of(tuple(SUBJECTS)), needed=True),
    "label": Key(TEXT, needed=True),
    "sentence": Key(TEXT, needed=True),
    "who": Key(one_of(WHO), needed=True),
    "when": Key(TEXT),
    "kinds": Key(one_of(("chow", "pung", "kong", "pair")), many=True),
    "ways": Key(one_of(WON_BY), many=True),
    "points": Key(POINTS),
    "exposed": Key(POINTS),
    "concealed": Key(POINTS),
    "doubles": Key(DOUBLES),
    "option": Key(TEXT),
    "special": Key(TEXT),
    "below": Key(whole(1, MOST_POINTS)),
}
SPECIAL = {
    "id": Key(TEXT, needed=True),
    "name": Key(TEXT, needed=True),
    "of": Key(one_of(tuple(SHAPES)), needed=True),
    "when": Key(TEXT, needed=True),
    "sentence": Key(TEXT, needed=True),
    "value": Key(POINTS),
    "fishing": Key(POINTS),
    "doubles": Key(DOUBLES),
}
OPTION = {
    "name": Key(NAME, needed=True),
    "rule": Key(TEXT, needed=True),
    "default": Key(SWITCH, needed=True),
    "sentence": Key(TEXT, needed=True),
}
LAYING = {
    "shape": Key(SHAPE_LAID, needed=True),
    "concealed": Key(SWITCH, needed=True),
    "rule": Key(TEXT, needed=True),
    "promoted": Key(SWITCH),
}
CHOWS = {each: Key(whole(0, MOST_CHOWS)) for each in (*map(str, PLAYERS), "goulash")}
TWO_PLAYERS = {"doubles": Key(DOUBLES, needed=True), "points": Key(POINTS, needed=True)}

BLOCKS = MappingProxyType(
    {
        "chows": Block("this table of chows", CHOWS, needed=True),
        "two_players": Block("this table for two players", TWO_PLAYERS),
        "rule": Block("this rule", RULE, many=True, needed=True),
        "special": Block("this special hand", SPECIAL, many=True),
        "option": Block("this option", OPTION, many=True),
        "laying": Block("this laying", LAYING, many=True),
    }
)

FILE = Block(
    "this file",
    {
        "name": Key(NAME, needed=True),
        "title": Key(TEXT, needed=True),
        "notice": Key(ANY_TEXT),
        "players": Key(whole(min(PLAYERS), max(PLAYERS)), needed=True, many=True),
        "limit": Key(whole(1, MOST_POINTS)),
        "goulash": Key(SWITCH),
        "bonus_tiles": Key(SWITCH),
        "prevailing_wind": Key(SWITCH),
        "one_suit": Key(SWITCH),
        "chow_claims": Key(SWITCH),
    },
)
"""What stands before the blocks."""
