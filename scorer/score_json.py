"""The JSON of `tongbox score`: read hands, write breakdowns or problems.

>>> hand_from_json({"exposed": [["DR", "DR", "DR"]], "seat_wind": "S"}).seat_wind
'S'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import lru_cache
from json import JSONEncoder
from typing import Any

from scorer.breakdown import Breakdown, Score
from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.errors import HandError, HandProblem, ScorerError, english_error, problem_to_json
from scorer.hand import Codes, Hand
from scorer.message import Message, to_english
from scorer.notation import parse_hand
from scorer.parsing import is_safe_int


def hand_from_json(data: object) -> Hand:
    """Return the hand, given as `{"hand": text}` or field by field.

    Missing fields take the defaults of `Hand`; unknown fields are ignored. Raises NotationError for
    a bad text, and HandError that lists every field of a wrong type.
    """
    if not isinstance(data, Mapping):
        raise HandError((english_error("bad-json", "A hand is a JSON object."),))
    if "hand" in data:
        text = data["hand"]
        if not isinstance(text, str):
            raise HandError((english_error("bad-json", '"hand" must be a line of hand text.'),))
        return parse_hand(text)
    values: dict[str, Any] = {}
    problems: list[HandProblem] = []
    for name, (read, expected) in FIELDS.items():
        if name in data:
            try:
                values[name] = read(data[name])
            except TypeError:
                problems.append(english_error("bad-json", f'"{name}" must be {expected}.'))
    HandError.raise_for(problems)
    return Hand(**values)


def breakdown_to_json(breakdown: Breakdown) -> dict[str, Any]:
    """Return the breakdown as plain values for `json.dumps`, its messages in English."""
    return {each.name: _to_plain(getattr(breakdown, each.name)) for each in fields(breakdown)}


def _to_plain(value: object) -> object:
    if isinstance(value, Message):
        return to_english(value)
    if is_dataclass(value):
        return {each.name: _to_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return tuple(map(_to_plain, value))
    return value


def format_json_line(answer: object) -> str:
    """Return an answer as one line of JSON: dataclasses as objects, messages in English.

    The result equals that of `breakdown_to_json`, without building plain values first. The parts of
    a score recur from hand to hand.
    """
    if not isinstance(answer, Score):
        return _ENCODER.encode(answer)
    parts = ((name, getattr(answer, name)) for name in answer.__match_args__)
    return "{" + ", ".join([f'"{name}": {_format_part(part)}' for name, part in parts]) + "}"


def _format_part(part: Any) -> str:  # noqa: ANN401 - any value that a field of a score has
    if isinstance(part, tuple):
        return "[" + ", ".join(map(_format_item, part)) + "]"
    return _format_item(part)


@lru_cache(maxsize=MAX_CACHED_HANDS, typed=True)
def _format_item(item: object) -> str:
    return _ENCODER.encode(item)


def _encode_value(value: Any) -> object:  # noqa: ANN401 - any value that json cannot write
    if isinstance(value, Message):
        return to_english(value)
    return {name: getattr(value, name) for name in value.__match_args__}


_ENCODER = JSONEncoder(default=_encode_value)


def problems_to_json(failure: ScorerError) -> dict[str, Any]:
    """Return the problems of a hand that could not be scored or read."""
    return {"problems": [problem_to_json(problem) for problem in failure.problems]}


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _read_number(value: object) -> int:
    if not isinstance(value, int) or not is_safe_int(value):
        raise TypeError
    return value


def _read_bool(value: object) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _read_items(value: object) -> Iterator[object]:
    if not isinstance(value, list | tuple):
        raise TypeError
    return iter(value)


def _read_codes(value: object) -> Codes:
    return tuple(_read_text(item) for item in _read_items(value))


def _read_sets(value: object) -> tuple[Codes, ...]:
    return tuple(_read_codes(item) for item in _read_items(value))


_FieldReader = Callable[[object], object]
"""Convert a JSON value to a field of `Hand`; raise TypeError for a value of another type."""

FIELDS: dict[str, tuple[_FieldReader, str]] = {
    "exposed": (_read_sets, "a list of sets, each a list of tile codes"),
    "declared_kongs": (_read_sets, "a list of kongs, each a list of tile codes"),
    "concealed": (_read_codes, "a list of tile codes"),
    "bonus": (_read_codes, "a list of tile codes"),
    "winner": (_read_bool, "true or false"),
    "won_by": (_read_codes, "a list of ways of winning"),
    "winning_tile": (
        lambda value: None if value is None else _read_text(value),
        "a tile code or null",
    ),
    "seat_wind": (_read_text, "E, S, W or N"),
    "prevailing_wind": (_read_text, "E, S, W or N"),
    "ruleset": (_read_text, "the name of a ruleset"),
    "players": (_read_number, "a number"),
    "goulash": (_read_bool, "true or false"),
    "original_call": (_read_bool, "true or false"),
    "house": (_read_codes, 'a list of choices such as "clean_hand:off"'),
    "limit": (lambda value: None if value is None else _read_number(value), "a number or null"),
}
"""The fields of the long form: how each is read, and what it must be."""
