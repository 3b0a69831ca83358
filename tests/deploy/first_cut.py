"""Cut the power in a first start, and find what is wrong then and in the end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.deploy.card import BOX_PASSWORD, CMDLINE, HOME_PASSWORD, IMAGER_WORDS, NAME, Box

HOME_WIFI_PASSWORD, BOX_WIFI_PASSWORD = "straße = 1", "green dragon"
"""Passwords that somebody set."""

CUTS = ("bookworm", "begin", "setup")
"""What is cut off: Bookworm's script, what user-data calls, and what takes long."""


def prepare_box(base: Box, way: str, folder: Path) -> Box:
    """Return a box just before the step that is cut off."""
    box = base.copy_to(folder)
    box.set({NAME: "Drachen", HOME_PASSWORD: HOME_WIFI_PASSWORD, BOX_PASSWORD: BOX_WIFI_PASSWORD})
    box.sync()
    if way == "setup":
        box.do("begin")
    return box


def commands_of(base: Box, way: str, folder: Path) -> int:
    """Return how many places to cut it off at there are, the last of them behind its end."""
    box = prepare_box(base, way, folder)
    box.cut(way, 0, "power")
    return box.commands + 1


def cut(base: Box, way: str, folder: Path, number: int, mode: str) -> Iterator[str]:
    """Yield what is wrong after the cut, and after two further starts."""
    box = prepare_box(base, way, folder)
    box.cut(way, number, mode)
    yield from (f"cut off: {fault}" for fault in find_lost(box))
    for _ in range(2):
        if "systemd.run" in (box.card / "cmdline.txt").read_text() and way == "bookworm":
            box.bookworm()
        else:
            box.start() if way != "bookworm" else box.do("setup")
    yield from (f"in the end: {fault}" for fault in find_lost(box))
    yield from (f"in the end: {fault}" for fault in find_unfinished(box, way))


def find_lost(box: Box) -> Iterator[str]:
    """Yield what is lost that must never be."""
    if (box.card / "cmdline.txt").read_text() not in (
        CMDLINE.format(IMAGER_WORDS),
        CMDLINE.format(""),
    ):
        yield "the computer does not start"
    stored_settings = box.root / "var/lib/tongbox-first/settings.json"
    texts = [box.settings.read_text("utf-8")]
    texts += json.loads(stored_settings.read_bytes()).values() if stored_settings.exists() else []
    for secret in (HOME_WIFI_PASSWORD, BOX_WIFI_PASSWORD):
        if not any(secret in each for each in texts):
            yield f"the password {secret} is nowhere"


def find_unfinished(box: Box, way: str) -> Iterator[str]:
    """Yield what is wrong in the end."""
    if not box.says.startswith("Tongbox is ready.\r\n"):
        yield f"it says {box.says}"
    if HOME_WIFI_PASSWORD not in box.home or BOX_WIFI_PASSWORD not in box.wifi_name:
        yield "a Wi-Fi is not set up"
    if HOME_WIFI_PASSWORD.encode() in box.settings.read_bytes():
        yield "a password is still on the card"
    unit = box.root / "etc/systemd/system/tongbox-first.service"
    if "[Install]" not in unit.read_text():
        yield "its unit is not whole"
    if not (box.root / "opt/tongbox/current/whole").exists():
        yield "no whole version"
    if way == "bookworm" and (box.card / "cmdline.txt").read_text() != CMDLINE.format(""):
        yield "Imager's words are still there"
    if halves := [path.name for path in box.card.glob("*.new")]:
        yield f"left half: {halves}"
