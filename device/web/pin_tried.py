"""Check a typed PIN: count the attempt, and answer a wrong PIN with a sentence."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from math import ceil

from werkzeug.wrappers import Response as AnyResponse

from device.web.fields import form
from device.web.tries import tries

AsksForPin = Callable[[str, HTTPStatus], AnyResponse]
"""Returns the page that asks for the PIN again, with a sentence that says why."""


def typed_pin() -> str:
    """Return the PIN in the form, without the spaces that phones insert."""
    return "".join(form().word("pin", None).split())


def refused_pin(
    client: str,
    is_right: Callable[[], bool],
    ask: AsksForPin,
    *,
    wait: Callable[[int], str],
    wrong: str,
) -> AnyResponse | None:
    """Count an attempt. Return the refusal of a wrong PIN; None for the right one.

    `client` names the phone and the PIN that it tries. `wait` returns the sentence for the minutes
    to wait; `wrong` is the sentence for a wrong PIN. While a client must wait, its PIN is not
    checked.
    """
    if seconds := tries().begin(client):
        answer = ask(wait(ceil(seconds / 60)), HTTPStatus.TOO_MANY_REQUESTS)
        answer.retry_after = ceil(seconds)
        return answer
    if not is_right():
        return ask(wrong, HTTPStatus.FORBIDDEN)
    tries().right(client)
    return None
