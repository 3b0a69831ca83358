"""The box's own Wi-Fi, on a made-up system with a made-up NetworkManager."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from device.host.machine import HOTSPOT_ADDRESS
from device.host.page_links import WIFI_FILE, WifiNetwork, parse_wifi
from tests.deploy.conftest import FakeSystem

pytestmark = pytest.mark.slow

NMCLI = """
state=$TONGBOX_ROOT/../state
case "$*" in
    "-g RUNNING general") echo running ;;
    "-g DEVICE,TYPE device")
        printf 'lo:loopback\\neth0:ethernet\\nwlan0:wifi\\np2p-dev-wlan0:wifi-p2p\\n' ;;
    "-g WIFI radio") echo enabled ;;
    "-g TYPE,NAME connection show --active")
        echo 802-3-ethernet:Wired
        if [ -e "$state" ]; then echo 802-11-wireless:Tongbox; elif [ -n "$HOME_WIFI" ]; then
            echo "802-11-wireless:$HOME_WIFI"; fi ;;
    "-g GENERAL.STATE connection show Tongbox") if [ -e "$state" ]; then echo activated; fi ;;
    "connection show Tongbox") [ -e "$state.made" ] ;;
    "connection add "*) touch "$state.made" ;;
    "connection up Tongbox") touch "$state" ;;
    "connection down Tongbox") rm "$state" ;;
    "connection modify Tongbox "*) ;;
    *) echo "nmcli knows no $*" >&2; exit 2 ;;
esac"""


@pytest.fixture
def table(system: FakeSystem) -> FakeSystem:
    """Return a Pi with Wi-Fi, its country set."""
    system.program("nmcli", NMCLI)
    system.program("raspi-config", "echo GB")
    system.program("dnsmasq", "")
    system.program("chgrp", "")
    return system


def saved_network(table: FakeSystem) -> WifiNetwork | None:
    return parse_wifi((table.root / WIFI_FILE).read_text())


def changes(table: FakeSystem) -> list[str]:
    """Return what NetworkManager was told to do."""
    action = re.compile(r"nmcli connection (add|modify|up|down)")
    return [call for call in table.calls() if action.match(call)]


def test_it_is_made_started_and_told_to_the_box(table: FakeSystem) -> None:
    result = table.run("hotspot", "on")
    assert (result.returncode, result.stderr) == (0, "")
    wifi = saved_network(table)
    assert wifi is not None
    assert (wifi.name, wifi.address) == ("Tongbox", HOTSPOT_ADDRESS)
    assert re.fullmatch(r"[a-z]+-[a-z]+-[a-z]+-\d{4}", wifi.password)
    calls = table.calls()
    assert f"chgrp tongbox {table.root / WIFI_FILE}." in "\n".join(calls)
    (table.root.parent / "calls").write_text("\n".join(calls))
    add_call, set_up, up_call = changes(table)
    assert add_call == "nmcli connection add type wifi ifname wlan0 con-name Tongbox ssid Tongbox"
    wanted_words = ["wifi.mode ap", "wifi.band bg", f"wifi-sec.psk {wifi.password}",
              "wifi-sec.pmf disable",
              "ipv4.method shared", "ipv4.addresses 10.42.0.1/24",
              "autoconnect yes", "autoconnect-priority -10"]  # fmt: skip
    assert [each for each in wanted_words if each not in set_up] == []
    assert up_call == "nmcli connection up Tongbox"
    assert wifi.password in result.stdout
    assert "SSH" in result.stdout
    file = table.root / WIFI_FILE
    assert file.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in file.parent.iterdir()] == ["wifi.toml"], "nothing is left half"


def test_each_box_has_a_password_of_its_own_and_keeps_it(table: FakeSystem) -> None:
    passwords = set()
    for _ in range(2):
        table.run("hotspot", "on")
        first = saved_network(table)
        table.run("hotspot", "off")
        assert saved_network(table) is None
        table.run("hotspot", "on")
        assert saved_network(table) == first, "a printed label stays right"
        assert first is not None
        passwords.add(first.password)
        (table.root / WIFI_FILE).unlink()
    assert len(passwords) == 2


def test_a_password_that_somebody_chose_is_taken_and_kept(table: FakeSystem) -> None:
    table.run("hotspot", "on")
    for environment in ({"TONGBOX_WIFI_PASSWORD": "green dragon"}, {}):
        table.calls()
        table.run("hotspot", "on", **environment)
        wifi = saved_network(table)
        assert wifi is not None
        assert wifi.password == "green dragon"  # noqa: S105
        assert "wifi-sec.psk green dragon " in "\n".join(changes(table))


@pytest.mark.parametrize(
    ("password", "reason"),
    [
        ("winds", "shorter than WPA allows"),
        ("east wind " * 7, "longer than WPA allows"),
        ('green "dragon"', "a quote, which ends the text in the box's file"),
        ("green\\dragon", "a backslash"),
        ("grüner drache", "beyond ASCII, which phones send in different bytes"),
    ],
)
def test_a_password_that_no_phone_could_use_is_refused(
    table: FakeSystem, password: str, reason: str
) -> None:
    result = table.run("hotspot", "on", TONGBOX_WIFI_PASSWORD=password)
    assert result.returncode == 1, reason
    assert "8 to 63" in result.stderr
    assert changes(table) == []


def test_there_are_as_many_words_as_the_script_counts_on(table: FakeSystem) -> None:
    script = (table.source / "deploy/hotspot.sh").read_text()
    words_match = re.search(r'^WORDS="([^"]*)"', script, re.M)
    assert words_match is not None
    words = words_match[1].split()
    assert len(words) == len(set(words)) == 128
    assert all(re.fullmatch("[a-z]{3,8}", word) for word in words)


@pytest.mark.parametrize(
    ("options", "starts"),
    [(("on",), False), (("on", "now"), True)],
)
def test_another_wifi_is_left_only_when_that_is_asked_for(
    table: FakeSystem, options: tuple[str, ...], starts: bool
) -> None:
    result = table.run("hotspot", *options, HOME_WIFI="At home")
    assert result.returncode == 0
    assert ("nmcli connection up Tongbox" in changes(table)) == starts
    assert ("stays in the Wi-Fi At home" in result.stdout) != starts
    assert "SSH" in result.stdout, "either way it is said what happens to who is connected"


def test_it_is_switched_off_and_does_not_come_back_by_itself(table: FakeSystem) -> None:
    table.run("hotspot", "on")
    table.calls()
    table.run("hotspot", "on")
    assert not [call for call in changes(table) if " add " in call], "it is made once"
    result = table.run("hotspot", "off")
    assert result.returncode == 0
    assert changes(table) == [
        "nmcli connection modify Tongbox connection.autoconnect no",
        "nmcli connection down Tongbox",
    ]
    assert table.run("hotspot", "off").returncode == 0, "twice does no harm"


def test_it_says_how_it_is(table: FakeSystem) -> None:
    def status_text(**environment: str) -> str:
        return table.run("hotspot", "status", **environment).stdout

    assert "no Wi-Fi of its own" in status_text()
    table.run("hotspot", "on", HOME_WIFI="At home")
    wifi = saved_network(table)
    assert wifi is not None
    assert "not in use" in status_text()
    table.run("hotspot", "on")
    assert f"is there: name Tongbox, password {wifi.password}" in status_text()
    table.run("hotspot", "off")
    assert "no Wi-Fi of its own" in status_text()


@pytest.mark.parametrize(
    ("program", "script", "says", "reason"),
    [
        ("nmcli", "exit 8", "needs NetworkManager", "another system manages the network"),
        ("nmcli", NMCLI.replace("wlan0:wifi\\n", ""), "no Wi-Fi", "a Pi with its radio cut off"),
        ("nmcli", NMCLI.replace("echo enabled", "echo disabled"), "nmcli radio wifi on", "off"),
        ("raspi-config", "exit 1", "do_wifi_country GB", "the radio stays off without a country"),
        ("getent", "exit 2", "Install Tongbox first", "nobody would read the password"),
    ],
)
def test_what_stands_in_its_way_is_said_and_nothing_done(
    table: FakeSystem, program: str, script: str, says: str, reason: str
) -> None:
    table.program(program, script)
    result = table.run("hotspot", "on")
    assert result.returncode == 1
    assert says in result.stderr, reason
    assert changes(table) == []
    assert not (table.root / WIFI_FILE).exists()


@pytest.mark.parametrize("missing", ["nmcli", "dnsmasq"])
def test_a_program_that_is_missing_is_named(
    table: FakeSystem, missing: str, tmp_path: Path
) -> None:
    (table.programs / missing).unlink()
    tools = tmp_path / "tools"  # and nothing else, so that this machine's own is not found
    tools.mkdir()
    for name in ("sh", "dirname", "sed", "head"):
        (tools / name).symlink_to(shutil.which(name) or "")
    result = table.run("hotspot", "on", PATH=f"{table.programs}:{tools}")
    assert result.returncode == 1
    assert {"nmcli": "NetworkManager", "dnsmasq": "dnsmasq-base"}[missing] in result.stderr


@pytest.mark.parametrize("options", [(), ("up",), ("on", "off")])
def test_anything_else_is_refused(table: FakeSystem, options: tuple[str, ...]) -> None:
    result = table.run("hotspot", *options)
    assert result.returncode == 1
    assert "on, off or status" in result.stderr


def test_one_that_does_not_start_says_where_to_look(table: FakeSystem) -> None:
    table.program("nmcli", NMCLI.replace('touch "$state" ;;', "exit 4 ;;"))
    result = table.run("hotspot", "on")
    assert result.returncode == 1
    assert "journalctl -u NetworkManager" in result.stderr
