"""The secret with which the box signs what a phone keeps of whose it is.

It is kept with the settings, so all processes that share a store have the same, before and after a
restart. It is made when the first phone says whose it is, and stays. No page, report or export
shows it.
"""

from __future__ import annotations

import secrets

from device.settings.settings import SettingsLog
from device.store import Store

_SORT = "phone secret"


def phone_secret(store: Store) -> str:
    """Return the secret, read once, for it stays; empty where there is none yet."""
    if not store.derived.get(_SORT):
        store.derived[_SORT] = SettingsLog(store).now().phone_secret
    return str(store.derived[_SORT])


def ensure_phone_secret(store: Store) -> str:
    """Return the secret; make it first where there is none."""
    if not phone_secret(store):
        SettingsLog(store).change("phone_secret", secrets.token_urlsafe())
    return phone_secret(store)
