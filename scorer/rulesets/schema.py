"""The schema of a ruleset's file: its blocks, their keys, and the values of each.

The fields are explained in `scorer.ruleset`. Two keys of a rule differ: `points` means both
`exposed` and `concealed`, and `who` means `winner_only`. A special hand with `played = false` is
left out of the ruleset, and only its file remembers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from scorer.hand import PLAYER_COUNTS, WAYS_OF_WINNING, Codes
from scorer.message import Message, message
from scorer.predicates.bonus_tests import BONUS_TESTS
from scorer.predicates.hand_tests import HAND_TESTS
from scorer.predicates.tile_tests import TILE_TESTS
from scorer.ruleset import FAMILIES, LAST_TILES
from scorer.special.registry import EVENT_HANDS

MAX_ROW_POINTS = 1_000_000
MAX_ROW_DOUBLES = 20
"""Limits of one row, far above any rule, so that a typing mistake cannot give a huge score."""

MAX_CHOW_SETS = 4

MIN_KONG_BOX_TILES, MAX_KONG_BOX_TILES = 4, 40
"""Tiles in the kong box: it has the two loose tiles at least, and leaves a wall to draw from."""

RULESET_FORMAT = 1
"""The newest form of such files that this program reads. An exported file says which one it has."""

MAX_RULESET_VERSION = 999_999
"""The highest version that a ruleset's key can name (`device.rulesets`)."""


class SchemaValue(NamedTuple):
    """The allowed values of a key."""

    expected: Message
    """A description that follows "must be"."""
    fits: Callable[[object], bool]
    known_words: Codes = ()
    """The allowed words, if the value must be one of some words."""


def whole_number(minimum: int, maximum: int) -> SchemaValue:
    """Allow a whole number within these bounds, but not true or false."""
    expected = message("ruleset-value.number", least=minimum, most=maximum)
    return SchemaValue(expected, lambda value: type(value) is int and minimum <= value <= maximum)


def even_number(minimum: int, maximum: int) -> SchemaValue:
    """Allow an even whole number within these bounds."""
    expected = message("ruleset-value.even", least=minimum, most=maximum)
    fits = whole_number(minimum, maximum).fits
    return SchemaValue(expected, lambda value: fits(value) and value in range(0, maximum + 1, 2))


def quote_words(words: Iterable[str]) -> tuple[Message, ...]:
    """Return words of a file, each in the quotation marks of the language that says them."""
    return tuple(message("ruleset-value.quoted", text=word) for word in words)


def one_of_words(words: Codes) -> SchemaValue:
    """Allow one of these words."""
    expected = message("ruleset-value.one-of", words=quote_words(words))
    return SchemaValue(expected, lambda value: value in words, words)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip()) and value.splitlines() == [value]


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[a-z0-9_]+", value))


def _is_laying_shape(value: object) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[X?]{3,4}", value)) and "X" in value


def _is_variant(value: object) -> bool:
    return (
        isinstance(value, dict)
        and {"option"} < value.keys() <= {"option", "pattern", "claim"}
        and all(map(_is_text, value.values()))
        and value.get("claim", LAST_TILES[0]) in LAST_TILES
    )


TEXT_VALUE = SchemaValue(message("ruleset-value.text"), _is_text)
ANY_TEXT_VALUE = SchemaValue(
    message("ruleset-value.any-text"), lambda value: isinstance(value, str)
)
NAME_VALUE = SchemaValue(message("ruleset-value.name"), _is_name)
SHAPE_VALUE = SchemaValue(message("ruleset-value.shape"), _is_laying_shape)
FORMAT_VALUE = SchemaValue(
    message("ruleset-value.format", newest=RULESET_FORMAT),
    lambda value: type(value) is int and 1 <= value <= RULESET_FORMAT,
)
VARIANT_VALUE = SchemaValue(
    message("ruleset-value.variant", example='{ option = "jade_chows", pattern = "…" }'),
    _is_variant,
)
SWITCH_VALUE = SchemaValue(message("ruleset-value.switch"), lambda value: isinstance(value, bool))
NO_CHOWS_VALUE = SchemaValue(message("ruleset-value.no-chows"), lambda value: value == 0)
"""How tiles of a goulash are put in sets has no chows (BMJA-G04)."""
POINTS_VALUE, DOUBLES_VALUE = whole_number(0, MAX_ROW_POINTS), whole_number(0, MAX_ROW_DOUBLES)


class SchemaKey(NamedTuple):
    """One key of a block."""

    value: SchemaValue
    is_required: bool = False
    is_list: bool = False
    """Whether the value is a list of at least one such value."""


class SchemaBlock(NamedTuple):
    """A kind of block: single, such as `[chows]`, or repeatable, such as `[[rule]]`."""

    label: Message
    """How sentences name such a block: `this rule`."""
    keys: Mapping[str, SchemaKey]
    may_repeat: bool = False
    is_required: bool = False


def _name_block(block: str) -> Message:
    return message(f"ruleset-block.{block}")


class SchemaSubject(NamedTuple):
    """The keys that a rule of one subject accepts besides those of all rules."""

    owners: Codes
    """Who may receive it; a `set` rule cannot be limited to the winner."""
    takes: Codes
    needs: Codes = ()
    tests: Collection[str] = ()


RECIPIENTS = ("everyone", "winner")

SUBJECTS = MappingProxyType(
    {
        "set": SchemaSubject(
            ("everyone",), ("points", "exposed", "concealed"), ("when", "kinds"), TILE_TESTS
        ),
        "bonus": SchemaSubject(("everyone",), ("points",), ("when",), BONUS_TESTS),
        "hand": SchemaSubject(("winner",), ("points",), ("when",), HAND_TESTS),
        "win": SchemaSubject(RECIPIENTS, ("points", "ways")),
        "special": SchemaSubject(("winner",), ("points", "ways"), ("special",)),
        "apart": SchemaSubject(("winner",), ("ways",), ("below",)),
    }
)

RULE_KEYS = {
    "id": SchemaKey(TEXT_VALUE, is_required=True),
    "of": SchemaKey(one_of_words(tuple(SUBJECTS)), is_required=True),
    "label": SchemaKey(TEXT_VALUE, is_required=True),
    "sentence": SchemaKey(TEXT_VALUE, is_required=True),
    "who": SchemaKey(one_of_words(RECIPIENTS), is_required=True),
    "when": SchemaKey(TEXT_VALUE),
    "kinds": SchemaKey(one_of_words(("chow", "pung", "kong", "pair")), is_list=True),
    "ways": SchemaKey(one_of_words(WAYS_OF_WINNING), is_list=True),
    "points": SchemaKey(POINTS_VALUE),
    "exposed": SchemaKey(POINTS_VALUE),
    "concealed": SchemaKey(POINTS_VALUE),
    "doubles": SchemaKey(DOUBLES_VALUE),
    "option": SchemaKey(TEXT_VALUE),
    "special": SchemaKey(TEXT_VALUE),
    "below": SchemaKey(whole_number(1, MAX_ROW_POINTS)),
    "examples": SchemaKey(TEXT_VALUE, is_list=True),
    "misses": SchemaKey(TEXT_VALUE, is_list=True),
}
SPECIAL_KEYS = {
    "id": SchemaKey(TEXT_VALUE, is_required=True),
    "name": SchemaKey(TEXT_VALUE, is_required=True),
    "pattern": SchemaKey(TEXT_VALUE),
    "concealed": SchemaKey(SWITCH_VALUE),
    "claim": SchemaKey(one_of_words(LAST_TILES)),
    "variants": SchemaKey(VARIANT_VALUE, is_list=True),
    "when": SchemaKey(one_of_words(tuple(EVENT_HANDS))),
    "sentence": SchemaKey(TEXT_VALUE),
    "value": SchemaKey(POINTS_VALUE),
    "fishing": SchemaKey(POINTS_VALUE),
    "doubles": SchemaKey(DOUBLES_VALUE),
    "played": SchemaKey(SWITCH_VALUE),
    "examples": SchemaKey(TEXT_VALUE, is_list=True),
    "misses": SchemaKey(TEXT_VALUE, is_list=True),
}
OPTION_KEYS = {
    "name": SchemaKey(NAME_VALUE, is_required=True),
    "rule": SchemaKey(TEXT_VALUE, is_required=True),
    "default": SchemaKey(SWITCH_VALUE, is_required=True),
    "sentence": SchemaKey(TEXT_VALUE, is_required=True),
    "affects": SchemaKey(TEXT_VALUE, is_list=True),
    "lessons": SchemaKey(TEXT_VALUE, is_list=True),
    "examples": SchemaKey(TEXT_VALUE, is_list=True),
}
ELSEWHERE_KEYS = {
    "rule": SchemaKey(TEXT_VALUE, is_required=True),
    "label": SchemaKey(TEXT_VALUE, is_required=True),
    "families": SchemaKey(one_of_words(FAMILIES), is_required=True, is_list=True),
    "source": SchemaKey(TEXT_VALUE, is_required=True),
    "points": SchemaKey(POINTS_VALUE),
    "doubles": SchemaKey(DOUBLES_VALUE),
    "limit": SchemaKey(SWITCH_VALUE),
    "who": SchemaKey(one_of_words(RECIPIENTS)),
    "of": SchemaKey(one_of_words(("set", "bonus", "hand", "win"))),
    **{key: RULE_KEYS[key] for key in ("when", "kinds", "ways")},
    **{key: SPECIAL_KEYS[key] for key in ("pattern", "concealed", "claim")},
    **{key: RULE_KEYS[key] for key in ("option", "examples", "misses")},
}
LAYING_KEYS = {
    "shape": SchemaKey(SHAPE_VALUE, is_required=True),
    "concealed": SchemaKey(SWITCH_VALUE, is_required=True),
    "rule": SchemaKey(TEXT_VALUE, is_required=True),
    "promoted": SchemaKey(SWITCH_VALUE),
}
CHOW_KEYS = {
    **{str(each): SchemaKey(whole_number(0, MAX_CHOW_SETS)) for each in PLAYER_COUNTS},
    "goulash": SchemaKey(NO_CHOWS_VALUE),
}
KONG_BOX_KEYS = {
    str(each): SchemaKey(even_number(MIN_KONG_BOX_TILES, MAX_KONG_BOX_TILES))
    for each in PLAYER_COUNTS
}
PAYMENT_KEYS = {
    "tallies": SchemaKey(POINTS_VALUE),
    "misnamed": SchemaKey(POINTS_VALUE),
    "false_mah_jong": SchemaKey(POINTS_VALUE),
}
TWO_PLAYERS_KEYS = {
    "doubles": SchemaKey(DOUBLES_VALUE, is_required=True),
    "points": SchemaKey(POINTS_VALUE, is_required=True),
}

BLOCKS = MappingProxyType(
    {
        "chows": SchemaBlock(_name_block("chows"), CHOW_KEYS, is_required=True),
        "two_players": SchemaBlock(_name_block("two_players"), TWO_PLAYERS_KEYS),
        "kong_box": SchemaBlock(_name_block("kong_box"), KONG_BOX_KEYS),
        "payments": SchemaBlock(_name_block("payments"), PAYMENT_KEYS),
        "rule": SchemaBlock(_name_block("rule"), RULE_KEYS, may_repeat=True, is_required=True),
        "special": SchemaBlock(_name_block("special"), SPECIAL_KEYS, may_repeat=True),
        "option": SchemaBlock(_name_block("option"), OPTION_KEYS, may_repeat=True),
        "elsewhere": SchemaBlock(_name_block("elsewhere"), ELSEWHERE_KEYS, may_repeat=True),
        "laying": SchemaBlock(_name_block("laying"), LAYING_KEYS, may_repeat=True),
    }
)

LIMIT_KEYS = ("limit", "ordinary_limit")

FILE_BLOCK = SchemaBlock(
    _name_block("file"),
    {
        "name": SchemaKey(NAME_VALUE, is_required=True),
        "title": SchemaKey(TEXT_VALUE, is_required=True),
        "author": SchemaKey(TEXT_VALUE),
        "version": SchemaKey(whole_number(1, MAX_RULESET_VERSION)),
        "digest": SchemaKey(TEXT_VALUE),
        "format": SchemaKey(FORMAT_VALUE),
        "notice": SchemaKey(ANY_TEXT_VALUE),
        "players": SchemaKey(
            whole_number(min(PLAYER_COUNTS), max(PLAYER_COUNTS)), is_required=True, is_list=True
        ),
        **dict.fromkeys(LIMIT_KEYS, SchemaKey(whole_number(1, MAX_ROW_POINTS))),
        "goulash": SchemaKey(SWITCH_VALUE),
        "bonus_tiles": SchemaKey(SWITCH_VALUE),
        "prevailing_wind": SchemaKey(SWITCH_VALUE),
        "one_suit": SchemaKey(SWITCH_VALUE),
        "chow_claims": SchemaKey(SWITCH_VALUE),
    },
)
"""The keys before the first heading."""
