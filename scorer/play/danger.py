"""What an opponent may go out on, as far as the table shows.

Only what is seen is said: an opponent who announced fishing, and sets of one suit on the table. A
tile is dangerous where a hand of tiles that the player does not see would go out on it. Hands of
pungs alone are looked at: where only a hand with a chow would go out, nothing is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scorer.hand import Codes
from scorer.message import Message, message
from scorer.play.view import OpenPlayer, View
from scorer.play.weighing import can_count, count_unseen, list_families
from scorer.tile_names import name_tile, name_wind
from scorer.tiles import SUITS

MIN_SETS_OF_SUIT, MIN_SETS_OF_FISHER = 3, 2
"""Sets of one suit that give an opponent away; of one who announced fishing, fewer."""

SAFE_DISCARDS = 2
"""With this many of a tile among the discards, nobody seems to want it. More there never are while
one is unseen and the player holds one."""

_SAFE_KEY = "coach.discarded"


def can_judge(view: View) -> bool:
    """Return whether the table can say who may go out on a discard.

    With two players a hand needs a least score (BMJA-N02); with wild tiles, or where a hand must be
    of one suit, what it lacks is not counted.
    """
    return len(view.opponents) > 1 and can_count(view)


def judge_discards(view: View) -> dict[str, Message]:
    """Return what the table says of the danger of each discard, where it says anything."""
    threats = [each for each in view.opponents if each.fishing or _shows_suit(each)]
    if not threats or not can_judge(view):
        return {}
    unseen_counts = count_unseen(view)
    tiles = (tile for tile in dict.fromkeys(view.concealed) if unseen_counts.get(tile))
    sentences = {tile: _judge(view, threats, tile, unseen_counts) for tile in tiles}
    return {tile: sentence for tile, sentence in sentences.items() if sentence}


def is_warning(sentence: Message | None) -> bool:
    """Return whether what the table says of a discard is that somebody may go out on it."""
    return sentence is not None and sentence.key != _SAFE_KEY


def _judge(
    view: View, threats: Sequence[OpenPlayer], tile: str, unseen_counts: Mapping[str, int]
) -> Message | None:
    for opponent in threats:
        if warning := _warn_of(view, opponent, tile, unseen_counts):
            return warning
    if sum(each.discards.count(tile) for each in (view.me, *view.opponents)) == SAFE_DISCARDS:
        return message(_SAFE_KEY, tile=name_tile(tile))
    return None


def _warn_of(
    view: View, opponent: OpenPlayer, tile: str, unseen_counts: Mapping[str, int]
) -> Message | None:
    if not _may_go_out(view, opponent, tile, unseen_counts):
        return None
    of_suit = _count_of_suit(opponent, tile[0])
    is_fresh = view.visible.count(tile) == view.concealed.count(tile)
    values = {"wind": name_wind(opponent.seat), "tile": name_tile(tile)}
    if of_suit >= (MIN_SETS_OF_FISHER if opponent.fishing else MIN_SETS_OF_SUIT):
        key = "coach.danger-fishing-suit" if opponent.fishing else "coach.danger-suit"
        return message(key, number=of_suit, **values)
    return message("coach.danger-fresh", **values) if opponent.fishing and is_fresh else None


def _may_go_out(
    view: View, opponent: OpenPlayer, tile: str, unseen_counts: Mapping[str, int]
) -> bool:
    """Return whether unseen pungs may be the sets that the opponent lacks beside a pair of it."""
    families = list_families(view.hand_size)
    pungs: Codes = tuple(
        code
        for code, count in unseen_counts.items()
        if count > 2 and code != tile and code[0] in families
    )
    return len(pungs) >= view.hand_size // 3 - len(opponent.sets)


def _shows_suit(opponent: OpenPlayer) -> bool:
    return any(_count_of_suit(opponent, suit) >= MIN_SETS_OF_SUIT for suit in SUITS)


def _count_of_suit(opponent: OpenPlayer, suit: str) -> int:
    is_suit = suit in SUITS
    return sum(is_suit and {code[0] for code in each.tiles} == {suit} for each in opponent.sets)
