"""The scorer and the literal scorer agree on random hands of every kind.

Left out are the `odd:` kinds and `winner-unsaid`, where the rules say too little for two people to
read them alike. `make prove` compares more of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from scorer.errors import ScorerError
from scorer.hand import Hand
from scorer.notation import format_hand
from scorer.score import score_total
from tests.scorer.answers import total_of
from tests.scorer.oracle.deals import KINDS
from tests.scorer.oracle.judge import verdict

CLEAR = [kind for kind in KINDS if not kind.startswith("odd:") and kind != "winner-unsaid"]


def hands(kind: str, count: int, seed: int) -> Iterator[Hand]:
    """Yield random hands of one kind."""
    return (KINDS[kind](Random(f"{seed} {kind} {number}")) for number in range(count))


def disagreements(kind: str, count: int, seed: int) -> list[str]:
    """Return a line for each hand on which the two differ."""
    lines = []
    for hand in hands(kind, count, seed):
        scorer_answer, oracle_answer = total_of(hand), verdict(hand).total
        if scorer_answer != oracle_answer:
            lines.append(f"{format_hand(hand)}: {scorer_answer}, not {oracle_answer}")
    return lines


@pytest.mark.parametrize("kind", CLEAR)
def test_both_scorers_say_the_same(kind: str) -> None:
    assert disagreements(kind, 3, seed=1) == []


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", CLEAR)
def test_both_scorers_say_the_same_at_length(kind: str) -> None:
    assert disagreements(kind, 250, seed=2) == []


@pytest.mark.prove
@pytest.mark.parametrize("kind", CLEAR)
def test_the_total_alone_is_the_same(kind: str) -> None:
    for hand in hands(kind, 100, seed=3):
        try:
            assert score_total(hand) == total_of(hand)
        except ScorerError:
            assert total_of(hand) is None
