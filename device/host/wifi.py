"""The Wi-Fi that the box provides itself, if one is set up."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

FILE = "etc/tongbox/wifi.toml"
"""Under the machine's root. `deploy/hotspot.sh` writes it; only root and the box may read it."""

_SPECIAL = '\\;,:"'
"""Characters that need a backslash in the QR code."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """What a phone needs to join."""

    name: str
    password: str
    address: str
    """The box's IPv4 address in it."""

    @property
    def code(self) -> str:
        """The text of a QR code that lets a phone join, as Android and iOS read it."""
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"


def own_wifi(text: str) -> Wifi | None:
    """Parse the file of the box's Wi-Fi; None if there is none."""
    try:
        said = tomllib.loads(text)
        return Wifi(said["name"], said["password"], said["address"]) if said["on"] else None
    except (tomllib.TOMLDecodeError, KeyError):
        return None  # usually an empty text: a box without its own Wi-Fi


def _escaped(words: str) -> str:
    return "".join(f"\\{each}" if each in _SPECIAL else each for each in words)
