"""What a player should know before a score is settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import MappingProxyType

from scorer.decompose.readings import Reading
from scorer.errors import HandError, HandProblem, error, warning
from scorer.hand import Hand
from scorer.message import message, of_rules
from scorer.naming import described
from scorer.ruleset import Ruleset
from scorer.scoring.candidates import Candidate, best_candidate
from scorer.tiles import SUITS

Problems = Iterator[HandProblem]


def warnings_of(hand: Hand, best: Candidate, ways: list[Candidate], rules: Ruleset) -> Problems:
    """Yield what the score hangs on that is not known, and what tables see differently."""
    yield from _claimed_set(hand, best, ways)
    yield from _knitting_suits(hand, best, rules)
    yield from _event_hands(hand, best, rules)
    yield from _undeclared_fishing(hand, rules)


def _undeclared_fishing(hand: Hand, rules: Ruleset) -> Problems:
    """Remind a winner that the table wants fishing declared first (BMJA-C11)."""
    if hand.winner and rules.is_on("fishing_must_be_declared"):
        yield warning("declare-fishing", message("look.declare-fishing"))


def _claimed_set(hand: Hand, best: Candidate, ways: list[Candidate]) -> Problems:
    """Ask which set the claimed tile completed, where that matters (BMJA-K02)."""
    claim = best.reading.claim
    if claim and _depends_on_claim(ways):
        completed = described(best.reading.sets[claim.place])
        key = "look.claimed-set" if hand.winning_tile else "look.claimed-tile"
        yield warning("winning-tile", message(key, set=completed))


def _depends_on_claim(ways: list[Candidate]) -> bool:
    """Return whether the score hangs on what is not known: the tile claimed, or its side.

    Among the concealed tiles the player may choose the set that it completed (BMJA-H06).
    """
    best_for: dict[tuple[str, bool] | None, int] = {}
    for each in ways:
        claim = each.reading.claim
        facts = claim and (claim.tile, claim.lay_exposed)
        best_for[facts] = max(each.worth, best_for.get(facts, 0))
    return len(set(best_for.values())) > 1


def _knitting_suits(hand: Hand, best: Candidate, rules: Ruleset) -> Problems:
    """Remark on a Knitting of three suits, which not every table plays (BMJA-C08)."""
    if best.special and best.special.when == "knitting" and not rules.is_on("knitting_two_suits"):
        suits = tuple(suit for suit in SUITS if any(c[0] == suit for c in hand.tiles))
        if len(suits) == 3:
            named = tuple(message(f"suit.{suit}") for suit in suits)
            yield warning("knitting-suits", message("look.knitting-suits", suits=named))


def _event_hands(hand: Hand, best: Candidate, rules: Ruleset) -> Problems:
    """Ask for what no tile shows: a special hand that the way of winning may make (BMJA-S41).

    Nobody is asked whose hand scores as much already.
    """
    limit = rules.limit_for(hand)
    for special in rules.specials_of["event"]:
        worth = special.value if limit is None else min(special.value, limit)
        may_be = QUESTIONS.get(special.when)
        if may_be and best.worth < worth and may_be(hand, best.reading):
            what = message(f"look.{special.when}", special=of_rules(special.name), rule=special.id)
            yield warning("event-hand", what)


def _may_have_drawn(code: str, reading: Reading) -> bool:
    """Return whether the winning tile is not known and may be this one, drawn."""
    return reading.hand.winning_tile is None and any(
        each.concealed and each.kind != "kong" and code in each.tiles for each in reading.sets
    )


QUESTIONS = MappingProxyType[str, Callable[[Hand, Reading], bool]](
    {
        "plum-blossom": lambda hand, reading: hand.on_loose_tile and _may_have_drawn("O5", reading),
        "moon": lambda hand, reading: "last-tile" in hand.won_by and _may_have_drawn("O1", reading),
        "twofold-fortune": lambda hand, reading: (
            hand.on_loose_tile
            and "kong-of-kong" not in hand.won_by
            and len(reading.of_kind("kong")) > 1
        ),
    }
)
"""For each hand of an event: when it may be one. What is then asked stands in `words.toml`."""


def enough_for_two(hand: Hand, ways: list[Candidate], rules: Ruleset) -> list[Candidate]:
    """Return the ways that are enough to go Mah-Jong; with two players not all are (BMJA-N02)."""
    needed = rules.two_players
    if hand.players != 2 or not needed or not rules.is_on("two_player_minimum"):
        return ways
    return [way for way in ways if way.doubles >= needed.doubles or way.worth >= needed.points]


def refuse_too_little(hand: Hand, ways: list[Candidate], rules: Ruleset) -> list[Candidate]:
    """Return the ways that are enough to go Mah-Jong; raise HandError when none is."""
    enough = enough_for_two(hand, ways, rules)
    if not enough and rules.two_players:
        best = best_candidate(ways, None)
        needed = rules.two_players
        raise HandError(
            (
                error(
                    "two-players",
                    message(
                        "look.two-players",
                        doubles=needed.doubles,
                        points=needed.points,
                        count=best.doubles,
                        worth=best.worth,
                    ),
                ),
            )
        )
    return enough
