"""Under which address phones are told to come, and the box's own Wi-Fi."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.access import qr_code_secret
from device.doctor import Machine
from device.host import page_links as module
from device.host.page_links import WIFI_FILE, WifiNetwork, list_page_links, parse_wifi
from device.settings import Settings

WITH_PIN = Settings(pin="4821", pin_token="t")  # noqa: S106

OWN_WIFI = 'on = true\nname = "Tongbox"\npassword = "amber-badger-47"\naddress = "10.42.0.1"\n'


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine whose address, seen from a phone, tells of that phone."""
    monkeypatch.setattr(module, "find_lan_address", lambda phone: f"192.168.1.{len(phone)}")
    return Machine(tmp_path, root=tmp_path)


def write(machine: Machine, path: str, text: str) -> None:
    file = machine.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    ("asked_address", "address", "name", "reason"),
    [
        ("http://192.168.1.20/", "http://192.168.1.20/", "", "what one phone came by, others do"),
        ("http://10.0.0.9:8080/", "http://10.0.0.9:8080/", "", "with its port"),
        ("https://10.0.0.9:8443/", "https://10.0.0.9:8443/", "", "and as safely"),
        ("http://[fd00::5]:8080/", "http://[fd00::5]:8080/", "", "IPv6"),
        ("http://tongbox.local/", "http://192.168.1.9/", "http://tongbox.local/",
         "not every phone knows names, so the number by which this one is reached comes first"),
        ("http://tongbox.lan:8080/", "http://192.168.1.9:8080/", "http://tongbox.lan:8080/",
         "as the network's router calls it"),
        ("http://localhost:8080/", "http://192.168.1.9:8080/", "", "which is this machine alone"),
        ("http://127.0.0.1:8080/", "http://192.168.1.9:8080/", "", "and so is this"),
    ],
)  # fmt: skip
def test_the_address_is_that_by_which_the_request_came(
    machine: Machine, asked_address: str, address: str, name: str, reason: str
) -> None:
    (way,) = list_page_links(asked_address, "10.0.0.99", machine, Settings())
    assert (way.address, way.name, way.link) == (address, name, address), reason


def test_a_box_that_was_given_a_name_says_it(machine: Machine) -> None:
    write(machine, "etc/avahi/avahi-daemon.conf", "[server]\nhost-name=tongbox\n")
    (way,) = list_page_links("http://192.168.1.20:8080/", "192.168.1.7", machine, WITH_PIN)
    assert way.name == "http://tongbox.local:8080/"
    assert way.pin == "4821"
    assert way.link == f"http://192.168.1.20:8080/?code={qr_code_secret(WITH_PIN)}"


@pytest.mark.parametrize(
    ("asked_address", "addresses", "reason"),
    [
        ("http://10.42.0.1/", ["http://10.42.0.1/"], "the phone is in it"),
        ("http://192.168.1.20/", ["http://192.168.1.20/", "http://10.42.0.1/"], "it is at home"),
    ],
)
def test_the_own_wifi_is_a_way_of_its_own(
    machine: Machine, asked_address: str, addresses: list[str], reason: str
) -> None:
    write(machine, WIFI_FILE, OWN_WIFI)
    ways = list_page_links(asked_address, "10.42.0.7", machine, Settings())
    assert [way.address for way in ways] == addresses, reason
    assert ways[-1].wifi == WifiNetwork("Tongbox", "amber-badger-47", "10.42.0.1")
    assert not any(way.wifi for way in ways[:-1])


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "no such file"), (OWN_WIFI.replace("true", "false"), "switched off"),
     ("on = ", "half written"), ("on = true\n", "without a name")],
)  # fmt: skip
def test_without_an_own_wifi_there_is_none(text: str, reason: str) -> None:
    assert parse_wifi(text) is None, reason


@given(st.text(), st.text())
def test_no_name_or_password_breaks_out_of_the_code(name: str, password: str) -> None:
    code = WifiNetwork(name, password, "").code
    fields: list[str] = []
    field, is_escaped = "", False
    for letter in code.removeprefix("WIFI:"):
        if is_escaped or letter not in "\\;":
            field, is_escaped = field + letter, False
        elif letter == "\\":
            is_escaped = True
        else:
            fields, field = [*fields, field], ""
    assert fields == ["T:WPA", f"S:{name}", f"P:{password}", ""]
