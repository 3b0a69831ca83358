"""Compare the scorer with the second reading on random special hands, lyings and figures.

.venv/bin/python -m tests.scorer.oracle.own_agreement --count 20000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import NamedTuple

from scorer.explain.prospects import MAX_SHOWN_SPECIALS, specials_within_reach
from scorer.hand import Hand
from scorer.message import rule_text
from scorer.notation import format_hand
from scorer.patterns.frames import compile_pattern
from scorer.ruleset import Ruleset, SpecialHand, with_options
from scorer.rulesets.builtin import load_builtin
from tests.scorer.answers import score_or_none
from tests.scorer.oracle.deals_own import deal_hands, deal_own
from tests.scorer.oracle.own_hands import (
    OutOfStepsError,
    OwnHand,
    Shortfall,
    verdict,
    waits,
)

BMJA = load_builtin("bmja")
HANDS_OF_A_PATTERN = 10


class Difference(NamedTuple):
    """A hand of which the scorer says something else."""

    of: str
    """`total`, `waits` or `missing`."""
    owns: tuple[OwnHand, ...]
    hand: Hand
    words: str

    def __str__(self) -> str:
        keys = [
            f"{own.pattern!r} concealed={own.concealed} claim={own.claim} value={own.value} "
            f"fishing={own.fishing} doubles={own.doubles}"
            for own in self.owns
        ]
        return f"{self.of}: {format_hand(self.hand)}\n    {self.words}\n    " + "\n    ".join(keys)


def rules_of(owns: tuple[OwnHand, ...]) -> Ruleset:
    """Return the British rules with these special hands alone."""
    specials = tuple(
        SpecialHand(
            id=f"OWN-{place}",
            name=rule_text(f"Our hand {place}"),
            sentence=rule_text("It is ours."),
            pattern=compile_pattern(own.pattern),
            concealed=own.concealed,
            claim=own.claim,  # type: ignore[arg-type]
            value=own.value,
            fishing=own.fishing,
            doubles=own.doubles,
        )
        for place, own in enumerate(owns)
    )
    return with_options(replace(BMJA, every_special=specials), BMJA.active_options)


def differences(owns: tuple[OwnHand, ...], hand: Hand) -> Iterator[Difference]:
    """Yield what the scorer says otherwise of a hand."""
    rules = rules_of(owns)
    result = score_or_none(hand, rules)
    due = verdict(owns, hand)
    total = result.total if result else None
    if total != due.total:
        yield Difference("total", owns, hand, f"scorer {total}, due {due}")
    if result is None or hand.winner:
        return
    totals, expected = {wait.tile: wait.total for wait in result.waits}, waits(owns, hand)
    if totals != expected:
        yield Difference("waits", owns, hand, f"scorer {totals}, due {expected}")
    specials = specials_within_reach(hand, rules, {}, MAX_SHOWN_SPECIALS)
    missing_by_rule = {each.rule: each.needed for each in specials}
    for place, own_hand in enumerate(owns):
        words = wrong_list(own_hand, hand, missing_by_rule.get(f"OWN-{place}", ()))
        if words:
            yield Difference("missing", owns, hand, words)


def wrong_list(own_hand: OwnHand, hand: Hand, missing_tiles: tuple[str, ...]) -> str:
    """Return what is wrong with the list of missing tiles; empty when it is right."""
    have = Counter((*hand.tiles, *missing_tiles))
    if max(have.values()) > 4:
        return f"{missing_tiles}: there are four of each"
    try:
        minimum = Shortfall(own_hand, hand).find_minimum()
    except OutOfStepsError as failure:
        minimum = int(str(failure))
        if missing_tiles and len(missing_tiles) < minimum:
            return f"{missing_tiles}, but at least {minimum} are missing"
        return ""
    if (minimum or 0) != len(missing_tiles):
        return f"{missing_tiles}, but {minimum} are missing"
    if missing_tiles and not _is_enough(own_hand, hand, missing_tiles):
        return f"{missing_tiles} are not enough"
    return ""


def _is_enough(own_hand: OwnHand, hand: Hand, missing_tiles: tuple[str, ...]) -> bool:
    try:
        return Shortfall(own_hand, hand, missing_tiles).find_minimum(0) == 0
    except OutOfStepsError:
        return True


def compare(count: int, seed: object) -> Iterator[tuple[Hand, list[Difference]]]:
    """Yield so many random hands, each with what the scorer says otherwise of it."""
    deal_count, number = 0, 0
    while deal_count < count:
        rng = Random(f"{seed} {number}")
        owns = deal_own(rng)
        for hand in deal_hands(owns[0].pattern, min(HANDS_OF_A_PATTERN, count - deal_count), rng):
            yield hand, list(differences(owns, hand))
            deal_count += 1
        number += 1


def main() -> int:
    """Print every difference and the counts; return 1 if there is any."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--count", type=int, default=20_000)
    options.add_argument("--seed", default="1")
    options.add_argument("--show", type=int, default=20)
    arguments = options.parse_args()
    counts, hands, winners = Counter[str](), 0, 0
    for hand, wrong in compare(arguments.count, arguments.seed):
        hands += 1
        winners += hand.winner
        for difference in wrong:
            counts[difference.of] += 1
            if counts[difference.of] <= arguments.show:
                sys.stdout.write(f"{difference}\n")
    sys.stdout.write(f"{hands} hands ({winners} winners): {counts.total()} differ {dict(counts)}\n")
    return 1 if counts else 0


if __name__ == "__main__":
    sys.exit(main())
