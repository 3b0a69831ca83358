"""A match derived from its events, oldest first; every kind of event is one short step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from device.hands.situation import Agreement, all_ways
from device.i18n.names import Name, with_names
from device.matches.match import DealState, Doing, Ending, GivenHand, Match, PastDeal, Written
from device.store import Event
from device.store.kept_words import words_from
from device.store.replaying import replayed
from scorer.match.entries import Charge, Correction, WashOut, Won
from scorer.match.game import Game
from scorer.rulesets.shipped import shipped


class UnknownMatchError(Exception):
    """There is no match of that id."""


def replay_match(events: Iterable[Event]) -> Match:
    """Derive a match from its events.

    Raises StoreError for events that make no match, UnknownMatchError when there are none.
    """
    events = tuple(events)
    match = replayed(events, begun, apply)
    if match is None:
        raise UnknownMatchError
    return replace(match, version=events[-1].seq)


def apply(match: Match, event: Event) -> Match:
    """Return the match with one more event; raise ValueError, ScorerError and kin if it is wrong.

    >>> sorted(STEPS)[:3]
    ['charge-made', 'deal-corrected', 'deal-settled']
    """
    event = replace(event, data=with_names(event.data))
    done = STEPS[event.kind](match, event)
    by = _by(event)
    doings = (*match.doings, Doing(event.seq, event.kind, event.at, by))
    written = match.written
    if len(done.game.log) > len(match.game.log):
        entry = done.game.log[-1]
        number = entry.number if isinstance(entry, Correction) else len(done.game.log)
        written = (*written, Written(number, event.kind, event.at, by))
    return replace(done, doings=doings, written=written)


def begun(event: Event) -> Match:
    """Return the match that an event begins; raise GameError for players who cannot play."""
    if event.kind != "match-begun":
        raise ValueError("a match begins with its players")
    data = event.data
    game = Game(
        tuple(map(Name, data["players"])),
        seats=data.get("seats", ""),
        ruleset=data["ruleset"],
        start=data.get("start"),
        double=data.get("double", "east"),
    )
    unknown = list(shipped(game.ruleset).unknown_choices(tuple(data["house"])))
    if unknown:
        raise ValueError(f"these rules have no choice {', '.join(unknown)}")
    agreement = Agreement(
        ruleset=game.ruleset,
        players=len(game.players),
        limit=data["limit"],
        house=tuple(data["house"]),
    )
    return Match(event.hand, game, agreement, event.seq, begun_at=event.at)


def _winner_said(match: Match, event: Event) -> Match:
    winner, won_by = event.data["winner"], event.data.get("won_by", "wall")
    seated = match.course.next_deal.seating.winds
    if winner is not None and winner not in seated:
        raise ValueError(f"{winner!r} does not sit at the table")
    if won_by not in all_ways():
        raise ValueError(f"{won_by!r} is no way to win")
    ending = Ending(winner, won_by, bool(event.data.get("original_call", False)))
    hands = match.deal.hands
    before = match.deal.ending
    if before and (before.winner, winner) != (winner, None) and before != ending:
        # Another winner makes other scores of the same tiles: those are looked at again.
        hands = {player: replace(given, agreed=False) for player, given in hands.items()}
    return replace(match, deal=DealState(ending, hands))


def _ending_withdrawn(match: Match, event: Event) -> Match:
    hands = {player: replace(given, agreed=False) for player, given in match.deal.hands.items()}
    return replace(match, deal=DealState(None, hands))


def _hand_given(match: Match, event: Event) -> Match:
    return _given(match, event.data, GivenHand(hand=str(event.data["hand"])))


def _hands_given(match: Match, event: Event) -> Match:
    """Take in the hands of one photograph of the whole table, if it is still of this deal."""
    if event.data["deal"] != match.course.next_deal.number:
        raise ValueError("the photograph is of another deal")
    for player, hand in event.data["hands"].items():
        match = _given(match, {"player": player}, GivenHand(hand=str(hand)))
    return match


def _score_typed(match: Match, event: Event) -> Match:
    score = event.data["score"]
    if type(score) is not int or score < 0:
        raise ValueError(f"{score!r} is no score")
    before = match.deal.given(event.data["player"])
    return _given(match, event.data, replace(before, typed=score, agreed=True))


def _hand_agreed(match: Match, event: Event) -> Match:
    return _agreed(match, event.data)


def _agreed(match: Match, data: Mapping[str, Any]) -> Match:
    before = match.deal.given(data["player"])
    if before.hand != data["hand"]:
        raise ValueError("another hand has been given in since")
    return _given(match, data, replace(before, typed=None, agreed=True))


def _hands_agreed(match: Match, event: Event) -> Match:
    for player, hand in event.data["hands"].items():
        match = _agreed(match, {"player": player, "hand": hand})
    return match


def _given(match: Match, data: Mapping[str, Any], given: GivenHand) -> Match:
    player = data["player"]
    if player not in match.course.next_deal.seating.winds:
        raise ValueError(f"{player!r} does not sit at the table")
    deal = replace(match.deal, hands={**match.deal.hands, player: given})
    return replace(match, deal=deal)


def _deal_settled(match: Match, event: Event) -> Match:
    if match.deal.ending is None:
        raise ValueError("nobody has said how the deal ended")
    game = match.game.with_entry(entry_from(event.data))
    past = PastDeal(len(game.log), match.deal, event.at, _by(event))
    return replace(match, game=game, past=(*match.past, past), deal=DealState())


def _deal_corrected(match: Match, event: Event) -> Match:
    entry = None if event.data.get("struck") else entry_from(event.data)
    number = int(event.data["number"])
    if entry and match.past_deal(number) is None:
        raise ValueError(f"entry {number} is no deal")
    game = match.game.with_entry(Correction(number, entry))
    past = tuple(_with_ending(each, event.data, number) for each in match.past)
    return replace(match, game=game, past=past)


def _with_ending(past: PastDeal, data: Mapping[str, Any], number: int) -> PastDeal:
    if past.number != number or data.get("struck"):
        return past
    before, winner = past.state.ending or Ending(None), data["winner"]
    won_by = data.get("won_by", before.won_by)
    if won_by not in all_ways():
        raise ValueError(f"{won_by!r} is no way to win")
    ending = Ending(winner, won_by, before.original_call and winner == before.winner)
    return replace(past, state=replace(past.state, ending=ending))


def _charge_made(match: Match, event: Event) -> Match:
    data = event.data
    charge = Charge(data["payer"], dict(data["amounts"]), words_from(data["why"]), data.get("rule"))
    return replace(match, game=match.game.with_entry(charge))


def _match_ended(match: Match, event: Event) -> Match:
    return replace(match, ended=True)


def _by(event: Event) -> Name:
    return Name(event.data.get("by", ""))


def entry_from(data: Mapping[str, Any]) -> Won | WashOut:
    """Return the game's entry of a settled deal, as an event or a form has it."""
    if data["winner"] is None:
        return WashOut()
    return Won(data["winner"], {name: int(score) for name, score in data["scores"].items()})


STEPS: dict[str, Callable[[Match, Event], Match]] = {
    "winner-said": _winner_said,
    "ending-withdrawn": _ending_withdrawn,
    "hand-given": _hand_given,
    "hands-given": _hands_given,
    "score-typed": _score_typed,
    "hand-agreed": _hand_agreed,
    "hands-agreed": _hands_agreed,
    "deal-settled": _deal_settled,
    "deal-corrected": _deal_corrected,
    "charge-made": _charge_made,
    "match-ended": _match_ended,
}
