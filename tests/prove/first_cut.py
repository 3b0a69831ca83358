"""Proof that a first start may lose its power anywhere: `python -m tests.prove.first_cut`.

On the made-up box of `tests/deploy`, with a card from a PC, Bookworm's firstrun.sh, what Trixie's
user-data begins and the installation itself are cut off before each of their commands that change
anything: what was not brought to the card is then empty, or as it was. Nothing that was set may be
lost, the computer must start, and after two further starts the box must be ready.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.deploy.card import MODES, Box
from tests.deploy.first_cut import CUTS, commands_of, cut


def main() -> int:
    """Print the counts; return 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    every = parser.parse_args().every
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = Box.made(folder / "first")
        for way in CUTS:
            count = commands_of(first, way, folder / "whole")
            shutil.rmtree(folder / "whole")
            for mode in MODES:
                faults: Counter[str] = Counter()
                places = range(1 + MODES.index(mode) % every, count + 1, every)
                bad = 0
                for at in places:
                    found = list(cut(first, way, folder / "cut", at, mode))
                    shutil.rmtree(folder / "cut")
                    faults.update(found)
                    bad += bool(found)
                wrong += bad
                say(f"{way:<10} {mode:<6} {len(places):>3} of {count} cuts, {bad:>3} of them wrong")
                for fault, times in faults.most_common():
                    say(f"      {times:>3} {fault}")
    return 1 if wrong else 0


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
