"""Measures many hands scored by one process, its start included, beside Kajongg.

    .venv/bin/python -m tests.bench.batch

Times are seconds of processor, of all cores together; the hands are a winner and three others, over
and over, all of them such that Kajongg can be told of them too. Where it is not installed, only our
own figures are printed.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from itertools import count, cycle, islice
from pathlib import Path
from random import Random

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.score import score_total
from tests.bench.kajongg import COMMAND, is_installed, is_known, line_of
from tests.bench.program import TONGBOX, Run, ran, say
from tests.scorer.oracle.deals import KINDS

HANDS, SEED, ROUNDS = 1500, 20, 5

MIXES = {
    "a winner and three others": ("winner", "loser", "loser", "loser"),
    "winners": ("winner",),
}
"""Which hands, of the kinds that the oracle deals."""

SCORE = (*TONGBOX, "score", "--jsonl")

OURS = {
    "score --jsonl": SCORE,
    "score --jsonl --brief": (*SCORE, "--brief"),
    f"score --jsonl --brief --jobs {os.cpu_count()}": (
        *SCORE,
        "--brief",
        f"--jobs={os.cpu_count()}",
    ),
}


def main() -> None:
    """Print a table for each mix of hands."""
    for name, kinds in MIXES.items():
        hands = list(islice(scored(kinds), HANDS))
        say(f"\n{HANDS:,} hands, {name}: seconds of processor, and by the clock")
        measure(hands)


def scored(kinds: Sequence[str]) -> Iterator[Hand]:
    """Yield hands of these kinds in turn that have a score and that both programs know."""
    for number, kind in zip(count(), cycle(kinds)):
        hand = KINDS[kind](Random(f"{SEED} {kind} {number}"))
        try:
            score_total(hand)
        except ScorerError:
            continue
        if is_known(hand):
            yield hand


def measure(hands: Sequence[Hand]) -> None:
    """Print what each way takes, and how many times Kajongg's speed that is."""
    theirs = None
    if is_installed():
        theirs, totals = best(COMMAND, [line_of(hand) for hand in hands])
        agreed = sum(int(a) == score_total(b) for a, b in zip(totals, hands, strict=True))
        say(f"  {'Kajongg':36}{theirs.cpu:6.2f}{theirs.clock:8.2f}   {agreed:,} totals as ours")
    lines = [json.dumps({"hand": format_hand(hand)}) for hand in hands]
    for name, command in OURS.items():
        run, _ = best(command, lines)
        ratio = f"   ×{theirs.cpu / run.cpu:.1f} its speed" if theirs else ""
        say(f"  {name:36}{run.cpu:6.2f}{run.clock:8.2f}{ratio}")


def best(command: Sequence[str], lines: Sequence[str]) -> tuple[Run, list[str]]:
    """Run a program on these lines a few times; return its quickest run, and what it said."""
    with tempfile.TemporaryDirectory() as home:
        file = Path(home, "lines")
        file.write_text("\n".join(lines) + "\n", "utf-8")
        runs = [ran(command, file, {"HOME": home}) for _ in range(ROUNDS)]
    return min(runs, key=lambda run: run.cpu), runs[0].out.splitlines()


if __name__ == "__main__":
    main()
