"""The links by which phones reach the box, in each of its networks, with its own Wi-Fi."""

from __future__ import annotations

import ipaddress
import re
import tomllib
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from device.access import qr_code_secret
from device.host.machine import Machine, find_lan_address
from device.settings import Settings

DEFAULT_NAME = "tongbox.local"
"""The name that the installer gives every box in its network (`deploy/lib.sh`)."""

_AVAHI_FILE = "etc/avahi/avahi-daemon.conf"


@dataclass(frozen=True, slots=True)
class PageLink:
    """One link to the box's first page."""

    address: str
    """With the IP address, which every phone understands: `http://192.168.1.20/`."""
    name: str = ""
    """With the name, which most understand: `http://tongbox.local/`; empty without a name."""
    wifi: WifiNetwork | None = None
    """The network to join first, if it is the box's own."""
    pin: str = ""
    """The PIN for a phone without the code; empty without a PIN."""
    code: str = ""
    """The secret in the QR code, which replaces the PIN."""

    @property
    def link(self) -> str:
        """The link in the QR code, with its secret."""
        return self.link_to("")

    def link_to(self, path: str) -> str:
        """Return the link in the QR code of a page, given its path without the first `/`."""
        page = self.address + path
        return f"{page}?{urlencode({'code': self.code})}" if self.code else page


def list_page_links(
    request_url: str, phone: str, machine: Machine, settings: Settings
) -> tuple[PageLink, ...]:
    """Return the links: first that of the request, then that of the box's own Wi-Fi if different.

    `request_url` is the address that the request came to, `phone` the IP address that it came from.
    """
    request_parts = urlsplit(request_url)
    host = request_parts.hostname or ""
    wifi = parse_wifi(machine.text(WIFI_FILE))
    address = _parse_address(host)
    is_shareable = address is not None and not address.is_loopback
    number = host if is_shareable else find_lan_address(phone)
    port = f":{request_parts.port}" if request_parts.port else ""
    local = host if address is None and host != "localhost" else _avahi_name(machine)
    name = f"{request_parts.scheme}://{local}{port}/" if local else ""

    def way(number: str, wifi: WifiNetwork | None) -> PageLink:
        host_text = f"[{number}]" if ":" in number else number
        address = f"{request_parts.scheme}://{host_text}{port}/"
        return PageLink(address, name, wifi, settings.pin, qr_code_secret(settings))

    if wifi is None or wifi.address == number:
        return (way(number, wifi),)
    return way(number, None), way(wifi.address, wifi)


def _parse_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the IP address that a host is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _avahi_name(machine: Machine) -> str:
    """Return the box's name in the local network, as the installer set it."""
    name_match = re.search(r"^host-name=(\S+)$", machine.text(_AVAHI_FILE), re.M)
    return f"{name_match[1]}.local" if name_match else ""


WIFI_FILE = "etc/tongbox/wifi.toml"
"""Under the machine's root. `deploy/hotspot.sh` writes it; only root and the box may read it."""

_ESCAPED_CHARACTERS = '\\;,:"'
"""Characters that need a backslash in the QR code."""


@dataclass(frozen=True, slots=True)
class WifiNetwork:
    """What a phone needs to join."""

    name: str
    password: str
    address: str
    """The box's IPv4 address in it."""

    @property
    def code(self) -> str:
        """The text of a QR code that lets a phone join, as Android and iOS read it."""
        return f"WIFI:T:WPA;S:{_escape(self.name)};P:{_escape(self.password)};;"


def parse_wifi(text: str) -> WifiNetwork | None:
    """Parse the file of the box's Wi-Fi; None if there is none."""
    try:
        table = tomllib.loads(text)
        return (
            WifiNetwork(table["name"], table["password"], table["address"]) if table["on"] else None
        )
    except (tomllib.TOMLDecodeError, KeyError):
        return None  # usually an empty text: a box without its own Wi-Fi


def _escape(words: str) -> str:
    return "".join(f"\\{each}" if each in _ESCAPED_CHARACTERS else each for each in words)
