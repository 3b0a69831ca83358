"""Whether a hand comes out of arranging as it was laid."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from scorer.tiles import FACE_DOWN
from tests.vision.laid import Laid
from tests.vision.seen import Seen
from vision.geometry.rows import lay_out
from vision.hand.arrange import arrange
from vision.hand.assemble import AssembledHand
from vision.hand.questions import questions, winning_tile

Parts = dict[str, list[tuple[str, ...]]]


def verdict(
    seen: Seen, laid: Iterable[Laid], rules: str, owner: tuple[float, float] | None = None
) -> Literal["right", "asked", "wrong"]:
    """Arrange what was seen and compare: right, wrong with a question asked, or just wrong."""
    layout = lay_out(seen.quads, [code == FACE_DOWN for code in seen.codes], owner)
    hand = arrange(seen.codes, layout.rows, rules, layout.sideways)
    won = next((place for place, tile in enumerate(seen.tiles) if tile.won), None)
    if parts_of(hand) == parts_laid(laid) and winning_tile(hand, layout) == won:
        return "right"
    return "asked" if questions(seen.codes, hand, layout) else "wrong"


def parts_of(hand: AssembledHand) -> Parts:
    """Return the parts of a hand as arranged, in an order that does not matter."""
    return {
        "exposed": sorted(tuple(sorted(codes)) for codes in hand.exposed),
        "kong": sorted(tuple(sorted(codes)) for codes in hand.declared_kongs),
        "concealed": [tuple(sorted(hand.concealed))],
        "bonus": [tuple(sorted(hand.bonus))],
    }


def parts_laid(laid: Iterable[Laid]) -> Parts:
    """Return the parts of a hand as it was laid."""
    own = [tile for tile in laid if tile.part != "out"]
    sets: dict[str, dict[int, list[str]]] = {"exposed": {}, "kong": {}}
    for tile in own:
        if tile.part in sets:
            sets[tile.part].setdefault(tile.group, []).append(tile.code)
    loose = {
        part: [tuple(sorted(tile.code for tile in own if tile.part == part))]
        for part in ("concealed", "bonus")
    }
    return {
        part: sorted(tuple(sorted(codes)) for codes in groups.values())
        for part, groups in sets.items()
    } | loose
