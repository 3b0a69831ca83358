"""Score random hands by random rulesets twice and print where the two readings differ.

.venv/bin/python -m tests.scorer.oracle.rules_agreement --rulesets 250 --hands 50 --seed 1
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from scorer.breakdown import Breakdown
from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.ruleset import Ruleset
from scorer.rulesets.reader import RulesetError, read_ruleset
from scorer.score import score
from tests.scorer.oracle.deal_rules import deal_for, deal_rules, write_file
from tests.scorer.oracle.literal_rules import Answer, LiteralRules, Sum


class Comparison(NamedTuple):
    """A hand scored twice."""

    hand: Hand
    is_scored: bool
    words: str
    """What differs; empty where nothing does."""
    file: dict[str, Any]


def readable_rules(rng: Random) -> tuple[dict[str, Any], Ruleset]:
    """Return a random file and the ruleset that the scorer reads from it."""
    while True:
        file = deal_rules(rng)
        try:
            return file, read_ruleset(write_file(file))
        except RulesetError as failure:
            if REFUSAL_CODES.isdisjoint(problem.code for problem in failure.problems):
                raise


REFUSAL_CODES = {"wrong-pattern", "declared-twice"}
"""Why a random file may be refused: patterns that differ in name alone, or that leave too much."""


def compare(rulesets: int, hands: int, seed: object) -> Iterator[Comparison]:
    """Yield so many hands by each of so many rulesets."""
    for number in range(rulesets):
        rng = Random(f"{seed} {number}")
        file, rules = readable_rules(rng)
        literal = LiteralRules(file)
        for hand in deal_for(file, rng, hands):
            due = literal.answer(hand)
            yield Comparison(hand, due.total is not None, difference(hand, rules, due), file)


def difference(hand: Hand, rules: Ruleset, due: Answer) -> str:
    """Return what the scorer says otherwise; empty where it agrees."""
    try:
        result = score(hand, rules)
    except ScorerError as failure:
        if due.total is None:
            return ""
        codes = ", ".join(problem.code for problem in failure.problems)
        return f"scorer refuses ({codes}), due {due.total} {due.best[0]}"
    if due.total is None:
        return f"scorer {result.total}, due refused ({due.refusal})"
    if result.total != due.total:
        return f"scorer {result.total} {_describe(result)}, due {due.total} {due.best[0]}"
    if not any(_is_told(result, each) for each in due.best):
        return f"scorer tells {_describe(result)}, due {due.best[0]}"
    return ""


def _describe(result: Breakdown) -> str:
    lines = [(line.rule, line.points, line.doubles, line.part) for line in result.lines]
    sums = (result.base, result.doubles, result.bonus_base, result.bonus_doubles)
    return f"{sums} {result.special} {lines}"


def _is_told(result: Breakdown, due: Sum) -> bool:
    """Return whether the sums, the special hand and the lines that count are these."""
    lines = Counter((line.rule, line.points, line.doubles, line.part) for line in result.lines)
    sums = (result.base, result.doubles), (result.bonus_base, result.bonus_doubles)
    return (
        sums == (due.total("hand"), due.total("bonus"))
        and (result.special or "") == due.special
        and lines == Counter(line for line in due.lines if line[1] or line[2])
    )


def main() -> int:
    """Print every difference and the counts; return 1 if there is any."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--rulesets", type=int, default=250)
    options.add_argument("--hands", type=int, default=50)
    options.add_argument("--seed", default="1")
    options.add_argument("--show", type=int, default=20)
    arguments = options.parse_args()
    deal_count, score_count, difference_count = 0, 0, 0
    for comparison in compare(arguments.rulesets, arguments.hands, arguments.seed):
        deal_count, score_count = deal_count + 1, score_count + comparison.is_scored
        difference_count += bool(comparison.words)
        if comparison.words and difference_count <= arguments.show:
            sys.stdout.write(f"{format_hand(comparison.hand)}\n    {comparison.words}\n")
    sys.stdout.write(
        f"{deal_count} hands ({score_count} scored) by {arguments.rulesets} rulesets: "
        f"{difference_count} differ\n"
    )
    return 1 if difference_count else 0


if __name__ == "__main__":
    sys.exit(main())
