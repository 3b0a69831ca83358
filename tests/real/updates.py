"""Updates from the page on a booted system: `python -m tests.real.updates [--contained]`.

A Debian 13 in which a bundle was installed without a network is booted by qemu; or, contained, by
systemd-nspawn on this computer's own kernel, with a disk of its own. Newer versions are sent to its
page as a phone sends them: one that does not start, a good one, and then the good one again with
the power cut at moments drawn by chance over the time that it takes. Afterwards one of the two must
run, say so, and have the hand that was read before.

How long things take under qemu is the emulation's doing and says nothing of a Pi.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from http.client import HTTPException
from pathlib import Path

import minisign

from device.samples import load_samples
from tests.real import bundles
from tests.real.contained import Contained
from tests.real.emulated import Emulated
from tests.real.needs import ROOTS, need
from tests.real.page import BOUNDARY, Page, tiles_of, until
from tests.real.roots import CACHE, REPO, Root, fresh, say
from tests.real.vm import NETWORK, PACKAGES

PIECE = 8 * 2**20
PATIENCE = 2400.0
"""Seconds for an update, and for a start: a real computer needs some forty and ten."""

OLD, NEW, BAD = "0.9.0", "0.9.1", "0.9.2"

SAMPLE = next(sample for sample in load_samples() if sample.name == "pungs-and-a-kong")

SLOW = "[Service]\nTimeoutStartSec=900\nWatchdogSec=600\n"
"""What is changed in the unit: this machine may take long to begin anything."""

FIRST = "[Service]\nNice=0\n"
"""Here others may be at work that would go first."""

INSTALL = 'exec unshare -n sh "$1"'

Box = Emulated | Contained

FIELD = '--{0}\r\nContent-Disposition: form-data; name="{1}"{2}\r\n\r\n'


def main() -> int:
    """Try one thing after the other; return 1 when anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--contained", action="store_true", help="not emulated: ten times as fast")
    parser.add_argument("--seed", type=int, default=21)
    options = parser.parse_args()
    machine = ("systemd-nspawn",) if options.contained else ("qemu-system-x86_64", "qemu-img")
    need(*ROOTS, "mke2fs", *machine)
    place = CACHE / ("updates-contained" if options.contained else "updates")
    disk, root = prepared(place)
    box = Contained(disk) if options.contained else emulated(disk, root)
    try:
        faults = tried(box, place, options.cuts, random.Random(options.seed))
    finally:
        box.cut()
    say(f"{faults} things are not as they should be")
    return 1 if faults else 0


def emulated(disk: Path, root: Root) -> Emulated:
    """Return a computer with this disk, as qemu wants it."""
    packed = disk.with_suffix(".qcow2")
    subprocess.run(["qemu-img", "convert", "-O", "qcow2", str(disk), str(packed)], check=True)
    disk.unlink()
    return Emulated(packed, root.path / "boot")


def prepared(place: Path) -> tuple[Path, Root]:
    """Make the bundles, a system with the first of them installed, and its disk."""
    secret = minisign.KeyPair.generate().secret_key
    shutil.rmtree(place, ignore_errors=True)
    for version, change in ((OLD, bundles.as_it_is), (NEW, bundles.as_it_is),
                            (BAD, bundles.broken)):  # fmt: skip
        bundles.make(place / version, "x86_64", version, secret, change)
        say(f"bundle {version} made")
    root = fresh(f"trial-{place.name}", "trixie", "amd64", PACKAGES)
    shutil.copytree(place / OLD / "laid/tongbox", root.path / "card")
    root.run("sh", "-c", INSTALL, "sh", "/card/program/deploy/install.sh")
    shutil.rmtree(root.path / "card")
    units = root.path / "etc/systemd/system"
    (units / "tongbox-take.service.d").mkdir()
    (units / "tongbox-take.service.d/here.conf").write_text(FIRST)
    (units / "tongbox.service.d").mkdir()
    (units / "tongbox.service.d/emulated.conf").write_text(SLOW)
    (root.path / "etc/systemd/network/trial.network").write_text(NETWORK)
    (root.path / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    root.run("systemctl", "enable", "--quiet", "systemd-networkd")
    disk = place / "box.raw"
    command = ["mke2fs", "-q", "-t", "ext4", "-d", str(root.path), str(disk), "5G"]
    subprocess.run(command, check=True)
    return disk, root


def tried(box: Box, place: Path, cuts: int, chance: random.Random) -> int:
    """Return how many of the trials failed."""
    box.start()
    say(f"the box answers {box.is_well(PATIENCE):.0f} s after it was switched on")
    hand = box.page.send(SAMPLE.path)
    until(lambda: has(box.page, hand), PATIENCE, "the hand is not read", every=5)
    faults = attempt("a broken version", lambda: takes_back(box.page, place, hand))
    send(box.page, place / NEW / f"tongbox-{NEW}.zip")
    box.keep()
    took = [0.0]

    def good() -> str:
        again(box)
        took[0] = updated(box.page)
        return well(box.page, hand, NEW, f"done {NEW}") + f", {took[0]:.0f} s after it was asked"

    faults += attempt("a good version", good)
    for number in range(1, cuts + 1):
        after = chance.uniform(0, took[0] or 300)
        faults += attempt(
            f"power cut {number}, {after:.0f} s after it was asked for",
            partial(cut, box, hand, after),
        )
    return faults


def attempt(what: str, trial: Callable[[], str]) -> int:
    """Say what a trial found; return 1 when it failed."""
    began = time.monotonic()
    try:
        is_fine, says = True, trial()
    except (AssertionError, OSError, HTTPException, ValueError) as error:
        is_fine, says = False, f"{type(error).__name__}: {error}"
    say(f"{'ok  ' if is_fine else 'FAIL'} {time.monotonic() - began:5.0f} s  {what}: {says}")
    return not is_fine


def again(box: Box) -> None:
    """Go on from the moment at which the newer version waits to be asked for."""
    box.again()
    box.is_well(PATIENCE)


def cut(box: Box, hand: str, after: float) -> str:
    """Ask for the update, cut the power, start again; return what runs then."""
    again(box)
    box.page.ask("/update/install", b"")
    time.sleep(after)
    stood = stage(box.page)
    box.cut()
    box.start()
    back = box.is_well(PATIENCE)
    until(lambda: not under_way(box.page), PATIENCE, "it does not end", every=3)
    box.is_well(PATIENCE)
    version = running(box.page)
    ends = {OLD: f"failed {NEW}", NEW: f"done {NEW}"}
    said = well(box.page, hand, version, ends.get(version, "?"))
    return f"cut while {stood or 'it did not answer'}; answered {back:.0f} s after; {said}"


def takes_back(page: Page, place: Path, hand: str) -> str:
    """Send a version that does not start, and see it taken back."""
    send(page, place / BAD / f"tongbox-{BAD}.zip")
    took = updated(page)
    until(page.is_well, PATIENCE, "it is not well", every=2)
    assert "The update was taken back" in page.ask("/update/")[2], "it was not even tried"
    return well(page, hand, OLD, f"failed {BAD}") + f", {took:.0f} s after it was asked"


def updated(page: Page) -> float:
    """Ask for what waits, and return how long it took until it was done with."""
    began = time.monotonic()
    assert page.ask("/update/install", b"")[0] == 303
    until(lambda: not under_way(page), PATIENCE, "it does not end", every=3)
    return time.monotonic() - began


def well(page: Page, hand: str, version: str, ends: str) -> str:
    """Return what runs; raise AssertionError unless it is this, says so, and has its hand."""
    until(page.is_well, PATIENCE, "it is not well", every=2)
    assert running(page) == version, f"{running(page)} runs"
    says = "The update is in place" if ends.startswith("done") else "Nothing is lost"
    shown = page.ask("/update/")[2]
    assert says in shown, f"it does not say {ends}"
    assert has(page, hand), "its hand is gone"
    return f"{version} runs, its hand is there"


def has(page: Page, hand: str) -> bool:
    """Whether the hand is there as it was read."""
    shown = re.search(r'id="hand-text"[^>]* value="([^"]*)"', page.ask(hand, timeout=120)[2])
    return shown is not None and tiles_of(shown[1]) == tiles_of(SAMPLE.hand)


def running(page: Page) -> str:
    """Return the version that the page names."""
    found = re.search(r"runs version ([\w.]+)\.<", page.ask("/update/", timeout=120)[2])
    return found[1] if found else ""


def under_way(page: Page) -> bool:
    """Whether an update is under way; a box that does not answer is at it."""
    try:
        return "data-under-way" in page.ask("/update/", timeout=30)[2]
    except (OSError, HTTPException):
        return True


def stage(page: Page) -> str:
    """Return how far the page says that it is."""
    try:
        found = re.search(r'progress aria-label="([^"]*)"', page.ask("/update/", timeout=10)[2])
    except (OSError, HTTPException):
        return ""
    return f"“{found[1]}”" if found else "nothing was under way"


def send(page: Page, path: Path) -> None:
    """Send a bundle as update.js does."""
    data = path.read_bytes()
    form = "application/x-www-form-urlencoded"
    begun = page.ask("/update/begin", f"size={len(data)}".encode(), form)
    assert begun[0] == 200, begun
    token = json.loads(begun[2])["token"]
    for at in range(0, len(data), PIECE):
        fields = "".join(
            FIELD.format(BOUNDARY, name, "") + f"{value}\r\n"
            for name, value in (("token", token), ("at", at))
        )
        fields += FIELD.format(BOUNDARY, "piece", '; filename="piece"')
        body = fields.encode() + data[at : at + PIECE] + f"\r\n--{BOUNDARY}--\r\n".encode()
        took = page.ask("/update/piece", body, f"multipart/form-data; boundary={BOUNDARY}", 300)
        assert took[0] == 200, took
    said = page.ask("/update/finish", f"token={token}".encode(), form, timeout=600)
    assert said[0] == 200, said


if __name__ == "__main__":
    assert (REPO / "deploy").exists()
    sys.exit(main())
