"""Questions about settling a deal: the scores of its hands, then who pays whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from scorer.explain.sums import write_score
from scorer.hand import Hand
from scorer.match.settlement import NO_NAMES, Payment, Terms, settle
from scorer.message import Words, message
from scorer.ruleset import Ruleset
from scorer.teach.practice.practice_hand import PracticeHand
from scorer.teach.practice.questions import Answers, Question, QuestionStep
from scorer.tile_names import name_wind


def payment_steps(
    table: Sequence[PracticeHand], names: Mapping[str, str] = NO_NAMES
) -> list[QuestionStep]:
    """Return the questions about the hands of two to four players, by seat from East.

    `names` gives the players of seats, where they have names.
    """
    terms = choose_terms(table[0].hand, table[0].rules)
    winner = next(each.hand.seat_wind for each in table if each.hand.winner)
    losers = [each.hand.seat_wind for each in table if not each.hand.winner]
    deal = _DealQuestions(
        {each.hand.seat_wind: _limited_score(each) for each in table}, winner, terms, names
    )
    scores = tuple(_ask_score(each, deal.name(each.hand.seat_wind)) for each in table)
    winner_questions = tuple(deal.ask_payment(loser, winner) for loser in losers)
    loser_questions = [deal.ask_difference(*pair) for pair in combinations(losers, 2)]
    return [
        QuestionStep("scores", scores),
        QuestionStep("winnings", winner_questions),
        *(QuestionStep("difference", pair) for pair in loser_questions),
    ]


def choose_terms(hand: Hand, rules: Ruleset) -> Terms:
    """Return who pays and receives double at the table of a hand: East, or by C15 another."""
    is_misprint = rules.is_on("prevailing_wind_doubles")
    return Terms(double=hand.prevailing_wind if is_misprint else "E")


def _limited_score(practice_hand: PracticeHand) -> int:
    return practice_hand.best.capped_score(practice_hand.limit)


def _ask_score(practice_hand: PracticeHand, name: Words) -> Question:
    return Question(
        f"score{practice_hand.hand.seat_wind}",
        "score",
        "number",
        _limited_score(practice_hand),
        (write_score(practice_hand.breakdown),),
        label=name,
    )


class _DealQuestions:
    """Questions about the payments for four scores."""

    def __init__(
        self, scores: Mapping[str, int], winner: str, terms: Terms, names: Mapping[str, str]
    ) -> None:
        self._scores = scores
        self._winner = winner
        self._terms = terms
        self._names = names

    def name(self, seat: str) -> Words:
        """Return the player's name, or the wind of a seat without one."""
        return self._names.get(seat) or name_wind(seat)

    def ask_payment(self, payer: str, payee: str) -> Question:
        """Ask what a loser pays the winner (BMJA-M01, M03)."""
        payment = self._find_payment(self._scores, payer, payee)
        return Question(
            f"pays{payer}{payee}",
            "pays",
            "number",
            payment.amount if payment else 0,
            (payment.why,) if payment else (),
            payment.rules[-1] if payment else "BMJA-M01",
            names=(self.name(payer), self.name(payee)),
            follows=lambda answers: self._compute_payment(answers, payer, payee)[1],
        )

    def ask_difference(self, first: str, second: str) -> tuple[Question, ...]:
        """Ask which of two losers pays the other, and how much (BMJA-M02, M03)."""
        payment = self._find_payment(self._scores, first, second)
        payer, amount = self._answer(payment, first)
        reasons = (
            (payment.why,) if payment else (f"{self._scores[first]} = {self._scores[second]}",)
        )
        rule = payment.rules[-1] if payment else "BMJA-M02"
        names = (self.name(first), self.name(second))
        return (
            Question(
                f"who{first}{second}",
                "payer",
                "word",
                payer,
                reasons,
                "BMJA-M02",
                names=names,
                choices=(*names, message("question.nobody")),
                follows=lambda answers: self._compute_payment(answers, first, second)[0],
            ),
            Question(
                f"pays{first}{second}",
                "amount",
                "number",
                amount,
                reasons,
                rule,
                names=names,
                follows=lambda answers: self._compute_payment(answers, first, second)[1],
            ),
        )

    def _find_payment(self, scores: Mapping[str, int], first: str, other: str) -> Payment | None:
        payments = settle(scores, self._winner, terms=self._terms, names=self._names).payments
        return next((each for each in payments if {each.payer, each.payee} == {first, other}), None)

    def _compute_payment(self, answers: Answers, first: str, other: str) -> tuple[int, int]:
        """Return who pays and how much, by the player's own four answers."""
        scores = {seat: answers[f"score{seat}"] for seat in self._scores}
        return self._answer(self._find_payment(scores, first, other), first)

    @staticmethod
    def _answer(payment: Payment | None, first: str) -> tuple[int, int]:
        if payment is None:
            return 2, 0
        return int(payment.payer != first), payment.amount
