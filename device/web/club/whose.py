"""Whose phone it is that changes what is the club's, as far as it has ever said so at a table."""

from __future__ import annotations

from device.i18n.names import Name
from device.web.phone_identity import phone_identity


def whose() -> Name:
    """Return the name that the phone's player had in the last match; empty where none is known."""
    return Name(phone_identity().name)
