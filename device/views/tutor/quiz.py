"""The quizzes: "name the tile" and "which set is this?"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from device.i18n.words import is_said, say, tile_name, wind_name
from device.views.tutor.rules import LAYINGS
from scorer.breakdown import Breakdown, Line
from scorer.explain.sums import write_score
from scorer.hand import RULESETS, Codes, Hand
from scorer.ruleset import Ruleset
from scorer.rulesets.builtin import load_builtin
from scorer.score import score
from scorer.sets import classify_set
from scorer.teach.practice.set_questions import (
    SET_LEVELS,
    UNLAID_ANSWER,
    SetQuestion,
    SetWorth,
    as_hand,
    find_laying,
    make_set_round,
    name_laid_set,
)
from scorer.teach.practice.tile_questions import (
    TileQuestion,
    find_owner,
    make_tile_round,
    tile_levels,
)
from scorer.tiles import BY_CODE, RANKS


@dataclass(frozen=True, slots=True)
class QuestionCard:
    """One question with its answers, in words."""

    ask: str
    codes: Codes
    """The tiles that the question shows."""
    choices: tuple[str, ...]
    right: int
    answer: str
    """The right answer in a few words."""
    explanation: tuple[str, ...]
    """The reason, in sentences."""
    about: tuple[str, ...] = ()
    """What one must know to answer, in sentences."""
    rules: tuple[str, ...] = ()
    """Ids of rules to read on."""
    lines: tuple[Line, ...] = ()
    """The score, line by line."""
    sum: str = ""
    """The sum of the lines, where it is not obvious."""
    bare: bool = False
    """Hide the figures in the tiles' corners, which would give the answer away."""
    names: tuple[str, ...] = ()
    """Names of the tiles for screen readers; empty where they would give the answer away."""
    own_picture: bool = False
    """A photograph of the players' own tile may replace the drawing."""
    crop: str = ""
    """The name of that photograph, if the box has one."""
    strip: Codes = ()
    """Tiles to compare with, once the answer was wrong."""


_Question = SetQuestion | TileQuestion


@dataclass(frozen=True, slots=True)
class Quiz:
    """One kind of question."""

    key: str
    levels: Callable[[Ruleset], tuple[str, ...]]
    """Return the keys of the levels under these rules, the easiest first."""
    questions: Callable[[str, int, Ruleset], tuple[_Question, ...]]
    """Return the questions of a round, by level and seed."""
    card: Callable[[str, int, int, Ruleset], QuestionCard]
    """Return one question of a round, by level, seed and number from 0."""

    def rights(self, level: str, seed: int, rules: Ruleset) -> tuple[int, ...]:
        """Return the index of the right answer for each question of a round."""
        return tuple(question.right for question in self.questions(level, seed, rules))


MAX_CACHED_ROUNDS = 16
"""Rounds kept in memory for their next questions: one for each phone that practises."""

_SET_KIND_RULES = {"bmja": "BMJA-H01", "safalra": "SAF-H01"}
"""The rule that defines the sets."""

_UNREADABLE_SET_RULES = {"bmja": "BMJA-V11", "safalra": "SAF-V06"}
"""The rule about reading sets off the table."""

_DOUBLE_KEYS = ("none", "once", "twice", "thrice")


@lru_cache(maxsize=MAX_CACHED_ROUNDS)
def _set_round(level: str, seed: int, rules: Ruleset) -> tuple[SetQuestion, ...]:
    return make_set_round(level, seed, rules, LAYINGS)


def _set_card(level: str, seed: int, place: int, rules: Ruleset) -> QuestionCard:
    question = _set_round(level, seed, rules)[place]
    choices = tuple(map(_describe_worth, question.choices))
    breakdown = score(as_hand(question), rules) if question.subject == "worth" else None
    return QuestionCard(
        ask=say(f"set-quiz.ask.{question.subject}", title=load_builtin(question.ruleset).title),
        about=_describe_set(question),
        codes=question.picture,
        names=tuple(map(tile_name, question.picture)),
        choices=choices,
        right=question.right,
        answer=choices[question.right],
        explanation=(*_explain_set(question), *_explain_not_counted(breakdown)),
        rules=_set_rules_to_read(question, breakdown),
        lines=breakdown.lines if breakdown else (),
        sum=say(write_score(breakdown)) if breakdown and breakdown.doubles else "",
    )


def _describe_worth(choice: str | SetWorth) -> str:
    if isinstance(choice, SetWorth):
        return say(f"set-quiz.worth.{_DOUBLE_KEYS[choice.doubles]}", points=choice.points)
    return say(f"set-quiz.is.{choice}")


def _describe_set(question: SetQuestion) -> tuple[str, ...]:
    facts = []
    if question.laying and question.laying.promoted:
        facts.append(say("set-quiz.promoted"))
    if question.seat_wind:
        facts.append(say("set-quiz.seat", wind=wind_name(question.seat_wind)))
    if question.prevailing_wind:
        facts.append(say("set-quiz.prevailing", wind=wind_name(question.prevailing_wind)))
    return tuple(facts)


def _explain_set(question: SetQuestion) -> tuple[str, ...]:
    """Return why the answer is what it is."""
    if question.trap:
        return (say(f"set-quiz.trap.{question.trap}"),)
    if question.subject == "kind" or (question.subject == "worth" and not question.laying):
        kind = classify_set(question.tiles)
        notes = (say("set-quiz.turned"),) if "?" in question.shape else ()
        return (say(f"set-quiz.why.{kind}"), *notes)
    face_down = say(f"set-quiz.down.{_face_down_key(question.shape)}")
    if question.subject == "named":
        first = (question.ruleset, *(name for name in RULESETS if name != question.ruleset))
        return tuple(_explain_laying(name, question.shape, face_down) for name in first)
    exposure = "concealed" if question.laying and question.laying.concealed else "exposed"
    return _explain_laying(question.ruleset, question.shape, face_down), say(
        f"set-quiz.made.{exposure}"
    )


def _explain_laying(ruleset: str, shape: str, face_down: str) -> str:
    """Return how a ruleset reads a group with this layout."""
    layout = find_laying(shape, LAYINGS[ruleset])
    answer = say(f"set-quiz.is.{name_laid_set(layout) if layout else UNLAID_ANSWER}")
    return say("set-quiz.by", title=load_builtin(ruleset).title, down=face_down, answer=answer)


def _face_down_key(shape: str) -> str:
    """Return the message key for which tiles lie face down."""
    if shape.count("?") != 1:
        return "both-ends" if "?" in shape else "none"
    if shape[0] == "?" or shape[-1] == "?":
        return "end"
    return "middle" if len(shape) % 2 else "inner"


def _explain_not_counted(breakdown: Breakdown | None) -> tuple[str, ...]:
    """Return what the scorer says of that which one might have counted."""
    return tuple(say(each.reason) for each in breakdown.not_counted) if breakdown else ()


def _set_rules_to_read(question: SetQuestion, breakdown: Breakdown | None) -> tuple[str, ...]:
    """Return the rules to read on, besides those of the score's lines."""
    if question.laying and question.subject != "kind":
        return (question.laying.rule,)
    if breakdown:
        return tuple(each.rule for each in breakdown.not_counted)
    return (
        (_UNREADABLE_SET_RULES if question.subject == "named" else _SET_KIND_RULES)[
            question.ruleset
        ],
    )


SET_QUIZ = Quiz("set", lambda _: tuple(SET_LEVELS), _set_round, _set_card)


COUNTED_FAMILIES = ("B", "O")
"""Families recognised by counting what is printed, up to the corners."""

BONUS_OWNER_RULE = "BMJA-T03"
"""The rule about who owns the flowers and seasons."""


def _tile_round(level: str, seed: int, rules: Ruleset) -> tuple[TileQuestion, ...]:
    return make_tile_round(level, seed, bonus_tiles=rules.bonus_tiles)


def _tile_card(level: str, seed: int, place: int, rules: Ruleset) -> QuestionCard:
    question = _tile_round(level, seed, rules)[place]
    tile = BY_CODE[question.code]
    asks_owner = question.subject == "whose"
    worth = _score_line(question.code, rules)
    name = (
        say("tile-quiz.winds", wind=wind_name(find_owner(tile.code)))
        if asks_owner
        else tile_name(tile.code)
    )
    numerals = tuple("C" + rank for rank in RANKS["C"])
    return QuestionCard(
        ask=say(f"tile-quiz.ask.{question.subject}"),
        codes=(question.code,),
        choices=tuple(_describe_choice(question, choice) for choice in question.choices),
        right=question.right,
        answer=name,
        explanation=_explain_tile(question.code, worth),
        rules=(BONUS_OWNER_RULE,) if tile.is_bonus else (worth.rule,),
        bare=not asks_owner,  # the number tells the owner
        # Use photographs for every other question, so that both are learnt. The corner figure is
        # covered, and on bamboo and circles the cover would hide the face.
        own_picture=not asks_owner and place % 2 == 1 and tile.family not in COUNTED_FAMILIES,
        names=(tile_name(tile.code),) if asks_owner else (),
        strip=numerals if tile.family == "C" else (),
    )


def _describe_choice(question: TileQuestion, choice: str) -> str:
    if question.subject == "whose":
        return say("tile-quiz.winds", wind=wind_name(choice))
    return tile_name(choice)


def _explain_tile(code: str, worth: Line) -> tuple[str, ...]:
    """Return what the tile is, and its worth under the rules in force."""
    tile = BY_CODE[code]
    key = f"tile-quiz.told.{code}"
    message_key = key if is_said(key) else f"tile-quiz.told.{tile.family}"
    if tile.is_bonus:
        description = say(message_key, number=tile.rank, wind=wind_name(find_owner(code)))
        return description, say("tile-quiz.worth-bonus", points=worth.points)
    return say(message_key), say("tile-quiz.worth", points=worth.points)


def _score_line(code: str, rules: Ruleset) -> Line:
    """Return the line for an exposed pung of this tile, or for one flower or season."""
    bonus = BY_CODE[code].is_bonus
    sets, bonus_codes = ((), (code,)) if bonus else (((code,) * 3,), ())
    hand = Hand(exposed=sets, bonus=bonus_codes, ruleset=rules.name)
    return next(line for line in score(hand, rules).lines if line.points)


TILE_QUIZ = Quiz(
    "tile", lambda rules: tuple(tile_levels(bonus_tiles=rules.bonus_tiles)), _tile_round, _tile_card
)
