"""The one gate through which names of people leave the server: it asks who is looking.

A match is shown whole to a phone at the table where it is being played, and to one that has said in
it whose it is. An organiser who gave a PIN is shown all names. Anybody else reads "somebody" in
place of those who do not wish to be shown. Where no organiser's PIN is set, nobody is known to be
one. What goes on paper, into a file or on the board is for everybody: `for_everybody`.

Every module of the page that reads names in another way is listed, with the reason, in
`tests/device/web/test_name_gate.py`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from device.club.hiding import Hiding
from device.club.people_log import PeopleLog
from device.club.tournament.tournament import Tournament, names_in
from device.hands.hand import HandRecord
from device.i18n.words import say
from device.matches.came_to import CameTo
from device.matches.match import Match
from device.web.box import box
from device.web.club.organiser import is_organiser
from device.web.phone_identity import phone_identity


@dataclass(frozen=True)
class NameGate:
    """What the phone that asks is shown of names."""

    for_everybody: Hiding
    """What anybody is shown."""

    @cached_property
    def knows_all(self) -> bool:
        """Whether the phone is that of an organiser who gave the PIN."""
        return bool(box().settings.now().organiser_pin) and is_organiser()

    def knows(self, match: Match) -> bool:
        """Whether the phone is shown all names of a match."""
        is_here = not match.ended and match.table == box().table
        is_seated = bool(match.table) or not box().tables.are_laid()
        said_so = phone_identity().match == match.id
        return said_so or (is_here and is_seated) or self.knows_all

    def match(self, match: Match) -> Match:
        """Return a match as the phone is shown it."""
        return match if self.knows(match) else self.for_everybody.match(match)

    def summary(self, match: CameTo) -> CameTo:
        """Return what a match came to as the phone is shown it."""
        return match if self.knows_all else self.for_everybody.line(match)

    def hand(self, hand: HandRecord) -> HandRecord:
        """Return a hand as the phone is shown it: whose it is, and who changed it."""
        if not self.for_everybody.hidden:
            return hand
        match = box().matches.get_if_whole(hand.match) if hand.match else None
        whole = self.knows(match) if match else self.knows_all
        return hand if whole else self.for_everybody.hand(hand, match)

    def tournament(self, now: Tournament) -> Tournament:
        """Return a tournament as the phone is shown it."""
        return now if self.knows_all else self.for_everybody.tournament(now)

    def tournament_in_round(self, now: Tournament, number: int, table: int = 0) -> Tournament:
        """Return a tournament as the page of a round, or of one of its tables, shows it.

        Both are counted from 1. While the round is played the seats that the page is about are
        named, for each has to be found by its player.
        """
        if self.knows_all:
            return now
        return seats_named(self.for_everybody, now, number, table).tournament(now)

    def match_in_round(self, match: Match, now: Tournament, number: int, table: int) -> Match:
        """Return a match whose result may be a table's, as the page of that table shows it."""
        if self.knows(match):
            return match
        return seats_named(self.for_everybody, now, number, table).match(match)

    def player(self, name: str) -> str:
        """Return the name of somebody at the phone's own table, or who is said in its place."""
        match = box().matches.current()
        is_here = match is not None and name in match.game.players and self.knows(match)
        return name if is_here or self.knows_all else self.for_everybody.name(name)

    def words(self, typed: str) -> str:
        """Return what somebody typed, as the phone is shown it."""
        return typed if self.knows_all else self.for_everybody.words(typed)


def name_gate() -> NameGate:
    """Return the gate for the phone that asks."""
    register = PeopleLog(box().hands.store).register()
    return NameGate(Hiding(register, say("table.somebody")))


def seats_named(hiding: Hiding, now: Tournament, number: int, table: int = 0) -> Hiding:
    """Return who is hidden on the page of a round: nobody who sits in it while it is played.

    So on the page of one of its tables, counted from 1: there nobody who sits at that.
    """
    found = now.round(number)
    if found is None or found.closed:
        return hiding
    seats = found.seats
    shown = [seats.tables[table - 1]] if table else [*seats.tables, seats.out]
    places = [each for at in shown for each in at]
    return hiding.but_for(filter(None, names_in(now, number, places)))
