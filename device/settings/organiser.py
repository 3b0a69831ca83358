"""The organiser's PIN: four digits that let a phone change tournaments, the season and the tables.

It stands beside the table's PIN and lets nobody in; whoever is in may look at everything. A phone
that gave it holds a token from then on, which changes with the PIN, as the table's does.
"""

from __future__ import annotations

import hmac
import secrets

from device.settings.pin import another_pin, is_same
from device.settings.settings import Settings, SettingsLog


def make_organiser_pin(settings: SettingsLog) -> Settings:
    """Ask for a new PIN from now on; return the settings with it."""
    now = settings.now()
    pin = another_pin(now.pin, now.organiser_pin)
    # The token first: between the two, the old PIN lets in and no old token does.
    settings.change("organiser_token", secrets.token_urlsafe())
    settings.change("organiser_pin", pin)
    return settings.now()


def proof_of(settings: Settings, what: str) -> str:
    """Return what a phone holds that did something while there was an organiser's PIN."""
    made = hmac.digest(settings.organiser_token.encode(), what.encode(), "sha256")
    return made.hex() if settings.organiser_pin and settings.organiser_token else ""


def no_organiser_pin(settings: SettingsLog) -> None:
    """Let anybody change tournaments, the season and the tables from now on."""
    settings.change("organiser_pin", "")


def is_organiser_pin(settings: Settings, tried: str) -> bool:
    """Whether this is the PIN; how long that takes tells nothing of it."""
    return is_same(settings.organiser_pin, tried)


def may_organise(settings: Settings, token: str) -> bool:
    """Whether a phone that holds this may change tournaments, the season and the tables."""
    return not settings.organiser_pin or is_same(settings.organiser_token, token)
