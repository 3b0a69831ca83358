"""Proof that an update may be cut off anywhere: `python -m tests.prove.cutting [--every N]`.

On the made-up machine of `tests/deploy`, an update is cut off before each of its commands that
change anything, in each way (the session lost, what runs killed, the power gone with what was not
brought to the disk), with newer versions that stay and that are taken back. Afterwards a version
must run and every hand be in its log; also after a start of the computer, and after another update,
which must end as one that nobody cuts off. So must an update that was picked on the page, which
goes on by itself.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.deploy.cutting import NEWER, commands_of, cut
from tests.deploy.machine import MODES, Machine
from tests.deploy.taking import cuts


def main() -> int:
    """Print the counts; return 1 when anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    every = parser.parse_args().every
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = Machine.made(folder / "first")
        for turn, newer in enumerate(NEWER):
            count = commands_of(first, newer, folder / "whole")
            shutil.rmtree(folder / "whole")
            for mode in MODES:
                begin = 1 + (turn + MODES.index(mode)) % every
                faults: Counter[str] = Counter()
                tried = bad = 0
                for at in range(begin, count + 1, every):
                    found = list(cut(first, newer, folder / "cut", at, mode))
                    shutil.rmtree(folder / "cut")
                    faults.update(found)
                    tried += 1
                    bad += bool(found)
                wrong += bad
                marks = "+".join(newer.marks) or "well"
                say(f"{marks:<10} {mode:<8} {tried:>3} of {count} cuts, {bad:>3} of them wrong")
                for fault, times in faults.most_common():
                    say(f"      {times:>3} {fault}")
        wrong += taken(first, folder / "taken", every)
    return 1 if wrong else 0


def taken(first: Machine, folder: Path, every: int) -> int:
    """Say how updates that were picked on the page come out; return how many faults there are."""
    count = 0
    for mode in MODES[1:]:  # there is no session to lose: systemd itself has begun it
        for marks in ((), ("dead",), ("deaf", "writes")):
            found = cuts(first, folder, mode, marks, every)
            shutil.rmtree(folder)
            count += len(found)
            say(f"picked, {'+'.join(marks) or 'well':<12} {mode:<6} {len(found)} wrong {found}")
    return count


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
