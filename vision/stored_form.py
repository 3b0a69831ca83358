"""Readings that logs hold in the forms of earlier versions, brought to today's.

A form is the names and meanings of all that a reading holds, in JSON. A field that is added with a
default leaves the form as it is. Whoever renames, moves or removes one adds to `UPGRADES` what
makes a reading of the last form one of the new: old logs then stay readable, and code knows the
new form alone. Tiles and problems that events hold outside a reading, as those of a tile set, have
no form: their fields are renamed by `field(name=…)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

ReadingFields = dict[str, Any]

UPGRADES: Sequence[Callable[[ReadingFields], ReadingFields]] = ()
"""Take the fields of a reading from form 1 to 2, from 2 to 3, and so on."""


def newest_form() -> int:
    """Return the number of today's form."""
    return 1 + len(UPGRADES)


def upgrade_reading(fields: ReadingFields) -> ReadingFields:
    """Return the fields of a stored reading in today's form; a later one's stay as they are.

    Raises ValueError, TypeError, LookupError or AttributeError for what no reading was stored as.
    """
    form = fields.get("form", 1)
    if form < 1:
        raise ValueError("forms of readings are counted from 1")
    for upgrade in UPGRADES[form - 1 :]:
        fields = upgrade(fields)
    return {**fields, "form": max(form, newest_form())}
