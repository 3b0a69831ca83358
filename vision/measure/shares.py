"""Shares of counted things, with their confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

NORMAL_QUANTILE_95 = 1.959964
"""Standard deviations on each side that hold 95 % of a normal distribution."""

BOOTSTRAP_DRAWS = 1000
"""Number of bootstrap samples."""

BOOTSTRAP_SEED = 1
"""Seed of the bootstrap, so that the same readings give the same interval."""


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a total, as counts."""

    part: int
    total: int

    @property
    def value(self) -> float | None:
        """The share, 0 to 1; None if the total is 0."""
        return self.part / self.total if self.total else None

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share (Wilson 1927); 0 to 1 if the total is 0.

        It assumes that the things counted are independent.
        """
        if not self.total:
            return 0.0, 1.0
        n, share = self.total, self.part / self.total
        centre = (share + NORMAL_QUANTILE_95**2 / (2 * n)) / (1 + NORMAL_QUANTILE_95**2 / n)
        reach = (
            NORMAL_QUANTILE_95
            / (1 + NORMAL_QUANTILE_95**2 / n)
            * math.sqrt(share * (1 - share) / n + NORMAL_QUANTILE_95**2 / (4 * n**2))
        )
        # Rounding could move the limits of 0 of n and n of n past the share itself.
        return max(0.0, min(centre - reach, share)), min(1.0, max(centre + reach, share))


def bootstrap_interval(clusters: Sequence[Share]) -> tuple[float, float] | None:
    """Return the 95 % interval of the share over all clusters.

    Whole clusters are drawn with replacement (percentile bootstrap, Efron 1979). The interval is
    therefore valid where things in a cluster fail together, as the tiles of one photograph do. None
    if all clusters have the same share: a width of zero would be wrong.
    """
    if len({c.value for c in clusters if c.total}) < 2:
        return None
    counts = np.array([(c.part, c.total) for c in clusters if c.total], np.int64)
    random = np.random.default_rng(BOOTSTRAP_SEED)
    shares = [_resample_share(counts, random) for _ in range(BOOTSTRAP_DRAWS)]
    low, high = np.percentile(shares, [2.5, 97.5])
    return float(low), float(high)


def _resample_share(counts: npt.NDArray[np.int64], random: np.random.Generator) -> float:
    part, total = counts[random.integers(len(counts), size=len(counts))].sum(0)
    return float(part / total)
