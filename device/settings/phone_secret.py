"""The secret with which the box signs a phone's cookie that says whose phone it is."""

from __future__ import annotations

import secrets

from device.settings.settings import SettingsLog
from device.store import Store

_SORT = "phone secret"


def phone_secret(store: Store) -> str:
    """Return the secret that signs whose a phone is; empty before the first phone says so.

    It never changes, and is read once. No page, report or export shows it.
    """
    if not store.derived.get(_SORT):
        store.derived[_SORT] = SettingsLog(store).now().phone_secret
    return str(store.derived[_SORT])


def ensure_phone_secret(store: Store) -> str:
    """Return the secret that signs whose a phone is, after making it if there is none."""
    if not phone_secret(store):
        SettingsLog(store).change("phone_secret", secrets.token_urlsafe())
    return phone_secret(store)
