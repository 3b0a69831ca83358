"""Phones that have said whose they are, for tests: the cookie as the box signs it."""

from __future__ import annotations

from device.access import ensure_phone_secret
from device.store import Store
from device.web.phone_identity import PhoneIdentity, sign_identity


def identity(store: Store, match: str, number: int | None = None, name: str = "") -> str:
    """Return the cookie `player` of a phone that said in a match whose it is."""
    return sign_identity(ensure_phone_secret(store), PhoneIdentity(match, number, name))
