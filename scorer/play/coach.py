"""The coach: the best two choices with their reasons, and one sentence after a costly move.

All it says comes from the figures that a sharp player decides by (`weighing`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorer.decompose.splits import chow_codes_from
from scorer.hand import Codes, remove_tiles
from scorer.message import Message, Value, message
from scorer.play.box_players import announce, choose_kong, choose_move, rank_claims, rank_discards
from scorer.play.danger import can_judge, is_warning
from scorer.play.distance import UNREACHABLE_TILES
from scorer.play.moves import Move
from scorer.play.view import View
from scorer.play.weighing import (
    RUN_PARTNERS,
    WeighedMove,
    can_count,
    find_outlook,
    find_waits,
)
from scorer.tile_names import name_plural, name_tile, name_tiles, name_wind

MAX_CHOICES = 2

MUCH_HELP_SHARE = 0.5
"""A discard gives much away when fewer than this share of the helpful tiles still help."""


@dataclass(frozen=True, slots=True)
class CoachChoice:
    """A move that the coach would make, and why."""

    move: Move
    reasons: tuple[Message, ...]
    missing: int
    """Tiles that must still come after it."""
    helpful: Codes = ()
    """The tiles that then bring the hand nearer."""


def advise(view: View) -> tuple[CoachChoice, ...]:
    """Return the best two choices, the best first; one where nothing else is worth naming."""
    kinds = {move.kind: move for move in view.moves}
    if not kinds:
        return ()
    if "mah-jong" in kinds:
        return (CoachChoice(kinds["mah-jong"], (_say("mah-jong"),), 0),)
    if view.stage == "swap":
        move = choose_move(view, "sharp")
        return (CoachChoice(move, (_say("swap", tiles=name_tiles(move.tiles)),), 0),)
    if "pass" in kinds:
        return tuple(_advise_on_claims(view, kinds["pass"]))
    return tuple(_advise_on_turn(view))


def warn_after(view: View, move: Move) -> Message | None:
    """Return the sentence on a move that gave much away; `view` is from before it."""
    choices = advise(view)
    if not choices or move.base_move in [each.move.base_move for each in choices]:
        return None
    best = choices[0]
    if best.move.kind == "mah-jong":
        return _say("gave-mah-jong")
    if move.kind != "discard" or best.move.kind != "discard" or not can_count(view):
        return None
    candidates = rank_discards(view, "sharp")
    if any(each.special for each in candidates):
        return None
    candidate = next(each for each in candidates if each.move == move.base_move)
    tile = name_tile(best.move.tiles[0])
    if candidate.outlook.missing > best.missing:
        return _say("gave-tile", tile=name_tile(move.tiles[0]), better=tile)
    if candidate.outlook.missing < best.missing:
        return None
    count, better_count = (
        find_outlook(view, remove_tiles(view.concealed, each.tiles)).helpful_count
        for each in (move, best.move)
    )
    if count < better_count * MUCH_HELP_SHARE:
        return _say("gave-help", count=count, better=tile, more=better_count)
    return None


def _advise_on_turn(view: View) -> Iterator[CoachChoice]:
    kong = choose_kong(view)
    if kong:
        reason = _say("declare-kong", tiles=name_plural(kong.tiles[0]))
        yield CoachChoice(kong, (reason,), find_outlook(view, view.concealed).missing)
    for candidate in rank_discards(view, "sharp")[: MAX_CHOICES - bool(kong)]:
        yield CoachChoice(
            announce(view, candidate),
            tuple(_explain_discard(view, candidate)),
            candidate.outlook.missing,
            tuple(candidate.outlook.helpful),
        )


def _advise_on_claims(view: View, refusal: Move) -> Iterator[CoachChoice]:
    before = find_outlook(view, view.concealed)
    best = choose_move(view, "sharp")
    if best.kind == "pass":
        key = "pass-special" if rank_claims(view) else "pass"
        yield CoachChoice(refusal, (_say(key),), before.missing, tuple(before.helpful))
        return
    for candidate in rank_claims(view)[:MAX_CHOICES]:
        after = candidate.outlook.missing
        key = "claim-kong" if after == before.missing else "claim-nearer"
        reason = _say(
            key if can_count(view) else "claim-set", tile=name_tile(view.tile or ""), count=after
        )
        yield CoachChoice(candidate.move, (reason,), after)


def _explain_discard(view: View, candidate: WeighedMove) -> Iterator[Message]:
    """Yield why a discard is good, what it costs, and who may go out on it."""
    tile = candidate.move.tiles[0]
    name = name_tile(tile)
    special_count = len(candidate.special.needed) if candidate.special else UNREACHABLE_TILES
    if candidate.special:
        special = view.rules.specials_by_id[candidate.special.rule]
        yield _say("special", tile=name, special=special.name, count=special_count)
    if special_count >= candidate.outlook.missing:  # else an ordinary hand is beside the point
        yield _explain_gain(view, candidate)
    count, rest = view.concealed.count(tile), remove_tiles(view.concealed, (tile,))
    if count in (2, 3):
        yield _say("loses-pair" if count == 2 else "loses-pung", tiles=name_plural(tile))
    elif view.chows + _count_chows(rest) < view.max_chows and _breaks_run(view.concealed, tile):
        yield _say("loses-chow", tile=name)
    elif not candidate.unseen_count:
        yield _say("safe", tile=name)
    if candidate.danger:
        yield candidate.danger


def _explain_gain(view: View, candidate: WeighedMove) -> Message:
    """Return what a discard does for an ordinary hand, or that it is chosen for safety."""
    outlook, name = candidate.outlook, name_tile(candidate.move.tiles[0])
    helpful = outlook.helpful if can_count(view) else {}
    if candidate.threat and can_judge(view) and not is_warning(candidate.danger):
        return _say("play-safe", tile=name, wind=name_wind(candidate.threat))
    if helpful and outlook.missing == 1:
        waits = {code: helpful[code] for code in _find_fishing_tiles(view, candidate)}
        tiles, count = name_tiles(waits), sum(waits.values())
        return _say("fishing" if waits else "least", tile=name, tiles=tiles, count=count)
    if helpful:
        return _say("helps", tile=name, count=outlook.helpful_count)
    return _say("slower" if can_count(view) else "least", tile=name)


def _find_fishing_tiles(view: View, candidate: WeighedMove) -> Codes:
    """Return which helpful tiles are enough for Mah-Jong: with two players not all (BMJA-N02)."""
    rest = remove_tiles(view.concealed, candidate.move.tiles)
    waits = find_waits(view, replace(view.hand, concealed=rest))
    return tuple(code for code in candidate.outlook.helpful if code in waits)


def _breaks_run(concealed: Codes, tile: str) -> bool:
    """Return whether the tile lies beside, or one apart from, another of its suit."""
    return any(code in concealed for pair in RUN_PARTNERS[tile] for code in pair)


def _count_chows(concealed: Codes) -> int:
    """Return how many chows the tiles hold at once."""
    counts, chows = Counter(concealed), 0
    for code in sorted(counts):
        run = chow_codes_from(code)
        number = min((counts[each] for each in run), default=0)
        counts.subtract(dict.fromkeys(run, number))
        chows += number
    return chows


def _say(key: str, **values: Value) -> Message:
    return message(f"coach.{key}", **values)
