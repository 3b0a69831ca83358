"""The history of a match: every deal with its hands and payments, the newest first."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.hands.export import write_csv, write_json
from device.i18n.names import Name
from device.i18n.words import (
    day_of,
    say,
    signed,
    spoken,
    translated,
    use_printable_words,
    wind_name,
)
from device.matches.corrections import Recount, recounts
from device.matches.match import NOTHING, Match, Written
from device.matches.score_sheet import MatchRow, PlayerLine, SheetEntry, match_rows, match_sheet
from device.views.table.last_action import last_done
from device.web.box import box
from device.web.table.here import match_here, me
from scorer.rulesets.shipped import shipped

pages = Blueprint("history", __name__)


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One player in one entry."""

    player: str
    wind: str
    score: int | None
    change: str
    total: int
    won: bool
    hand: str
    """Id of the hand that was photographed; empty for a score that was typed."""
    tiles: int | None
    """What its tiles come to, where that is not the score that counts."""


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One deal or payment."""

    number: int
    kind: str
    struck: bool
    title: str
    headline: str
    lines: tuple[HistoryLine, ...]
    payments: tuple[tuple[str, tuple[str, ...]], ...]
    """Why, in a sentence, and the ids of its rules."""
    photos: tuple[HistoryLine, ...]
    """The lines of players whose hands were photographed."""
    notes: tuple[str, ...]
    """Who wrote it and who put it right, oldest first."""
    differs: bool
    """A hand's tiles come to another score than the one that counts."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """One match in the list of them."""

    id: str
    day: str
    players: str
    result: str


@pages.get("/table/history")
def here() -> AnyResponse:
    """Go to the history of the match on the table."""
    return redirect(url_for("history.show", match=match_here().id))


@pages.get("/match/<match>/")
def show(match: str) -> str:
    """Show a match's history."""
    found = box().tables.get(match)
    sheet = match_sheet(found)
    running = box().tables.current()
    is_on = running is not None and running.id == match
    return render_template(
        "table/history.html",
        match=found,
        is_on=is_on,
        sheet=sheet,
        day=day_of(sheet.begun) if sheet.begun else "",
        rules=_rules(found),
        entries=_entries(found, sheet.entries),
        standing=sorted(sheet.totals.items(), key=lambda pair: -pair[1]),
        done=last_done(found) if is_on else None,
    )


@pages.post("/match/<match>/undo")
def undo(match: str) -> AnyResponse:
    """Take back the last thing that was done, whatever it was."""
    running = match_here()
    if running.id != match:
        abort(404)
    box().tables.undo(match, request.form.get("seq", -1, int), by=me(running))
    return redirect(url_for("history.show", match=match), 303)


@pages.get("/matches")
def every() -> str:
    """List the matches that this box knows, the newest first."""
    return render_template("table/matches.html", matches=[_listed(m) for m in box().tables.all()])


@pages.get("/match/<match>/score-sheet.<kind>")
def sheet(match: str, kind: str) -> Response:
    """Return a match as a table for a spreadsheet, or as one JSON object a row and line."""
    found = box().tables.get(match)
    if kind == "pdf":
        from device.paper.match import match_pages  # loads reportlab

        use_printable_words()
        return _attached(match_pages(found), "application/pdf", f"tongbox-{match}.pdf")
    if kind not in _WRITERS:
        abort(404)
    mimetype, write = _WRITERS[kind]
    out = io.StringIO()
    rows = match_rows(match_sheet(found))
    write(out, rows, MatchRow) if write is write_csv else write_json(out, rows)
    return _attached(out.getvalue().encode(), mimetype, f"tongbox-{match}.{kind}")


def _attached(data: bytes, mimetype: str, name: str) -> Response:
    response = Response(data, mimetype=mimetype)
    response.headers["Content-Disposition"] = f"attachment; filename={name}"
    return response


_WRITERS = {"csv": ("text/csv", write_csv), "jsonl": ("application/x-ndjson", write_json)}


def note(written: Written) -> str:
    """Return who wrote something, and when, in words."""
    who = written.by or say("table.somebody")
    return say(f"did.{written.kind}", who=who, time=f"{written.at.astimezone():%H:%M}")


def _entries(match: Match, entries: tuple[SheetEntry, ...]) -> tuple[HistoryEntry, ...]:
    otherwise = {(each.number, each.player): each for each in recounts(match, box().records)}
    return tuple(_entry(match, entry, otherwise) for entry in reversed(entries))


def _entry(
    match: Match, entry: SheetEntry, otherwise: Mapping[tuple[int, str], Recount]
) -> HistoryEntry:
    lines = tuple(_line(match, entry, line, otherwise) for line in entry.lines)
    return HistoryEntry(
        number=entry.number,
        kind=entry.kind,
        struck=entry.struck,
        title=title(entry),
        headline=headline(entry),
        lines=lines,
        photos=tuple(line for line in lines if line.hand),
        payments=tuple((spoken(each.why), each.rules) for each in entry.payments),
        notes=tuple(note(each) for each in (entry.written, *entry.corrections)),
        differs=any(line.tiles is not None for line in lines),
    )


def _line(
    match: Match,
    entry: SheetEntry,
    line: PlayerLine,
    otherwise: Mapping[tuple[int, str], Recount],
) -> HistoryLine:
    past = match.past_deal(entry.number)
    given = past.state.given(line.player) if past else NOTHING
    other = otherwise.get((entry.number, line.player))
    return HistoryLine(
        player=line.player,
        wind=line.wind,
        score=line.score,
        change=signed(line.change) if line.change else "0",
        total=line.total,
        won=line.player == entry.winner,
        hand=given.hand if given.typed is None else "",
        tiles=other.tiles if other else None,
    )


def title(entry: SheetEntry) -> str:
    """Return which deal it is, under which wind, in words."""
    if entry.struck:
        return say("history.struck")
    if entry.deal is None:
        return say("history.payment")
    parts = [say("table.deal", number=entry.deal)]
    if entry.prevailing_wind:
        parts.append(say("history.prevailing", wind=wind_name(entry.prevailing_wind)))
    if entry.goulash:
        parts.append(say("table.goulash"))
    return " · ".join(parts)


def headline(entry: SheetEntry) -> str:
    """Return what happened, in words."""
    if entry.kind == "charge":
        return spoken(entry.why)
    if not entry.winner:
        return say("history.nobody")
    return say("history.won", player=entry.winner, how=say(f"how.{entry.won_by}"))


def _rules(match: Match) -> str:
    limit = match.agreement.limit
    words = say("rules.no-limit") if limit is None else say("rules.limit", limit=limit)
    return f"{translated(shipped(match.game.ruleset).title)} · {words}"


def _listed(match: Match) -> MatchLine:
    course = match.course
    deals = sum(row.deal is not None for row in course.rows)
    result = say("matches.none")
    if deals:
        leaders = Name(say("matches.and").join(course.leaders))
        key = "matches.led" if match.ended else "matches.leads"
        result = say(key, player=leaders, total=course.totals[course.leaders[0]])
    at = match.begun_at
    return MatchLine(
        id=match.id,
        day=f"{day_of(at)}, {at.astimezone():%H:%M}" if at else "",
        players=", ".join(match.game.players),
        result=result,
    )
