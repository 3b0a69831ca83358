"""End a match, show its final table on every phone, and begin the next match."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from flask import Blueprint, Flask, abort, redirect, render_template, request, url_for
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.club.tournament.repository import TournamentRepository
from device.i18n.words import wind_name
from device.matches.match import Match
from device.store.events import MatchEnded
from device.views.table.history import last_done
from device.views.table.results import final_view
from device.web.box import box
from device.web.fields import FieldError, form, query
from device.web.name_gate import name_gate
from device.web.table.here import check_is_of, match_here, me, number_of, seen
from scorer.message import message

pages = Blueprint("over", __name__)

WHILE_ON = "while-on"
"""Query field with which a page that outlasts its match, such as a hand's, reloads itself. Its
value is the match. When that is over, the page leads to the final table."""

_OLDER = "yes"
"""The value that pages of an older version send: the current match."""


@pages.before_app_request
def lead_to_final() -> None:
    """Redirect a page that reloads itself to the final table once its match is over."""
    said = request.args.get(WHILE_ON, "")
    if said == _OLDER:
        match_here()
    match = box().matches.get_if_whole(said) if said not in ("", _OLDER) else None
    if match and match.ended and box().matches.at(match.table).current() is None:
        abort(redirect(url_for("over.final", match=match.id)))


@pages.get("/table/end")
def ask() -> str:
    """Ask whether to end the match, and show its standing."""
    match = match_here()
    return render_template("table/end.html", match=match, final=final_view(match))


@pages.post("/table/end")
def end() -> AnyResponse:
    """End the match. If two phones do so, both see the final table."""
    current = box().matches.current()
    check_is_of(current)
    match = current or box().matches.newest()
    if match is None:
        match = match_here()  # aborts with the right answer
    if not match.ended:
        box().matches.change(match.id, MatchEnded(by=me(match)), seen=seen())
    return redirect(url_for("over.final", match=match.id), 303)


@pages.get("/match/<id:match>/final")
def final(match: str) -> str | AnyResponse:
    """Show the final table of a match. If it still goes on, redirect to the table."""
    found = box().matches.get(match)
    if not found.ended:
        return redirect(url_for("table.show"))
    is_here = found.table == box().table
    found = name_gate().match(found)
    log = TournamentRepository(box().hands.store)
    played_in = log.of_match(match) if found.table else None
    return render_template(
        "table/final.html",
        match=found,
        final=final_view(found),
        done=last_done(found),
        late="late" in query(),
        is_newest=is_here and box().matches.is_newest(match),
        played_in=played_in,
        next_is_on=is_here and box().matches.current() is not None,
    )


@pages.post("/match/<id:match>/resume")
def resume(match: str) -> AnyResponse:
    """Resume a match that was ended."""
    box().matches.resume(match, by=me(box().matches.get(match)))
    return redirect(url_for("table.show"), 303)


@pages.get("/match/<id:match>/again")
def seats_anew(match: str) -> str | AnyResponse:
    """Ask for the seats of a new match with the same players, wind by wind."""
    found = box().matches.get(match)
    if not found.ended:
        return redirect(url_for("table.show"))
    found = name_gate().match(found)
    players = found.game.players
    chosen = _order(found, query().numbers("order") if "order" in query() else ())
    left = [number_of(found, player) for player in players if player not in chosen]
    order = [number_of(found, player) for player in chosen]
    winds = [wind_name(wind) for wind in found.course.next_deal.seats]
    return render_template(
        "table/again.html",
        match=found,
        wind=winds[min(len(chosen), len(winds) - 1)],
        seated=list(zip(winds, chosen, strict=False)),
        choices=[(players[number], _joined(order, number)) for number in left],
        whole=[(players[n], _joined(order, n, *(o for o in left if o != n))) for n in left],
        is_last=len(left) <= 2,  # then the last player takes the last seat
    )


@pages.post("/match/<id:match>/again")
def again(match: str) -> AnyResponse:
    """Begin a match with the same players and rules, in the same seats or others."""
    found = box().matches.get(match)
    players: tuple[str, ...] = found.game.players
    if "order" in form():
        players = _order(found, form().numbers("order"))
        if len(players) < len(found.game.players):
            raise FieldError(message("error.400"))
    matches = box().matches.at(found.table)
    begun = matches.newest_begun()  # begin() refuses unless this is the match `after`
    if begun:
        like_it = structs.replace(begun, players=players, by=me(found))
        matches.begin(like_it, after=match)
    return redirect(url_for("table.show"), 303)


def _order(match: Match, numbers: tuple[int, ...]) -> tuple[str, ...]:
    """Return the players with these numbers. Raise FieldError for unknown or repeated numbers."""
    players = match.game.players
    if len(set(numbers)) < len(numbers) or any(number >= len(players) for number in numbers):
        raise FieldError(message("error.400"))
    return tuple(players[number] for number in numbers)


def _joined(order: list[int], *more: int) -> str:
    return " ".join(map(str, [*order, *more]))


def while_on(match: str) -> str:
    """Return the address with which this page reloads itself while a match is on."""
    said = [each for each in request.args.items(multi=True) if each[0] != WHILE_ON]
    said.append((WHILE_ON, match))
    return f"{quote(request.path)}?{urlencode(said)}"


def init_app(app: Flask) -> None:
    """Give templates `while_on`."""
    app.jinja_env.globals["while_on"] = while_on
