"""Three players of the box: gentle, plain and sharp. They see a view, and nothing else.

Gentle brings the hand nearer and looks at no other tiles. Plain also counts the tiles that are
seen. Sharp weighs how likely a tile comes, special hands, and what a player who fishes may want.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Literal

from scorer.play.danger import is_warning, judge_discards
from scorer.play.moves import Move
from scorer.play.view import View
from scorer.play.weighing import (
    WeighedMove,
    find_outlook,
    find_special,
    list_special_discards,
    may_fish,
    weigh_claim,
    weigh_discards,
)
from scorer.table_setup.east import EXCHANGED_TILES

Level = Literal["gentle", "plain", "sharp"]

SAFE_PLAY_MISSING = 4
"""With so many tiles missing, a sharp player gives a fishing opponent only what is safest."""


def choose_move(view: View, level: Level) -> Move:
    """Return what a player of this level does; the view must offer something."""
    kinds = {move.kind: move for move in view.moves}
    if "mah-jong" in kinds:
        return kinds["mah-jong"]
    if "stop" in kinds and level != "sharp":
        return kinds["stop"]
    if view.stage == "swap":
        return _choose_swap(view, kinds["swap"])
    if "pass" in kinds:
        return _choose_claim(view, level) or kinds["pass"]
    return choose_kong(view) or announce(view, rank_discards(view, level)[0])


def rank_discards(view: View, level: Level) -> list[WeighedMove]:
    """Return the allowed discards, the best first by this level."""
    candidates = weigh_discards(view, with_helpful=level != "gentle")
    if level != "sharp":
        return sorted(candidates, key=_DISCARD_KEYS[level])
    missing = min(candidate.outlook.missing for candidate in candidates)
    special = find_special(view, missing)
    threat = _find_threat(view, min(missing, len(special.needed)) if special else missing)
    spare_tiles = list_special_discards(view, special) if special and not threat else ()
    dangers = judge_discards(view)
    candidates = [
        replace(
            candidate,
            special=special if candidate.move.tiles[0] in spare_tiles else None,
            danger=dangers.get(candidate.move.tiles[0]),
            threat=threat,
        )
        for candidate in candidates
    ]
    return sorted(candidates, key=_safe_key if threat else _sharp_key)


def _find_threat(view: View, missing: int) -> str | None:
    """Return who fishes, for a player so far from a hand that only what is safest is discarded."""
    fishers = (opponent.seat for opponent in view.opponents if opponent.fishing)
    return next(fishers, None) if missing >= SAFE_PLAY_MISSING else None


def announce(view: View, choice: WeighedMove) -> Move:
    """Return a discard, with the announcement of fishing where it is true."""
    is_near = choice.outlook.missing <= 1 or (choice.special and len(choice.special.needed) == 1)
    if is_near and not view.me.fishing and may_fish(view, choice.move):
        return replace(choice.move, fishing=True)
    return choice.move


def rank_claims(view: View) -> list[WeighedMove]:
    """Return the claims that bring the hand nearer, the best first."""
    before = find_outlook(view, view.concealed)
    candidates = [weigh_claim(view, move) for move in view.moves if move.kind not in _ANSWERS]
    nearer = [
        candidate
        for candidate in candidates
        if candidate.outlook.missing < before.missing
        or (candidate.move.kind == "kong" and candidate.outlook.missing == before.missing)
    ]
    return sorted(
        nearer, key=lambda candidate: (candidate.outlook.missing, candidate.move.kind != "pung")
    )


_ANSWERS = ("pass", "mah-jong")


def _choose_claim(view: View, level: Level) -> Move | None:
    claims = rank_claims(view)
    if not claims:
        return None
    if level == "sharp":
        special = find_special(view, claims[0].outlook.missing)
        if special and view.rules.specials_by_id[special.rule].concealed:
            return None
    return claims[0].move


def choose_kong(view: View) -> Move | None:
    """Return a kong that costs the hand nothing."""
    kongs = [move for move in view.moves if move.kind in ("concealed-kong", "added-kong")]
    if not kongs or not view.box_count:
        return None
    missing = min(
        candidate.outlook.missing for candidate in weigh_discards(view, with_helpful=False)
    )
    return next(
        (move for move in kongs if weigh_claim(view, move).outlook.missing <= missing), None
    )


def _choose_swap(view: View, swap: Move) -> Move:
    """Give the tiles that the hand needs least; wild ones stay."""
    tiles: list[str] = []
    rest = view
    for _ in range(EXCHANGED_TILES):
        discards = tuple(
            Move(view.seat, "discard", (code,)) for code in dict.fromkeys(rest.concealed)
        )
        tile = min(
            weigh_discards(replace(rest, moves=discards), with_helpful=False), key=_gentle_key
        ).move.tiles[0]
        tiles.append(tile)
        left = Counter(rest.concealed) - Counter((tile,))
        rest = replace(rest, concealed=tuple(left.elements()))
    return replace(swap, tiles=tuple(tiles))


def _gentle_key(candidate: WeighedMove) -> tuple[float, ...]:
    return (candidate.outlook.missing, candidate.worth)


def _plain_key(candidate: WeighedMove) -> tuple[float, ...]:
    return (candidate.outlook.missing, -candidate.outlook.helpful_count, candidate.worth)


def _sharp_key(candidate: WeighedMove) -> tuple[float, ...]:
    special = len(candidate.special.needed) if candidate.special else 9
    missing = min(candidate.outlook.missing, special)
    tie_break = (is_warning(candidate.danger), candidate.worth, candidate.unseen_count)
    return (missing, special, -candidate.outlook.speed, *tie_break)


def _safe_key(candidate: WeighedMove) -> tuple[float, ...]:
    outlook, is_risky = candidate.outlook, is_warning(candidate.danger)
    return (is_risky, candidate.unseen_count, outlook.missing, -outlook.speed)


_DISCARD_KEYS: Mapping[Level, Callable[[WeighedMove], tuple[float, ...]]] = {
    "gentle": _gentle_key,
    "plain": _plain_key,
}
