"""Write the list of permissions as `docs/permissions.md`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from werkzeug.routing import Map, Rule

from device.web.permissions.rows import PERMISSIONS, Role

_HEAD = """# Who may do what

A box has up to two PINs. Without the **box's PIN**, whoever is on the network is in the room; with
it, a phone is asked once. Without an **organiser's PIN**, an organiser and the owner are whoever is
in the room; with it, what is theirs asks for it, once a phone. Each table of a club may have a PIN
of its own, which lets a phone sit down there.

Looking needs no row: whoever is in the room may look at a page that only shows something. A route
that changes something and has no row is refused, and `tests/device/web/test_permissions.py` fails
with its name. A word in `<…>` stands for any; an address that says what it changes comes first.

Made by `python -m device.web.permissions > docs/permissions.md` from
`device/web/permissions/rows.py`, which is what the box itself goes by.
"""


def page(urls: Map) -> Iterator[str]:
    """Yield the paragraphs and tables of the document, for an app with these routes."""
    yield _HEAD
    for role in Role:
        yield f"## {role.value[0].upper()}{role.value[1:]}\n"
        yield "| Route | Why |\n| --- | --- |"
        for why, keys in _reasons(role).items():
            routes = sorted(route for key in keys for route in _routes(key, urls))
            yield f"| {'<br>'.join(f'`{each}`' for each in routes)} | {why} |"
        yield ""


def _reasons(role: Role) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, row in PERMISSIONS.items():
        if row.role is role:
            found.setdefault(row.why, []).append(key)
    return found


def _routes(key: str, urls: Map) -> Iterator[str]:
    """Yield the method and path of each route of a row."""
    endpoint, _, what = key.partition(" ")
    for rule in urls.iter_rules(endpoint):
        path = re.sub(r"<(?:[^<>:]*:)?(\w+)>", r"<\1>", rule.rule)
        if what:
            path = re.sub(r"<\w+>$", what, path)
        yield f"{_method(rule)} {path}"


def _method(rule: Rule) -> str:
    (method,) = (rule.methods or set()) - {"HEAD", "OPTIONS"}
    return method
