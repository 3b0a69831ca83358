"""From which page a hand's sheets were opened, and where a change leads back to."""

from __future__ import annotations

from typing import Any

from flask import has_request_context, url_for

from device.web.fields import query

FROM = "from"
ASKING = "ask"


def opened_from() -> dict[str, str]:
    """Return what an address of this request must carry on; nothing from a hand's own page."""
    asked = has_request_context() and query().word(FROM) == ASKING
    return {FROM: ASKING} if asked else {}


def keep_opened_from(endpoint: str, values: dict[str, Any]) -> None:
    """Let every address of a blueprint carry it on: for `Blueprint.url_defaults`."""
    for name, value in opened_from().items():
        values.setdefault(name, value)


def page_of(hand: str) -> str:
    """Return the page of a hand to go back to: its own, or that of what its tiles are."""
    return url_for("asking.hand" if opened_from() else "hand.show", hand=hand)
