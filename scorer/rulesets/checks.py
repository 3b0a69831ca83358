"""Check a ruleset's file and report every fault, as messages that a player understands.

A value that is wrong by itself is reported once; it is not also compared with other values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from scorer.message import Message, Value, message, rule_text
from scorer.patterns.examples import check_it_can_be_held
from scorer.patterns.frames import MAX_OPEN_FACES, compile_pattern
from scorer.patterns.notation import PatternError, suggest
from scorer.ruleset import TESTED_OPTIONS
from scorer.rulesets.line_numbers import KeyPath
from scorer.rulesets.schema import (
    BLOCKS,
    FILE_BLOCK,
    SUBJECTS,
    SchemaBlock,
    SchemaKey,
    quote_words,
)
from scorer.special.effort import check_it_is_quick

RULE_BLOCK, SPECIAL_BLOCK = BLOCKS["rule"], BLOCKS["special"]
ELSEWHERE_BLOCK = BLOCKS["elsewhere"]

AMOUNT_KEYS = ("points", "exposed", "concealed", "doubles")
"""The keys that say what a rule gives."""

SUBJECT_KEYS = frozenset(
    chain.from_iterable((*each.takes, *each.needs) for each in SUBJECTS.values())
)
"""The keys that only rules of some subjects accept."""


def find_faults(data: _Row) -> Faults:
    """Yield every fault in the data that `tomllib` read from a file.

    Unused options and equal patterns are looked for only when everything else is right.
    """
    faults = list(_check_blocks(data))
    return iter(
        faults
        or chain(
            _check_ordinary_limit(data),
            _check_options_used(data),
            _check_patterns_differ(data),
            _check_open_faces(data),
        )
    )


def _check_blocks(data: _Row) -> Faults:
    yield from check_keys(data, FILE_BLOCK, (), other=BLOCKS)
    for name, block in BLOCKS.items():
        yield from _check_heading(data, name, block)
        for at, row in find_rows(data, name):
            yield from check_keys(row, block, at)
    for name in ("chows", "kong_box"):
        for at, row in find_rows(data, name):
            yield from _check_player_counts(name, row, keep_valid_keys(data, FILE_BLOCK), at)
    yield from _check_unique(data, "option", "name")
    yield from _check_unique(data, "special", "id")
    yield from _check_unique(data, "special", "name", "name-taken")
    for at, row in find_rows(data, "special"):
        yield from _check_special(row, keep_valid_keys(row, SPECIAL_BLOCK), at)
    yield from _check_rules(data)
    for at, row in find_rows(data, "elsewhere"):
        yield from _check_elsewhere(row, keep_valid_keys(row, ELSEWHERE_BLOCK), at)


def _check_ordinary_limit(data: Mapping[str, Any]) -> Faults:
    """Check that the limit of ordinary hands stands beside that of all, and is not above it."""
    if data.get("ordinary_limit", 0) > data.get("limit", 0):
        yield Fault(("ordinary_limit",), "wrong-value", message("ruleset-file.ordinary-limit"))


def _check_heading(data: _Row, name: str, block: SchemaBlock) -> Faults:
    """Check for the heading of this kind of block: `[one]` or `[[many]]`."""
    value, heading = data.get(name), f"[[{name}]]" if block.may_repeat else f"[{name}]"
    if name not in data or (block.may_repeat and value == []):
        if block.is_required:
            text = message("ruleset-file.no-heading", heading=heading)
            yield Fault((name,), "missing-key", text)
    elif isinstance(value, list) != block.may_repeat or not all(
        isinstance(row, dict) for row in (value if isinstance(value, list) else [value])
    ):
        text = message("ruleset-file.no-block", name=name, heading=heading)
        yield Fault((name,), "wrong-value", text)


def find_rows(data: _Row, name: str) -> Iterator[tuple[KeyPath, _Row]]:
    """Yield each block of this name and the path to it."""
    value, may_repeat = data.get(name), BLOCKS[name].may_repeat
    if isinstance(value, list) and may_repeat:
        for place, row in enumerate(value):
            if isinstance(row, dict):
                yield (name, place), row
    elif isinstance(value, dict) and not may_repeat:
        yield (name,), value


def _check_player_counts(name: str, row: _Row, file: _Row, path: KeyPath) -> Faults:
    """Check for a figure for each number of players, and of chows also for a goulash."""
    players = file.get("players")
    tables = [str(each) for each in dict.fromkeys(players)] if isinstance(players, list) else []
    has_goulash = name == "chows" and file.get("goulash") is True
    for table in (*tables, *(["goulash"] if has_goulash else [])):
        if table not in row:
            key = "no-goulash-chows" if table == "goulash" else f"no-{name.replace('_', '-')}"
            yield Fault(path, "missing-key", message(f"ruleset-file.{key}", players=table))


def _check_unique(data: _Row, name: str, key: str, fault: str = "twice") -> Faults:
    """Refuse a second block of the same name."""
    values: list[object] = []
    for path, row in find_rows(data, name):
        if key in row and row[key] in values:
            value = quote_name(str(row[key])) if fault == "name-taken" else quote(row[key])
            text = message(f"ruleset-file.{fault}", key=key, value=value)
            yield Fault((*path, key), "declared-twice", text)
        values.append(row.get(key))


def _check_options_used(data: _Row) -> Faults:
    """Refuse an option without effect: no rule names it and no test asks about it."""
    used_options = {str(row.get("option")) for _, row in find_rows(data, "rule")} | TESTED_OPTIONS
    used_options |= {option for _, option in _variant_options(data)}
    for path, row in find_rows(data, "option"):
        name = row.get("name")
        if isinstance(name, str) and name not in used_options:
            text = message("ruleset-file.idle-option", value=quote(name))
            yield Fault((*path, "name"), "unknown-name", suggest(text, name, sorted(used_options)))


def _check_special(row: _Row, good: _Row, path: KeyPath) -> Faults:
    """Check a special hand for a pattern or an event, and for either a value or doubles."""
    yield from _check_what_makes_it(row, good, path)
    amounts = {name for name in ("value", "fishing", "doubles") if name in row}
    if "doubles" in amounts and not _is_of_sets(good):
        amounts.remove("doubles")
        yield _make_misplaced_fault("doubles", path, message("ruleset-file.doubles-of-tiles"))
    if amounts >= {"value", "doubles"}:
        yield _make_misplaced_fault("doubles", path, message("ruleset-file.value-and-doubles"))
    elif amounts >= {"fishing", "doubles"}:
        yield _make_misplaced_fault("fishing", path, message("ruleset-file.fishing-and-doubles"))
    elif not {"value", "doubles"} & row.keys():
        yield missing_key("value", SPECIAL_BLOCK, path)
    for name in amounts & {"value", "doubles"}:
        if good.get(name) == 0:
            yield Fault((*path, name), "wrong-value", message("ruleset-file.worthless", key=name))


def _make_misplaced_fault(name: str, path: KeyPath, text: Message) -> Fault:
    """Return the fault of a key that means nothing where it stands."""
    return Fault((*path, name), "misplaced-key", text)


PATTERN_KEYS = ("concealed", "claim", "variants", "fishing")
"""The keys of a special hand that only a pattern gives a meaning."""


def _check_what_makes_it(row: _Row, good: _Row, path: KeyPath) -> Faults:
    """Check for a pattern that can be read, or else for an event; never for both.

    A pattern says by itself what the hand is made of.
    """
    if "when" in row:
        if "sentence" not in row:
            yield missing_key("sentence", SPECIAL_BLOCK, path)
        for name in ("pattern", *PATTERN_KEYS):
            if name in row:
                yield _make_misplaced_fault(
                    name, path, message("ruleset-file.beside-event", key=name)
                )
        return
    if "pattern" not in row:
        yield missing_key("pattern", SPECIAL_BLOCK, path)
    yield from _check_pattern(good, (*path, "pattern"), good)
    variants = good.get("variants", ())
    for place, variant in enumerate(variants if isinstance(variants, list) else ()):
        yield from _check_pattern(variant, (*path, "variants", place, "pattern"), good)


def _is_of_sets(good: _Row) -> bool:
    """Return whether a special hand is, or may have been meant to be, four sets and a pair."""
    try:
        return compile_pattern(str(good["pattern"])).is_of_sets
    except (KeyError, PatternError):
        return "when" not in good


def _check_pattern(row: _Row, path: KeyPath, special: _Row) -> Faults:
    """Check a pattern, and that the special hand's other keys mean something with it."""
    if "pattern" not in row:
        return
    try:
        pattern = compile_pattern(str(row["pattern"]))
        check_it_can_be_held(pattern)
        check_it_is_quick(pattern.text)
    except PatternError as failure:
        for why in failure.faults:
            text = message("ruleset-file.pattern", key="pattern", why=why)
            yield Fault(path, "wrong-pattern", text)
        return
    other = "terminal" if pattern.is_of_sets else "pair"
    if row is special and special.get("claim") == other:
        shape = "sets" if pattern.is_of_sets else "tiles"
        text = message(f"ruleset-file.idle-claim-of-{shape}", key="claim", claim=other)
        yield _make_misplaced_fault("claim", path[:-1], text)


def _check_patterns_differ(data: _Row) -> Faults:
    """Refuse a pattern that allows the same hands as another; every pattern can be read.

    A hand may stand twice, concealed for more and exposed for less.
    """
    patterns = dict[object, str]()
    for path, row in find_rows(data, "special"):
        if "pattern" not in row:
            continue
        hands = compile_pattern(str(row["pattern"])).hands_key, row.get("concealed", False)
        name = patterns.setdefault(hands, str(row["name"]))
        if name != row["name"]:
            text = message("ruleset-file.same-hands", key="pattern", name=quote_name(name))
            yield Fault((*path, "pattern"), "declared-twice", text)


def _check_open_faces(data: _Row) -> Faults:
    """Refuse patterns that together take too long to compare a hand with; each can be read."""
    total = 0
    for path, row in find_rows(data, "special"):
        variants = row.get("variants", ())
        rows = [row, *(variants if isinstance(variants, list) else ())]
        texts = [str(each["pattern"]) for each in rows if "pattern" in each]
        if texts and row.get("played", True):
            total += max(compile_pattern(text).open_faces for text in texts)
        if total > MAX_OPEN_FACES:
            text = message("ruleset-file.too-open-together", key="pattern")
            yield Fault((*path, "pattern"), "wrong-pattern", text)
            return


def _variant_options(data: _Row) -> Iterator[tuple[KeyPath, str]]:
    """Yield the options that variants of special hands name."""
    for path, row in find_rows(data, "special"):
        variants = keep_valid_keys(row, SPECIAL_BLOCK).get("variants", ())
        for place, each in enumerate(variants if isinstance(variants, list) else ()):
            yield (*path, "variants", place, "option"), str(each["option"])


def _check_rules(data: _Row) -> Faults:
    options = [str(row["name"]) for _, row in find_rows(data, "option") if "name" in row]
    specials = {str(row["id"]): row for _, row in find_rows(data, "special") if "id" in row}
    for at, option in _variant_options(data):
        yield from _check_reference({"option": option}, "option", options, at[:-1])
    for at, row in find_rows(data, "elsewhere"):
        yield from _check_reference(row, "option", options, at)
    for at, row in find_rows(data, "rule"):
        good = keep_valid_keys(row, RULE_BLOCK)
        yield from _check_subject(row, good, at)
        yield from _check_amounts(row, at)
        yield from _check_reference(good, "option", options, at)
        yield from _check_reference(good, "special", specials, at)
        special = good.get("special")
        if special is not None and "value" in specials.get(str(special), ()):
            text = message("ruleset-file.special-with-value", value=quote(special))
            yield Fault((*at, "special"), "wrong-value", text)


def _check_elsewhere(row: _Row, good: _Row, path: KeyPath) -> Faults:
    """Check a rule of another family for what it gives, and for one thing that it looks at."""
    if not {"points", "doubles", "limit"} & row.keys():
        yield Fault(path, "missing-key", message("ruleset-file.worth-elsewhere"))
    if ("of" in row) == ("pattern" in row):
        yield Fault(path, "missing-key", message("ruleset-file.of-or-pattern"))
    yield from _check_pattern(good, (*path, "pattern"), good)
    subject = SUBJECTS.get(str(good.get("of")))
    if subject:
        yield from _check_test(good, subject.tests, str(good["of"]), path)
        for name in subject.needs:
            if name not in row:
                yield missing_key(name, ELSEWHERE_BLOCK, path)


def _check_subject(row: _Row, good: _Row, path: KeyPath) -> Faults:
    """Check for the keys that a rule of this subject needs, and for meaningless ones."""
    subject = SUBJECTS.get(str(good.get("of")))
    if not subject:
        return
    subject_name, takes = str(good["of"]), {*subject.takes, *subject.needs}
    yield from _check_test(good, subject.tests, subject_name, path)
    for name in row:
        if name in SUBJECT_KEYS - takes:
            yield _make_misplaced_fault(
                name, path, message("ruleset-file.misplaced", key=name, of=subject_name)
            )
    for name in subject.needs:
        if name not in row:
            yield missing_key(name, RULE_BLOCK, path)
    if "who" in good and good["who"] not in subject.owners:
        owner, expected = quote(good["who"]), subject.owners[0]
        text = message("ruleset-file.wrong-who", value=owner, wanted=expected, of=subject_name)
        yield Fault((*path, "who"), "wrong-value", text)


def _check_test(good: _Row, tests: Collection[str], subject_name: str, path: KeyPath) -> Faults:
    """Check for the name of a known test."""
    test = good.get("when")
    if tests and test is not None and test not in tests:
        known_tests = quote_words(tests)
        text = message(
            "ruleset-file.wrong-test", value=quote(test), of=subject_name, known=known_tests
        )
        yield Fault((*path, "when"), "unknown-name", suggest(text, test, tests))


def _check_amounts(row: _Row, path: KeyPath) -> Faults:
    """Check that the row says exactly once what it gives; 0 means that it gives nothing."""
    keys = [name for name in AMOUNT_KEYS if name in row]
    set_keys = [name for name in keys if name in ("exposed", "concealed")]
    if not keys:
        yield Fault(path, "missing-key", message("ruleset-file.gives-nothing"))
    elif set_keys and "points" in keys:
        other_keys = quote_words(set_keys)
        yield _make_misplaced_fault(
            "points", path, message("ruleset-file.says-it-twice", others=other_keys)
        )
    elif len(set_keys) == 1:
        text = message("ruleset-file.stands-alone", key=set_keys[0])
        yield Fault((*path, set_keys[0]), "missing-key", text)


def _check_reference(good: _Row, key: str, names: Collection[str], path: KeyPath) -> Faults:
    """Check for the name of a block that the file has."""
    name = good.get(key)
    if name is not None and name not in names:
        text = message("ruleset-file.no-such-block", key=key, value=quote(name))
        yield Fault((*path, key), "unknown-name", suggest(text, name, names))


_Row = Mapping[str, object]

MAX_SHOWN_CHARS = 40
"""The number of characters shown of a wrong value; more would hide the mistake."""

MIN_HUGE_NUMBER = 10**15


class Fault(NamedTuple):
    """One fault in a file, and where it is."""

    path: KeyPath
    code: str
    message: Message


Faults = Iterator[Fault]

FaultFinder = Callable[[Mapping[str, Any]], Faults]
"""Finds faults in the data that `tomllib` read from a file."""


def check_keys(row: _Row, block: SchemaBlock, path: KeyPath, other: Iterable[str] = ()) -> Faults:
    """Yield the faults of the single keys of a block; `other` keys are ignored."""
    known_keys = [*block.keys, *other]
    for name in row:
        if name not in known_keys:
            text = message("ruleset-file.unknown-key", value=quote(name), block=block.label)
            suggestion = suggest(text, name, known_keys)
            if suggestion is text and name in FILE_BLOCK.keys:
                suggestion = message("ruleset-file.belongs-at-the-top", what=text)
            yield Fault((*path, name), "unknown-key", suggestion)
    for name, key in block.keys.items():
        if name in row:
            for text in _value_faults(name, row[name], key):
                yield Fault((*path, name), "wrong-value", text)
        elif key.is_required:
            yield missing_key(name, block, path)


def missing_key(name: str, block: SchemaBlock, path: KeyPath) -> Fault:
    """Return the fault of a block without this key."""
    key = block.keys[name]
    expected = key.value.expected
    if key.is_list:
        expected = message("ruleset-value.list", wanted=expected)
    text = message("ruleset-file.missing", block=block.label, key=name, wanted=expected)
    return Fault(path, "missing-key", text)


def keep_valid_keys(row: _Row, block: SchemaBlock) -> _Row:
    """Return the keys of a block that have allowed values."""
    return {
        name: value
        for name, value in row.items()
        if name in block.keys and not any(_value_faults(name, value, block.keys[name]))
    }


def _value_faults(name: str, value: object, key: SchemaKey) -> Iterator[Message]:
    """Yield why a value is not allowed for this key."""
    expected, known_words = key.value.expected, key.value.known_words
    if not key.is_list:
        if not key.value.fits(value):
            yield suggest(_wrong_value("wrong-value", name, value, expected), value, known_words)
    elif isinstance(value, list) and value:
        for item in value:
            if not key.value.fits(item):
                yield suggest(
                    _wrong_value("wrong-in-list", name, item, expected), item, known_words
                )
    else:
        yield _wrong_value("no-list", name, value, expected)


def _wrong_value(kind: str, name: str, value: object, expected: Message) -> Message:
    return message(f"ruleset-file.{kind}", key=name, value=quote(value), wanted=expected)


def _shorten(text: str) -> str:
    text = " ".join(text.split()) if text.strip() else text
    return text if len(text) <= MAX_SHOWN_CHARS else f"{text[: MAX_SHOWN_CHARS - 1]}…"


def quote_name(name: str) -> Message:
    """Return the name of a hand or rule, quoted and in the language if it is a shipped one."""
    return message("ruleset-value.quoted", text=rule_text(_shorten(name)))


def quote(value: object) -> Value:
    """Return a value as the file has it, or a description of long and nested values."""
    if isinstance(value, str):
        (quoted_text,) = quote_words([_shorten(value)])
        return quoted_text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < MIN_HUGE_NUMBER else message("ruleset-value.huge")
    if isinstance(value, (list, dict)):
        kind = "list" if isinstance(value, list) else "table"
        return message(f"ruleset-value.{'some' if value else 'empty'}-{kind}")
    return str(value)  # a decimal number, a date or a time
