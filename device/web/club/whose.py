"""The name of the player whose phone changes something of the club."""

from __future__ import annotations

from device.i18n.names import Name
from device.web.phone_identity import phone_identity


def whose() -> Name:
    """Return the name of the phone's player in its last match; empty if unknown."""
    return Name(phone_identity().name)
