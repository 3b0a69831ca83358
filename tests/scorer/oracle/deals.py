"""Seeded random hands that are worth comparing: `KINDS` names every kind of them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from scorer.hand import Hand
from tests.scorer.oracle.build import retry
from tests.scorer.oracle.deals_bmja import BMJA_KINDS, Deal
from tests.scorer.oracle.deals_goulash import GOULASH_KINDS
from tests.scorer.oracle.deals_odd import ODD_KINDS
from tests.scorer.oracle.deals_safalra import SAFALRA_KINDS

KINDS: dict[str, Deal] = {
    name: retry(deal)
    for name, deal in {**BMJA_KINDS, **GOULASH_KINDS, **SAFALRA_KINDS, **ODD_KINDS}.items()
}
"""Every kind of hand, by name."""


def deals(count: int, seed: int, kind: str = "") -> Iterator[tuple[str, Hand]]:
    """Yield hands of every kind whose name begins with `kind`, in turn, with the kind's name.

    Hand number n of a seed is the same for any count. Raises ValueError when no kind is so named.
    """
    names = [name for name in KINDS if name.startswith(kind)]
    if not names:
        raise ValueError(f"there is no kind {kind!r}; the kinds are {', '.join(KINDS)}")
    for number in range(count):
        name = names[number % len(names)]
        yield name, KINDS[name](Random(f"{seed} {name} {number // len(names)}"))
