"""Payments between players outside a deal: a customary penalty (BMJA-P19) or any other reason."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.i18n.words import in_a_row, say, spoken
from device.matches.match import Match
from device.store.events import ChargeMade
from device.store.events.parts import words_to_stored
from device.web.fields import FieldError, form, query
from device.web.links import redirect_to
from device.web.table.current_match import (
    change_match,
    current_match,
    player_at,
    player_number,
    seen_version,
)
from scorer.match.entries import Charge, WonDeal, charge_problems
from scorer.match.game import GameRow
from scorer.match.penalties import (
    PENALTIES,
    Penalty,
    available_penalties,
    suggest_charge,
    suggest_payback,
)
from scorer.message import Words

pages = Blueprint("charges", __name__, url_prefix="/table/charge")

MAX_REASON_CHARS = 80
"""Characters that fit on two lines of the history."""

_REFUSED_STATUS = 422


@dataclass(frozen=True, slots=True)
class PenaltyChoice:
    """One penalty to choose. It fills in a form that the players may change."""

    code: str
    label: str
    sentence: str
    why_not: str
    """Why it cannot be chosen; empty if it can."""


@pages.get("/")
def choose() -> str:
    """Ask who pays, and for what."""
    match = current_match()
    return render_template(
        "table/charge.html",
        match=match,
        choices=_penalty_choices(match),
        players=[(player_number(match, player), player) for player in match.game.players],
    )


@pages.get("/amounts")
def amounts() -> str:
    """Propose what each player receives. The players may change it before saving."""
    match = current_match()
    payer = player_at(match, query().place("payer"))
    penalty = PENALTIES.get(query().word("penalty"))
    charge = _propose_charge(match, penalty, payer) if penalty else None
    ask_claimer = bool(penalty and penalty.goes_to == "claimer" and charge is None)
    shown_charge = charge or Charge(payer, {}, "")
    return _amounts_page(match, shown_charge, penalty, ask_claimer=ask_claimer)


def _amounts_page(
    match: Match,
    charge: Charge,
    penalty: Penalty | None,
    *,
    ask_claimer: bool = False,
    wrong: str = "",
) -> str:
    payer = charge.payer
    return render_template(
        "table/charge_amounts.html",
        match=match,
        payer=payer,
        payer_number=player_number(match, payer),
        penalty=penalty,
        costs=say(penalty.describe(match.agreement.rules)) if penalty else "",
        why=spoken(charge.why),
        proposed=[
            (place, player, form().typed_number(f"amount{place}") or charge.amounts.get(player, 0))
            for place, player in enumerate(match.game.players)
            if player != payer
        ],
        ask_claimer=ask_claimer,
        wrong=wrong,
        longest=MAX_REASON_CHARS,
    )


@pages.post("/")
def write() -> AnyResponse | tuple[str, int]:
    """Save the payment, or show the form again with what is wrong with it."""
    match = current_match()
    number = form().place("payer")
    payer = player_at(match, number)
    penalty = PENALTIES.get(form().word("penalty"))
    try:
        received_amounts = {
            player: form().number(f"amount{place}", default=0)
            for place, player in enumerate(match.game.players)
            if place != number
        }
    except FieldError as error:
        charge, wrong = Charge(payer, {}, _charge_reason(penalty)), say(error.message)
        return _amounts_page(match, charge, penalty, wrong=wrong), _REFUSED_STATUS
    charge = Charge(
        payer,
        {player: amount for player, amount in received_amounts.items() if amount},
        _charge_reason(penalty),
        penalty.rule if penalty else None,
    )
    problems = charge_problems(charge, match.game.players)
    if wrong := in_a_row(problem.message for problem in problems):
        return _amounts_page(match, charge, penalty, wrong=wrong), _REFUSED_STATUS
    event = ChargeMade(
        payer=payer, amounts=charge.amounts, why=words_to_stored(charge.why), rule=charge.rule
    )
    change_match(match, event, seen_version())
    return redirect_to("history.show", match=match.id)


def _charge_reason(penalty: Penalty | None) -> Words:
    """Return the reason of the payment: the penalty's label, or the players' own text."""
    reason = form().text("why", MAX_REASON_CHARS)
    return penalty.label if penalty and reason == say(penalty.label) else reason


def _penalty_choices(match: Match) -> tuple[PenaltyChoice, ...]:
    """Return the penalties of this game. Those that need a won deal say why not before one."""
    objection = "" if _last_won_deal(match) else say("charge.no-deal")
    return tuple(
        PenaltyChoice(
            each.code,
            say(each.label),
            say(each.describe(match.agreement.rules)),
            objection if each.goes_to == "losers" else "",
        )
        for each in available_penalties(len(match.game.players), match.agreement.rules)
    )


def _propose_charge(match: Match, penalty: Penalty, payer: str) -> Charge | None:
    """Return the charge of a penalty; None if the players must say who receives it."""
    at_table = match.course.next_deal.seats.values()
    other_players = [player for player in at_table if player != payer]
    if penalty.goes_to == "others":
        return suggest_charge(penalty, payer, other_players, match.agreement.rules)
    if penalty.goes_to == "claimer":
        claimer = query().place("claimer", default=None)
        if claimer is None:
            return None
        return suggest_charge(penalty, payer, [player_at(match, claimer)], match.agreement.rules)
    row = _last_won_deal(match)
    if row is None or row.deal is None or row.settlement is None:
        return None
    if not isinstance(row.event, WonDeal) or row.event.winner == payer:
        return None
    return suggest_payback(penalty, payer, row.event.winner, row.settlement, row.deal.seats)


def _last_won_deal(match: Match) -> GameRow | None:
    """Return the last deal if somebody won it. A penalty refers to that deal."""
    last = match.course.last_deal
    return last if last and isinstance(last.event, WonDeal) else None
