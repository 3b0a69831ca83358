"""Check a ruleset's file and report every fault, in words that a player understands.

A value that is wrong by itself is reported once; it is not also compared with other values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import chain

from scorer.ruleset import SWITCHES
from scorer.rulesets.line_numbers import Path
from scorer.rulesets.schema import BLOCKS, FILE, SHAPES, SUBJECTS, SchemaBlock
from scorer.rulesets.values import Fault, Faults, _Row, block_faults, hint, missing, shown, sound
from scorer.wording import listed

RULE, SPECIAL = BLOCKS["rule"], BLOCKS["special"]

AMOUNTS = ("points", "exposed", "concealed", "doubles")
"""The keys that say what a rule gives."""

BY_SUBJECT = frozenset(
    chain.from_iterable((*each.takes, *each.needs) for each in SUBJECTS.values())
)
"""The keys that only rules of some subjects accept."""


def faults(data: _Row) -> Faults:
    """Yield every fault in the data that `tomllib` read from a file.

    Unused options are looked for only when everything else is right.
    """
    found = list(_faults(data))
    return iter(found or _unasked(data))


def _faults(data: _Row) -> Faults:
    yield from block_faults(data, FILE, (), other=BLOCKS)
    for name, block in BLOCKS.items():
        yield from _stands_right(data, name, block)
        for at, row in _rows(data, name):
            yield from block_faults(row, block, at)
    for at, row in _rows(data, "chows"):
        yield from _chows(row, sound(data, FILE), at)
    yield from _twice(data, "option", "name")
    yield from _twice(data, "special", "id")
    for at, row in _rows(data, "special"):
        yield from _special(row, sound(row, SPECIAL), at)
    yield from _rules(data)


def _stands_right(data: _Row, name: str, block: SchemaBlock) -> Faults:
    """Check for the heading of this kind of block: `[one]` or `[[many]]`."""
    value, header = data.get(name), f"[[{name}]]" if block.many else f"[{name}]"
    if name not in data or (block.many and value == []):
        if block.needed:
            yield Fault((name,), "missing-key", f"The file has no {header}, and it needs one.")
    elif isinstance(value, list) != block.many or not all(
        isinstance(row, dict) for row in (value if isinstance(value, list) else [value])
    ):
        message = f'"{name}" must be a block of keys and values under the heading {header}.'
        yield Fault((name,), "wrong-value", message)


def _rows(data: _Row, name: str) -> Iterator[tuple[Path, _Row]]:
    """Yield each block of this name and the path to it."""
    value, many = data.get(name), BLOCKS[name].many
    if isinstance(value, list) and many:
        for place, row in enumerate(value):
            if isinstance(row, dict):
                yield (name, place), row
    elif isinstance(value, dict) and not many:
        yield (name,), value


def _chows(row: _Row, file: _Row, at: Path) -> Faults:
    """Check for a number of chows for each number of players and for a goulash."""
    players = file.get("players")
    tables = [str(each) for each in dict.fromkeys(players)] if isinstance(players, list) else []
    for table in (*tables, *(["goulash"] if file.get("goulash") is True else [])):
        if table not in row:
            who = "a goulash is played" if table == "goulash" else f"{table} may play"
            message = f"[chows] does not say how many when {who}: add a line such as {table} = 1."
            yield Fault(at, "missing-key", message)


def _twice(data: _Row, name: str, key: str) -> Faults:
    """Refuse a second block of the same name."""
    seen: list[object] = []
    for at, row in _rows(data, name):
        if key in row and row[key] in seen:
            message = f'"{key}" is {shown(row[key])} a second time: keep one of the two.'
            yield Fault((*at, key), "declared-twice", message)
        seen.append(row.get(key))


def _unasked(data: _Row) -> Faults:
    """Refuse an option without effect: no rule names it and no test asks about it."""
    named = {str(row.get("option")) for _, row in _rows(data, "rule")} | SWITCHES
    for at, row in _rows(data, "option"):
        name = row.get("name")
        if isinstance(name, str) and name not in named:
            message = (
                f'"name" is {shown(name)}, but no rule has that option, so it decides nothing.'
            )
            yield Fault((*at, "name"), "unknown-name", message + hint(name, sorted(named)))


def _special(row: _Row, good: _Row, at: Path) -> Faults:
    """Check a special hand for a known test, and for either a value or doubles."""
    amounts = {name for name in ("value", "fishing", "doubles") if name in row}
    shape = SHAPES.get(str(good.get("of")))
    if shape:
        where = f'a special hand of "{good["of"]}"'
        yield from _test(good, shape.tests, where, at)
        for name in sorted(amounts - {"value", *shape.takes}):
            amounts.remove(name)
            message = f'"{name}" means nothing for {where}: leave it out.'
            yield Fault((*at, name), "misplaced-key", message)
    if amounts >= {"value", "doubles"}:
        message = 'A special hand has either "value" or "doubles": leave one of them out.'
        yield Fault((*at, "doubles"), "misplaced-key", message)
    elif amounts >= {"fishing", "doubles"}:
        message = 'A special hand with "doubles" scores by them when fishing: leave "fishing" out.'
        yield Fault((*at, "fishing"), "misplaced-key", message)
    elif not {"value", "doubles"} & row.keys():
        yield missing("value", SPECIAL, at)
    for name in amounts & {"value", "doubles"}:
        if good.get(name) == 0:
            message = f'"{name}" is 0: a special hand must be worth something, or be left out.'
            yield Fault((*at, name), "wrong-value", message)


def _rules(data: _Row) -> Faults:
    options = [str(row["name"]) for _, row in _rows(data, "option") if "name" in row]
    specials = {str(row["id"]): row for _, row in _rows(data, "special") if "id" in row}
    for at, row in _rows(data, "rule"):
        good = sound(row, RULE)
        yield from _subject(row, good, at)
        yield from _amounts(row, at)
        yield from _named(good, "option", options, at)
        yield from _named(good, "special", specials, at)
        special = good.get("special")
        if special is not None and "value" in specials.get(str(special), ()):
            message = (
                f'"special" is {shown(special)}, which has a value; a rule can only belong '
                'to a special hand with "doubles".'
            )
            yield Fault((*at, "special"), "wrong-value", message)


def _subject(row: _Row, good: _Row, at: Path) -> Faults:
    """Check for the keys that a rule of this subject needs, and for meaningless ones."""
    subject = SUBJECTS.get(str(good.get("of")))
    if not subject:
        return
    where = f'a rule of "{good["of"]}"'
    takes = {*subject.takes, *subject.needs}
    yield from _test(good, subject.tests, where, at)
    for name in row:
        if name in BY_SUBJECT - takes:
            message = f'"{name}" means nothing for {where}: leave it out.'
            yield Fault((*at, name), "misplaced-key", message)
    for name in subject.needs:
        if name not in row:
            yield missing(name, RULE, at)
    if "who" in good and good["who"] not in subject.who:
        message = f'"who" is {shown(good["who"])}, but must be "{subject.who[0]}" in {where}.'
        yield Fault((*at, "who"), "wrong-value", message)


def _test(good: _Row, tests: Collection[str], where: str, at: Path) -> Faults:
    """Check for the name of a known test."""
    when = good.get("when")
    if tests and when is not None and when not in tests:
        known = ", ".join(f'"{name}"' for name in tests)
        message = f'"when" is {shown(when)}, but the tests for {where} are {known}.'
        yield Fault((*at, "when"), "unknown-name", message + hint(when, tests))


def _amounts(row: _Row, at: Path) -> Faults:
    """Check that the row says exactly once what it gives; 0 means that it gives nothing."""
    given = [name for name in AMOUNTS if name in row]
    apart = [name for name in given if name in ("exposed", "concealed")]
    if not given:
        message = (
            'This rule does not say what it gives: add "points", "exposed" and "concealed", or '
            '"doubles".'
        )
        yield Fault(at, "missing-key", message)
    elif apart and "points" in given:
        others = listed([f'"{name}"' for name in apart])
        message = f'"points" stands beside {others}, which say it too: keep one or the other.'
        yield Fault((*at, "points"), "misplaced-key", message)
    elif len(apart) == 1:
        message = f'"{apart[0]}" stands alone: give both "exposed" and "concealed", or "points".'
        yield Fault((*at, apart[0]), "missing-key", message)


def _named(good: _Row, key: str, names: Collection[str], at: Path) -> Faults:
    """Check for the name of a block that the file has."""
    name = good.get(key)
    if name is not None and name not in names:
        message = f'"{key}" is {shown(name)}, but the file has no [[{key}]] of that name.'
        yield Fault((*at, key), "unknown-name", message + hint(name, names))
