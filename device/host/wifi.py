"""The Wi-Fi that the box makes by itself where there is no other, if one is set up."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass

FILE = "etc/tongbox/wifi.toml"
"""Under the machine's root; `deploy/hotspot.sh` writes it, for root and the box alone to read."""

_SPECIAL = '\\;,:"'
"""What has a meaning in a code to join by, and so stands after a backslash."""


@dataclass(frozen=True, slots=True)
class Wifi:
    """What a phone must know to join."""

    name: str
    password: str
    address: str
    """The box's IPv4 address in it."""

    @property
    def code(self) -> str:
        """What a QR code says to let a phone join, as Android and iOS read it."""
        return f"WIFI:T:WPA;S:{_escaped(self.name)};P:{_escaped(self.password)};;"


def own_wifi(text: str) -> Wifi | None:
    """Return the Wi-Fi that the file tells of; None where it says that there is none."""
    try:
        said = tomllib.loads(text)
        return Wifi(said["name"], said["password"], said["address"]) if said["on"] else None
    except (tomllib.TOMLDecodeError, KeyError):
        return None  # a box without one, mostly: an empty text


def _escaped(words: str) -> str:
    return "".join(f"\\{each}" if each in _SPECIAL else each for each in words)
