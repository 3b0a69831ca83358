"""What a hand's page shows in addition if the hand belongs to a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import url_for

from device.hands.record import HandRecord
from device.i18n.words import say, wind_name
from device.matches.corrections import find_recounts
from device.matches.match import Match
from device.matches.seats import DealHands, load_deal_hands, withdraw_stale_agreement
from device.store.events import HandGiven, HandsGiven
from device.web.contexts import records, room
from device.web.name_gate import name_gate
from device.web.table.current_match import phone_player, player_number
from device.web.table.tile_conflicts import ConflictSentences, describe_conflicts


@dataclass(frozen=True, slots=True)
class SettledDifference:
    """A hand of a settled deal whose tiles now have another score."""

    deal: int
    counted: int
    """The score with which the deal was settled."""
    tiles: int
    """The score of its tiles now."""
    correct: str
    """The address of the correction's preview."""


@dataclass(frozen=True, slots=True)
class HandInMatch:
    """A hand's place in its match."""

    number: int
    whose: str
    player: str
    wind: str
    deal: int
    """The number of its deal."""
    facts: tuple[str, ...]
    """What the players have said about the deal, in words."""
    open: bool
    """Whether the hand may be confirmed: its deal is being scored at the phone's table."""
    agreed: bool
    match_is_on: bool
    undecided: bool
    """Whether several hands were given in and the players must still choose one."""
    instead: str
    """The id of a newer hand that counts in place of this one; empty without one."""
    given_by: str
    """Who gave in the newer hand, in words."""
    typed: int | None
    """A typed score that counts in place of the tiles."""
    over: int | None
    """The number of its deal, once that is settled or the match has ended."""
    settled: SettledDifference | None
    """The difference, if the deal was settled with another score than its tiles have now."""


@dataclass(frozen=True, slots=True)
class UncountedHand:
    """A hand that its match does not count: taken back, or sent from the page of another deal."""

    is_taken_back: bool
    deal: int
    """Number of the deal that is being scored here; 0 without one."""
    players: tuple[tuple[int, str], ...]
    """Whose hand it may be in that deal: numbers and names, first the player of the phone."""


@dataclass(frozen=True, slots=True)
class FoundHand:
    """A hand as the phone that asks may see it, with what was read of its match."""

    record: HandRecord
    place: HandInMatch | None
    """None for a single hand."""
    match: Match | None
    """The match with everybody's names, as far as it can be read; None for a single hand."""
    deal_hands: DealHands
    """The hands given in with it; empty once its deal is settled."""
    uncounted_hand: UncountedHand | None = None
    """None if the match counts it, and for a single hand."""

    def before(self) -> HandRecord | None:
        """Return the hand before its last change; None if that was its first."""
        before = records().hands.before_last_change(self.record)
        return self.match.situate(before) if self.match and before else before

    def conflicts(self) -> ConflictSentences:
        """Return a sentence for each conflict with other hands; none unless its deal is open."""
        if not (self.match and self.place and self.place.open):
            return ConflictSentences()
        return describe_conflicts(self.match, self.deal_hands, self.place.player)


def find_hand(hand: str) -> FoundHand:
    """Return a hand with its match, each read once; raise UnknownHandError."""
    hand_record, gate = records().hands.by_itself(hand), name_gate()
    hand_match = room().matches.state_so_far(hand_record.match) if hand_record.match else None
    match = hand_match.record if hand_match else None
    record = gate.hand(match.situate(hand_record) if match else hand_record)
    if hand_match is None or match is None or hand_match.torn_error:
        return FoundHand(record, None, match, {})
    is_scored = not match.ended and hand in match.deal.holders
    deal_hands = load_deal_hands(match, records().hands) if is_scored else {}
    match = withdraw_stale_agreement(match, deal_hands) if is_scored else match
    shown_match = gate.match(match)
    place = _place_in_match(record, shown_match)
    uncounted_hand = None if place else _uncounted_hand(hand, match, shown_match)
    return FoundHand(record, place, match, deal_hands, uncounted_hand)


def _uncounted_hand(hand: str, match: Match, shown_match: Match) -> UncountedHand:
    events = [each.event for each in records().store.events(match.id)]
    is_taken_back = any(
        (isinstance(event, HandGiven) and event.hand == hand)
        or (isinstance(event, HandsGiven) and hand in event.hands.values())
        for event in events
    )
    if match.ended or match.table != room().table:
        return UncountedHand(is_taken_back, 0, ())
    deal = shown_match.course.next_deal
    own_player = phone_player(shown_match)
    players = sorted(deal.seats.values(), key=lambda player: player != own_player)
    choices = tuple((player_number(shown_match, player), player) for player in players)
    return UncountedHand(is_taken_back, deal.number, choices)


def _place_in_match(record: HandRecord, match: Match) -> HandInMatch | None:
    place = match.place_of(record.id)
    if place is None:
        return None
    deal, state, player = place
    is_scored = not match.ended and state is match.deal
    is_open = is_scored and match.table == room().table
    given_hand = state.given_hand(player)
    wind = deal.seating.winds.get(player, "E")
    return HandInMatch(
        number=player_number(match, player),
        whose=say("at-table.whose", player=player, wind=wind_name(wind)),
        player=player,
        wind=wind,
        deal=deal.number,
        facts=_said_facts(record, deal.prevailing_wind, said=state.ending is not None),
        match_is_on=not match.ended,
        open=is_open and given_hand.hand == record.id and not given_hand.others,
        agreed=given_hand.agreed and given_hand.typed is None,
        undecided=is_open and bool(given_hand.others) and record.id not in given_hand.before,
        instead=given_hand.hand if is_open and record.id in given_hand.before else "",
        given_by=given_hand.by or say("table.somebody"),
        typed=given_hand.typed if given_hand.hand == record.id else None,
        over=None if is_scored else deal.number,
        settled=None if is_scored else _settled_difference(match, record.id),
    )


def _settled_difference(match: Match, hand: str) -> SettledDifference | None:
    """Return the difference between the settled score and the tiles; None without one."""
    place = match.place_of(hand)
    number = next((past.number for past in match.past if place and past.state is place[1]), None)
    recounts = find_recounts(match, (number,), records().hands) if number is not None else ()
    for recount in recounts:
        if recount.hand == hand:
            score: dict[str, Any] = {f"score{player_number(match, recount.player)}": recount.tiles}
            correct = url_for("correcting.preview", match=match.id, number=number, **score)
            return SettledDifference(
                recount.deal.number, recount.original_score, recount.tiles, correct
            )
    return None


def _said_facts(record: HandRecord, prevailing: str | None, *, said: bool) -> tuple[str, ...]:
    facts = []
    if said:
        situation = record.situation
        way = say(f"won-how.{situation.won_by}")
        facts.append(say("at-table.winner", how=way) if situation.winner else say("at-table.loser"))
    if prevailing:
        facts.append(say("at-table.prevailing", wind=wind_name(prevailing)))
    return tuple(facts)
