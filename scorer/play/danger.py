"""What an opponent may go out on, as far as the table shows.

Only what is seen is said: an opponent who announced fishing, and sets of one suit on the table. A
tile is dangerous where a hand of tiles that the player does not see would go out on it. Hands of
pungs alone are looked at: where only a hand with a chow would go out, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorer.hand import Codes
from scorer.message import Message, message
from scorer.play.setup import SMALL_GAME_SUITS
from scorer.play.view import OpenPlayer, View
from scorer.play.weighing import count_unseen
from scorer.tile_names import name_tile, name_wind
from scorer.tiles import SUITS

MIN_SETS_OF_SUIT, MIN_SETS_OF_FISHER = 3, 2
"""Sets of one suit that give an opponent away; of one who announced fishing, fewer."""

MIN_DISCARDS = 2
"""So many of a tile among the discards say that nobody wanted it."""

_SAFE_KEY = "coach.discarded"


def judge_safety(view: View, tile: str) -> Message | None:
    """Return what the table says of a discard's danger; None where it says nothing.

    With two players a hand needs a least score to go out (BMJA-N02): nothing is said.
    """
    unseen_counts = count_unseen(view)
    if len(view.opponents) < 2 or not unseen_counts.get(tile):
        return None
    threats = [each for each in view.opponents if each.fishing or _shows_suit(each)]
    for opponent in threats:
        if warning := _warn_of(view, opponent, tile, unseen_counts):
            return warning
    discard_count = sum(each.discards.count(tile) for each in (view.me, *view.opponents))
    if threats and discard_count >= MIN_DISCARDS:
        return message(_SAFE_KEY, number=discard_count, tile=name_tile(tile))
    return None


def is_dangerous(view: View, tile: str) -> bool:
    """Return whether the table shows that somebody may go out on a discard."""
    safety = judge_safety(view, tile)
    return safety is not None and safety.key != _SAFE_KEY


def _warn_of(
    view: View, opponent: OpenPlayer, tile: str, unseen_counts: Mapping[str, int]
) -> Message | None:
    if not may_go_out(view, opponent, tile, unseen_counts):
        return None
    of_suit = _count_of_suit(opponent, tile[0])
    is_fresh = view.visible.count(tile) == view.concealed.count(tile)
    values = {"wind": name_wind(opponent.seat), "tile": name_tile(tile)}
    if of_suit >= (MIN_SETS_OF_FISHER if opponent.fishing else MIN_SETS_OF_SUIT):
        key = "coach.danger-fishing-suit" if opponent.fishing else "coach.danger-suit"
        return message(key, number=of_suit, **values)
    return message("coach.danger-fresh", **values) if opponent.fishing and is_fresh else None


def may_go_out(
    view: View, opponent: OpenPlayer, tile: str, unseen_counts: Mapping[str, int]
) -> bool:
    """Return whether the tile pairs an unseen one beside pungs of unseen tiles."""
    families = SMALL_GAME_SUITS.get(view.hand_size, f"{''.join(SUITS)}WD")
    pungs: Codes = tuple(
        code
        for code, count in unseen_counts.items()
        if count > 2 and code != tile and code[0] in families
    )
    return bool(unseen_counts[tile]) and len(pungs) >= view.hand_size // 3 - len(opponent.sets)


def _shows_suit(opponent: OpenPlayer) -> bool:
    return any(_count_of_suit(opponent, suit) >= MIN_SETS_OF_SUIT for suit in SUITS)


def _count_of_suit(opponent: OpenPlayer, suit: str) -> int:
    is_suit = suit in SUITS
    return sum(is_suit and {code[0] for code in each.tiles} == {suit} for each in opponent.sets)
