"""The club's people: the register, a page for each person, and changes of names."""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, url_for
from werkzeug.wrappers import Response as AnyResponse

from device.club import ClubError
from device.club.club_results import load_results
from device.club.match_statistics import ClubStatistics
from device.club.people import PeopleRepository
from device.club.register import Person, Register
from device.i18n.names import fold_name, sort_key
from device.i18n.words import say
from device.views.club.player import PROGRESS_HEIGHT, PROGRESS_WIDTH, player_view
from device.web.contexts import records, room
from device.web.fields import form
from device.web.links import redirect_to
from device.web.phone_identity import phone_player_name
from device.web.table.match_form import MAX_NAME_CHARS
from scorer.message import Message, message

pages = Blueprint("players", __name__, url_prefix="/club/players")

_REFUSED_STATUS = 422


@pages.get("/")
def every() -> str:
    """List all people who play at the club."""
    return _list_page("", None)


@pages.post("/")
def add() -> AnyResponse | tuple[str, int]:
    """Add somebody who has not played here yet."""
    name = form().text("name", MAX_NAME_CHARS)
    try:
        if not name:
            raise ClubError(message("field.empty"))
        person = people_log().add(name, author=phone_player_name())
    except ClubError as error:
        return _list_page(name, error.message), _REFUSED_STATUS
    return redirect_to("players.show", person=person.id)


@pages.get("/removed")
def removed() -> str:
    """List the people whose names were removed, so that they can be brought back."""
    people = [each for each in people_log().register().everybody() if not each.offered]
    return render_template("club/removed.html", people=_sort_people(people))


@pages.get("/<id:person>/")
def show(person: str) -> str | AnyResponse:
    """Show a player's record in all finished matches."""
    player, register, statistics = _find_person(person)
    if player.id != person:  # this entry was merged into another
        return redirect(url_for("players.show", person=player.id))
    view = player_view(player, register, statistics) if player.shown else None
    hand = view.best.hand if view and view.best else ""
    best = records().hands.get_if_whole(hand) if hand else None
    return render_template(
        "club/player.html",
        person=player,
        also=", ".join(player.names[1:]),
        view=view,
        photographed=bool(best and best.photo),
        left=statistics.left,
        size=(PROGRESS_WIDTH, PROGRESS_HEIGHT),
    )


@pages.get("/<id:person>/names")
def names(person: str) -> str:
    """Show a person's names, and the changes that are possible."""
    return _names_page(person, "", None)


@pages.post("/<id:person>/name")
def rename(person: str) -> AnyResponse | tuple[str, int]:
    """Change the name under which a person is shown."""
    player, name = _find_person(person)[0], form().text("name", MAX_NAME_CHARS)
    try:
        if not name:
            raise ClubError(message("field.empty"))
        people_log().rename(player, name, author=phone_player_name())
    except ClubError as error:
        return _names_page(person, name, error.message), _REFUSED_STATUS
    return redirect_to("players.show", person=player.id)


@pages.post("/<id:person>/give-up")
def give_up(person: str) -> AnyResponse | tuple[str, int]:
    """Release one of a person's names for somebody else."""
    player, name = _find_person(person)[0], form().text("name", MAX_NAME_CHARS)
    try:
        people_log().give_up(player, name, author=phone_player_name())
    except ClubError as error:
        return _names_page(person, "", error.message), _REFUSED_STATUS
    return redirect_to("players.names", person=player.id)


@pages.post("/<id:person>/same")
def merge(person: str) -> AnyResponse | tuple[str, int]:
    """Merge two people into one, unless both sat at the same table."""
    player, register, statistics = _find_person(person)
    try:
        other = _find_person(form().word("other"))[0]
        if _have_met(player, other, register, statistics):
            raise ClubError(message("club.people.met", player=player.name, other=other.name))
        people_log().merge(player, other, author=phone_player_name())
    except ClubError as error:
        return _names_page(person, "", error.message), _REFUSED_STATUS
    return redirect_to("players.show", person=other.id)


@pages.post("/<id:person>/part")
def part(person: str) -> AnyResponse | tuple[str, int]:
    """Separate two merged entries again."""
    player, entry = _find_person(person)[0], form().word("entry")
    try:
        people_log().part(entry, author=phone_player_name())
    except ClubError as error:
        return _names_page(person, "", error.message), _REFUSED_STATUS
    return redirect_to("players.names", person=player.id)


@pages.post("/<id:person>/remove")
def remove(person: str) -> AnyResponse:
    """Stop offering a name; on request, stop showing it, too."""
    hides_name = form().choice("what", ("offered", "hidden")) == "hidden"
    people_log().remove(_find_person(person)[0], is_hidden=hides_name, author=phone_player_name())
    return redirect_to("players.every")


@pages.post("/<id:person>/back")
def bring_back(person: str) -> AnyResponse:
    """Offer and show a name again."""
    player = _find_person(person)[0]
    people_log().bring_back(player, author=phone_player_name())
    return redirect_to("players.show", person=player.id)


def people_log() -> PeopleRepository:
    """Return the log of the register."""
    return PeopleRepository(records().store)


def _load_played() -> ClubStatistics:
    return load_results(records().hands)


def _find_person(person: str) -> tuple[Person, Register, ClubStatistics]:
    """Return a person by its id or the id of one of its entries. Answer 404 for an unknown id."""
    register, statistics = people_log().register(), _load_played()
    entry = register.entries.get(person)
    if entry:
        return register.find_person(register.head(entry).name), register, statistics
    everybody = register.everybody(_played_names(statistics))
    player = next((each for each in everybody if each.id == person), None)
    if player is None:
        abort(404)
    return player, register, statistics


def _played_names(statistics: ClubStatistics) -> tuple[str, ...]:
    """Return the names of all who have played or begun a match."""
    return (*people_log().recent(), *statistics.names)


def _have_met(
    person: Person, other: Person, register: Register, statistics: ClubStatistics
) -> bool:
    """Whether two people have sat at the same table, in a finished or a current match."""
    tables = [match.names for match in statistics.matches]
    current_matches = (
        room().matches.at_table(table).current() for table in room().matches.running_tables()
    )
    tables += [match.game.players for match in current_matches if match]
    ids = ({each.id for each in register.at_table(table).values()} for table in tables)
    return any({person.id, other.id} <= table for table in ids)


def _sort_people(people: list[Person]) -> list[Person]:
    return sorted(people, key=lambda person: sort_key(person.name))


def _list_page(typed_name: str, wrong: Message | None) -> str:
    statistics = _load_played()
    everybody = people_log().register().everybody(_played_names(statistics))
    return render_template(
        "club/players.html",
        people=_sort_people([each for each in everybody if each.offered]),
        away=_sort_people([each for each in everybody if each.shown and not each.offered]),
        any_removed=any(not each.offered for each in everybody),
        said=typed_name,
        wrong=say(wrong) if wrong else "",
        longest=MAX_NAME_CHARS,
        left=statistics.left,
    )


def _names_page(person: str, typed_name: str, wrong: Message | None) -> str:
    player, register, statistics = _find_person(person)
    other_people = [
        p for p in register.everybody(_played_names(statistics)) if p.id != player.id and p.shown
    ]
    entry = register.entries.get(player.id)
    own_names = [
        name for name in (entry.names if entry else ()) if fold_name(name) != fold_name(player.name)
    ]
    return render_template(
        "club/names.html",
        person=player,
        own=own_names,
        others=_sort_people(other_people),
        said=typed_name or player.name,
        wrong=say(wrong) if wrong else "",
        longest=MAX_NAME_CHARS,
    )
