"""A tournament at the box's own tables: which they are, and the round's matches begun there.

Who scans the code of a table then finds its match with the players seated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import Blueprint, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.at_tables import RoundAtTables, proposed_tables
from device.club.tournament.tournament import PlayedAt, Tournament
from device.i18n.names import Name
from device.i18n.words import say
from device.store.events import MatchBegun, TablesChosen
from device.web.box import box
from device.web.club.tournaments import tournaments, who
from device.web.fields import form
from device.web.table.begin import proposed, rules_asked, rulesets

pages = Blueprint(
    "tournament_tables", __name__, url_prefix="/club/tournaments/<id:tournament>/tables"
)


@pages.get("/")
def show(tournament: str) -> str:
    """Ask at which of the box's tables rounds are played, and by which rules."""
    now = tournaments().get(tournament)
    at = now.played_at
    asked = proposed() if at is None else MatchBegun((), at.ruleset, at.limit, at.house)
    return _form(now, asked)


@pages.post("/")
def choose(tournament: str) -> AnyResponse | tuple[str, int]:
    """Keep what was chosen; where a round is drawn, begin its matches there at once."""
    now = tournaments().get(tournament)
    rules = rules_asked()
    chosen = TablesChosen(
        tables=tuple(_table(number) for number in range(_most_tables(now))),
        ruleset=rules.ruleset,
        limit=rules.limit,
        house=rules.house,
        by=who(),
    )
    tournaments().change(tournament, chosen)
    return _begun(tournament) if now.current else _back(tournament)


@pages.post("/begin")
def begin(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the round's matches at the tables that were chosen; ask for those first."""
    now = tournaments().get(tournament)
    if now.played_at is None:
        return redirect(url_for("tournament_tables.show", tournament=tournament), 303)
    return _begun(tournament)


def _begun(tournament: str) -> AnyResponse | tuple[str, int]:
    """Begin the matches and the clock, or say at which tables others are playing."""
    now = tournaments().get(tournament)
    round_at, at = RoundAtTables(tournaments(), box().matches, tournament), still_laid(now)
    others = round_at.taken_by_others(at)
    if others and not form().flag("end"):
        called = box().tables.names()
        names = Name(", ".join(called[table] for table in others))
        return render_template("club/tournament_taken.html", now=now, tables=names), 409
    round_at.begin(at, _stand_in, by=who())
    current = tournaments().get(tournament).current
    if current and current.matches and current.clock is None:
        seconds = now.minutes * 60
        tournaments().set_clock(tournament, current.number, seconds, by=who())
    return _back(tournament)


def still_laid(now: Tournament) -> PlayedAt:
    """Return where a tournament is played, but for tables that were cleared away since."""
    laid = {each.id for each in box().tables.laid()}
    chosen = now.played_at or PlayedAt((), "", None, ())
    tables = tuple(table if table in laid else "" for table in chosen.tables)
    return replace(chosen, tables=tables)


def names_of_tables(now: Tournament) -> Mapping[int, str]:
    """Return what the box's tables are called that were chosen, by the tournament's numbers."""
    names = box().tables.names() if now.played_at else {}
    chosen = enumerate(now.played_at.tables if now.played_at else (), 1)
    return {number: names[table] for number, table in chosen if table in names}


def _stand_in(number: int) -> Name:
    said = say("club.tournament.stand-in")
    return Name(said if number == 1 else f"{said} {number}")


def _most_tables(now: Tournament) -> int:
    """Return how many tables the rounds have, and may have once somebody comes."""
    planned = [len(each.tables) for each in (*now.seats[-1:], *now.plan)]
    return max(planned, default=0)


def _table(number: int) -> str:
    laid = [each.id for each in box().tables.laid()]
    return form().choice(f"table{number}", ["", *laid], "")


def _form(now: Tournament, asked: MatchBegun) -> str:
    laid = box().tables.laid()
    number = _most_tables(now)
    chosen = still_laid(now).tables if now.played_at else ()
    tables = proposed_tables(laid, number) if now.played_at is None else chosen
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
