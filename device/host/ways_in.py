"""The links by which phones reach the box, in each of its networks, with its own Wi-Fi."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from device.host.address import lan_address
from device.host.machine import Machine
from device.host.wifi import FILE, Wifi, own_wifi
from device.settings.pin import code_of
from device.settings.settings import Settings

_AVAHI = "etc/avahi/avahi-daemon.conf"


@dataclass(frozen=True, slots=True)
class WayIn:
    """One link to the box's first page."""

    address: str
    """With the IP address, which every phone understands: `http://192.168.1.20/`."""
    name: str = ""
    """With the name, which most understand: `http://tongbox.local/`; empty without a name."""
    wifi: Wifi | None = None
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


def ways_in(asked: str, phone: str, machine: Machine, settings: Settings) -> tuple[WayIn, ...]:
    """Return the links: first that of the request, then that of the box's own Wi-Fi if different.

    `asked` is the address that the request came to, `phone` the IP address that it came from.
    """
    came = urlsplit(asked)
    host = came.hostname or ""
    wifi = own_wifi(machine.text(FILE))
    number = host if _is_shareable(host) else lan_address(phone)
    port = f":{came.port}" if came.port else ""
    local = host if host.endswith(".local") else _avahi_name(machine)
    name = f"{came.scheme}://{local}{port}/" if local else ""

    def way(number: str, wifi: Wifi | None) -> WayIn:
        shown = f"[{number}]" if ":" in number else number
        address = f"{came.scheme}://{shown}{port}/"
        return WayIn(address, name, wifi, settings.pin, code_of(settings))

    if wifi is None or wifi.address == number:
        return (way(number, wifi),)
    return way(number, None), way(wifi.address, wifi)


def _is_shareable(host: str) -> bool:
    """Whether other phones can use the host of this request: a non-loopback IP address."""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _avahi_name(machine: Machine) -> str:
    """Return the box's name in the local network, as the installer set it."""
    found = re.search(r"^host-name=(\S+)$", machine.text(_AVAHI), re.M)
    return f"{found[1]}.local" if found else ""
