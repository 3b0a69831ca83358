"""What a hand's page shows besides when the hand belongs to a match."""

from __future__ import annotations

from dataclasses import dataclass

from device.hands.hand import HandRecord
from device.i18n.words import say, wind_name
from device.web.box import box
from device.web.table.here import number_of


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
    """The deal is being scored, so the hand may be agreed to."""
    agreed: bool
    match_is_on: bool


def at_table(record: HandRecord) -> AtTable | None:
    """Return the hand's place at the table; None for a hand of its own."""
    match = box().matches.get_if_whole(record.match) if record.match else None
    place = match.place_of(record.id) if match else None
    if match is None or place is None:
        return None
    deal, state, player = place
    wind = deal.seating.winds.get(player, "E")
    return AtTable(
        number=number_of(match, player),
        whose=say("at-table.whose", player=player, wind=wind_name(wind)),
        player=player,
        wind=wind,
        facts=_facts(record, deal.prevailing_wind, said=state.ending is not None),
        open=not match.ended and state is match.deal,
        agreed=state.given(player).agreed,
        match_is_on=not match.ended,
    )


def _facts(record: HandRecord, prevailing: str | None, *, said: bool) -> tuple[str, ...]:
    facts = []
    if said:
        situation = record.situation
        way = say(f"how.{situation.won_by}")
        facts.append(say("at-table.winner", how=way) if situation.winner else say("at-table.loser"))
    if prevailing:
        facts.append(say("at-table.prevailing", wind=wind_name(prevailing)))
    return tuple(facts)
