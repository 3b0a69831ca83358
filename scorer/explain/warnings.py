"""Warn about what a player should check before a score is settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType

from scorer.decompose.arrangements import HandArrangement
from scorer.errors import HandError, HandProblem, error, warning
from scorer.hand import Hand
from scorer.message import message
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import Candidate, choose_best
from scorer.tile_names import describe_set
from scorer.tiles import SUITS

_Problems = Iterator[HandProblem]


def find_warnings(hand: Hand, best: Candidate, ways: list[Candidate], rules: Ruleset) -> _Problems:
    """Yield warnings about unknown facts that change the score, and about disputed rules."""
    yield from _ask_claimed_set(hand, best, ways)
    yield from _remark_on_knitting(hand, best, rules)
    yield from _ask_for_event(hand, best, rules)
    yield from _remind_to_declare(hand, rules)


def _remind_to_declare(hand: Hand, rules: Ruleset) -> _Problems:
    """Remind a winner that this table requires fishing to be declared (BMJA-C11)."""
    if hand.winner and rules.is_on("fishing_must_be_declared"):
        yield warning("declare-fishing", message("look.declare-fishing"))


def _ask_claimed_set(hand: Hand, best: Candidate, ways: list[Candidate]) -> _Problems:
    """Ask which set the claimed tile completed, if the score depends on it (BMJA-K02)."""
    claim = best.arrangement.claim
    if claim and _depends_on_claim(ways):
        set_text = describe_set(best.arrangement.sets[claim.place])
        key = "look.claimed-set" if hand.winning_tile else "look.claimed-tile"
        yield warning("winning-tile", message(key, set=set_text))


def _depends_on_claim(ways: list[Candidate]) -> bool:
    """Return whether the score depends on which tile was claimed, or on where its set lay.

    Among the concealed tiles, the player may choose the completed set (BMJA-H06).
    """
    best_for: dict[tuple[str, bool] | None, int] = {}
    for way in ways:
        claim = way.arrangement.claim
        facts = claim and (claim.tile, claim.lay_exposed)
        best_for[facts] = max(way.worth, best_for.get(facts, 0))
    return len(set(best_for.values())) > 1


def _remark_on_knitting(hand: Hand, best: Candidate, rules: Ruleset) -> _Problems:
    """Remark on a Knitting of three suits, which not every table plays (BMJA-C08)."""
    option = "knitting_two_suits"
    has_choice = best.special and option in (each.option for each in best.special.variants)
    if has_choice and not rules.is_on(option):
        suits = tuple(suit for suit in SUITS if any(c[0] == suit for c in hand.tiles))
        if len(suits) == 3:
            suit_names = tuple(message(f"suit.{suit}") for suit in suits)
            yield warning("knitting-suits", message("look.knitting-suits", suits=suit_names))


def _ask_for_event(hand: Hand, best: Candidate, rules: Ruleset) -> _Problems:
    """Ask whether the way of winning made a special hand, which no tile shows (BMJA-S41).

    It does not ask when the hand already scores as much.
    """
    limit = rules.limit_for(hand)
    for special in rules.specials_by_shape["event"]:
        worth = special.value if limit is None else min(special.value, limit)
        may_be = EVENT_QUESTIONS.get(special.when)
        if may_be and best.worth < worth and may_be(hand, best.arrangement):
            text = message(f"look.{special.when}", special=special.name, rule=special.id)
            yield warning("event-hand", text)


def _may_have_drawn(code: str, arrangement: HandArrangement) -> bool:
    """Return whether the winning tile is unknown and may have been this one, drawn."""
    return arrangement.hand.winning_tile is None and any(
        each.concealed and each.kind != "kong" and code in each.tiles for each in arrangement.sets
    )


EVENT_QUESTIONS = MappingProxyType[str, Callable[[Hand, HandArrangement], bool]](
    {
        "plum-blossom": lambda hand, arrangement: (
            hand.on_loose_tile and _may_have_drawn("O5", arrangement)
        ),
        "moon": lambda hand, arrangement: (
            "last-tile" in hand.won_by and _may_have_drawn("O1", arrangement)
        ),
        "twofold-fortune": lambda hand, arrangement: (
            hand.on_loose_tile
            and "kong-of-kong" not in hand.won_by
            and len(arrangement.of_kind("kong")) > 1
        ),
    }
)
"""When a hand may have been won by each event. The questions are in `words.toml`."""


def keep_enough_for_two(hand: Hand, ways: list[Candidate], rules: Ruleset) -> list[Candidate]:
    """Return the candidates that are enough to go out with this many players (BMJA-N02)."""
    minimum = rules.two_players
    if hand.players != 2 or not minimum or rules.is_off("two_player_minimum"):
        return ways
    return [way for way in ways if way.doubles >= minimum.doubles or way.worth >= minimum.points]


def require_enough_for_two(hand: Hand, ways: list[Candidate], rules: Ruleset) -> list[Candidate]:
    """Return the candidates that are enough to go out; raise HandError when none is."""
    sufficient = keep_enough_for_two(hand, ways, rules)
    if not sufficient and rules.two_players:
        best = choose_best(ways, None)
        minimum = rules.two_players
        raise HandError(
            (
                error(
                    "two-players",
                    message(
                        "look.two-players",
                        doubles=minimum.doubles,
                        points=minimum.points,
                        count=best.doubles,
                        worth=best.worth,
                    ),
                ),
            )
        )
    return sufficient
