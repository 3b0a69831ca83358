"""Read a ruleset from its file, or report every fault in it by line.

>>> read_ruleset("= 4")
Traceback (most recent call last):
scorer.rulesets.reader.RulesetError: Line 1: This is not written as TOML must be: Invalid statement.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

from scorer.errors import ScorerError, error
from scorer.hand import RULESETS
from scorer.message import Message, message, plain_text, rule_text
from scorer.patterns.frames import compile_pattern
from scorer.patterns.wording import describe_pattern
from scorer.ruleset import (
    ForeignRule,
    Laying,
    Option,
    PaymentFigures,
    Rule,
    Ruleset,
    SpecialHand,
    SpecialVariant,
    TwoPlayers,
    with_options,
)
from scorer.rulesets.checks import Fault, FaultFinder, Faults, find_faults
from scorer.rulesets.example_hands import write_example
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.line_numbers import Lines, find_bad_statement
from scorer.rulesets.outside import find_outside_faults
from scorer.rulesets.sentences import mend_sentence
from scorer.unseen_signs import find_unseen, remove_unseen_values

MAX_RULESET_BYTES = 10**6
"""Limit of a ruleset's file; the British rules take less than 40,000 bytes."""

BYTE_ORDER_MARK = "\ufeff"
"""Some editors write it at the start of a file."""


HAND_KEYS = ("pattern", "concealed", "claim")
"""The keys of a foreign rule that make its hand."""


class RulesetError(ScorerError):
    """Raised for a file that is no ruleset; every message begins with its line number."""


def load_ruleset(path: Path) -> Ruleset:
    """Read a table's own ruleset from a file; raise RulesetError with every fault.

    Each sentence names the file.
    """
    try:
        return read_outside_ruleset(read_ruleset_file(path))
    except RulesetError as failure:
        problems = (
            replace(each, message=message("ruleset-file.file", path=str(path), what=each.message))
            for each in failure.problems
        )
        raise RulesetError(tuple(problems)) from failure


def read_ruleset_file(path: Path) -> str:
    """Read the text of a file; raise RulesetError if it cannot be a ruleset."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_RULESET_BYTES + 1)
    except OSError as failure:
        what = (
            f"The file cannot be opened: {failure.strerror}. To make one: tongbox rules NAME > "
            f"FILE. NAME is {' or '.join(RULESETS)}."
        )
        raise RulesetError((error("no-file", plain_text(what)),)) from failure
    if len(data) > MAX_RULESET_BYTES:
        what = f"The file is over {MAX_RULESET_BYTES:,} bytes, too large for a ruleset."
        raise RulesetError((error("too-large", plain_text(what)),))
    try:
        return data.decode()
    except UnicodeDecodeError as failure:
        raise not_utf_8(data, failure) from failure


def not_utf_8(data: bytes, failure: UnicodeDecodeError) -> RulesetError:
    """Return the error of a file whose bytes are no text."""
    line = data.count(b"\n", 0, failure.start) + 1
    return RulesetError((error("not-utf-8", at_line(line, message("ruleset-file.not-utf-8"))),))


def at_line(line: int, what: Message) -> Message:
    """Return a sentence about a line, counted from 1."""
    return message("ruleset-file.line", line=line, what=what)


def read_ruleset(text: str, find_more: FaultFinder | None = None) -> Ruleset:
    """Return the ruleset in a text; raise RulesetError with every fault.

    `find_more` finds faults that only some readers mind.
    """
    text = text.removeprefix(BYTE_ORDER_MARK)
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as failure:  # all that tomllib raises
        raise RulesetError((error("syntax", find_syntax_fault(text, failure)),)) from failure
    found = [*find_faults(data), *(find_more(data) if find_more else ())]
    if found:
        raise _make_error(text, found)
    return _build_ruleset(remove_unseen_values(data))


def read_outside_ruleset(text: str, find_more: FaultFinder | None = None) -> Ruleset:
    """Return the ruleset in a text that comes from outside, as `read_ruleset` does.

    Raises RulesetError also for what is read of files that a box kept before, but taken no more.
    """
    unseen = ((line, find_unseen(each)) for line, each in enumerate(text.split("\n"), 1))
    faults = [
        error("wrong-value", at_line(line, message("ruleset-file.unseen-sign", sign=sign)))
        for line, sign in unseen
        if sign
    ]
    if faults:
        raise RulesetError(tuple(faults))

    def find_all(data: Mapping[str, Any]) -> Faults:
        return chain(find_more(data) if find_more else (), find_outside_faults(data))

    return read_ruleset(text, find_all)


def _make_error(text: str, found: Iterable[Fault]) -> RulesetError:
    lines = Lines(text)
    placed = sorted(((lines.find_line(each.at), each) for each in found), key=lambda pair: pair[0])
    return RulesetError(
        tuple(error(each.code, at_line(line, each.message)) for line, each in placed)
    )


def _build_ruleset(data: dict[str, Any]) -> Ruleset:
    game = _load_game_blocks(data["name"] if data["name"] in RULESETS else RULESETS[0])
    rules = tuple(_build_rule(row, game["rule"]) for row in data["rule"])
    options = tuple(Option(**_said(row, "sentence")) for row in data.get("option", ()))
    played = (row for row in data.get("special", ()) if row.get("played", True))
    specials = sorted(map(_build_special, played), key=lambda each: -each.value)
    two = data.get("two_players")
    ruleset = Ruleset(
        name=data["name"],
        title=rule_text(data["title"]),
        chows=MappingProxyType(data["chows"]),
        rules=rules,
        every_rule=rules,
        players=tuple(data["players"]),
        limit=data.get("limit"),
        notice=rule_text(data["notice"]) if data.get("notice") else "",
        author=data.get("author", ""),
        version=data.get("version", 0),
        kong_box=MappingProxyType(data.get("kong_box", game["kong_box"])),
        payments=PaymentFigures(**data.get("payments", game["payments"])),
        every_special=tuple(specials),
        options=options,
        layings=tuple(Laying(**row) for row in data.get("laying", ())),
        every_foreign_rule=tuple(map(_build_foreign_rule, data.get("elsewhere", ()))),
        two_players=TwoPlayers(**two) if two else None,
        goulash=data.get("goulash", False),
        bonus_tiles=data.get("bonus_tiles", False),
        prevailing_wind=data.get("prevailing_wind", False),
        one_suit=data.get("one_suit", False),
        chow_claims=data.get("chow_claims", True),
    )
    return with_options(ruleset, frozenset(each.name for each in options if each.default))


@lru_cache(maxsize=len(RULESETS))
def _load_game_blocks(name: str) -> Mapping[str, Any]:
    """Return the blocks of a built-in ruleset that other files of its game may leave out.

    Its rules say what a sentence means whose figures a file has changed.
    """
    data = tomllib.loads(load_builtin_text(name))
    return {block: data[block] for block in ("kong_box", "payments", "rule")}


def _said(row: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Return a row in which the texts of these keys are messages, and lists are tuples."""
    lists = {key: tuple(value) for key, value in row.items() if isinstance(value, list)}
    return {**row, **lists, **{key: rule_text(row[key]) for key in keys}}


def _build_special(row: dict[str, Any]) -> SpecialHand:
    patterns = {"pattern": compile_pattern(row["pattern"])} if "pattern" in row else {}
    variants = tuple(
        SpecialVariant(
            each["option"],
            compile_pattern(each["pattern"]) if "pattern" in each else None,
            each.get("claim"),
        )
        for each in row.get("variants", ())
    )
    made = {key: row[key] for key in row if key not in ("played", "sentence")}
    if "pattern" in row and "examples" not in row:
        made["examples"] = [write_example(row["pattern"], concealed=row.get("concealed", False))]
    sentence = rule_text(row["sentence"]) if "sentence" in row else describe_pattern(row["pattern"])
    said = _said(made, "name")
    return SpecialHand(**{**said, **patterns, "sentence": sentence, "variants": variants})


def _build_foreign_rule(row: dict[str, Any]) -> ForeignRule:
    fields = {key: value for key, value in _said(row, "label").items() if key not in HAND_KEYS}
    winner_only = fields.pop("who", "winner") == "winner"
    hand = None
    if "pattern" in row:
        hand = SpecialHand(
            id=row["label"],
            name=fields["label"],
            sentence=fields["label"],
            pattern=compile_pattern(row["pattern"]),
            concealed=row.get("concealed", False),
            claim=row.get("claim", "any"),
        )
    return ForeignRule(**fields, winner_only=winner_only, hand=hand)


def _build_rule(row: dict[str, Any], shipped: list[dict[str, Any]]) -> Rule:
    points = row.get("points", 0)
    return Rule(
        id=row["id"],
        of=row["of"],
        label=rule_text(row["label"]),
        sentence=rule_text(mend_sentence(row, shipped)),
        winner_only=row["who"] == "winner",
        when=row.get("when", ""),
        kinds=tuple(row.get("kinds", ())),
        ways=tuple(row.get("ways", ())),
        exposed_points=row.get("exposed", points),
        concealed_points=row.get("concealed", points),
        doubles=row.get("doubles", 0),
        option=row.get("option", ""),
        special=row.get("special", ""),
        below=row.get("below", 0),
        examples=tuple(row.get("examples", ())),
        misses=tuple(row.get("misses", ())),
    )


SYNTAX_FAULTS = (
    ("Expected '='", "no-equals-sign"),
    ("Invalid value", "no-value"),
    ("Expected newline", "after-a-value"),
    ("Illegal character '\\n'", "unended-text"),
    ("Found invalid character '\\n'", "unended-text"),
    ("Unterminated string", "unended-text"),
    ("Expected \"'", "unended-text"),
    ("Unclosed", "unclosed-bracket"),
    ("Cannot ", "twice"),
    ("Duplicate", "twice"),
    ("Expected ']", "heading"),
)
"""Beginnings of `tomllib`'s messages, and the keys of sentences for people who edit rules."""

REPORTED_TOO_LATE = ("Unterminated", "Expected \"'", "Unclosed")
"""Messages that name a line after the real mistake."""


def find_syntax_fault(text: str, failure: Exception) -> Message:
    """Return what is wrong with the line that `tomllib` failed to read."""
    begun = find_bad_statement(text)
    if not isinstance(failure, tomllib.TOMLDecodeError):
        return at_line(begun, message("ruleset-syntax.too-much"))
    reason = re.sub(r" \(at [^()]*\)$", "", str(failure))
    place = re.search(r"\(at line (\d+), [^()]*\)$", str(failure))
    line = int(place[1]) if place else text.rstrip().count("\n") + 1
    keys = (key for start, key in SYNTAX_FAULTS if reason.startswith(start))
    key = next(keys, "in-its-words")
    what = message(f"ruleset-syntax.{key}", reason=reason)
    return at_line(begun if reason.startswith(REPORTED_TOO_LATE) else line, what)
