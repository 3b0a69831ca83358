"""Updates from the page on a booted system: `python -m tests.real.updates`.

A Debian 13 in which a bundle was installed without a network is booted by systemd-nspawn, with a
disk of its own. Newer versions are sent to its page as a phone sends them. The first does not
start. The second is good; it is installed again and again, and the power is cut at random moments.
Afterwards one of the two versions must run, say so, and have the hand that was read before.
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
from functools import partial
from http.client import HTTPException
from pathlib import Path

import minisign

from tests.device.page import Page as HtmlPage
from tests.form_data import NO_BODY, encode_form, encode_upload
from tests.real import bundles
from tests.real.attempts import Attempts
from tests.real.container_box import ContainedBox
from tests.real.needs import ROOTS, need
from tests.real.page import SAMPLE, Page, tiles_of, wait_until
from tests.real.roots import CACHE, REPO, copy_root
from tests.real.vm import NETWORK, PACKAGES
from tests.reporting import say

PIECE_BYTES = 8 * 2**20
MAX_WAIT_S = 2400.0
"""Seconds for an update, and for a start: a real computer needs some forty and ten."""

OLD_VERSION, NEW_VERSION, BAD_VERSION = "0.9.0", "0.9.1", "0.9.2"

SLOW_START = "[Service]\nTimeoutStartSec=900\nWatchdogSec=600\n"
"""What is changed in the unit: this machine may take long to begin anything."""

NO_NICENESS = "[Service]\nNice=0\n"
"""Here others may be at work that would go first."""

INSTALL = 'exec unshare -n sh "$1"'


def main() -> int:
    """Try one thing after the other; return 1 when anything was not as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=int, default=10)
    parser.add_argument("--seed", type=int, default=21)
    options = parser.parse_args()
    need(*ROOTS, "mke2fs", "systemd-nspawn")
    place = CACHE / "updates-contained"
    box = ContainedBox(prepare_box(place))
    try:
        return try_versions(box, place, options.cuts, random.Random(options.seed)).conclude()
    finally:
        box.cut()


def prepare_box(place: Path) -> Path:
    """Make the bundles, a system with the first of them installed, and its disk."""
    secret = minisign.KeyPair.generate().secret_key
    shutil.rmtree(place, ignore_errors=True)
    for version, change in ((OLD_VERSION, bundles.as_it_is), (NEW_VERSION, bundles.as_it_is),
                            (BAD_VERSION, bundles.break_version)):  # fmt: skip
        bundles.make_bundle(place / version, "x86_64", version, secret, change)
        say(f"bundle {version} made")
    root = copy_root(f"trial-{place.name}", "trixie", "amd64", PACKAGES)
    shutil.copytree(place / OLD_VERSION / "laid/tongbox", root.path / "card")
    root.run("sh", "-c", INSTALL, "sh", "/card/program/deploy/install.sh")
    shutil.rmtree(root.path / "card")
    units = root.path / "etc/systemd/system"
    (units / "tongbox-take.service.d").mkdir()
    (units / "tongbox-take.service.d/here.conf").write_text(NO_NICENESS)
    (units / "tongbox.service.d").mkdir()
    (units / "tongbox.service.d/emulated.conf").write_text(SLOW_START)
    (root.path / "etc/systemd/network/trial.network").write_text(NETWORK)
    (root.path / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    root.run("systemctl", "enable", "--quiet", "systemd-networkd")
    disk = place / "box.raw"
    command = ["mke2fs", "-q", "-t", "ext4", "-d", str(root.path), str(disk), "5G"]
    subprocess.run(command, check=True)
    return disk


def try_versions(box: ContainedBox, place: Path, cuts: int, chance: random.Random) -> Attempts:
    """Try one version after the other; return how the trials went."""
    attempts = Attempts()
    box.start()
    say(f"the box answers {box.is_well(MAX_WAIT_S):.0f} s after it was switched on")
    hand = box.page.send_sample()
    wait_until(lambda: has_hand(box.page, hand), MAX_WAIT_S, "the hand is not read", interval=5)
    attempts.attempt("a broken version", lambda: takes_back(box.page, place, hand))
    send_bundle(box.page, place / NEW_VERSION / f"tongbox-{NEW_VERSION}.zip")
    box.keep()
    durations = [0.0]

    def good() -> str:
        begin_again(box)
        durations[0] = time_update(box.page)
        return (
            check_version(box.page, hand, NEW_VERSION, f"done {NEW_VERSION}")
            + f", {durations[0]:.0f} s after it was asked"
        )

    attempts.attempt("a good version", good)
    for number in range(1, cuts + 1):
        after = chance.uniform(0, durations[0] or 300)
        attempts.attempt(
            f"power cut {number}, {after:.0f} s after it was asked for",
            partial(cut_power, box, hand, after),
        )
    return attempts


def begin_again(box: ContainedBox) -> None:
    """Go on from the moment at which the newer version waits to be asked for."""
    box.restart()
    box.is_well(MAX_WAIT_S)


def cut_power(box: ContainedBox, hand: str, after: float) -> str:
    """Ask for the update, cut the power, start again; return what runs then."""
    begin_again(box)
    box.page.ask("/update/install", NO_BODY)
    time.sleep(after)
    stage = shown_stage(box.page)
    box.cut()
    box.start()
    seconds_back = box.is_well(MAX_WAIT_S)
    wait_until(lambda: not under_way(box.page), MAX_WAIT_S, "it does not end", interval=3)
    box.is_well(MAX_WAIT_S)
    version = running_version(box.page)
    ends = {OLD_VERSION: f"failed {NEW_VERSION}", NEW_VERSION: f"done {NEW_VERSION}"}
    line = check_version(box.page, hand, version, ends.get(version, "?"))
    return f"cut while {stage or 'it did not answer'}; answered {seconds_back:.0f} s after; {line}"


def takes_back(page: Page, place: Path, hand: str) -> str:
    """Send a version that does not start, and see it taken back."""
    send_bundle(page, place / BAD_VERSION / f"tongbox-{BAD_VERSION}.zip")
    seconds = time_update(page)
    wait_until(page.is_well, MAX_WAIT_S, "it is not well", interval=2)
    assert "The update was taken back" in page.ask("/update/")[2], "it was not even tried"
    return (
        check_version(page, hand, OLD_VERSION, f"failed {BAD_VERSION}")
        + f", {seconds:.0f} s after it was asked"
    )


def time_update(page: Page) -> float:
    """Start the waiting update; return the seconds until it has ended."""
    start = time.monotonic()
    assert page.ask("/update/install", NO_BODY)[0] == 303
    wait_until(lambda: not under_way(page), MAX_WAIT_S, "it does not end", interval=3)
    return time.monotonic() - start


def check_version(page: Page, hand: str, version: str, ends: str) -> str:
    """Return a line about the running version.

    Raise AssertionError unless it is the expected one, says so, and still has its hand.
    """
    wait_until(page.is_well, MAX_WAIT_S, "it is not well", interval=2)
    assert running_version(page) == version, f"{running_version(page)} runs"
    says = "The update is done" if ends.startswith("done") else "Nothing is lost"
    page_text = page.ask("/update/")[2]
    assert says in page_text, f"it does not say {ends}"
    assert has_hand(page, hand), "its hand is gone"
    return f"{version} runs, its hand is there"


def has_hand(page: Page, hand: str) -> bool:
    """Whether the hand is there as it was read."""
    hand_texts = HtmlPage(page.ask(hand, timeout=120)[2]).all("#hand-text")
    return [tiles_of(each["value"]) for each in hand_texts] == [tiles_of(SAMPLE.hand)]


def running_version(page: Page) -> str:
    """Return the version that the page names."""
    text = HtmlPage(page.ask("/update/", timeout=120)[2]).text
    match = re.search(r"runs version ([\w.]+)\.(?:\s|$)", text)
    return match[1] if match else ""


def under_way(page: Page) -> bool:
    """Whether an update is under way; a box that does not answer is at it."""
    try:
        return "data-under-way" in page.ask("/update/", timeout=30)[2]
    except (OSError, HTTPException):
        return True


def shown_stage(page: Page) -> str:
    """Return how far the page says that it is."""
    try:
        page_parts = HtmlPage(page.ask("/update/", timeout=10)[2])
    except (OSError, HTTPException):
        return ""
    labels = page_parts.attributes("aria-label", "progress:not([hidden])")
    return f"“{labels[0]}”" if labels else "nothing was under way"


def send_bundle(page: Page, path: Path) -> None:
    """Send a bundle as send-pieces.js does."""
    data = path.read_bytes()
    answer = page.ask("/update/begin", encode_form({"size": len(data)}))
    assert answer[0] == 200, answer
    token = json.loads(answer[2])["token"]
    for start in range(0, len(data), PIECE_BYTES):
        fields = {"token": token, "at": start}
        piece = encode_upload(data[start : start + PIECE_BYTES], fields, "piece", "piece")
        took = page.ask("/update/piece", piece, 300)
        assert took[0] == 200, took
    said = page.ask("/update/finish", encode_form({"token": token}), timeout=600)
    assert said[0] == 200, said


if __name__ == "__main__":
    assert (REPO / "deploy").exists()
    sys.exit(main())
