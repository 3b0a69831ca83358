"""Check the circumstances of a hand: its winds, its table, the way it won.

Circumstances that contradict one another are errors. Those that the tiles do not support are
warnings, because a photograph may have missed a tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from scorer.cache_sizes import MAX_CACHED_HANDS
from scorer.errors import HandProblem, error, warning
from scorer.hand import RULESETS, SOURCES, WAYS_OF_WINNING, Hand
from scorer.message import Message, message, plain_text
from scorer.ruleset import DEFAULT_LIMIT_POINTS, Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.tile_names import name_plural
from scorer.tiles import BY_CODE, WINDS

_Problems = Iterator[HandProblem]
HandCheck = Callable[[Hand, Ruleset], _Problems]

EXCLUSIVE_WAYS = (
    ("heaven", "original-call", "said.heaven-and-call"),
    ("earth", "original-call", "said.earth-and-call"),
    ("earth", "last-discard", "said.earth-and-last"),
)
"""Pairs of ways that exclude each other though their source is the same, and the message."""


def check_winds(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a seat or prevailing wind that is not one of the four winds."""
    for what, wind in (("seat", hand.seat_wind), ("prevailing", hand.prevailing_wind)):
        if wind not in WINDS:
            yield error("unknown-wind", message(f"said.{what}-wind", said=wind))


def check_ruleset(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse an unknown ruleset, and choices that the ruleset does not have."""
    if hand.ruleset not in RULESETS:
        text = message("said.unknown-ruleset", said=hand.ruleset, known=RULESETS)
        yield error("unknown-ruleset", text)
    for word in rules.unknown_choices(hand.house):
        names = ", ".join(option.name for option in rules.options)
        yield error(
            "unknown-choice",
            message(
                "said.unknown-choice",
                word=word,
                rules=rules.title,
                names=names or message("said.no-choices"),
            ),
        )


def choose_rules(hand: Hand, rules: Ruleset | None) -> Ruleset:
    """Return the given rules, or those that the hand names, with its choices applied.

    An unknown ruleset falls back to the first; unknown choices are ignored. `check_ruleset`
    reports both.
    """
    if rules is None:
        rules = load_builtin(hand.ruleset if hand.ruleset in RULESETS else RULESETS[0])
    if hand.house and not any(rules.unknown_choices(hand.house)):
        return rules.with_choices(hand.house)
    return rules


def check_table(hand: Hand, rules: Ruleset) -> _Problems:
    """Check the number of players (BMJA-N01 to N03) and the limit (BMJA-L01)."""
    if hand.players not in rules.players:
        yield error("players", message("said.players", known=rules.players, players=hand.players))
    elif hand.players == 2 and hand.seat_wind in ("S", "N"):
        yield warning("seat", message("said.two-players"))
    if hand.limit is not None and hand.limit < 1:
        yield error("limit", message("said.limit", limit=hand.limit))
    elif rules.limit is None and hand.limit not in (None, DEFAULT_LIMIT_POINTS):
        yield warning("limit", _rules_message("no-limit", rules))


def check_features(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse features that the rules lack: goulash, bonus tiles, robbing a kong (SAF-T01, P09)."""
    if hand.goulash and not rules.goulash:
        yield error("no-goulash", _rules_message("no-goulash", rules))
    if hand.bonus and not rules.bonus_tiles:
        yield error("no-bonus-tiles", _rules_message("no-bonus-tiles", rules))
    if "robbed-kong" in hand.won_by and not rules.has_robbing:
        yield error("no-robbing", _rules_message("no-robbing", rules))


def _rules_message(key: str, rules: Ruleset) -> Message:
    return message(f"said.{key}", rules=rules.title)


def check_ways(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a way of winning that the rules do not know."""
    for way in dict.fromkeys(hand.won_by):
        if way not in WAYS_OF_WINNING:
            known_ways = ", ".join(WAYS_OF_WINNING)
            yield error("unknown-won-by", message("said.unknown-won-by", way=way, known=known_ways))


def check_contradictions(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a winning tile from two places, or an event at two times."""
    for first, second in combinations([way for way in hand.won_by if way in SOURCES], 2):
        if SOURCES[first] != SOURCES[second]:
            yield error(
                "won-by-contradiction",
                message(
                    "said.two-sources",
                    one=_name_way(first),
                    other=_name_way(second),
                    here=message(f"source.{SOURCES[first]}"),
                    there=message(f"source.{SOURCES[second]}"),
                ),
            )
    ways = {*hand.won_by, *(["original-call"] if hand.made_original_call else [])}
    for first, second, key in EXCLUSIVE_WAYS:
        if {first, second} <= ways:
            text = message(key, one=_name_way(first), other=_name_way(second))
            yield error("won-by-contradiction", text)


def _name_way(way: str) -> Message:
    return message(f"way.{way}") if way in WAYS_OF_WINNING else plain_text(way)


def check_event_seat(hand: Hand, rules: Ruleset) -> _Problems:
    """Allow heaven's blessing only to East (BMJA-S25), earth's only to the others (BMJA-S26)."""
    if "heaven" in hand.won_by and hand.seat_wind != "E":
        yield error("won-by-contradiction", message("said.heaven-not-east"))
    if "earth" in hand.won_by and hand.seat_wind == "E":
        yield error("won-by-contradiction", message("said.earth-not-east"))


def check_loser(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a way of winning, and warn of a winning tile, of a hand that did not win."""
    if hand.winner:
        return
    if hand.won_by:
        ways = tuple(map(_name_way, hand.won_by))
        yield error("not-the-winner", message("said.won-by-a-loser", ways=ways))
    elif hand.winning_tile:
        yield warning("not-the-winner", message("said.tile-of-a-loser"))


def check_source(hand: Hand, rules: Ruleset) -> _Problems:
    """Ask where the winning tile came from; points and concealment depend on it."""
    if hand.winner and not hand.sources:
        yield warning("how-won", message("said.how-won"))


def check_loose_tile(hand: Hand, rules: Ruleset) -> _Problems:
    """Warn of a loose tile without the kong or bonus tile that it follows (BMJA-D11)."""
    if not hand.on_loose_tile:
        return
    kongs = sum(len(codes) == 4 for codes in hand.sets_on_table)
    fours = sum(hand.concealed.count(code) == 4 for code in set(hand.concealed))
    if "kong-of-kong" in hand.won_by and kongs + fours < 2:
        yield warning("loose-tile", message("said.kong-of-kong"))
    elif not (kongs or fours or hand.bonus):
        yield warning("loose-tile", message("said.loose-tile"))


def check_robbed_tile(hand: Hand, rules: Ruleset) -> _Problems:
    """Warn of a second copy of a robbed tile: the others are in the robbed kong (BMJA-K08)."""
    tile = hand.winning_tile
    if "robbed-kong" in hand.won_by and tile in BY_CODE and hand.tiles.count(tile) > 1:
        yield warning("robbed-tile", message("said.robbed-tile", tiles=name_plural(tile)))


def check_heaven(hand: Hand, rules: Ruleset) -> _Problems:
    """Warn of sets on the table when East won with the dealt hand (BMJA-S39)."""
    if "heaven" in hand.won_by and hand.sets_on_table:
        yield warning("heaven", message("said.heaven"))


CIRCUMSTANCE_CHECKS: tuple[HandCheck, ...] = (
    check_winds,
    check_ruleset,
    check_table,
    check_features,
    check_ways,
    check_contradictions,
    check_event_seat,
    check_loser,
    check_source,
)
"""The checks that look at no tile, only at whether there are bonus tiles and a winning tile."""

EVIDENCE_CHECKS: tuple[HandCheck, ...] = (
    check_loose_tile,
    check_robbed_tile,
    check_heaven,
)
"""The checks of circumstances against the tiles."""


def circumstance_problems(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return the problems of the circumstances that need no tiles.

    Hands of one table share their circumstances, so the answers are cached.
    """
    return _problems(
        Hand(
            bonus=hand.bonus and ("F1",),
            winner=hand.winner,
            won_by=hand.won_by,
            winning_tile=hand.winning_tile and "B1",
            seat_wind=hand.seat_wind,
            prevailing_wind=hand.prevailing_wind,
            ruleset=hand.ruleset,
            players=hand.players,
            goulash=hand.goulash,
            original_call=hand.original_call,
            limit=hand.limit,
            house=hand.house,
        ),
        rules,
    )


@lru_cache(maxsize=MAX_CACHED_HANDS)
def _problems(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    return tuple(problem for check in CIRCUMSTANCE_CHECKS for problem in check(hand, rules))
