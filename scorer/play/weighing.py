"""What a choice is worth to a player: the tiles that a hand lacks and those that help it.

These figures are behind the moves of the box's players and behind what the coach says.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from scorer.breakdown import NearbySpecial
from scorer.decompose.splits import chow_codes_from
from scorer.explain.prospects import specials_within_reach
from scorer.explain.warnings import keep_enough_for_two
from scorer.hand import NO_TILES, WILD_CODES, Codes, Hand, remove_tiles
from scorer.message import Message
from scorer.patterns.frames import COPIES_PER_TILE, PLAYING_CODES
from scorer.play.distance import UNREACHABLE_TILES, Distance
from scorer.play.moves import Move
from scorer.play.setup import SMALL_GAME_SUITS
from scorer.play.view import View
from scorer.scoring.candidates import find_completions
from scorer.tiles import BY_CODE, SUITS

CLAIM_WEIGHT = 3
"""How much likelier a tile comes that any player's discard may bring, as well as the wall."""

CHOW_WEIGHT = 1.6
"""The same for a tile that only the player before may discard for a chow."""

MAX_SPECIAL_MISSING = 4
"""Tiles that a special hand worth going for may lack."""

_RUNS = tuple(filter(None, map(chow_codes_from, PLAYING_CODES)))

RUN_PARTNERS = {
    code: [remove_tiles(run, (code,)) for run in _RUNS if code in run] for code in PLAYING_CODES
}
"""The pairs of tiles with which a tile makes a run: none for an honour."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a hand lacks, and what helps it."""

    missing: int
    """Tiles that must still come; 1 for a hand that is fishing."""
    helpful: Mapping[str, int]
    """The tiles that bring it nearer, and how many of each the player does not see."""
    speed: float
    """The helpful tiles by how likely they come."""

    @property
    def helpful_count(self) -> int:
        """The number of helpful tiles that the player does not see."""
        return sum(self.helpful.values())


@dataclass(frozen=True, slots=True)
class WeighedMove:
    """A move, and the hand's outlook after it."""

    move: Move
    outlook: Outlook
    worth: float = 0
    """Points that the tile may still bring; a discard gives them up."""
    unseen_count: int = 0
    """How many more of a discard others may want."""
    special: NearbySpecial | None = None
    """The special hand that the move goes for."""
    danger: Message | None = None
    """What the table says of a discard's danger, where it says anything."""
    threat: str | None = None
    """Who fishes, where the hand is so far away that a discard is chosen for safety."""


def weigh_discards(view: View, *, with_helpful: bool = True) -> list[WeighedMove]:
    """Return every discard that is allowed, unordered; only the nearest with what helps them."""
    left = count_unseen(view)
    moves = [move for move in view.moves if move.kind == "discard"]
    hand = _measure(view, view.concealed)
    missing = hand.after_discards()
    min_missing = min(
        (_count_missing(missing, move, hand) for move in moves), default=UNREACHABLE_TILES
    )
    candidates = []
    for move in moves:
        tile = move.tiles[0]
        lacks = _count_missing(missing, move, hand)
        wild_loss = tile in _wild(view)
        outlook = Outlook(lacks - _wilds(view) + wild_loss, {}, 0)
        if with_helpful and lacks == min_missing:
            outlook = find_outlook(view, remove_tiles(view.concealed, move.tiles), left)
        candidates.append(WeighedMove(move, outlook, _tile_worth(view, tile), left.get(tile, 0)))
    return candidates


def weigh_claim(view: View, move: Move) -> WeighedMove:
    """Return a claim or a kong of the player's own with the outlook after it."""
    rest = remove_tiles(view.concealed, move.tiles)
    new_chow = int(move.kind == "chow")
    sets = view.hand_size // 3 - len(view.me.sets) - (move.kind != "added-kong")
    hand = _measure(view, rest, sets=sets, chows=view.max_chows - view.chows - new_chow)
    missing = hand.missing
    if move.kind in ("chow", "pung"):
        after = hand.after_discards()  # a tile of a suit that does not count is no loss
        lacks = (after.get(code, missing) for code in rest if code not in _wild(view))
        missing = min(lacks, default=missing)
    if move.tiles[0][0] not in _families_in_play(view):
        missing = UNREACHABLE_TILES
    return WeighedMove(move, Outlook(missing - _wilds(view, rest), {}, 0))


def find_outlook(view: View, concealed: Codes, left: Mapping[str, int] | None = None) -> Outlook:
    """Return what concealed tiles lack beside the sets on the table, and what helps them."""
    left = count_unseen(view) if left is None else left
    hand = _measure(view, concealed)
    families = _families_in_play(view)
    helpful = {code: left[code] for code in hand.useful() if left.get(code) and code[0] in families}
    missing = hand.missing - _wilds(view, concealed)
    own_counts = Counter(concealed)
    speed = sum(
        count * _claim_weight(view, own_counts, code, missing) for code, count in helpful.items()
    )
    return Outlook(missing, helpful, speed)


def find_special(view: View, ordinary_missing: int) -> NearbySpecial | None:
    """Return the special hand worth going for: no farther than an ordinary Mah-Jong."""
    if view.hand_size != 13 or not view.rules.specials or view.goulash or ordinary_missing < 2:
        return None
    reach = min(ordinary_missing, MAX_SPECIAL_MISSING)
    return next(iter(specials_within_reach(view.hand, view.rules, {}, 1, reach)), None)


def list_special_discards(view: View, special: NearbySpecial) -> Codes:
    """Return the tiles that a special hand does not need: without each it is as near."""
    rules = replace(view.rules, specials=(view.rules.specials_by_id[special.rule],))
    return tuple(
        code
        for code in dict.fromkeys(view.concealed)
        if specials_within_reach(
            replace(view.hand, concealed=remove_tiles(view.concealed, (code,))),
            rules,
            {},
            1,
            len(special.needed),
        )
    )


def find_waits(view: View, hand: Hand) -> Codes:
    """Return the tiles that complete a hand, and are enough for two players (BMJA-N02)."""
    if view.hand_size == 13:
        completions = find_completions(hand, view.rules).items()
        return tuple(
            code for code, ways in completions if keep_enough_for_two(hand, ways, view.rules)
        )
    distance = _measure(view, hand.concealed)
    return tuple(
        code
        for code in (distance.useful() if distance.missing == 1 else ())
        if hand.tiles.count(code) < COPIES_PER_TILE
    )


def count_unseen(view: View) -> dict[str, int]:
    """Return how many of each tile the player does not see."""
    visible_counts = Counter(view.visible)
    return {
        code: COPIES_PER_TILE - visible_counts[code]
        for code in BY_CODE
        if not BY_CODE[code].is_bonus
    }


def can_count(view: View) -> bool:
    """Return whether what a hand lacks is exact: not with wild tiles or one suit alone."""
    return not (view.goulash or view.rules.one_suit)


def list_families(hand_size: int) -> str:
    """Return the suits and honours of a game, by the tiles of a player."""
    return SMALL_GAME_SUITS.get(hand_size, f"{''.join(SUITS)}WD")


def may_fish(view: View, move: Move) -> bool:
    """Return whether the player may announce fishing with a discard."""
    rest = remove_tiles(view.concealed, move.tiles)
    return bool(find_waits(view, replace(view.hand, concealed=rest)))


def _measure(
    view: View, concealed: Codes, *, sets: int | None = None, chows: int | None = None
) -> Distance:
    sets = view.hand_size // 3 - len(view.me.sets) if sets is None else sets
    chows = view.max_chows - view.chows if chows is None else chows
    families, wild = _families_in_play(view), _wild(view)
    return Distance([c for c in concealed if c[0] in families and c not in wild], sets, chows)


def _families_in_play(view: View) -> str:
    """Return the suits and honours that the hand may have.

    Where it must be of one suit, that is the suit with most tiles.
    """
    if view.hand_size in SMALL_GAME_SUITS or not view.rules.one_suit:
        return list_families(view.hand_size)
    tiles = (*view.hand.tiles, *(c for s in view.me.sets for c in s.tiles * 9))
    return f"{max(SUITS, key=lambda suit: sum(code[0] == suit for code in tiles))}WD"


def _count_missing(missing: Mapping[str, int], move: Move, hand: Distance) -> int:
    return missing.get(move.tiles[0], hand.missing)


def _wild(view: View) -> frozenset[str]:
    return WILD_CODES if view.goulash else NO_TILES


def _wilds(view: View, concealed: Codes | None = None) -> int:
    wild = _wild(view)
    return sum(code in wild for code in (view.concealed if concealed is None else concealed))


def _claim_weight(view: View, own_counts: Counter[str], code: str, missing: int) -> float:
    if missing == 1 or own_counts[code] >= 2:
        return len(view.opponents) * CLAIM_WEIGHT / 3 + 1
    if own_counts[code] == 0 and view.rules.chow_claims and view.max_chows > view.chows:
        completes_run = any(own_counts[a] and own_counts[b] for a, b in RUN_PARTNERS[code])
        return CHOW_WEIGHT if completes_run else 1
    return 1


def _tile_worth(view: View, tile: str) -> float:
    """Return what a set of a tile would be worth, in rough steps."""
    face = BY_CODE[tile]
    is_own_wind = face.family == "W" and face.rank in (
        view.hand.seat_wind,
        view.hand.prevailing_wind,
    )
    return (face.family == "D" or is_own_wind) * 2 + face.is_major
