"""A PIN that somebody typed: counted as a try, and refused in words where it is not right."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from math import ceil

from werkzeug.wrappers import Response as AnyResponse

from device.web.fields import form
from device.web.tries import tries

AsksForPin = Callable[[str, HTTPStatus], AnyResponse]
"""Makes the page that asks for the PIN once more, with a sentence that says why."""


def typed_pin() -> str:
    """Return the PIN of the form, without the spaces that phones put in."""
    return "".join(form().word("pin", None).split())


def refused_pin(
    client: str,
    is_right: Callable[[], bool],
    ask: AsksForPin,
    *,
    wait: Callable[[int], str],
    wrong: str,
) -> AnyResponse | None:
    """Count a try; return the answer to one that is refused, None for the right PIN.

    `client` is who tries at which PIN, `wait` says for how many minutes one must wait, `wrong` that
    it is not the PIN. While somebody must wait it is not looked whether it is right.
    """
    if seconds := tries().begin(client):
        answer = ask(wait(ceil(seconds / 60)), HTTPStatus.TOO_MANY_REQUESTS)
        answer.retry_after = ceil(seconds)
        return answer
    if not is_right():
        return ask(wrong, HTTPStatus.FORBIDDEN)
    tries().right(client)
    return None
