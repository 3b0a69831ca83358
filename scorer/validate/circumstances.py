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
from scorer.ruleset import UNSAID_LIMIT, Ruleset
from scorer.rulesets.shipped import shipped
from scorer.tiles import BY_CODE, WINDS
from scorer.wording import listed

Problems = Iterator[HandProblem]
Check = Callable[[Hand, Ruleset], Problems]

EXCLUSIVE = (
    ("heaven", "original-call", "before anybody has discarded"),
    ("earth", "original-call", "before the winner has discarded"),
    ("earth", "last-discard", "with the first discard, not the last"),
)
"""Two ways of winning that cannot go together though they name the same source, and why."""


def unknown_winds(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse a seat or a round that is none of the four winds."""
    for what, wind in (("seat", hand.seat_wind), ("prevailing", hand.prevailing_wind)):
        if wind not in WINDS:
            yield error("unknown-wind", f"The {what} wind is E, S, W or N, not {wind!r}.")


def unknown_rules(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse rules that there are not, and choices that the rules do not have."""
    if hand.ruleset not in RULESETS:
        known = listed(RULESETS)
        yield error("unknown-ruleset", f"There are no rules named {hand.ruleset!r}, but {known}.")
    for word in rules.unknown_choices(hand.house):
        names = ", ".join(option.name for option in rules.options) or "none"
        yield error(
            "unknown-choice",
            f"{word!r} is no choice of {rules.title}; write NAME:on or NAME:off, the names being: "
            f"{names}.",
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


def impossible_table(hand: Hand, rules: Ruleset) -> Problems:
    """Expect players as the rules know them (BMJA-N01 to N03) and a limit, or none (BMJA-L01)."""
    if hand.players not in rules.players:
        known = listed([str(number) for number in rules.players])
        yield error("players", f"By these rules {known} may play, not {hand.players}.")
    elif hand.players == 2 and hand.seat_wind in ("S", "N"):
        yield warning("seat", "Two players sit East and West; look at this player's seat again.")
    if hand.limit is not None and hand.limit < 1:
        yield error("limit", f"The limit is a number above 0, not {hand.limit}, or it is off.")
    elif rules.limit is None and hand.limit not in (None, UNSAID_LIMIT):
        yield warning("limit", f"{rules.title} has no limit; the one given is left aside.")


def not_in_these_rules(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse what a game does not have: goulash, bonus tiles, robbing the kong (SAF-T01, P09)."""
    if hand.goulash and not rules.goulash:
        yield error("no-goulash", f"{rules.title} has no goulash.")
    if hand.bonus and not rules.bonus_tiles:
        yield error("no-bonus-tiles", f"{rules.title} is played without flowers and seasons.")
    if "robbed-kong" in hand.won_by and not rules.specials:
        yield error("no-robbing", f"{rules.title} does not know robbing the kong.")


def unknown_ways(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse a way of winning that the rules do not know."""
    for way in dict.fromkeys(hand.won_by):
        if way not in WON_BY:
            known = ", ".join(WON_BY)
            yield error("unknown-won-by", f"{way!r} is no way of winning; the ways are {known}.")


def contradictions(hand: Hand, rules: Ruleset) -> Problems:
    """Refuse a winning tile from two places, or an event at two times."""
    for first, second in combinations([way for way in hand.won_by if way in SOURCES], 2):
        if SOURCES[first] != SOURCES[second]:
            yield error(
                "won-by-contradiction",
                f"The hand cannot have won by {first} and by {second}: the winning tile came "
                f"either from {SOURCES[first]} or from {SOURCES[second]}.",
            )
    ways = {*hand.won_by, *(["original-call"] if hand.made_original_call else [])}
    for first, second, when in EXCLUSIVE:
        if {first, second} <= ways:
            yield error(
                "won-by-contradiction",
                f"The hand cannot have won by {first} and by {second}: {first} wins {when}.",
            )


def event_at_the_wrong_seat(hand: Hand, rules: Ruleset) -> Problems:
    """Keep heaven's blessing for East (BMJA-S25), earth's blessing for the others (BMJA-S26)."""
    if "heaven" in hand.won_by and hand.seat_wind != "E":
        yield error("won-by-contradiction", "Only East can win with the hand as dealt.")
    if "earth" in hand.won_by and hand.seat_wind == "E":
        yield error("won-by-contradiction", "East cannot win with East's own first discard.")


def win_of_a_loser(hand: Hand, rules: Ruleset) -> Problems:
    """Expect no way of winning and no winning tile of a hand that did not win."""
    if hand.winner:
        return
    if hand.won_by:
        ways = listed(hand.won_by)
        yield error("not-the-winner", f"The hand did not win, so it cannot have won by {ways}.")
    elif hand.winning_tile:
        yield warning(
            "not-the-winner",
            "A winning tile is marked, but the hand is scored as one that did not win.",
        )


def unsaid_source(hand: Hand, rules: Ruleset) -> Problems:
    """Ask where the winning tile came from: it decides points and what is concealed."""
    if hand.winner and not hand.sources:
        yield warning(
            "how-won",
            "Say where the winning tile came from. Until then nothing is counted for drawing it, "
            "and no set as exposed by claiming it.",
        )


def loose_tile_for_nothing(hand: Hand, rules: Ruleset) -> Problems:
    """Look for the kong, flower or season that a loose tile follows (BMJA-D11)."""
    if not hand.on_loose_tile:
        return
    kongs = sum(len(codes) == 4 for codes in hand.laid_down)
    fours = sum(hand.concealed.count(code) == 4 for code in set(hand.concealed))
    if "kong-of-kong" in hand.won_by and kongs + fours < 2:
        yield warning("loose-tile", "Winning with a kong of a kong takes two kongs; look again.")
    elif not (kongs or fours or hand.bonus):
        yield warning(
            "loose-tile",
            "A loose tile is taken after a kong, a flower or a season, and the hand shows none.",
        )


def robbed_tile_held_twice(hand: Hand, rules: Ruleset) -> Problems:
    """Expect a robbed tile once: the other three lie in the robbed kong (BMJA-K08)."""
    tile = hand.winning_tile
    if "robbed-kong" in hand.won_by and tile in BY_CODE and hand.tiles.count(tile) > 1:
        yield warning(
            "robbed-tile",
            f"The other three {BY_CODE[tile].plural} lie in the kong that was robbed, "
            "but the hand shows more than the one.",
        )


def heaven_with_sets_laid_down(hand: Hand, rules: Ruleset) -> Problems:
    """Expect no set on the table when East wins with the hand as dealt (BMJA-S39)."""
    if "heaven" in hand.won_by and hand.laid_down:
        yield warning("heaven", "A hand that wins as dealt has no set laid down yet; look again.")


CIRCUMSTANCES: tuple[Check, ...] = (
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

BORNE_OUT: tuple[Check, ...] = (
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
