"""Find the current match at the phone's table, and the player whose phone asks."""

from __future__ import annotations

from flask import abort, request
from msgspec import structs
from werkzeug.wrappers import Response as AnyResponse

from device.club.tables import ClubTable
from device.hands.repository import ChangeRefusedError
from device.i18n.names import fold_name
from device.i18n.words import say
from device.matches.match import Match
from device.matches.repository import OvertakenError
from device.matches.seats import (
    load_deal_hands,
    missing_hands,
    next_hand_wanted,
    parse_phone_id,
    withdraw_stale_agreement,
)
from device.store.events import DealSettled
from device.store.events.match import MatchEvent
from device.web.contexts import records, room
from device.web.fields import FieldError, form, query
from device.web.links import redirect_to
from device.web.name_gate import HiddenNamesError, name_gate
from device.web.phone_identity import PhoneIdentity, keep_identity, phone_identity
from scorer.message import Message, message

MATCH_FIELD = "match"
"""Query field of addresses that change the match: the id of the match that the page showed. An open
page keeps belonging to its match, whichever table its phone has scanned since. Every `url_for` of
such an address gives it."""


DEAL_FIELD = "deal"
"""Query field of addresses that give something for the deal that is being scored: the number of the
deal that the page showed. So nothing that was meant for a deal counts in the next one."""


class NoCurrentMatchError(Exception):
    """No match is running at the phone's table."""

    def __init__(self, ended_match: Match | None) -> None:
        super().__init__("no match is running")
        self.ended_match = ended_match
        """The table's newest match, which is over; None if none was ever played."""


class OtherMatchError(Exception):
    """A form belongs to another match than the one at the phone's table."""

    def __init__(self, match: Match) -> None:
        super().__init__("another match")
        self.match = match


class OtherTableError(Exception):
    """A form belongs to a match at another table than the phone's."""

    def __init__(self, table: ClubTable) -> None:
        super().__init__("another table")
        self.table = table


def current_match() -> Match:
    """Return the current match; raise NoCurrentMatchError, and as `check_page_match` does.

    Raises TornEventError if the newest match is damaged, because it may still be on. The app's
    error handlers answer all of these (`device.web.errors`).
    """
    match = room().matches.current()
    check_page_match(match)
    if match is None:
        for torn in room().matches.newest_errors():
            raise torn.copy()
        raise NoCurrentMatchError(room().matches.find_newest())
    return withdraw_stale_agreement(match, load_deal_hands(match, records().hands))


def check_page_match(match: Match | None) -> None:
    """Refuse a form of another match: an earlier one, or one at another table.

    Raises OtherTableError, OtherMatchError, or ChangeRefusedError for an unknown match.
    """
    match_id = query().word(MATCH_FIELD) if request.method == "POST" else ""
    if not match_id or (match and match_id == match.id):
        return
    page_match = room().matches.get_if_whole(match_id)
    if page_match is None:
        raise ChangeRefusedError("there is no such match")
    if page_match.table != room().table and (
        table := room().tables.find_even_cleared(page_match.table)
    ):
        raise OtherTableError(table)
    if match or page_match.table != room().table:
        raise OtherMatchError(page_match)
    # The match is over and no other has begun: the caller handles that.


def page_deal() -> int:
    """Return the number of the deal that the phone's page showed; 0 if it does not say."""
    return query().place(DEAL_FIELD, default=0)


def match_at_page_deal() -> Match:
    """Return the current match; raise OvertakenError if the deal of the phone's page is over."""
    match = current_match()
    if not match.is_at_deal(page_deal()):
        raise OvertakenError(match)
    return match


def phone_player(match: Match) -> str:
    """Return the player whose phone asks; empty if it only watches or has not said."""
    number = phone_identity().number if has_identified(match) else None
    return "" if number is None else match.game.players[number]


def has_identified(match: Match) -> bool:
    """Whether the phone has said in this match whose it is, or that it only watches."""
    return phone_identity().match == match.id


def likely_player(match: Match) -> str:
    """Return the phone's player in an earlier match; empty if that player is not in this one."""
    name = fold_name(phone_identity().name)
    return next((player for player in match.game.players if fold_name(player) == name), "")


def acting_player(hand: str) -> str:
    """Return the player whose phone changes a hand; empty for a single hand."""
    match_id = records().hands.get(hand).match
    match = room().matches.get_if_whole(match_id) if match_id else None
    return phone_player(match) if match else ""


def remember_player(answer: AnyResponse, match: Match, player: str) -> AnyResponse:
    """Save whose phone it is in this match, in the log and in the phone's cookie."""
    phone = parse_phone_id(phone_identity().phone if has_identified(match) else "")
    number = player_number(match, player) if player else None
    room().phones.say(match.id, phone, number)
    return keep_identity(answer, PhoneIdentity(match.id, number, player, phone))


def leave_match(match: Match) -> None:
    """Save that the phone has left a match."""
    if phone := phone_identity().phone if phone_player(match) else "":
        room().phones.say(match.id, phone, None)


def change_match(match: Match, event: MatchEvent, seen_version: int = 0) -> None:
    """Save what the phone's player changes in a match, if it is as the page showed it.

    Raises OvertakenError for another version than `seen_version`, where 0 skips the check, and for
    another deal than the page's.
    """
    event = structs.replace(event, by=phone_player(match))
    room().matches.change(match.id, event, seen_version=seen_version, seen_deal=page_deal())


def player_at(match: Match, number: int) -> str:
    """Return the player with this number in addresses. Answer 404 if there is none."""
    if number >= len(match.game.players):
        abort(404)
    return match.game.players[number]


def player_number(match: Match, player: str) -> int:
    """Return the number of a player in addresses."""
    return match.game.players.index(player)


def players_numbered(
    match: Match, numbers: tuple[int, ...], *, everybody: bool = False
) -> tuple[str, ...]:
    """Return the players with these numbers.

    Raises FieldError for unknown or repeated numbers, and where `everybody` is asked for but some
    are missing.
    """
    players = match.game.players
    is_wrong = len(set(numbers)) < len(numbers) or any(each >= len(players) for each in numbers)
    if is_wrong or (everybody and len(numbers) < len(players)):
        raise FieldError(message("error.400"))
    return tuple(players[number] for number in numbers)


def match_to_correct(match: str) -> Match:
    """Return a match that may be over; raise UnknownMatchError.

    Raises HiddenNamesError where the phone may not see all its names.
    """
    old_match = room().matches.get(match)
    if name_gate().hides_players(old_match):
        raise HiddenNamesError(match)
    return old_match


def describe_problem(match: Match, problem: Message) -> str:
    """Return the problem of an entry, in words, with the number of its deal."""
    row = match.row(int(str(problem.values.get("entry", 0))))
    cause = problem.values.get("what")
    if problem.key == "game.entry" and row and row.deal and isinstance(cause, Message):
        return f"{say('table.deal', number=row.deal.number)}{say('site.colon')}{say(cause)}"
    return say(problem)


def redirect_to_next_step(match: Match) -> AnyResponse:
    """Return a redirect to the next step for this phone."""
    if match.stage == "settle":
        return redirect_to("settle.show")
    player = wanted_player(match)
    if player is None:
        return redirect_to("table.show")
    given_hand, number = match.deal.given_hand(player), player_number(match, player)
    if given_hand.others:
        return redirect_to("which.show", number=number)
    if given_hand.hand:
        return redirect_to("hand.show", hand=given_hand.hand)
    return redirect_to("deal.capture", number=number)


def wanted_player(match: Match) -> str | None:
    """Return the player whose hand this phone gives in next; None if other phones do the rest."""
    return (
        next_hand_wanted(match, phone_player(match), players_with_phone(match))
        if missing_hands(match)
        else None
    )


def players_with_phone(match: Match) -> list[str]:
    """Return the players whose phones take part in the match."""
    return [match.game.players[number] for number in room().phones.players_with_phone(match.id)]


def seen_or_own_version(match: Match) -> int:
    """Return the version that the phone saw; the newest, if only this phone made changes since.

    So a phone may answer again from an old page of its own. A settled deal ends this.
    """
    before, player = seen_version(), phone_player(match)
    later_actions = [doing for doing in match.doings if doing.seq > before]
    is_own = player and all(
        (d.by, d.kind != DealSettled.kind) == (player, True) for d in later_actions
    )
    newest_version = later_actions[-1].seq if later_actions else 0
    return match.version if is_own and newest_version == match.version else before


def seen_version() -> int:
    """Return the version of the match that the phone's page showed."""
    return form().seq("seen", default=0)
