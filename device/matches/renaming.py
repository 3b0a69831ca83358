"""Rename players in a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from device.i18n.names import Name, folded
from device.matches.match import DealState, GivenHand, Match
from scorer.errors import error
from scorer.match.entries import Charge, Correction, Entry, GameEvent, WonDeal
from scorer.match.game import GameError
from scorer.message import message


def renamed(match: Match, names: Mapping[str, str]) -> Match:
    """Return a match with players renamed; `names` maps old names to new ones.

    Raises GameError if two players would have the same name, or one the earlier name of another.
    Stored references to the earlier name would then point to the wrong player.
    """
    players = match.game.players
    if names.keys() - set(players) or not all(name.strip() for name in names.values()):
        raise ValueError("nobody is called so")
    called = {Name(old): _new(names, now) for old, now in match.renamed.items()}
    called |= {Name(old): Name(new) for old, new in names.items()}
    after = tuple(_new(names, player) for player in players)
    own = {folded(name): now for name, now in [*called.items(), *((name, name) for name in after)]}
    everybody = [(folded(name), now) for name, now in called.items()]
    if len(set(map(folded, after))) < len(after) or any(own[n] != now for n, now in everybody):
        raise GameError((error("player-twice", message("game.player-twice")),))
    game = replace(
        match.game, players=after, log=tuple(_entry(each, names) for each in match.game.log)
    )
    return replace(
        match,
        game=game,
        deal=_deal(match.deal, names),
        past=tuple(
            replace(each, state=_deal(each.state, names), by=_new(names, each.by))
            for each in match.past
        ),
        written=tuple(replace(each, by=_new(names, each.by)) for each in match.written),
        doings=tuple(replace(each, by=_new(names, each.by)) for each in match.doings),
        renamed=called,
    )


def _new(names: Mapping[str, str], name: str) -> Name:
    return Name(names.get(name, name))


def _deal(state: DealState, names: Mapping[str, str]) -> DealState:
    ending = state.ending
    if ending and ending.winner is not None:
        ending = replace(ending, winner=_new(names, ending.winner))
    hands = {_new(names, player): _given(each, names) for player, each in state.hands.items()}
    return DealState(ending, hands)


def _given(given: GivenHand, names: Mapping[str, str]) -> GivenHand:
    others = tuple(_given(each, names) for each in given.others)
    return replace(given, by=_new(names, given.by), others=others)


def _entry(entry: Entry, names: Mapping[str, str]) -> Entry:
    if isinstance(entry, Correction):
        return replace(entry, entry=_event(entry.entry, names) if entry.entry else None)
    return _event(entry, names)


def _event(event: GameEvent, names: Mapping[str, str]) -> GameEvent:
    if isinstance(event, WonDeal):
        return WonDeal(_new(names, event.winner), _by_player(event.scores, names))
    if isinstance(event, Charge):
        amounts = _by_player(event.amounts, names)
        return replace(event, payer=_new(names, event.payer), amounts=amounts)
    return event


def _by_player(numbers: Mapping[str, int], names: Mapping[str, str]) -> dict[str, int]:
    return {_new(names, player): number for player, number in numbers.items()}
