"""Hide the names of people who do not wish to be shown, depending on the phone that asks.

All names leave the server through this module. A phone at the table of a match sees all its names
while the match is on. So does a phone that has said in that match whose it is, and an organiser who
gave the PIN. Other phones read "somebody" for people who do not wish to be shown. Without an
organiser's PIN nobody counts as an organiser. Papers, files and the board use `for_everybody`.
What players type, such as titles, is shown through `words`, in templates by the filter `shown`.

`tests/device/web/test_name_gate.py` lists the modules that read names in another way, with reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from flask import Flask, g

from device.club.anonymiser import Anonymiser
from device.club.people import PeopleRepository
from device.club.tournament.tournament import Tournament, names_in_round
from device.hands.record import HandRecord
from device.i18n.words import say
from device.matches.match import Match
from device.matches.summary import MatchSummary
from device.rulesets.repository import CustomRuleset
from device.web.club.organiser import is_organiser
from device.web.contexts import records, room
from device.web.phone_identity import phone_identity


class HiddenNamesError(Exception):
    """A phone may not play on in a match, because it may not see all names in it."""


@dataclass(frozen=True)
class NameGate:
    """Decides which names the phone that asks may see."""

    for_everybody: Anonymiser
    """The names that anybody may see."""

    @cached_property
    def knows_all(self) -> bool:
        """Whether the phone belongs to an organiser who gave the PIN."""
        return bool(records().settings.read().organiser_pin) and is_organiser()

    def knows(self, match: Match) -> bool:
        """Whether the phone may see all names of a match."""
        is_here = not match.ended and match.table == room().table
        is_seated = bool(match.table) or not room().tables.are_laid()
        is_identified = phone_identity().match == match.id
        return is_identified or (is_here and is_seated) or self.knows_all

    def match(self, match: Match) -> Match:
        """Return a match with the names that the phone may see."""
        if not self.for_everybody.hidden or self.knows(match):
            return match
        return self.for_everybody.match(match)

    def hides_players(self, match: Match) -> bool:
        """Whether the phone may not see all names of a match."""
        if self.knows(match):
            return False
        return self.for_everybody.match(match).game.players != match.game.players

    def check_replay(self, match: Match) -> None:
        """Raise HiddenNamesError if the phone may not begin a match again, nor go on with it.

        While a match is played, all phones at its table see its names. So a phone that may not see
        all of them would show them to everybody.
        """
        if match.ended and self.hides_players(match):
            raise HiddenNamesError(match.id)

    def summary(self, match: MatchSummary) -> MatchSummary:
        """Return a match's summary with the names that the phone may see."""
        return match if self.knows_all else self.for_everybody.line(match)

    def hand(self, hand: HandRecord) -> HandRecord:
        """Return a hand, its player and its editors with the names that the phone may see."""
        if not self.for_everybody.hidden:
            return hand
        match = room().matches.get_if_whole(hand.match) if hand.match else None
        sees_all = self.knows(match) if match else self.knows_all
        return hand if sees_all else self.for_everybody.hand(hand, match)

    def tournament(self, tournament: Tournament) -> Tournament:
        """Return a tournament with the names that the phone may see."""
        return tournament if self.knows_all else self.for_everybody.tournament(tournament)

    def tournament_in_round(
        self, tournament: Tournament, number: int, table: int = 0
    ) -> Tournament:
        """Return a tournament for the page of a round, or of one of its tables.

        Rounds and tables count from 1. While the round is played, its seats show all names, because
        the players must find their seats.
        """
        if self.knows_all:
            return tournament
        return show_seated_names(self.for_everybody, tournament, number, table).tournament(
            tournament
        )

    def match_in_round(
        self, match: Match, tournament: Tournament, number: int, table: int
    ) -> Match:
        """Return a match that may give a table's result, for the page of that table."""
        if self.knows(match):
            return match
        return show_seated_names(self.for_everybody, tournament, number, table).match(match)

    def player(self, name: str) -> str:
        """Return a name if the phone may see it or the player sits at its table; else hide it."""
        match = room().matches.current()
        is_here = match is not None and name in match.game.players and self.knows(match)
        return name if is_here or self.knows_all else self.for_everybody.name(name)

    def ruleset(self, ruleset: CustomRuleset) -> CustomRuleset:
        """Return a custom ruleset with the names that the phone may see in all its texts."""
        return ruleset if self.knows_all else self.for_everybody.ruleset(ruleset)

    def restore(self, text: str, original: str) -> str:
        """Return typed text in which each line that the phone was shown stands as in the original.

        So a form that shows "somebody" does not save it.
        """
        lines = {self.for_everybody.words(line): line for line in original.splitlines()}
        return "\n".join(lines.get(line, line) for line in text.splitlines())

    def words(self, text: str) -> str:
        """Return free text with the names that the phone may see."""
        return text if self.knows_all else self.for_everybody.words(text)


def init_app(app: Flask) -> None:
    """Give templates the filter `shown`, for what players may have typed names into."""
    app.jinja_env.filters["shown"] = _shown_words


def _shown_words(text: str) -> str:
    if "name_gate" not in g:  # a list asks once
        g.name_gate = name_gate()
    return cast("NameGate", g.name_gate).words(text)


def name_gate() -> NameGate:
    """Return the name gate for the phone that asks."""
    register = PeopleRepository(records().store).register()
    return NameGate(Anonymiser(register, say("table.somebody")))


def show_seated_names(
    anonymiser: Anonymiser, tournament: Tournament, number: int, table: int = 0
) -> Anonymiser:
    """Return the hiding for the page of a round: it shows who sits in it while it is played.

    With a table, counted from 1, it shows only who sits at that table.
    """
    tournament_round = tournament.round(number)
    if tournament_round is None or tournament_round.closed:
        return anonymiser
    seats = tournament_round.seats
    shown_tables = [seats.tables[table - 1]] if table else [*seats.tables, seats.out]
    places = [each for at in shown_tables for each in at]
    return anonymiser.allow_names(filter(None, names_in_round(tournament, number, places)))
