"""Measures `tongbox score --jsonl` beside the last version: the whole process, in the same run.

    .venv/bin/python -m tests.bench.last_version

Times are seconds of processor, the least of several runs of each version in turn, both over the
same hands. The last version's package is taken from git.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count, cycle, islice
from pathlib import Path
from random import Random

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.score import score_total
from tests.bench.program import run_program
from tests.bench.versions import SCORE_COMMAND, check_out
from tests.reporting import say
from tests.scorer.oracle.deals import KINDS

LAST_VERSION = "9befd213"

HAND_COUNT, DEAL_SEED, RUN_COUNT = 1500, 20, 5

HAND_KINDS = {
    "winners": "winner",
    "special hands": "special:",
    "losers": "loser",
    "fishing": "fishing:",
}
"""What the table calls a kind of random hands, and how the oracle's kinds of it begin."""

ANSWERS = {"brief": ("--brief",), "full": ()}


def main() -> None:
    """Print a row for each kind of hands and answer."""
    with check_out(LAST_VERSION) as last:
        if last is None:
            say(f"no last version: git does not have {LAST_VERSION} here")
            return
        say(f"{HAND_COUNT:,} hands, seconds of processor: the last version, this one, their ratio")
        for name, kind in HAND_KINDS.items():
            lines = Path(last, "lines")
            write_lines(lines, islice(deal_scored(kind), HAND_COUNT))
            for answer, options in ANSWERS.items():
                last_seconds, this_seconds = measure(last, lines, options)
                say(
                    f"  {name:16}{answer:8}{last_seconds:7.2f}{this_seconds:7.2f}   "
                    f"×{last_seconds / this_seconds:.2f}"
                )


def deal_scored(kind: str) -> Iterator[Hand]:
    """Yield hands of the kinds that begin so, in turn, which have a score."""
    names = [name for name in KINDS if name.startswith(kind)]
    for number, name in zip(count(), cycle(names)):
        hand = KINDS[name](Random(f"{DEAL_SEED} {name} {number // len(names)}"))
        try:
            score_total(hand)
        except ScorerError:
            continue
        yield hand


def write_lines(file: Path, hands: Iterator[Hand]) -> None:
    """Write hands to a file as the command reads them."""
    file.write_text("".join(f"{json.dumps({'hand': format_hand(h)})}\n" for h in hands), "utf-8")


def measure(last: Path, lines: Path, options: tuple[str, ...]) -> tuple[float, float]:
    """Return the seconds that the last version takes for these lines, and that this one takes."""
    command = (*SCORE_COMMAND, *options)
    runs = [
        (run_program(command, lines, folder=last).cpu, run_program(command, lines).cpu)
        for _ in range(RUN_COUNT)
    ]
    last_seconds, this_seconds = zip(*runs, strict=True)
    return min(last_seconds), min(this_seconds)


if __name__ == "__main__":
    main()
