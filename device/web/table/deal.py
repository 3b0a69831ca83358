"""Score a deal: ask who went out and how, then take in each player's hand or score.

If two phones gave in a hand for the same player, both are saved and the table chooses one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.record import HandRecord, ways_to_win
from device.hands.scoring import find_total, score_hand
from device.i18n.words import in_a_row, say, wind_name
from device.intake import MatchHand
from device.matches.match import GivenHand, Match
from device.matches.seats import seat_hand
from device.matches.table_photo import TablePhotos
from device.store.events import HandAgreed, HandGiven, ScoreTyped, WinnerEntered
from device.views import tiles
from device.web.box_camera import (
    camera_view,
    may_photograph_automatically,
    take_still,
    take_still_if_due,
)
from device.web.contexts import photo_desk, records
from device.web.fields import FieldError, form, query
from device.web.links import redirect_to
from device.web.table.current_match import (
    change_match,
    current_match,
    match_at_page_deal,
    page_deal,
    phone_player,
    player_at,
    player_number,
    redirect_to_next_step,
    seen_or_own_version,
)
from device.web.table.table_page import seat_views
from device.web.uploads import read_upload
from scorer.message import Message, message

deal_pages = Blueprint("deal", __name__, url_prefix="/table")

_REFUSED_STATUS = 422

USUAL_WAYS = ("wall", "discard")
"""How nearly all hands are won. The other ways are folded away."""


MIN_DOUBTFUL_HANDS = 2
"""Hands that are in when a wash-out is asked about: one may have been begun before the end."""


@dataclass(frozen=True, slots=True)
class WinningWay:
    """One way to win."""

    value: str
    label: str
    why_not: str
    """Why it is impossible; empty if it is possible."""


@deal_pages.get("/winner")
def ask() -> str:
    """Ask who went out, and then how; ask back about a wash-out with hands in."""
    match = current_match()
    if "nobody" in query():
        return render_template(
            "table/wash_out.html", match=match, players=_players_with_hands(match)
        )
    number = query().place("who", min_value=-1, default=-1)
    winner = player_at(match, number) if number >= 0 else ""
    ways = _winning_ways(match, winner) if winner else ()
    ending = match.deal.ending
    return render_template(
        "table/winner.html",
        match=match,
        seats=seat_views(match, phone_player(match)),
        winner=winner,
        said=ending.won_by if ending and winner and ending.winner == winner else "",
        number=number,
        usual=[way for way in ways if way.value in USUAL_WAYS],
        rare=[way for way in ways if way.value not in USUAL_WAYS],
    )


@deal_pages.post("/winner")
def say_winner() -> AnyResponse:
    """Save who went out and how; nobody, if the form names no player.

    Ask back first if hands are in: a wash-out does not count them.
    """
    match = current_match()
    number = form().place("who", min_value=-1, default=-1)
    is_doubtful = len(_players_with_hands(match)) >= MIN_DOUBTFUL_HANDS
    if number < 0 and is_doubtful and not form().flag("sure"):
        return redirect_to("deal.ask", nobody="yes")
    event = WinnerEntered(None)
    if number >= 0:
        winner, won_by = player_at(match, number), form().choice("won_by", ways_to_win(), "wall")
        if objection := impossible_ways(match, winner).get(won_by):
            raise FieldError(objection)
        event = WinnerEntered(winner, won_by)
    change_match(match, event, seen_or_own_version(match))
    return redirect_to_next_step(current_match())


def _players_with_hands(match: Match) -> tuple[str, ...]:
    """Return the players who have given in something for this deal."""
    return tuple(each for each in match.in_order() if match.deal.given_hand(each).counts)


@deal_pages.get("/next")
def go_on() -> AnyResponse:
    """Redirect to the next step of the deal."""
    return redirect_to_next_step(current_match())


@deal_pages.get("/hand/<int:number>")
def capture(number: int) -> str | AnyResponse:
    """Ask for one player's hand: by the box's camera, by the phone, or as a typed score."""
    match = current_match()
    player = seated_player(match, number)
    if match.deal.given_hand(player).others:
        return redirect(url_for("which.show", number=number))
    doubtful_score = query().number("doubted", default=None)
    if doubtful_score is not None and (doubts := _doubts(match, player, doubtful_score)):
        return _capture_page(match, player, doubtful_score, in_a_row(doubts), keeps=True)
    return _capture_page(match, player, query().number("since", default=doubtful_score))


def _capture_page(
    match: Match,
    player: str,
    typed_score: int | str | None,
    wrong: str = "",
    *,
    keeps: bool = False,
) -> str:
    """Return the page that asks for a hand, with a typed score and what is wrong with it.

    `keeps` offers to keep that score anyway.
    """
    winds, given_hand = match.course.next_deal.seating.winds, match.deal.given_hand(player)
    return render_template(
        "table/capture.html",
        match=match,
        number=player_number(match, player),
        seat=seat_hand(player, winds[player], given_hand, records().hands),
        instead=given_hand.counts,
        by=given_hand.by,
        since="since" in query(),
        seen_deal=page_deal(),
        typed=given_hand.typed if typed_score is None else typed_score,
        wrong=wrong,
        keeps=keeps,
        wind=wind_name(winds[player]),
        won=match.deal.ending is not None and match.deal.ending.winner == player,
        others=[each for each in seat_views(match, player) if each.player != player],
        camera=camera_view(),
        whole=TablePhotos(records().hands).find_newest(match),
    )


@deal_pages.post("/hand/<int:number>")
def give(number: int) -> AnyResponse:
    """Receive a phone's photograph of a player's hand."""
    hand = photo_desk().intake.take(read_upload, _photographed_hand(number, counted_on_page()))
    return redirect_to("hand.show", hand=hand)


@deal_pages.post("/hand/<int:number>/snap")
def snap(number: int) -> AnyResponse:
    """Photograph a player's hand with the box's own camera."""
    match_at_page_deal()  # the camera is not to photograph in vain
    hand = photo_desk().intake.take(take_still, _photographed_hand(number, counted_on_page()))
    return redirect_to("hand.show", hand=hand)


@deal_pages.post("/hand/<int:number>/snap-if-due")
def snap_if_due(number: int) -> tuple[str, int]:
    """Photograph a player's hand if the box has found the right moment."""
    match_at_page_deal()
    if may_photograph_automatically(number):
        photo_desk().intake.take_if_due(take_still_if_due, _photographed_hand(number))
    return "", 204


@deal_pages.post("/hand/<int:number>/right")
def agree(number: int) -> AnyResponse:
    """Save that somebody confirms a hand; go on to the next."""
    match = current_match()
    player = player_at(match, number)
    hand = form().word("hand")
    record = records().hands.get(hand)
    score = find_total(record)
    if score is None:
        score = score_hand(record).total  # raises, with all reasons
    change_match(match, HandAgreed(player, hand, score))
    return redirect_to_next_step(current_match())


@deal_pages.post("/hand/<int:number>/score")
def type_score(number: int) -> AnyResponse | tuple[str, int]:
    """Save a typed score in place of a hand; ask back about one that no hand has."""
    match = match_at_page_deal()
    player, deal = seated_player(match, number), match.course.next_deal.number
    try:
        score = form().number("score")
    except FieldError as error:
        text = form().typed_number("score")
        return _capture_page(match, player, text, say(error.message)), _REFUSED_STATUS
    if has_newer_entry(match, player):
        return redirect_to("deal.capture", number=number, since=score, deal=deal)
    if _doubts(match, player, score) and not keeps_anyway({player: score}):
        return redirect_to("deal.capture", number=number, doubted=score, deal=deal)
    change_match(match, ScoreTyped(player, score))
    return redirect_to_next_step(current_match())


def _doubts(match: Match, player: str, score: int) -> tuple[Message, ...]:
    winner = match.deal.ending.winner if match.deal.ending else None
    return match.score_doubts(match.course.next_deal, winner, {player: score})


def seated_player(match: Match, number: int) -> str:
    """Return the player of this number. Answer 404 for one who sits out."""
    player = player_at(match, number)
    if player not in match.course.next_deal.seating.winds:
        abort(404)
    return player


def keeps_anyway(scores: Mapping[str, int]) -> bool:
    """Whether the phone keeps these scores although its page said what is wrong with them."""
    return form().word("keep") == scores_to_keep(scores)


def scores_to_keep(scores: Mapping[str, int]) -> str:
    """Return the value of the button that keeps these scores, and no others."""
    return " ".join(map(str, scores.values()))


def counted_on_page() -> str | None:
    """Return what counted for the player on the phone's page; None if the form does not say."""
    return form().word("instead") if "instead" in form() else None


def has_newer_entry(match: Match, player: str) -> bool:
    """Whether something was given in for a player that the phone's page did not show."""
    counts = match.deal.given_hand(player).counts
    return bool(counts) and counted_on_page() not in (None, counts)


def _photographed_hand(number: int, replaced_hand: str | None = None) -> MatchHand:
    """Return the hand that a photograph begins, for nobody if it was sent for a deal that is over.

    Answer 404 for a player who sits out.
    """
    match = current_match()
    if not match.is_at_deal(page_deal()):
        return MatchHand(match, "", phone_player(match))
    player = seated_player(match, number)
    return MatchHand(match, player, phone_player(match), replaced_hand, page_deal())


def _winning_ways(match: Match, winner: str) -> tuple[WinningWay, ...]:
    """Return every way to win, with a reason for those that are impossible."""
    objections = impossible_ways(match, winner)
    return tuple(
        WinningWay(way, say(f"how.{way}"), say(objections[way]) if way in objections else "")
        for way in ways_to_win()
    )


def impossible_ways(match: Match, winner: str) -> dict[str, Message]:
    """Return the ways in which a player cannot have won from the seat in this deal, and why."""
    is_east = match.course.next_deal.seats["E"] == winner
    way, key = ("earth", "how.not-earth") if is_east else ("heaven", "how.not-heaven")
    return {way: message(key)}


which_pages = Blueprint("which", __name__, url_prefix="/table/hand/<int:number>/which")


@dataclass(frozen=True, slots=True)
class SeatCandidate:
    """One of the hands or scores that may count."""

    hand: str
    """The id of the hand; empty for a typed score."""
    typed: int | None
    by: str
    """Who gave it in and when, in words."""
    record: HandRecord | None
    symbols: tuple[tuple[str, ...], ...]
    """The symbols of its tiles, by set; empty while it is being read."""
    score: int | None


@which_pages.get("/")
def show(number: int) -> str | AnyResponse:
    """Ask which one counts."""
    match = current_match()
    player = player_at(match, number)
    given_hand = match.deal.given_hand(player)
    if not given_hand.others:  # somebody has chosen meanwhile
        return redirect_to_next_step(match)
    return render_template(
        "table/which.html",
        match=match,
        number=number,
        player=player,
        candidates=[_candidate(each) for each in (given_hand, *given_hand.others)],
    )


@which_pages.post("/")
def choose(number: int) -> AnyResponse:
    """Save which one counts. The others stay and can be brought back."""
    match = current_match()
    player = player_at(match, number)
    given_hand = match.deal.given_hand(player)
    hand = form().word("hand")
    if hand and hand not in given_hand.all_ids and not is_uncounted(match, hand):
        return redirect_to("which.show", number=number)
    if hand:
        change_match(match, HandGiven(player, hand, counted_on_page()))
        return redirect_to("hand.show", hand=hand)  # the player should check it
    if given_hand.typed is not None:
        change_match(match, ScoreTyped(player, given_hand.typed))
    return redirect_to_next_step(current_match())


def is_uncounted(match: Match, hand: str) -> bool:
    """Whether a hand of the match counts for nobody: it was taken back, or came too late."""
    return records().hands.get(hand).match == match.id and match.place_of(hand) is None


def _candidate(given_hand: GivenHand) -> SeatCandidate:
    record = records().hands.get_if_whole(given_hand.hand) if given_hand.typed is None else None
    sets = record.assembled_hand.sets if record else ()
    author = given_hand.by or say("table.somebody")
    time = f"{record.taken_at.astimezone():%H:%M}" if record else ""
    return SeatCandidate(
        hand="" if given_hand.typed is not None else given_hand.hand,
        typed=given_hand.typed,
        by=say("change.by", who=author, time=time) if time else author,
        record=record,
        symbols=tuple(tuple(tiles.symbol(code) for code in each.codes) for each in sets),
        score=find_total(record) if record else given_hand.typed,
    )
