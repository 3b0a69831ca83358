"""By which networks, and under which addresses, phones come to the box."""

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
    """One way to the box's first page."""

    address: str
    """By number, which every phone understands: `http://192.168.1.20/`."""
    name: str = ""
    """By name, which most do: `http://tongbox.local/`; empty where the box has none."""
    wifi: Wifi | None = None
    """The network to join first, if it is the box's own."""
    pin: str = ""
    """What a phone without the code is asked for; empty where it is asked for nothing."""
    code: str = ""

    @property
    def link(self) -> str:
        """What the QR code says: the address, and what lets in."""
        return self.link_to("")

    def link_to(self, path: str) -> str:
        """Return what the QR code of one of the pages says, by its path without the first `/`."""
        page = self.address + path
        return f"{page}?{urlencode({'code': self.code})}" if self.code else page


def ways_in(asked: str, phone: str, machine: Machine, settings: Settings) -> tuple[WayIn, ...]:
    """Return the ways: first that of the request, then the box's own Wi-Fi if that is another.

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
    """Whether other phones reach the box by what the first one asked for: by a number, they do."""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _avahi_name(machine: Machine) -> str:
    """Return the name that the installer gave the box in the local network."""
    found = re.search(r"^host-name=(\S+)$", machine.text(_AVAHI), re.M)
    return f"{found[1]}.local" if found else ""
