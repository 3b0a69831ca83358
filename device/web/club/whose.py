"""Whose phone it is that changes what is the club's, as far as it has ever said so at a table."""

from __future__ import annotations

from device.i18n.names import Name, tidied
from device.web.fields import of_cookie
from device.web.sitting import PLAYER
from device.web.table.begin import LONGEST_NAME


def whose() -> Name:
    """Return the name that the phone's player had in the last match; empty where none is known."""
    return Name(tidied(of_cookie(PLAYER).get("name", ""))[:LONGEST_NAME])
