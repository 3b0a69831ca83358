"""What a hand's page shows besides when the hand belongs to a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import url_for

from device.hands.hand import HandRecord
from device.i18n.words import say, wind_name
from device.matches.corrections import recounts
from device.matches.match import Match
from device.matches.seats import as_agreed
from device.web.box import box
from device.web.name_gate import name_gate
from device.web.table.here import number_of


@dataclass(frozen=True, slots=True)
class SettledOtherwise:
    """A hand of a settled deal that was put right since."""

    deal: int
    counted: int
    """The score that it was settled with."""
    tiles: int
    """What its tiles come to now."""
    correct: str
    """Where what correcting the deal would change is shown; empty once the match is over."""


@dataclass(frozen=True, slots=True)
class AtTable:
    """The hand's place in the match."""

    number: int
    whose: str
    player: str
    wind: str
    facts: tuple[str, ...]
    """What the table has said, in words."""
    open: bool
    """The deal is being scored at the phone's own table, so the hand may be agreed to."""
    agreed: bool
    match_is_on: bool
    undecided: bool
    """Others were given in at the same time: the table has yet to say which counts."""
    instead: str
    """Id of the hand that was given in since and counts in place of this one; empty for none."""
    given_by: str
    """Who gave that in, in words."""
    typed: int | None
    """The score that was typed and counts in place of the tiles'."""
    settled: SettledOtherwise | None
    """The deal has been settled with another score than its tiles come to now."""


def at_table(record: HandRecord) -> AtTable | None:
    """Return the hand's place at the table; None for a hand of its own."""
    whole = box().matches.get_if_whole(record.match) if record.match else None
    match = name_gate().match(whole) if whole else None
    place = match.place_of(record.id) if match else None
    if match is None or place is None:
        return None
    deal, state, player = place
    is_scored = not match.ended and state is match.deal
    is_open = is_scored and match.table == box().table
    given = (as_agreed(match, box().hands).deal if is_scored else state).given(player)
    wind = deal.seating.winds.get(player, "E")
    return AtTable(
        number=number_of(match, player),
        whose=say("at-table.whose", player=player, wind=wind_name(wind)),
        player=player,
        wind=wind,
        facts=_facts(record, deal.prevailing_wind, said=state.ending is not None),
        match_is_on=not match.ended,
        open=is_open and given.hand == record.id and not given.others,
        agreed=given.agreed and given.typed is None,
        undecided=is_open and bool(given.others) and record.id not in given.before,
        instead=given.hand if is_open and record.id in given.before else "",
        given_by=given.by or say("table.somebody"),
        typed=given.typed if given.hand == record.id else None,
        settled=None if is_scored else _settled(match, record.id),
    )


def _settled(match: Match, hand: str) -> SettledOtherwise | None:
    """Return what was settled, if the hand's tiles come to something else."""
    place = match.place_of(hand)
    number = next((past.number for past in match.past if place and past.state is place[1]), None)
    found = recounts(match, (number,), box().hands) if number is not None else ()
    for each in found:
        if each.hand == hand:
            running = box().matches.current()
            score: dict[str, Any] = {f"score{number_of(match, each.player)}": each.tiles}
            correct = url_for("correcting.preview", number=each.number, **score)
            is_on = running is not None and running.id == match.id
            return SettledOtherwise(
                each.deal.number, each.counted, each.tiles, correct if is_on else ""
            )
    return None


def _facts(record: HandRecord, prevailing: str | None, *, said: bool) -> tuple[str, ...]:
    facts = []
    if said:
        situation = record.situation
        way = say(f"how.{situation.won_by}")
        facts.append(say("at-table.winner", how=way) if situation.winner else say("at-table.loser"))
    if prevailing:
        facts.append(say("at-table.prevailing", wind=wind_name(prevailing)))
    return tuple(facts)
