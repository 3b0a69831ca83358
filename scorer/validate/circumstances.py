"""What is wrong with what is said about a hand: its winds, its table, the way it won.

Words that contradict one another are errors. Words that the tiles on the table do not bear out are
warnings, for a photograph may have missed a tile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

from scorer.errors import HandProblem, error, warning
from scorer.hand import RULESETS, SOURCES, WON_BY, Hand
from scorer.memo_sizes import MANY
from scorer.message import Message, message, of_rules, plain
from scorer.naming import several
from scorer.ruleset import UNSAID_LIMIT, Ruleset
from scorer.rulesets.shipped import shipped
from scorer.tiles import BY_CODE, WINDS

_Problems = Iterator[HandProblem]
HandCheck = Callable[[Hand, Ruleset], _Problems]

EXCLUSIVE = (
    ("heaven", "original-call", "said.heaven-and-call"),
    ("earth", "original-call", "said.earth-and-call"),
    ("earth", "last-discard", "said.earth-and-last"),
)
"""Two ways of winning that cannot go together though they name the same source, and why."""


def unknown_winds(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a seat or a round that is none of the four winds."""
    for what, wind in (("seat", hand.seat_wind), ("prevailing", hand.prevailing_wind)):
        if wind not in WINDS:
            yield error("unknown-wind", message(f"said.{what}-wind", said=wind))


def unknown_rules(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse rules that there are not, and choices that the rules do not have."""
    if hand.ruleset not in RULESETS:
        what = message("said.unknown-ruleset", said=hand.ruleset, known=RULESETS)
        yield error("unknown-ruleset", what)
    for word in rules.unknown_choices(hand.house):
        names = ", ".join(option.name for option in rules.options)
        yield error(
            "unknown-choice",
            message(
                "said.unknown-choice",
                word=word,
                rules=of_rules(rules.title),
                names=names or message("said.no-choices"),
            ),
        )


def rules_of(hand: Hand, rules: Ruleset | None) -> Ruleset:
    """Return the rules for a hand: the given ones, or those it names, with its choices made.

    For a hand that names none, or choices that there are not, return what it can still be judged
    by; `unknown_rules` says what is wrong.
    """
    if rules is None:
        rules = shipped(hand.ruleset if hand.ruleset in RULESETS else RULESETS[0])
    if hand.house and not any(rules.unknown_choices(hand.house)):
        return rules.with_choices(hand.house)
    return rules


def impossible_table(hand: Hand, rules: Ruleset) -> _Problems:
    """Expect players as the rules know them (BMJA-N01 to N03) and a limit, or none (BMJA-L01)."""
    if hand.players not in rules.players:
        yield error("players", message("said.players", known=rules.players, players=hand.players))
    elif hand.players == 2 and hand.seat_wind in ("S", "N"):
        yield warning("seat", message("said.two-players"))
    if hand.limit is not None and hand.limit < 1:
        yield error("limit", message("said.limit", limit=hand.limit))
    elif rules.limit is None and hand.limit not in (None, UNSAID_LIMIT):
        yield warning("limit", _said_of("no-limit", rules))


def not_in_these_rules(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse what a game does not have: goulash, bonus tiles, robbing the kong (SAF-T01, P09)."""
    if hand.goulash and not rules.goulash:
        yield error("no-goulash", _said_of("no-goulash", rules))
    if hand.bonus and not rules.bonus_tiles:
        yield error("no-bonus-tiles", _said_of("no-bonus-tiles", rules))
    if "robbed-kong" in hand.won_by and not rules.specials:
        yield error("no-robbing", _said_of("no-robbing", rules))


def _said_of(key: str, rules: Ruleset) -> Message:
    return message(f"said.{key}", rules=of_rules(rules.title))


def unknown_ways(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a way of winning that the rules do not know."""
    for way in dict.fromkeys(hand.won_by):
        if way not in WON_BY:
            known = ", ".join(WON_BY)
            yield error("unknown-won-by", message("said.unknown-won-by", way=way, known=known))


def contradictions(hand: Hand, rules: Ruleset) -> _Problems:
    """Refuse a winning tile from two places, or an event at two times."""
    for first, second in combinations([way for way in hand.won_by if way in SOURCES], 2):
        if SOURCES[first] != SOURCES[second]:
            yield error(
                "won-by-contradiction",
                message(
                    "said.two-sources",
                    one=_way(first),
                    other=_way(second),
                    here=message(f"source.{SOURCES[first]}"),
                    there=message(f"source.{SOURCES[second]}"),
                ),
            )
    ways = {*hand.won_by, *(["original-call"] if hand.made_original_call else [])}
    for first, second, key in EXCLUSIVE:
        if {first, second} <= ways:
            what = message(key, one=_way(first), other=_way(second))
            yield error("won-by-contradiction", what)


def _way(way: str) -> Message:
    return message(f"way.{way}") if way in WON_BY else plain(way)


def event_at_the_wrong_seat(hand: Hand, rules: Ruleset) -> _Problems:
    """Keep heaven's blessing for East (BMJA-S25), earth's blessing for the others (BMJA-S26)."""
    if "heaven" in hand.won_by and hand.seat_wind != "E":
        yield error("won-by-contradiction", message("said.heaven-not-east"))
    if "earth" in hand.won_by and hand.seat_wind == "E":
        yield error("won-by-contradiction", message("said.earth-not-east"))


def win_of_a_loser(hand: Hand, rules: Ruleset) -> _Problems:
    """Expect no way of winning and no winning tile of a hand that did not win."""
    if hand.winner:
        return
    if hand.won_by:
        ways = tuple(map(_way, hand.won_by))
        yield error("not-the-winner", message("said.won-by-a-loser", ways=ways))
    elif hand.winning_tile:
        yield warning("not-the-winner", message("said.tile-of-a-loser"))


def unsaid_source(hand: Hand, rules: Ruleset) -> _Problems:
    """Ask where the winning tile came from: it decides points and what is concealed."""
    if hand.winner and not hand.sources:
        yield warning("how-won", message("said.how-won"))


def loose_tile_for_nothing(hand: Hand, rules: Ruleset) -> _Problems:
    """Look for the kong, flower or season that a loose tile follows (BMJA-D11)."""
    if not hand.on_loose_tile:
        return
    kongs = sum(len(codes) == 4 for codes in hand.laid_down)
    fours = sum(hand.concealed.count(code) == 4 for code in set(hand.concealed))
    if "kong-of-kong" in hand.won_by and kongs + fours < 2:
        yield warning("loose-tile", message("said.kong-of-kong"))
    elif not (kongs or fours or hand.bonus):
        yield warning("loose-tile", message("said.loose-tile"))


def robbed_tile_held_twice(hand: Hand, rules: Ruleset) -> _Problems:
    """Expect a robbed tile once: the other three lie in the robbed kong (BMJA-K08)."""
    tile = hand.winning_tile
    if "robbed-kong" in hand.won_by and tile in BY_CODE and hand.tiles.count(tile) > 1:
        yield warning("robbed-tile", message("said.robbed-tile", tiles=several(tile)))


def heaven_with_sets_laid_down(hand: Hand, rules: Ruleset) -> _Problems:
    """Expect no set on the table when East wins with the hand as dealt (BMJA-S39)."""
    if "heaven" in hand.won_by and hand.laid_down:
        yield warning("heaven", message("said.heaven"))


CIRCUMSTANCES: tuple[HandCheck, ...] = (
    unknown_winds,
    unknown_rules,
    impossible_table,
    not_in_these_rules,
    unknown_ways,
    contradictions,
    event_at_the_wrong_seat,
    win_of_a_loser,
    unsaid_source,
)
"""The checks that look at no tile but whether there are bonus tiles and a winning one."""

BORNE_OUT: tuple[HandCheck, ...] = (
    loose_tile_for_nothing,
    robbed_tile_held_twice,
    heaven_with_sets_laid_down,
)
"""The checks of what is said against the tiles."""


def circumstance_problems(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    """Return what is wrong with what is said of the hand, by the checks that look at no tile.

    Hands of one table share their circumstances, so the answers are kept, in a bounded table.
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


@lru_cache(maxsize=MANY)
def _problems(hand: Hand, rules: Ruleset) -> tuple[HandProblem, ...]:
    return tuple(problem for check in CIRCUMSTANCES for problem in check(hand, rules))
