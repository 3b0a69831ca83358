"""Questions of the quiz "name the tile"."""

from __future__ import annotations

from device.i18n.words import is_said, say, tile_name, wind_name
from device.views.tutor.question import QuestionCard, Quiz
from scorer.breakdown import Line
from scorer.hand import Hand
from scorer.ruleset import Ruleset
from scorer.score import score
from scorer.teach.practice.tile_questions import (
    TileQuestion,
    find_owner,
    make_tile_round,
    tile_levels,
)
from scorer.tiles import BY_CODE, RANKS

COUNTED = ("B", "O")
"""Families recognised by counting what is printed, up to the corners."""

OWNERS = "BMJA-T03"
"""The rule about who owns the flowers and seasons."""


def _levels(rules: Ruleset) -> tuple[str, ...]:
    return tuple(tile_levels(bonus_tiles=rules.bonus_tiles))


def _round(level: str, seed: int, rules: Ruleset) -> tuple[TileQuestion, ...]:
    return make_tile_round(level, seed, bonus_tiles=rules.bonus_tiles)


def _rights(level: str, seed: int, rules: Ruleset) -> tuple[int, ...]:
    return tuple(question.right for question in _round(level, seed, rules))


def _card(level: str, seed: int, place: int, rules: Ruleset) -> QuestionCard:
    question = _round(level, seed, rules)[place]
    tile = BY_CODE[question.code]
    whose = question.asked == "whose"
    worth = _worth(question.code, rules)
    name = (
        say("tile-quiz.winds", wind=wind_name(find_owner(tile.code)))
        if whose
        else tile_name(tile.code)
    )
    numerals = tuple("C" + rank for rank in RANKS["C"])
    return QuestionCard(
        ask=say(f"tile-quiz.ask.{question.asked}"),
        codes=(question.code,),
        choices=tuple(_said(question, choice) for choice in question.choices),
        right=question.right,
        answer=name,
        explanation=_explanation(question.code, worth),
        rules=(OWNERS,) if tile.is_bonus else (worth.rule,),
        bare=not whose,  # the number tells the owner
        # Use photographs for every other question, so that both are learnt. The corner figure is
        # covered, and on bamboo and circles the cover would hide the face.
        own_picture=not whose and place % 2 == 1 and tile.family not in COUNTED,
        names=(tile_name(tile.code),) if whose else (),
        strip=numerals if tile.family == "C" else (),
    )


def _said(question: TileQuestion, choice: str) -> str:
    if question.asked == "whose":
        return say("tile-quiz.winds", wind=wind_name(choice))
    return tile_name(choice)


def _explanation(code: str, worth: Line) -> tuple[str, ...]:
    """Return what the tile is, and its worth under the rules in force."""
    tile = BY_CODE[code]
    key = f"tile-quiz.told.{code}"
    what = key if is_said(key) else f"tile-quiz.told.{tile.family}"
    if tile.is_bonus:
        whose = say(what, number=tile.rank, wind=wind_name(find_owner(code)))
        return whose, say("tile-quiz.worth-bonus", points=worth.points)
    return say(what), say("tile-quiz.worth", points=worth.points)


def _worth(code: str, rules: Ruleset) -> Line:
    """Return the line for an exposed pung of this tile, or for one flower or season."""
    bonus = BY_CODE[code].is_bonus
    sets, own = ((), (code,)) if bonus else (((code,) * 3,), ())
    hand = Hand(exposed=sets, bonus=own, ruleset=rules.name)
    return next(line for line in score(hand, rules).lines if line.points)


TILES = Quiz("tile", _levels, _rights, _card)
