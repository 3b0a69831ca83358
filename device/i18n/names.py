"""What players are called, kept apart from the words of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OF_ONE = ("winner", "player", "payer", "by")
_OF_SEVERAL = ("scores", "amounts", "hands")


class Name(str):
    """A player's name. It is never translated, though somebody may well be called West."""

    __slots__ = ()


def with_names(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return an event's data with the players' names in it as such."""
    named = dict(data)
    for field in _OF_ONE:
        if isinstance(named.get(field), str):
            named[field] = Name(named[field])
    for field in _OF_SEVERAL:
        if isinstance(named.get(field), Mapping):
            named[field] = {Name(name): value for name, value in named[field].items()}
    return named
