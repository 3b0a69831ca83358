"""The rules that the tutor teaches: those of the current match, else the box's own."""

from __future__ import annotations

from typing import cast

from flask import g

from device.hands.record import Agreement
from device.web.box import box
from scorer.ruleset import Ruleset


def agreement_in_force() -> Agreement:
    """Return the agreement of the current match; without one, the plain ruleset of the table.

    Looked up once per request, because a page of lessons needs it for each lesson.
    """
    if "agreement" not in g:
        match = box().matches.current()
        g.agreement = match.agreement if match else Agreement(ruleset=box().rules_here)
    return cast(Agreement, g.agreement)


def rules_in_force() -> Ruleset:
    """Return the ruleset in force, with the table's options and limit."""
    return agreement_in_force().rules


def rules_called(name: str) -> Ruleset:
    """Return a ruleset by name, with the table's options if it is in force."""
    return agreement_in_force().rules_called(name)
