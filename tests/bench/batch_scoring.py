"""Measures many hands scored by one process, its start included, beside Kajongg.

    .venv/bin/python -m tests.bench.batch_scoring

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
from tests.bench.program import TONGBOX_COMMAND, Run, run_program
from tests.reporting import say
from tests.scorer.oracle.deals import KINDS

HAND_COUNT, DEAL_SEED, RUN_COUNT = 1500, 20, 5

MIXES = {
    "a winner and three others": ("winner", "loser", "loser", "loser"),
    "winners": ("winner",),
}
"""Which hands, of the kinds that the oracle deals."""

SCORE_COMMAND = (*TONGBOX_COMMAND, "score", "--jsonl")

OUR_COMMANDS = {
    "score --jsonl": SCORE_COMMAND,
    "score --jsonl --brief": (*SCORE_COMMAND, "--brief"),
    f"score --jsonl --brief --jobs {os.cpu_count()}": (
        *SCORE_COMMAND,
        "--brief",
        f"--jobs={os.cpu_count()}",
    ),
}


def main() -> None:
    """Print a table for each mix of hands."""
    for name, kinds in MIXES.items():
        hands = list(islice(deal_scored(kinds), HAND_COUNT))
        say(f"\n{HAND_COUNT:,} hands, {name}: seconds of processor, and by the clock")
        measure(hands)


def deal_scored(kinds: Sequence[str]) -> Iterator[Hand]:
    """Yield hands of these kinds in turn that have a score and that both programs know."""
    for number, kind in zip(count(), cycle(kinds)):
        hand = KINDS[kind](Random(f"{DEAL_SEED} {kind} {number}"))
        try:
            score_total(hand)
        except ScorerError:
            continue
        if is_known(hand):
            yield hand


def measure(hands: Sequence[Hand]) -> None:
    """Print what each way takes, and how many times Kajongg's speed that is."""
    peer_seconds = None
    if is_installed():
        peer_seconds, totals = run_best(COMMAND, [line_of(hand) for hand in hands])
        equal_count = sum(int(a) == score_total(b) for a, b in zip(totals, hands, strict=True))
        say(
            f"  {'Kajongg':36}{peer_seconds.cpu:6.2f}{peer_seconds.clock:8.2f}   "
            f"{equal_count:,} totals as ours"
        )
    lines = [json.dumps({"hand": format_hand(hand)}) for hand in hands]
    for name, command in OUR_COMMANDS.items():
        run, _ = run_best(command, lines)
        ratio = f"   ×{peer_seconds.cpu / run.cpu:.1f} its speed" if peer_seconds else ""
        say(f"  {name:36}{run.cpu:6.2f}{run.clock:8.2f}{ratio}")


def run_best(command: Sequence[str], lines: Sequence[str]) -> tuple[Run, list[str]]:
    """Run a program on these lines a few times; return its quickest run, and its output."""
    with tempfile.TemporaryDirectory() as home:
        file = Path(home, "lines")
        file.write_text("\n".join(lines) + "\n", "utf-8")
        runs = [run_program(command, file, {"HOME": home}) for _ in range(RUN_COUNT)]
    return min(runs, key=lambda run: run.cpu), runs[0].output.splitlines()


if __name__ == "__main__":
    main()
