"""Remember from which page a hand's sheets were opened, to lead back to it after a change."""

from __future__ import annotations

from typing import Any

from flask import has_request_context, url_for

from device.web.fields import query

FROM = "from"
ASKING = "ask"


def opened_from() -> dict[str, str]:
    """Return the fields that this request's links must carry on; empty from a hand's own page."""
    asked = has_request_context() and query().word(FROM) == ASKING
    return {FROM: ASKING} if asked else {}


def keep_opened_from(endpoint: str, values: dict[str, Any]) -> None:
    """Add `opened_from()` to every address of a blueprint, as its `url_defaults`."""
    for name, value in opened_from().items():
        values.setdefault(name, value)


def page_of(hand: str) -> str:
    """Return the hand's page to go back to: its own, or the one that explains its tiles."""
    return url_for("asking.hand" if opened_from() else "hand.show", hand=hand)
