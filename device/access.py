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
from collections.abc import Iterable
from typing import Protocol

from device.settings import Settings, SettingsLog
from device.store import Store

PIN_DIGITS = 4
"""As on a bank card. Guessing is slowed down (`device.web.pin`)."""


class PinProtected(Protocol):
    """Something with a PIN: the box, or one of several tables."""

    @property
    def pin(self) -> str:
        """The four digits; empty without a PIN."""

    @property
    def pin_token(self) -> str:
        """The token of a phone that gave the PIN."""


def new_pin_and_token(*other_than: str) -> tuple[str, str]:
    """Return a new PIN, other than those, and its token."""
    return random_pin(*other_than), secrets.token_urlsafe()


def set_new_pin(settings: SettingsLog, pins: Iterable[str] = ()) -> Settings:
    """Set a new PIN; return the settings with it.

    Where there was none, phones of the `pins` matches stay in.
    """
    settings_now = settings.read()
    pin, token = new_pin_and_token(settings_now.pin, settings_now.organiser_pin)
    settings.change("pin_admits", "" if settings_now.pin else " ".join(pins))
    # The token first: between the two steps the old PIN is valid, but no old token.
    settings.change("pin_token", token)
    settings.change("pin", pin)
    return settings.read()


def random_pin(*other_pins: str) -> str:
    """Return random digits that differ from these PINs."""
    while (pin := f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}}") in other_pins:
        pass
    return pin


def remove_pin(settings: SettingsLog) -> None:
    """Remove the PIN."""
    settings.change("pin", "")


def is_right_pin(protected: PinProtected, tried_pin: str) -> bool:
    """Compare with the PIN in constant time."""
    return is_same_secret(protected.pin, tried_pin)


def qr_code_secret(settings: Settings) -> str:
    """Return the secret in the QR code, 128 bits made from the token; empty without a PIN."""
    if not (settings.pin and settings.pin_token):
        return ""
    digest = hmac.digest(settings.pin_token.encode(), b"QR code", "sha256")
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def is_qr_code_secret(settings: Settings, secret: str) -> bool:
    """Compare with the secret in the QR code, in constant time."""
    return is_same_secret(qr_code_secret(settings), secret)


def has_access(protected: PinProtected, token: str) -> bool:
    """Whether a phone with this token may see everything."""
    return not protected.pin or is_same_secret(protected.pin_token, token)


def is_same_secret(secret: str, given_secret: str) -> bool:
    """Whether two secrets are equal and not empty, compared in constant time."""
    return bool(secret) and secrets.compare_digest(secret.encode(), given_secret.encode())


def set_new_organiser_pin(settings: SettingsLog) -> Settings:
    """Set a new organiser's PIN; return the settings with it."""
    settings_now = settings.read()
    pin = random_pin(settings_now.pin, settings_now.organiser_pin)
    # The token first: between the two steps the old PIN is valid, but no old token.
    settings.change("organiser_token", secrets.token_urlsafe())
    settings.change("organiser_pin", pin)
    return settings.read()


def organiser_proof(settings: Settings, act: str) -> str:
    """Return the proof for a phone that did something while there was an organiser's PIN."""
    digest = hmac.digest(settings.organiser_token.encode(), act.encode(), "sha256")
    return digest.hex() if settings.organiser_pin and settings.organiser_token else ""


def remove_organiser_pin(settings: SettingsLog) -> None:
    """Remove the PIN, so that anybody may change tournaments, the season and the tables."""
    settings.change("organiser_pin", "")


def is_right_organiser_pin(settings: Settings, tried_pin: str) -> bool:
    """Compare with the organiser's PIN in constant time."""
    return is_same_secret(settings.organiser_pin, tried_pin)


def may_organise(settings: Settings, token: str) -> bool:
    """Whether a phone with this token may change tournaments, the season and the tables."""
    return not settings.organiser_pin or is_same_secret(settings.organiser_token, token)


class _PhoneSecret:
    """The secret that signs whose a phone is. It never changes, and is read once."""

    def __init__(self, store: Store) -> None:
        self._settings = SettingsLog(store)
        self._secret = ""

    def load(self) -> str:
        """Return it; empty before the first phone says whose it is."""
        self._secret = self._secret or self._settings.read().phone_secret
        return self._secret


def load_phone_secret(store: Store) -> str:
    """Return the secret that signs whose a phone is; empty before the first phone says so.

    No page, report or export shows it.
    """
    return store.caches.get(_PhoneSecret).load()


def ensure_phone_secret(store: Store) -> str:
    """Return the secret that signs whose a phone is, after making it if there is none."""
    if not load_phone_secret(store):
        SettingsLog(store).change("phone_secret", secrets.token_urlsafe())
    return load_phone_secret(store)
