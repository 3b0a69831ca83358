"""Questions of the quiz "which set is this?"."""

from __future__ import annotations

from functools import lru_cache

from device.i18n.words import say, tile_name, translated, wind_name
from device.views.tutor.question import QuestionCard, Quiz
from device.views.tutor.sets_as_laid import LAYINGS
from scorer.breakdown import Breakdown
from scorer.explain.sums import write_score
from scorer.hand import RULESETS
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.sets import classify_set
from scorer.teach.practice.set_questions import (
    NOT_LAID,
    SET_LEVELS,
    SetQuestion,
    SetWorth,
    as_hand,
    find_laying,
    make_set_round,
    name_laid_set,
)

ROUNDS = 16
"""Rounds kept in memory for their next questions: one for each phone that practises."""

_STRUCTURE = {"bmja": "BMJA-H01", "safalra": "SAF-H01"}
"""The rule that defines the sets."""

_UNREADABLE = {"bmja": "BMJA-V11", "safalra": "SAF-V06"}
"""The rule about reading sets off the table."""

_DOUBLES = ("none", "once", "twice", "thrice")


def _levels(_: Ruleset) -> tuple[str, ...]:
    return tuple(SET_LEVELS)


@lru_cache(maxsize=ROUNDS)
def _round(level: str, seed: int, rules: Ruleset) -> tuple[SetQuestion, ...]:
    return make_set_round(level, seed, rules, LAYINGS)


def _rights(level: str, seed: int, rules: Ruleset) -> tuple[int, ...]:
    return tuple(question.right for question in _round(level, seed, rules))


def _card(level: str, seed: int, place: int, rules: Ruleset) -> QuestionCard:
    question = _round(level, seed, rules)[place]
    choices = tuple(map(_choice, question.choices))
    scored = score(as_hand(question), rules) if question.asked == "worth" else None
    return QuestionCard(
        ask=say(f"set-quiz.ask.{question.asked}", title=load_builtin(question.ruleset).title),
        about=_about(question),
        codes=question.picture,
        names=tuple(map(tile_name, question.picture)),
        choices=choices,
        right=question.right,
        answer=choices[question.right],
        explanation=(*_explanation(question), *_not_counted(scored)),
        rules=_rules(question, scored),
        lines=scored.lines if scored else (),
        sum=say(write_score(scored)) if scored and scored.doubles else "",
    )


def _choice(choice: str | SetWorth) -> str:
    if isinstance(choice, SetWorth):
        return say(f"set-quiz.worth.{_DOUBLES[choice.doubles]}", points=choice.points)
    return say(f"set-quiz.is.{choice}")


def _about(question: SetQuestion) -> tuple[str, ...]:
    facts = []
    if question.laying and question.laying.promoted:
        facts.append(say("set-quiz.promoted"))
    if question.seat_wind:
        facts.append(say("set-quiz.seat", wind=wind_name(question.seat_wind)))
    if question.prevailing_wind:
        facts.append(say("set-quiz.prevailing", wind=wind_name(question.prevailing_wind)))
    return tuple(facts)


def _explanation(question: SetQuestion) -> tuple[str, ...]:
    """Return why the answer is what it is."""
    if question.trap:
        return (say(f"set-quiz.trap.{question.trap}"),)
    if question.asked == "kind" or (question.asked == "worth" and not question.laying):
        kind = classify_set(question.tiles)
        turned = (say("set-quiz.turned"),) if "?" in question.shape else ()
        return (say(f"set-quiz.why.{kind}"), *turned)
    down = say(f"set-quiz.down.{_down(question.shape)}")
    if question.asked == "named":
        first = (question.ruleset, *(name for name in RULESETS if name != question.ruleset))
        return tuple(_by(name, question.shape, down) for name in first)
    made = "concealed" if question.laying and question.laying.concealed else "exposed"
    return _by(question.ruleset, question.shape, down), say(f"set-quiz.made.{made}")


def _by(ruleset: str, shape: str, down: str) -> str:
    """Return how a ruleset reads a group with this layout."""
    laying = find_laying(shape, LAYINGS[ruleset])
    answer = say(f"set-quiz.is.{name_laid_set(laying) if laying else NOT_LAID}")
    return say("set-quiz.by", title=load_builtin(ruleset).title, down=down, answer=answer)


def _down(shape: str) -> str:
    """Return the message key for which tiles lie face down."""
    if shape.count("?") != 1:
        return "both-ends" if "?" in shape else "none"
    if shape[0] == "?" or shape[-1] == "?":
        return "end"
    return "middle" if len(shape) % 2 else "inner"


def _not_counted(scored: Breakdown | None) -> tuple[str, ...]:
    """Return the scorer's reasons for awards that do not count."""
    return tuple(str(translated(each.reason)) for each in scored.not_counted) if scored else ()


def _rules(question: SetQuestion, scored: Breakdown | None) -> tuple[str, ...]:
    """Return the rules to read on, besides those of the score's lines."""
    if question.laying and question.asked != "kind":
        return (question.laying.rule,)
    if scored:
        return tuple(each.rule for each in scored.not_counted)
    return ((_UNREADABLE if question.asked == "named" else _STRUCTURE)[question.ruleset],)


SETS = Quiz("set", _levels, _rights, _card)
