"""Prove that an update or a first start may be cut off anywhere.

    python -m tests.prove.cutting [--every N] [--only update picked first]

Everything runs on the made-up machines of `tests/deploy`, and is cut off before each command that
changes something. A cut loses the session, kills what runs, or loses the power with all that was
not brought to the disk. Newer versions are tried that stay, and others that are taken back.

- update: a version must run and every hand be in its log, also after a start and another update.
- picked: the same for an update that was picked on the page, which goes on by itself.
- first: after two further starts of a card from a PC the box must be ready, with all its settings.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from tests.deploy import card, cutting, first_cut, machine
from tests.deploy.picked_update import cuts
from tests.reporting import say


def main() -> int:
    """Print the counts; return 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="try only every N-th command")
    parser.add_argument("--only", choices=TRIALS, nargs="+", default=list(TRIALS))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        return 1 if sum(TRIALS[name](Path(folder) / name, args.every) for name in args.only) else 0


def cut_updates(folder: Path, step: int) -> int:
    """Cut updates to each kind of newer version; return how many cuts went wrong."""
    first = machine.Machine.create(folder / "first")
    wrong = 0
    for turn, newer in enumerate(cutting.NEWER):
        count = cutting.commands_of(first, newer, folder / "whole")
        shutil.rmtree(folder / "whole")
        for number, mode in enumerate(machine.MODES):
            places = range(1 + (turn + number) % step, count + 1, step)
            name = f"{'+'.join(newer.marks) or 'well'}, {mode}"
            wrong += _try_cuts(
                name,
                places,
                folder / "cut",
                partial(cutting.cut, first, newer, folder / "cut", mode=mode),
            )
    return wrong


def cut_first_starts(folder: Path, step: int) -> int:
    """Cut the power in each step of a first start; return how many cuts went wrong."""
    first = card.Box.create(folder / "first")
    wrong = 0
    for way in first_cut.CUTS:
        count = first_cut.commands_of(first, way, folder / "whole")
        shutil.rmtree(folder / "whole")
        for number, mode in enumerate(card.MODES):
            places = range(1 + number % step, count + 1, step)
            wrong += _try_cuts(
                f"{way}, {mode}",
                places,
                folder / "cut",
                partial(first_cut.cut, first, way, folder / "cut", mode=mode),
            )
    return wrong


def _try_cuts(name: str, places: range, folder: Path, cut: Callable[[int], Iterable[str]]) -> int:
    """Cut at each place and print the faults; return how many cuts went wrong."""
    faults: Counter[str] = Counter()
    wrong = 0
    for place in places:
        faults_of_cut = list(cut(place))
        shutil.rmtree(folder)
        faults.update(faults_of_cut)
        wrong += bool(faults_of_cut)
    say(f"{name:<20} {len(places):>3} cuts, {wrong:>3} of them wrong")
    for fault, times in faults.most_common():
        say(f"      {times:>3} {fault}")
    return wrong


def cut_picked_updates(folder: Path, step: int) -> int:
    """Cut updates that were picked on the page; return how many faults there are."""
    first = machine.Machine.create(folder / "first")
    count = 0
    for mode in machine.MODES[1:]:  # systemd itself has begun it: there is no session to lose
        for marks in ((), ("dead",), ("deaf", "writes")):
            faults = cuts(first, folder / "cuts", mode, marks, step)
            shutil.rmtree(folder / "cuts")
            count += len(faults)
            say(f"picked, {'+'.join(marks) or 'well':<12} {mode:<6} {len(faults)} wrong {faults}")
    return count


TRIALS: dict[str, Callable[[Path, int], int]] = {
    "update": cut_updates,
    "picked": cut_picked_updates,
    "first": cut_first_starts,
}


if __name__ == "__main__":
    sys.exit(main())
