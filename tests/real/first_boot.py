"""Try a first start without a terminal, on an emulated arm64 box.

    python -m tests.real.first_boot trixie [dist/tongbox-VERSION-arm64.zip]

A card with a release's bundle on it (`first_card.py`) is started and left alone until a phone has
joined the box's Wi-Fi. Then it is started once more. Another card has a damaged file, which is
repaired, and loses its power three times while it installs itself.

How long things take is due to the emulation and says nothing of a Pi.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

import minisign

from tests.real import bundles
from tests.real.first_card import SUITES, Card, StartState, make_card
from tests.real.needs import EMULATED_ARM64, need
from tests.real.roots import CACHE, let_arm64_run
from tests.reporting import say

CARD = ("fdtget", "mcopy", "mke2fs", "mkfs.vfat", "qemu-system-aarch64", "sfdisk")

Stage = tuple[str, Callable[[StartState], bool]]
"""What has been reached, and how that is seen."""


def main() -> int:
    """Try it left alone and disturbed; return 1 when the box does not come up as it should."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("bundle", type=Path, nargs="?", help="else one of the commit is made")
    parser.add_argument("--only", choices=TRIALS, nargs="+", default=list(TRIALS))
    parser.add_argument("--stages", type=int, nargs="+", default=list(range(len(STAGES))))
    options = parser.parse_args()
    need(*EMULATED_ARM64, *CARD)
    let_arm64_run()
    card = make_card(options.suite, options.bundle or made_bundle())
    faults: list[str] = []
    for name in options.only:
        copy = card.copied(f"trial-first-boot-{options.suite}-{name}.img")
        faults += TRIALS[name](copy, [STAGES[each] for each in options.stages])
    for fault in faults:
        say(f"FAIL {fault}")
    say(f"{len(faults)} things are not as they should be")
    return 1 if faults else 0


def made_bundle() -> Path:
    """Return a bundle of the commit, signed with a new key."""
    place = CACHE / "first-boot-bundle"
    shutil.rmtree(place, ignore_errors=True)
    return bundles.make_bundle(place, "aarch64", "0.9.0", minisign.KeyPair.generate().secret_key)


def watch_start(
    card: Card, label: str, condition: Callable[[StartState], bool]
) -> list[StartState]:
    """Switch a card on and print what is seen; cut the power when the condition holds."""
    say(f"--- {label}")
    start, all_seen = time.monotonic(), []
    for event in card.start(condition):
        all_seen.append(event)
        say(f"{time.monotonic() - start:6.0f} s  {json.dumps(event, ensure_ascii=False)}")
    return all_seen


def has_ended(state: StartState) -> bool:
    return "end" in state


def start_alone(card: Card, _: list[Stage]) -> list[str]:
    """Start a card, and start it once more when it is ready."""
    first = watch_start(card, "the first start, left alone", lambda _: False)
    says = card.read("tongbox-says.txt")
    faults = find_faults(first)
    second = watch_start(card, "the second start", lambda _: False)
    faults += [f"second start: {fault}" for fault in find_faults(second)]
    if card.read("tongbox-says.txt") != says:
        faults.append("at the second start something was done again")
    return faults


def has_failed(state: StartState) -> bool:
    return bool(state.get("light") == "timer 100")


STAGES: tuple[Stage, ...] = (
    ("before anything is made", lambda state: state.get("light") == "timer 1000"),
    ("packages half in place", lambda state: state.get("made", 0) >= 2),
    ("the version whole, the box not yet told of", lambda state: bool(state.get("whole"))),
)


def start_damaged(card: Card, _: list[Stage]) -> list[str]:
    """Start a card with a damaged file, and mend it."""
    wheel = next(CACHE.glob("trial-first-boot-card/tongbox/wheels/segno-*.whl"))
    name = f"tongbox/wheels/{wheel.name}"
    short = CACHE / "trial-damaged"
    short.write_bytes(wheel.read_bytes()[:-1])
    card.put(short, name)
    states = watch_start(card, "a damaged file", has_failed)
    faults = [] if states and has_failed(states[-1]) else ["the light did not say that it failed"]
    if "damaged or missing" not in (says := card.read("tongbox-says.txt")):
        faults.append(f"the card says {says!r}")
    say(says)
    card.put(wheel, name)
    return faults + find_faults(watch_start(card, "mended", lambda _: False))


def cut_power(card: Card, stages: list[Stage]) -> list[str]:
    """Take a card's power away while it installs itself, once at each stage."""
    faults = []
    for what, stage in stages:
        if not (states := watch_start(card, f"power cut: {what}", stage)) or not stage(states[-1]):
            faults.append(f"it did not come so far: {what}")
    return faults + find_faults(watch_start(card, "left alone", lambda _: False))


TRIALS = {"alone": start_alone, "damaged": start_damaged, "cut": cut_power}


def find_faults(all_seen: list[StartState]) -> list[str]:
    """Return what is wrong with a start that should end well."""
    if not all_seen or not has_ended(all_seen[-1]):
        return ["the box was not ready in time"]
    told = {name: value for each in all_seen for name, value in each.items()}
    facts = told["facts"]
    expected = {"default": "multi-user.target", "people": "", "failed units": ""}
    faults = [f"{name}: {facts[name]}" for name, value in expected.items() if facts[name] != value]
    if facts["system"] != "running":
        faults.append(f"the system is {facts['system']}")
    if "Tongbox:activated" not in facts["wi-fi"] or "the page answers" not in told["phone"]:
        faults.append(f"Wi-Fi: {facts['wi-fi']}; phone: {told['phone']}")
    if not told["says"].startswith("Tongbox is ready."):
        faults.append(f"the card says {told['says']}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
