"""Play a tournament at the club's tables: choose them, begin a round's matches, and take results.

A phone that scans the code of a table then finds the match there with its players seated. The
result of a table can be typed, taken from its match, or corrected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.match_results import RoundMatches, propose_tables
from device.club.tournament.tournament import Tournament, TournamentTables
from device.i18n.names import Name
from device.i18n.words import say
from device.store.events import MatchBegun, TablesChosen
from device.web.box import box
from device.web.club.tournaments import tournaments
from device.web.club.whose import whose
from device.web.fields import form
from device.web.table.begin import proposed, rules_asked, rulesets

pages = Blueprint(
    "tournament_tables", __name__, url_prefix="/club/tournaments/<id:tournament>/tables"
)


@pages.get("/")
def show(tournament: str) -> str:
    """Ask at which of the club's tables the rounds are played, and by which rules."""
    now = tournaments().get(tournament)
    at = now.played_at
    asked = proposed() if at is None else MatchBegun((), at.ruleset, at.limit, at.house)
    return _form(now, asked)


@pages.post("/")
def choose(tournament: str) -> AnyResponse | tuple[str, int]:
    """Save the choice. If a round is drawn already, begin its matches at once."""
    now = tournaments().get(tournament)
    rules = rules_asked()
    chosen = TablesChosen(
        tables=tuple(_table(number) for number in range(_most_tables(now))),
        ruleset=rules.ruleset,
        limit=rules.limit,
        house=rules.house,
        by=whose(),
    )
    tournaments().change(tournament, chosen)
    return _begun(tournament) if now.current else _back(tournament)


@pages.post("/begin")
def begin(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the round's matches at the chosen tables. If none are chosen, ask for them first."""
    now = tournaments().get(tournament)
    if now.played_at is None:
        return redirect(url_for("tournament_tables.show", tournament=tournament), 303)
    return _begun(tournament)


def _begun(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the matches and the clock, or show the tables at which others are playing."""
    now = tournaments().get(tournament)
    round_at, at = RoundMatches(tournaments(), box().matches, tournament), still_laid(now)
    others = round_at.occupied_tables(at)
    if others and not form().flag("end"):
        called = box().tables.names()
        names = Name(", ".join(called[table] for table in others))
        return render_template("club/tournament_taken.html", now=now, tables=names), 409
    round_at.begin(at, _stand_in, by=whose())
    current = tournaments().get(tournament).current
    if current and current.matches and current.clock is None:
        seconds = now.minutes * 60
        tournaments().set_clock(tournament, current.number, seconds, by=whose())
    return _back(tournament)


def still_laid(now: Tournament) -> TournamentTables:
    """Return the tournament's chosen tables, without those that were removed since."""
    laid = {each.id for each in box().tables.laid()}
    chosen = now.played_at or TournamentTables((), "", None, ())
    tables = tuple(table if table in laid else "" for table in chosen.tables)
    return replace(chosen, tables=tables)


def names_of_tables(now: Tournament) -> Mapping[int, str]:
    """Return the names of the chosen tables, by their numbers in the tournament."""
    names = box().tables.names() if now.played_at else {}
    chosen = enumerate(now.played_at.tables if now.played_at else (), 1)
    return {number: names[table] for number, table in chosen if table in names}


def _stand_in(number: int) -> Name:
    said = say("club.tournament.stand-in")
    return Name(said if number == 1 else f"{said} {number}")


def _most_tables(now: Tournament) -> int:
    """Return the most tables that a round has or may have after somebody joins."""
    planned = [len(each.tables) for each in (*now.seats[-1:], *now.plan)]
    return max(planned, default=0)


def _table(number: int) -> str:
    laid = [each.id for each in box().tables.laid()]
    return form().choice(f"table{number}", ["", *laid], "")


def _form(now: Tournament, asked: MatchBegun) -> str:
    laid = box().tables.laid()
    number = _most_tables(now)
    chosen = still_laid(now).tables if now.played_at else ()
    tables = propose_tables(laid, number) if now.played_at is None else chosen
    return render_template(
        "club/tournament_at.html",
        now=now,
        tables=[*tables, *[""] * number][:number],
        laid=[(each.id, each.name) for each in laid],
        asked=asked,
        rulesets=rulesets(asked.house),
    )


def _back(tournament: str) -> AnyResponse:
    return redirect(url_for("tournament.show", tournament=tournament), 303)
