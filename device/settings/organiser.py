"""The organiser's PIN, which lets a phone change tournaments, the season and the tables."""

from __future__ import annotations

import hmac
import secrets

from device.settings.pin import another_pin, is_same
from device.settings.settings import Settings, SettingsLog


def make_organiser_pin(settings: SettingsLog) -> Settings:
    """Set a new organiser's PIN; return the settings with it."""
    now = settings.now()
    pin = another_pin(now.pin, now.organiser_pin)
    # The token first: between the two steps the old PIN is valid, but no old token.
    settings.change("organiser_token", secrets.token_urlsafe())
    settings.change("organiser_pin", pin)
    return settings.now()


def proof_of(settings: Settings, what: str) -> str:
    """Return the proof for a phone that did something while there was an organiser's PIN."""
    made = hmac.digest(settings.organiser_token.encode(), what.encode(), "sha256")
    return made.hex() if settings.organiser_pin and settings.organiser_token else ""


def no_organiser_pin(settings: SettingsLog) -> None:
    """Remove the PIN, so that anybody may change tournaments, the season and the tables."""
    settings.change("organiser_pin", "")


def is_organiser_pin(settings: Settings, tried: str) -> bool:
    """Compare with the organiser's PIN in constant time."""
    return is_same(settings.organiser_pin, tried)


def may_organise(settings: Settings, token: str) -> bool:
    """Whether a phone with this token may change tournaments, the season and the tables."""
    return not settings.organiser_pin or is_same(settings.organiser_token, token)
