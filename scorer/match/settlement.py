"""Settle a deal: who pays whom, and why (BMJA-M01 to BMJA-M05).

>>> settlement = settle({"E": 80, "S": 84, "W": 208, "N": 416}, winner="S")
>>> from scorer.message import to_english
>>> to_english(settlement.payments[3].why)
'East pays West the difference, 208 − 80 = 128, doubled because East pays: 256.'
>>> settlement.net
{'E': -1096, 'S': 336, 'W': -36, 'N': 796}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from scorer.errors import HandProblem, ScorerError, error
from scorer.hand import PLAYER_COUNTS
from scorer.message import Message, Value, message
from scorer.tile_names import name_wind
from scorer.tiles import WINDS

MAX_SCORE_POINTS = 100_000_000
"""The largest score or single payment; a larger number is a typing mistake.

Without a limit, and with every helpful house rule, the dearest hand scores 48,758,784 (186 points
and eighteen doubles; BMJA-L03 counts thirteen). East receives twice that.
"""

NO_NAMES: Mapping[str, str] = {}


class SettlementError(ScorerError):
    """Raised for scores that cannot be settled."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One player pays another; seats are E, S, W or N."""

    payer: str
    payee: str
    amount: int
    """In points, always above 0."""
    why: Message
    """One sentence with the sum."""
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Settlement:
    """All payments of one deal. One payment may be twice the limit (BMJA-L02)."""

    seats: tuple[str, ...]
    """Who settled, in playing order from East."""
    payments: tuple[Payment, ...] = ()
    """To the winner first, then between the others; payments of 0 are left out."""

    @property
    def net(self) -> dict[str, int]:
        """What each seat gains; the sum is always 0 (BMJA-M05)."""
        change = dict.fromkeys(self.seats, 0)
        for payment in self.payments:
            change[payment.payer] -= payment.amount
            change[payment.payee] += payment.amount
        return change


@dataclass(frozen=True, slots=True)
class Terms:
    """A table's agreement about payments."""

    double: str = "E"
    """The seat that pays and receives double: East (BMJA-M03). A table that follows the book's
    misprint has the prevailing wind here (BMJA-C15)."""
    in_full: bool = False
    """Whether losers pay each other whole scores instead of the difference (BMJA-M04)."""


def settle(
    scores: Mapping[str, int],
    winner: str | None,
    *,
    players: int | None = None,
    terms: Terms = Terms(),
    names: Mapping[str, str] = NO_NAMES,
) -> Settlement:
    """Return the payments for these scores by seat wind; without a winner it is a wash-out.

    `players` is the number in the game, if known. Five settle as four, without the one who sits
    out (BMJA-N03); three settle as four do (BMJA-N01). `names` gives the players of seats. Raises
    SettlementError with every problem.
    """
    SettlementError.raise_for(_find_errors(scores, winner, players, names))
    seats = tuple(seat for seat in WINDS if seat in scores)
    if winner is None:
        return wash_out(seats)
    table = _ScoredDeal(
        scores, winner, seats, terms, {seat: _name_seat(seat, names) for seat in seats}
    )
    drafts = _settle_two(table) if len(seats) == 2 else _settle_many(table)
    return Settlement(seats, tuple(payment for payment in drafts if payment.amount))


def wash_out(seats: Iterable[str]) -> Settlement:
    """Return the settlement of a deal that nobody won: nobody pays anything (BMJA-P18)."""
    return Settlement(tuple(seats))


@dataclass(frozen=True, slots=True)
class _ScoredDeal:
    scores: Mapping[str, int]
    winner: str
    seats: tuple[str, ...]
    terms: Terms
    names: Mapping[str, Value]

    @property
    def losers(self) -> tuple[str, ...]:
        return tuple(seat for seat in self.seats if seat != self.winner)

    def pay(self, payer: str, payee: str, amount: int, rule: str, text: Message) -> Payment:
        """Return a payment, doubled when East pays or receives it (BMJA-M03)."""
        rules = [rule]
        values: dict[str, Value] = {"payer": self.names[payer], "payee": self.names[payee]}
        values |= text.values
        key = text.key
        # Two players never double (BMJA-N02).
        if len(self.seats) > 2 and self.terms.double in (payer, payee):
            east = self.terms.double == "E"
            verb = "pays" if self.terms.double == payer else "receives"
            amount *= 2
            key += "-doubled"
            values |= {"reason": message(f"pay.{'east' if east else 'prevailing'}-{verb}")}
            values |= {"amount": amount}
            rules.append("BMJA-M03" if east else "BMJA-C15")
        return Payment(payer, payee, amount, message(key, **values), tuple(rules))


def _name_seat(seat: str, names: Mapping[str, str]) -> Value:
    """Return the player's name, or the wind of a seat without a name."""
    return names.get(seat) or name_wind(seat)


def _settle_many(table: _ScoredDeal) -> Iterator[Payment]:
    for loser in table.losers:
        yield _pay_winner(table, loser, "BMJA-M01")
    for first, second in combinations(table.losers, 2):
        if table.terms.in_full:
            yield _pay_whole_score(table, second, first)
            yield _pay_whole_score(table, first, second)
        else:
            yield _pay_difference(table, first, second, "BMJA-M02")


def _settle_two(table: _ScoredDeal) -> Iterator[Payment]:
    """BMJA-N02: the winner is paid, then pays the difference if the winner's score is lower."""
    (loser,) = table.losers
    yield _pay_winner(table, loser, "BMJA-N02")
    if table.scores[table.winner] < table.scores[loser]:
        yield _pay_difference(table, table.winner, loser, "BMJA-N02")


def _pay_winner(table: _ScoredDeal, loser: str, rule: str) -> Payment:
    """BMJA-M01: everyone pays the winner's score, whatever the other hands are worth."""
    score = table.scores[table.winner]
    return table.pay(loser, table.winner, score, rule, message("pay.winner", score=score))


def _pay_difference(table: _ScoredDeal, first: str, second: str, rule: str) -> Payment:
    """BMJA-M02: of two losers, the lower pays the higher the difference of their scores."""
    low, high = sorted((first, second), key=lambda seat: table.scores[seat])
    higher, less = table.scores[high], table.scores[low]
    text = message("pay.difference", more=higher, less=less, rest=higher - less)
    return table.pay(low, high, higher - less, rule, text)


def _pay_whole_score(table: _ScoredDeal, payer: str, payee: str) -> Payment:
    """BMJA-M04: each loser receives the whole own score from each other loser."""
    score = table.scores[payee]
    return table.pay(payer, payee, score, "BMJA-M04", message("pay.whole", score=score))


def score_problems(scores: Iterable[tuple[Value, int]]) -> Iterator[HandProblem]:
    """Yield a problem for each impossible score, with its player's name or wind."""
    for name, score in scores:
        if score < 0:
            yield error("negative-score", _say("negative-score", player=name, score=score))
        elif score > MAX_SCORE_POINTS:
            yield error("score-too-high", _say("score-too-high", player=name))


def _say(key: str, **values: Value) -> Message:
    return message(f"pay.{key}", **values)


def _find_errors(
    scores: Mapping[str, int], winner: str | None, players: int | None, names: Mapping[str, str]
) -> Iterator[HandProblem]:
    seats = [seat for seat in WINDS if seat in scores]
    for seat in scores:
        if seat not in WINDS:
            yield error("unknown-wind", _say("no-seat", seat=seat))
    yield from _find_seat_errors(seats, players)
    yield from score_problems((_name_seat(seat, names), scores[seat]) for seat in seats)
    if winner is not None and winner not in scores:
        settling = tuple(_name_seat(seat, names) for seat in seats) or _say("nobody")
        yield error("winner", _say("no-winner", players=settling))


def _find_seat_errors(seats: list[str], players: int | None) -> Iterator[HandProblem]:
    """Yield the problems of seats that do not fit the number of players."""
    if players is not None and players not in PLAYER_COUNTS:
        yield error("players", _say("players", players=players))
    elif players is not None and len(seats) != min(players, 4):
        text = _say("scores", due=min(players, 4), players=players, count=len(seats))
        yield error("players", text)
    elif len(seats) < 2:
        yield error("players", _say("alone"))
    if seats and "E" not in seats:
        yield error("no-east", _say("no-east"))
    elif len(seats) == 2 and "W" not in seats:
        yield error("two-players", _say("two-players"))
