"""Type all scores of a deal on one page: who went out, and a number for each seat.

This saves the same events as typing seat by seat. A seat that has given something in says so, and
keeps it unless a number is typed there. What was given in since the page was made is shown first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import ways_to_win
from device.i18n.names import Name
from device.i18n.words import in_a_row, say
from device.matches.match import Ending, Match
from device.matches.seats import SeatHand, seat_hand
from device.store.events import ScoreTyped, WinnerSaid
from device.web.box import box
from device.web.fields import MOST_TILES, FieldError, FieldsSent, form
from device.web.table.here import match_here, me, next_step, number_of, player_at, seen_but_own
from scorer.match.settlement import score_problems
from scorer.message import message

pages = Blueprint("totals", __name__, url_prefix="/table/totals")

NOBODY = -1
"""Stands for a wash-out in place of the winner's number."""

_UNUSABLE, _NEWS = 422, 409

LONGEST_NUMBER = 20
"""Characters of typed text that the page repeats."""


@dataclass(frozen=True, slots=True)
class TotalField:
    """The field for one seat's score."""

    seat: SeatHand
    number: int
    typed: str
    """The text in the field."""
    is_new: bool
    """Whether something was given in for the seat that the phone's page did not show."""

    @property
    def has_hand(self) -> bool:
        """Whether a number would replace a hand that counts or may count."""
        return bool(self.seat.given.hand or self.seat.given.others) and (
            self.seat.given.typed is None
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The values in the form."""

    ending: Ending
    scores: Mapping[str, int]
    """The scores of the players for whom a number was typed."""


@pages.get("/")
def show() -> str:
    """Show the form, filled with what is already known."""
    return _page(match_here(), None, "")


@pages.post("/")
def keep() -> AnyResponse | tuple[str, int]:
    """Save who went out and all typed numbers, or save nothing and show why."""
    match, said = match_here(), form()
    try:
        asked = _asked(match, said)
    except FieldError as error:
        return _page(match, said, say(error.message)), _UNUSABLE
    wrong = in_a_row(problem.message for problem in score_problems(asked.scores.items()))
    if not wrong and asked.ending.winner is None and asked.scores:
        wrong = say("totals.wash-out")
    if wrong:
        return _page(match, said, wrong), _UNUSABLE
    if any(_is_new(match, player, said) for player in asked.scores):
        return _page(match, said, say("totals.since")), _NEWS
    _keep(match, asked)
    return next_step(match_here())


def _asked(match: Match, said: FieldsSent) -> _Asked:
    """Return the values in the form. Raise FieldError for a bad number or no winner."""
    who = said.place("who", MOST_TILES, least=NOBODY, default=None)
    if who is None:
        raise FieldError(message("totals.who"))
    winner = player_at(match, who) if who != NOBODY else None
    won_by = said.choice("won_by", ways_to_win(), "wall")
    typed = {
        player: said.number(f"score{number_of(match, player)}", default=None)
        for player in match.in_order()
    }
    scores = {player: score for player, score in typed.items() if score is not None}
    return _Asked(Ending(Name(winner), won_by) if winner else Ending(None), scores)


def _keep(match: Match, asked: _Asked) -> None:
    """Save what is new. Who went out comes first, because it makes hands open to review again."""
    ending, before = asked.ending, match.deal.ending
    same = before and (before.winner, before.won_by) == (ending.winner, ending.won_by)
    if not same:
        won = WinnerSaid(ending.winner, ending.won_by, by=me(match))
        box().matches.change(match.id, won, seen=seen_but_own(match))
    for player, score in asked.scores.items():
        given = match_here().deal.given(player)
        if given.typed != score or not given.agreed:
            box().matches.change(match.id, ScoreTyped(player, score, by=me(match)))


def _is_new(match: Match, player: str, said: FieldsSent) -> bool:
    """Whether something was given in for a player that the phone's page did not show."""
    counts = match.deal.given(player).counts
    return bool(counts) and said.word(f"instead{number_of(match, player)}") != counts


def _page(match: Match, said: FieldsSent | None, wrong: str) -> str:
    """Return the page with the form. `said` has the values that were typed."""
    ending = match.deal.ending
    return render_template(
        "table/totals.html",
        match=match,
        fields=[_field(match, wind, player, said) for wind, player in _seated(match)],
        who=said.word("who") if said else _who(match),
        won_by=said.word("won_by") if said else ending.won_by if ending else "wall",
        ways=[(way, say(f"how.{way}")) for way in ways_to_win()],
        nobody=NOBODY,
        wrong=wrong,
    )


def _seated(match: Match) -> list[tuple[str, str]]:
    """Return the winds and players at the table, East first."""
    return list(match.course.next_deal.seats.items())


def _who(match: Match) -> str:
    """Return the number of the player who went out; empty if nobody has said."""
    ending = match.deal.ending
    if ending is None:
        return ""
    return str(NOBODY if ending.winner is None else number_of(match, ending.winner))


def _field(match: Match, wind: str, player: str, said: FieldsSent | None) -> TotalField:
    given, number = match.deal.given(player), number_of(match, player)
    typed = "" if given.typed is None else str(given.typed)
    if said:
        typed = said.text(f"score{number}", LONGEST_NUMBER)
    seat = seat_hand(player, wind, given, box().hands)
    return TotalField(seat, number, typed, said is not None and _is_new(match, player, said))
