"""What an oracle says of a hand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """A score, or a refusal: exactly one of `total` and `refusal` is not None."""

    total: int | None
    refusal: str | None = None
    """A short code that says why the hand cannot be scored."""
    how: str = ""
    """What gave the score, for whoever reads a disagreement."""

    def __str__(self) -> str:
        if self.total is None:
            return f"refused ({self.refusal})"
        return f"{self.total} ({self.how})"


@dataclass(frozen=True, slots=True)
class Claim:
    """One way in which a hand may be priced; the player takes the best."""

    points: int
    """Before the limit."""
    doubles: int
    how: str


def refuse(code: str) -> Verdict:
    """Return the verdict on a hand that cannot be scored."""
    return Verdict(None, code)


def best_of(claims: Iterable[Claim], limit: int | None) -> tuple[Claim, int]:
    """Return the best claim and what it scores under the limit (BMJA-H06, L01)."""

    def capped_score(claim: Claim) -> int:
        return claim.points if limit is None else min(claim.points, limit)

    best = max(claims, key=lambda claim: (capped_score(claim), claim.doubles))
    return best, capped_score(best)
