"""Which special hand a hand that did not win lacks one tile of (BMJA section F).

Such a hand may be worth more than its ordinary sum. It is recognised here; its score is another
matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scorer.hand import Hand
from scorer.readings import readings
from scorer.rules import SpecialHand
from scorer.special import dearest, of_readings
from scorer.tiles import TILES, copies


def fishing_for(hand: Hand) -> SpecialHand | None:
    """Return the dearest special hand that one more tile would make, if any (BMJA-F02)."""
    return dearest(each.id for each in _one_tile_away(hand))


def _one_tile_away(hand: Hand) -> Iterator[SpecialHand]:
    """Yield what each tile would make that the player does not hold four of already (BMJA-F04)."""
    for tile in TILES:
        if tile.is_bonus or hand.tiles.count(tile.code) == copies(tile):
            continue
        # Drawn from the wall, it exposes nothing, and what lies exposed was claimed before.
        completed = replace(
            hand, winner=True, won_by=("wall",), concealed=(*hand.concealed, tile.code)
        )
        special = of_readings(completed, readings(completed))
        if special:
            yield special
