"""The rules that the tutor teaches: those of the match on the table, else the box's own."""

from __future__ import annotations

from typing import cast

from flask import g

from device.hands.situation import Agreement
from device.web.box import box
from scorer.ruleset import Ruleset


def agreement_in_force() -> Agreement:
    """Return what the table plays by; without a match, the box's ruleset as it comes.

    Asked of the log once in a request: a page of lessons asks for each of them.
    """
    if "agreement" not in g:
        match = box().matches.current()
        g.agreement = match.agreement if match else Agreement(ruleset=box().rules_here)
    return cast(Agreement, g.agreement)


def rules_in_force() -> Ruleset:
    """Return the ruleset with the table's choices and limit."""
    return agreement_in_force().rules


def rules_called(name: str) -> Ruleset:
    """Return the rules of this name: as the table plays them, if they are in force."""
    return agreement_in_force().rules_called(name)
