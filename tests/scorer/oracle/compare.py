"""Score random hands twice, with `scorer` and with the oracles, and print where they differ.

.venv/bin/python -m tests.scorer.oracle.compare --count 20000 --seed 1 --kind goulash
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.score import score
from tests.scorer.oracle.deals import deals
from tests.scorer.oracle.judge import verdict


@dataclass(frozen=True, slots=True)
class Answer:
    """What `scorer` said: a total, or None when it refused the hand."""

    total: int | None
    words: str


def answer(hand: Hand) -> Answer:
    """Return the scorer's answer; anything but a total or a refusal is let through."""
    try:
        result = score(hand)
    except ScorerError as failure:
        codes = ", ".join(problem.code for problem in failure.problems)
        return Answer(None, f"refused ({codes})")
    formula = result.special or f"{result.base} x 2^{result.doubles}"
    return Answer(result.total, f"{result.total} ({formula})")


def main() -> int:
    """Print every disagreement by kind of hand, and the counts; return 1 if there is any."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--kind", default="", help="kinds whose names begin with this")
    options.add_argument("--show", type=int, default=10, help="how many to print of each kind")
    arguments = options.parse_args()
    deal_counts: Counter[str] = Counter()
    refusals: Counter[str] = Counter()
    differences: defaultdict[str, list[str]] = defaultdict(list)
    seconds_by_scorer = {"scorer": 0.0, "oracle": 0.0}
    for kind, hand in deals(arguments.count, arguments.seed, arguments.kind):
        deal_counts[kind] += 1
        start = time.perf_counter()
        expected = verdict(hand)
        middle = time.perf_counter()
        try:
            answer_given = answer(hand)
        except Exception as crash:
            crash.add_note(format_hand(hand))
            raise
        seconds_by_scorer["oracle"] += middle - start
        seconds_by_scorer["scorer"] += time.perf_counter() - middle
        refusals[kind] += expected.total is None
        if answer_given.total != expected.total:
            text = format_hand(hand)
            differences[kind].append(
                f"  {text}\n    scorer {answer_given.words}\n    oracle {expected}"
            )
    report(deal_counts, refusals, differences, arguments.show)
    times = ", ".join(f"{who} {seconds:.1f} s" for who, seconds in seconds_by_scorer.items())
    sys.stdout.write(
        f"{sum(map(len, differences.values()))} of {deal_counts.total()} differ; {times}\n"
    )
    return 1 if differences else 0


def report(
    deal_counts: Counter[str], refusals: Counter[str], differences: dict[str, list[str]], show: int
) -> None:
    """Print the disagreements, then one line of counts for each kind."""
    for kind, texts in differences.items():
        sys.stdout.write(f"{kind}: {len(texts)} of {deal_counts[kind]}\n" + "\n".join(texts[:show]))
        sys.stdout.write(f"\n  ... and {len(texts) - show} more\n" if texts[show:] else "\n")
    for kind, number in deal_counts.items():
        differing = len(differences.get(kind, ()))
        sys.stdout.write(
            f"{kind:34} {number:6} dealt {refusals[kind]:6} refused {differing:6} differ\n"
        )


if __name__ == "__main__":
    sys.exit(main())
