"""Access to the box: the PIN of the table, the PIN of the organiser, and the secret of phones.

The table's PIN lets a phone in where strangers use the same network. A phone that gave it holds a
token, which nobody can guess and which changes with the PIN: a new PIN logs all phones out. The QR
code carries a secret made from the token, so a phone that scans it need not type the PIN.

The organiser's PIN lets a phone change tournaments, the season and the tables. Without it, a phone
may still look at everything.
"""

from __future__ import annotations

import base64
import hmac
import secrets
from typing import Protocol

from device.settings.settings import Settings, SettingsLog

DIGITS = 4
"""As on a bank card. Guessing is slowed down (`device.web.pin`)."""


class Locked(Protocol):
    """Something with a PIN: the box, or one of several tables."""

    @property
    def pin(self) -> str:
        """The four digits; empty without a PIN."""

    @property
    def pin_token(self) -> str:
        """The token of a phone that gave the PIN."""


def new_pin(*other_than: str) -> tuple[str, str]:
    """Return a new PIN, other than those, and its token."""
    return another_pin(*other_than), secrets.token_urlsafe()


def make_pin(settings: SettingsLog) -> Settings:
    """Set a new PIN; return the settings with it."""
    now = settings.now()
    pin, token = new_pin(now.pin, now.organiser_pin)
    # The token first: between the two steps the old PIN is valid, but no old token.
    settings.change("pin_token", token)
    settings.change("pin", pin)
    return settings.now()


def another_pin(*others: str) -> str:
    """Return random digits that differ from these PINs."""
    while (pin := f"{secrets.randbelow(10**DIGITS):0{DIGITS}}") in others:
        pass
    return pin


def no_pin(settings: SettingsLog) -> None:
    """Remove the PIN."""
    settings.change("pin", "")


def is_pin(locked: Locked, tried: str) -> bool:
    """Compare with the PIN in constant time."""
    return is_same(locked.pin, tried)


def code_of(settings: Settings) -> str:
    """Return the secret in the QR code, 128 bits made from the token; empty without a PIN."""
    if not (settings.pin and settings.pin_token):
        return ""
    made = hmac.digest(settings.pin_token.encode(), b"QR code", "sha256")
    return base64.urlsafe_b64encode(made[:16]).decode().rstrip("=")


def is_code(settings: Settings, given: str) -> bool:
    """Compare with the secret in the QR code, in constant time."""
    return is_same(code_of(settings), given)


def lets_in(locked: Locked, token: str) -> bool:
    """Whether a phone with this token may see everything."""
    return not locked.pin or is_same(locked.pin_token, token)


def is_same(wanted: str, given: str) -> bool:
    """Whether two secrets are equal and not empty, compared in constant time."""
    return bool(wanted) and secrets.compare_digest(wanted.encode(), given.encode())
