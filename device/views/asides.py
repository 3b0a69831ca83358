"""The folded details below a score: other results, and the rules in force."""

from __future__ import annotations

from dataclasses import dataclass

from device.i18n.words import say, say_count, tile_name
from scorer.breakdown import Breakdown, OptionInForce, ScoringAlternative, Wait
from scorer.message import Message
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin


@dataclass(frozen=True, slots=True)
class WaitView:
    """A tile that would have completed the hand."""

    code: str
    name: str
    left: str
    """How many of it the player does not hold, in words."""
    total: int
    special: str
    """The special hand that it would complete; empty for an ordinary hand."""
    rule: str
    """The rule id of that hand; empty for an ordinary hand."""


@dataclass(frozen=True, slots=True)
class NearView:
    """A special hand that the tiles nearly made."""

    rule: str
    name: str
    sentence: str
    """What the hand consists of."""
    lacks: str
    """How many tiles are missing, in words."""
    needed: tuple[str, ...]
    """Codes of the missing tiles."""


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules that the score follows."""

    title: str
    limit: str
    own: tuple[OptionInForce, ...]
    """The table's choices that differ from the defaults."""
    usual: tuple[OptionInForce, ...]


@dataclass(frozen=True, slots=True)
class Asides:
    """Everything below a score; empty parts are not shown."""

    compared: tuple[ScoringAlternative, ...]
    """The ways to count, including the chosen one; empty if there was only one."""
    not_counted: tuple[tuple[str, Message], ...]
    """Rule id and reason."""
    waits: tuple[WaitView, ...]
    nearest: tuple[NearView, ...]
    rules: RulesView


def asides(breakdown: Breakdown) -> Asides:
    """Return the details that the page shows below a score."""
    rules = load_builtin(breakdown.ruleset)
    return Asides(
        compared=breakdown.compared if len(breakdown.compared) > 1 else (),
        not_counted=tuple((each.rule, each.reason) for each in breakdown.not_counted),
        waits=tuple(_wait(wait, rules) for wait in breakdown.waits),
        nearest=_nearest(breakdown, rules),
        rules=_rules(breakdown, rules),
    )


def _wait(wait: Wait, rules: Ruleset) -> WaitView:
    return WaitView(
        code=wait.tile,
        name=tile_name(wait.tile),
        left=say_count("waits.left", wait.left) if wait.left else say("waits.none-left"),
        total=wait.total,
        special=rules.specials_by_id[wait.special].name if wait.special else "",
        rule=wait.special or "",
    )


def _nearest(breakdown: Breakdown, rules: Ruleset) -> tuple[NearView, ...]:
    return tuple(
        NearView(
            rule=each.rule,
            name=each.name,
            sentence=rules.specials_by_id[each.rule].sentence,
            lacks=say_count("nearest.lacks", len(each.needed)),
            needed=each.needed,
        )
        for each in breakdown.nearest
    )


def _rules(breakdown: Breakdown, rules: Ruleset) -> RulesView:
    limit = breakdown.limit
    options = breakdown.options
    return RulesView(
        title=rules.title,
        limit=say("rules.no-limit") if limit is None else say("rules.limit", limit=limit),
        own=tuple(each for each in options if each.value != each.default),
        usual=tuple(each for each in options if each.value == each.default),
    )
