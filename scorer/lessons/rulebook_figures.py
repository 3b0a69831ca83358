"""The figures that sentences about rules are filled with, each from the code that plays by it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from scorer.deal import deal
from scorer.game import ROUNDS, STARTING_TALLIES
from scorer.hand import HAND_SIZE, Hand
from scorer.notation import parse_hand
from scorer.penalties import PENALTIES
from scorer.ruleset import Rule, Ruleset
from scorer.score import total
from scorer.tiles import TILES, copies
from scorer.wall import BMJA, SAFALRA, SAFALRA_MINIATURE, WallRules, break_wall

DEAREST = {
    "bmja": "| [WEEEE] [DRRRR] [DGGGG] [B1111] DWW | F1234 S1234 won=loose",
    "safalra": "| [WEEEE] [DRRRR] [DGGGG] [DWWWW] WSS | won=wall rules=safalra",
}
"""The hand that scores most, by ruleset: at this, East's."""


def figures(rules: Ruleset) -> dict[str, object]:
    """Return every figure by the name that sentences have for it.

    Those of the scoring are of this table's rules.
    """
    wall = SAFALRA if rules.name == "safalra" else BMJA
    return {
        **_of_scoring(rules),
        **_of_walls(wall),
        "start": STARTING_TALLIES[rules.name],
        "rounds": ROUNDS,
        "winner_tiles": HAND_SIZE,
        "other_tiles": HAND_SIZE - 1,
        "misnamed": PENALTIES["misnamed-discard"].points,
        "part_of_limit": PENALTIES["false-mah-jong"].of_limit,
    }


def _of_scoring(rules: Ruleset) -> dict[str, object]:
    dearest = parse_hand(DEAREST[rules.name])
    return {
        "dearest": f"{_dearest(dearest):,}",
        "mah_jong": max((r.concealed_points for r in rules.rules if _is_for_winning(r)), default=0),
        "from_wall": _points_for_drawn(rules),
        "purity_doubles": sum(each.doubles for each in rules.specials),
        "least_doubles": rules.two_players.doubles if rules.two_players else 0,
        "least_points": rules.two_players.points if rules.two_players else 0,
    }


@cache
def _dearest(hand: Hand) -> int:
    """Return what it scores by the rules as they come, without a limit."""
    return total(replace(hand, limit=None))


def _is_for_winning(rule: Rule) -> bool:
    return rule.of == "win" and not rule.ways and rule.winner_only


def _points_for_drawn(rules: Ruleset) -> int:
    drawn = (r.concealed_points for r in rules.rules if r.of == "win" and "wall" in r.ways)
    return max(drawn, default=0)


def _of_walls(wall: WallRules) -> dict[str, object]:
    broken = break_wall((2,) * wall.throws, wall)
    dealt = deal(broken)
    return {
        "tiles": wall.tiles,
        "all_tiles": sum(map(copies, TILES)),
        "wall_pairs": wall.pairs,
        "box_pairs": wall.kong_box[4],
        "box_tiles": 2 * wall.kong_box[4],
        "box_right": wall.kong_box[4] - 1,
        "most_counted": 12 * wall.throws,
        "live_left": len(dealt.left),
        "east_dealt": dealt.counts["E"],
        "others_dealt": dealt.counts["S"],
        "box_for_three": 2 * wall.kong_box[3],
        "box_for_two": 2 * wall.kong_box[2],
        "mini_pairs": SAFALRA_MINIATURE.pairs,
        "mini_tiles": SAFALRA_MINIATURE.tiles,
    }
