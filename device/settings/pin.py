"""The table's PIN: four digits that let a phone in, where the network has strangers in it too.

A phone that gave the PIN holds a token from then on, which nobody can guess and which changes with
the PIN: a new PIN logs all phones out. The QR code carries a code that is made of the token, and so
cannot be guessed either: who scans it need not wait for those who guess at the PIN.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Protocol

from device.settings.settings import Settings, SettingsLog

DIGITS = 4
"""As on a bank card: said across the table once. Guessing is made slow (`device.web.pin`)."""


class Locked(Protocol):
    """What may ask for a PIN: the box, or one of several tables."""

    @property
    def pin(self) -> str:
        """The four digits; empty where none are asked for."""

    @property
    def pin_token(self) -> str:
        """What a phone holds that knew them."""


def new_pin(*other_than: str) -> tuple[str, str]:
    """Return a PIN other than those, and the token that goes with it."""
    return another_pin(*other_than), secrets.token_urlsafe()


def make_pin(settings: SettingsLog) -> Settings:
    """Ask for a new PIN from now on; return the settings with it."""
    now = settings.now()
    pin, token = new_pin(now.pin, now.organiser_pin)
    # The token first: between the two, the old PIN lets in and no old token does.
    settings.change("pin_token", token)
    settings.change("pin", pin)
    return settings.now()


def another_pin(*others: str) -> str:
    """Return digits that nobody can guess, and that are none of these."""
    while (pin := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") in others:
        pass
    return pin


def no_pin(settings: SettingsLog) -> None:
    """Ask for no PIN from now on."""
    settings.change("pin", "")


def is_pin(locked: Locked, tried: str) -> bool:
    """Whether this is the PIN; how long that takes tells nothing of it."""
    return is_same(locked.pin, tried)


def code_of(settings: Settings) -> str:
    """Return what the QR code lets in with: 128 bits, which tell nothing of the token; or none."""
    if not (settings.pin and settings.pin_token):
        return ""
    made = hmac.digest(settings.pin_token.encode(), b"QR code", "sha256")
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def is_code(settings: Settings, given: str) -> bool:
    """Whether this is what the QR code carries."""
    return is_same(code_of(settings), given)


def lets_in(locked: Locked, token: str) -> bool:
    """Whether a phone that holds this may be shown everything."""
    return not locked.pin or is_same(locked.pin_token, token)


def is_same(wanted: str, given: str) -> bool:
    """Whether both are one secret, and there is one; how long that takes tells nothing of it."""
    return bool(wanted) and secrets.compare_digest(wanted.encode(), given.encode())
