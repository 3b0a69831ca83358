"""Watch the first start inside the emulated box; the system's Python alone.

Each change that a person could see goes to the serial line, with the progress of the installation.
tests/real/first_boot.py reads it there. When the box is ready, a phone (a second radio in a network
of its own) joins its Wi-Fi and opens its page, by this program with the box's address.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from http.client import HTTPConnection, HTTPException
from pathlib import Path

LIGHT_FOLDER = Path("/sys/class/leds/ACT")
SAYS_FILE = Path("/boot/firmware/tongbox-says.txt")
VERSIONS_FOLDER = Path("/opt/tongbox/versions")
STATE_FOLDER = Path("/var/lib/tongbox-first")

PHONE = "phone"
"""The network in which the second radio is, with nothing else in it."""

JOIN = """
network={{
    ssid="{name}"
    psk="{password}"
    key_mgmt=WPA-PSK
}}
"""

BOX_ADDRESS = "10.42.0.1"
"""Of the box in its own Wi-Fi."""

MAX_JOIN_S = 600


def read_light() -> str:
    """Return what the light shows, as the kernel has it."""
    try:
        trigger = re.search(r"\[(.*)\]", (LIGHT_FOLDER / "trigger").read_text())
        name = trigger[1] if trigger else "?"
        detail = "delay_on" if name == "timer" else "brightness" if name == "none" else ""
        return f"{name} {(LIGHT_FOLDER / detail).read_text().strip()}" if detail else name
    except OSError:
        return ""


def says() -> str:
    try:
        return SAYS_FILE.read_text("utf-8").splitlines()[0]
    except (OSError, IndexError):
        return ""


def page_status(host: str = "127.0.0.1") -> int:
    """Return the status of the first page, 0 without an answer."""
    box = HTTPConnection(host, timeout=3)
    try:
        box.request("GET", "/")
        return box.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        box.close()


def count_packages() -> int:
    """Return how many tens of packages lie in a version that is being made."""
    return len(list(VERSIONS_FOLDER.glob("*/venv/lib/python3*/site-packages/*"))) // 10


def read_state() -> dict[str, object]:
    return {
        "light": read_light(),
        "says": says(),
        "made": count_packages(),
        "whole": any(VERSIONS_FOLDER.glob("*/whole")),
        "installed": (STATE_FOLDER / "bundle").exists(),
        "settled": (STATE_FOLDER / "settings").exists(),
        "page": page_status(),
    }


def run(*command: str, patience: int = 120) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=patience)
    return (result.stdout + result.stderr).strip()


def system_facts() -> dict[str, str]:
    """Return further facts about the system."""
    users = [line.split(":") for line in run("getent", "passwd").splitlines()]
    return {
        "system": run("systemctl", "is-system-running"),
        "failed units": run("systemctl", "--failed", "--plain", "--no-legend"),
        "default": run("systemctl", "get-default"),
        "people": ",".join(user[0] for user in users if 1000 <= int(user[2]) < 60000),
        "ssh": run("systemctl", "is-active", "ssh"),
        "wi-fi": run("nmcli", "-g", "NAME,STATE", "connection", "show", "--active"),
        "doctor": run(
            "runuser", "-u", "tongbox", "--", "tongbox", "doctor", "--data", "/var/lib/tongbox",
            patience=900,
        ),
        "settings": Path("/boot/firmware/tongbox.txt").read_text("utf-8", "replace"),
        "all that it says": SAYS_FILE.read_text("utf-8"),
        "log": run("journalctl", "-b", "-u", "tongbox-first", "--no-pager", "-o", "cat"),
    }  # fmt: skip


def join_wifi() -> str:
    """Join the box's Wi-Fi with the other radio, as a phone does with what the card says."""
    text = SAYS_FILE.read_text("utf-8")
    password = re.search(r"The password is +(\S+)", text)
    if password is None:
        return "the card tells no password"
    radio = next(Path("/sys/class/net/wlan1").glob("phy80211/name")).read_text().strip()
    run("ip", "netns", "add", PHONE)
    run("iw", "phy", radio, "set", "netns", "name", PHONE)
    command_prefix = ("ip", "netns", "exec", PHONE)
    Path("/run/phone.conf").write_text(JOIN.format(name="Tongbox", password=password[1]))
    run(*command_prefix, "ip", "link", "set", "wlan1", "up")
    run(
        *command_prefix,
        "wpa_supplicant",
        "-B",
        "-i",
        "wlan1",
        "-c",
        "/run/phone.conf",
        "-D",
        "nl80211",
    )
    start = time.monotonic()
    while time.monotonic() < start + MAX_JOIN_S:
        address = run(
            *command_prefix, "busybox", "udhcpc", "-i", "wlan1", "-n", "-q", "-t", "5",
            "-s", "/opt/trial/lease",
        )  # fmt: skip
        status = run(*command_prefix, "python3", __file__, BOX_ADDRESS)
        if status == "200":
            lease = run(*command_prefix, "ip", "-4", "-br", "address", "show", "wlan1")
            return f"joined after {time.monotonic() - start:.0f} s as {lease}; the page answers"
        time.sleep(3)
    return f"did not come to the page: {address[-300:]} {run(*command_prefix, 'iw', 'dev')[-300:]}"


def tell(**state: object) -> None:
    uptime = float(Path("/proc/uptime").read_text().split()[0])
    sys.stdout.write(f"\nTRIAL {json.dumps({'up': round(uptime), **state})}\n")
    sys.stdout.flush()


def main() -> None:
    """Tell every change; at the end all that can be asked, and switch off."""
    before: dict[str, object] = {}
    while True:
        state = read_state()
        if state != before:
            tell(**state)
            before = state
        if state["settled"] and state["page"] == 200 and state["light"] != "timer 1000":
            break
        time.sleep(1)
    time.sleep(20)
    tell(phone=join_wifi())
    tell(facts=system_facts())
    tell(end=True)
    run("systemctl", "poweroff")


if __name__ == "__main__":
    if len(sys.argv) > 1:  # the phone, in a network of its own
        sys.stdout.write(str(page_status(sys.argv[1])))
    else:
        main()
