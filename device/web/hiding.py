"""What a phone is shown of matches, where somebody in them does not wish to be shown."""

from __future__ import annotations

from device.club.hiding import Hiding
from device.club.people_log import PeopleLog
from device.i18n.words import say
from device.matches.match import Match
from device.web.box import box
from device.web.sitting import match_said


def hiding() -> Hiding:
    """Return who is hidden, and what is said in place of the name."""
    return Hiding(PeopleLog(box().hands.store).register(), say("table.somebody"))


def shown_here(match: Match, how: Hiding | None = None) -> Match:
    """Return a match as the phone is shown it: whole, where it is played and to those who played.

    What goes on paper or into a file is for everybody: that is `hiding().match`. Of many that are
    shown at once, `how` is what that is.
    """
    is_here = not match.ended and match.table == box().table
    return match if is_here or match_said() == match.id else (how or hiding()).match(match)
