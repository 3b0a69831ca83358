"""Rounds of questions about groups of tiles on the table: what they are and what they score.

The caller passes the layings of each ruleset. Traps are groups that newcomers mistake for sets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Literal, NamedTuple

from scorer.breakdown import Breakdown, SetKind
from scorer.hand import Codes, Hand
from scorer.ruleset import Laying, Ruleset
from scorer.score import score
from scorer.sets import chow_starting_at
from scorer.teach.practice.tile_questions import CHOICES_PER_QUESTION, QUESTIONS_PER_ROUND
from scorer.tiles import BY_CODE, CODES, DRAGONS, FACE_DOWN, SUITS, WINDS

_SetAsked = Literal["kind", "laid", "worth", "named"]
"""What is asked: the kind; also exposed or concealed; the score; the kind under a named ruleset."""

KIND_ANSWERS: tuple[SetKind, ...] = ("chow", "pung", "kong", "pair", "loose")


class SetWorth(NamedTuple):
    """The points and doubles of a set."""

    points: int
    doubles: int


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """One group of tiles on the table, and some answers, one of them right."""

    subject: _SetAsked
    ruleset: str
    picture: Codes
    """The tiles as shown; `??` is face down."""
    tiles: Codes
    """The real tiles."""
    choices: tuple[str | SetWorth, ...]
    """Some of `KIND_ANSWERS` or `LAID_ANSWERS`, or possible scores."""
    right: int
    """The index of the right answer."""
    laying: Laying | None = None
    """The laying of a pung or a kong; None for other groups."""
    trap: str = ""
    """A key of `TRAPS`: why the group is no set; empty for a set."""
    seat_wind: str = ""
    prevailing_wind: str = ""

    @property
    def shape(self) -> str:
        """The tiles face up and face down: `XXX?`."""
        return "".join("?" if code == FACE_DOWN else "X" for code in self.picture)


PAIR_TILES = 2
"""The number of tiles of a pair."""

_CHOW_SHARE, _CHOW_OR_PAIR_SHARE = 0.1, 0.3
"""The shares of chows, and of chows and pairs of honours, among sets to score."""

SET_LEVELS: Mapping[str, _SetAsked] = MappingProxyType(
    {"kinds": "kind", "laid": "laid", "worth": "worth", "both": "named"}
)
"""What each level asks; the easiest comes first."""


def make_set_round(
    level: str, seed: int, rules: Ruleset, layings: Layings
) -> tuple[SetQuestion, ...]:
    """Return a round, the same for the same seed; raise KeyError for an unknown level."""
    make = _QUESTION_MAKERS[SET_LEVELS[level]]
    rng = Random(f"set {level} {seed}")
    questions: list[SetQuestion] = []
    while len(questions) < QUESTIONS_PER_ROUND:
        question = make(rng, rules, layings)
        if not questions or question.tiles != questions[-1].tiles:
            questions.append(question)
    return tuple(questions)


def as_hand(question: SetQuestion) -> Hand:
    """Return the losing hand that has only this set."""
    hand = Hand(
        ruleset=question.ruleset,
        seat_wind=question.seat_wind or "E",
        prevailing_wind=question.prevailing_wind or "E",
    )
    layout = question.laying
    if len(question.tiles) == PAIR_TILES:  # a pair scores the same in either row
        return replace(hand, concealed=question.tiles)
    if layout is None or not layout.concealed:
        return replace(hand, exposed=(question.tiles,))
    if layout.kind == "kong":
        return replace(hand, declared_kongs=(question.tiles,))
    return replace(hand, concealed=question.tiles)


def _worth(breakdown: Breakdown) -> SetWorth:
    return SetWorth(breakdown.base, breakdown.doubles)


def _draw_tile(rng: Random) -> str:
    """Return a random playing tile; half of the time an honour, which has more rules."""
    honours = rng.random() < 0.5
    fit = [c for c in CODES if not BY_CODE[c].is_bonus and BY_CODE[c].is_honour == honours]
    return rng.choice(fit)


def _draw_chow(rng: Random) -> Codes:
    chow = chow_starting_at(BY_CODE[f"{rng.choice(list(SUITS))}{rng.randint(1, 7)}"])
    return tuple(tile.code for tile in chow or ())


def _picture(code: str, shape: str) -> Codes:
    return tuple(FACE_DOWN if mark == "?" else code for mark in shape)


def _draw_choices(choices: tuple[str, ...], right: str, rng: Random) -> tuple[str, ...]:
    """Return the right answer and some others, in the usual order."""
    other_choices = rng.sample(
        [each for each in choices if each != right], CHOICES_PER_QUESTION - 1
    )
    return tuple(each for each in choices if each in (right, *other_choices))


def _ask_kind(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    right = rng.choice(KIND_ANSWERS)
    layout, trap = None, ""
    if right == "loose":
        trap = rng.choice(list(TRAPS))
        tiles = picture = TRAPS[trap](rng)
    elif right == "chow":
        tiles = picture = _draw_chow(rng)
    elif right == "pair":
        tiles = picture = (_draw_tile(rng),) * 2
    else:
        ruleset_layings = layings[rules.name]
        layout = next(each for each in ruleset_layings if each.kind == right and not each.concealed)
        code = _draw_tile(rng)
        tiles, picture = (code,) * len(layout.shape), _picture(code, layout.shape)
    choices = _draw_choices(KIND_ANSWERS, right, rng)
    place = choices.index(right)
    return SetQuestion("kind", rules.name, picture, tiles, choices, place, layout, trap)


def _ask_laid(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    right = rng.choice(LAID_ANSWERS[:-1])
    layout = rng.choice([each for each in layings[rules.name] if name_laid_set(each) == right])
    return _ask_about_laying(rng, layout, "laid", rules.name, LAID_ANSWERS[:-1])


def _ask_by_ruleset(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    """Ask about a picture under one ruleset; another may read it differently (BMJA-V12)."""
    shape = rng.choice(usual_shapes(layings))
    ruleset_name = rng.choice(sorted(layings))
    layout = find_laying(shape, layings[ruleset_name])
    other = {name_laid_set(got) for own in layings.values() if (got := find_laying(shape, own))}
    right = name_laid_set(layout) if layout else UNLAID_ANSWER
    rest = [each for each in LAID_ANSWERS if each not in other and each != right]
    omitted_choice = rng.choice(rest)  # the answer of the other ruleset is always offered
    choices = tuple(each for each in LAID_ANSWERS if each != omitted_choice)
    if layout:
        return _ask_about_laying(rng, layout, "named", ruleset_name, choices)
    code = _draw_tile(rng)
    tiles = (code,) * len(shape)
    return SetQuestion(
        "named", ruleset_name, _picture(code, shape), tiles, choices, choices.index(right)
    )


def _ask_about_laying(
    rng: Random, layout: Laying, subject: _SetAsked, ruleset: str, choices: tuple[str, ...]
) -> SetQuestion:
    code = _draw_tile(rng)
    return SetQuestion(
        subject=subject,
        ruleset=ruleset,
        picture=_picture(code, layout.shape),
        tiles=(code,) * len(layout.shape),
        choices=choices,
        right=choices.index(name_laid_set(layout)),
        laying=layout,
    )


def _ask_worth(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    winds, chance = list(WINDS), rng.random()
    question = _ask_laid(rng, rules, layings)
    if chance < _CHOW_OR_PAIR_SHARE:
        honour = rng.choice([code for code in CODES if BY_CODE[code].is_honour])
        tiles = _draw_chow(rng) if chance < _CHOW_SHARE else (honour,) * PAIR_TILES
        question = replace(question, picture=tiles, tiles=tiles, laying=None)
    question = replace(
        question,
        subject="worth",
        seat_wind=rng.choice(winds),
        prevailing_wind=rng.choice(winds) if rules.prevailing_wind else "",
    )
    right = _worth(score(as_hand(question), rules))
    wrong_answers = _likely_mistakes(question, right, rules, layings)
    choices = tuple(sorted({right, *rng.sample(wrong_answers, CHOICES_PER_QUESTION - 1)}))
    return replace(question, choices=choices, right=choices.index(right))


def _likely_mistakes(
    question: SetQuestion, right: SetWorth, rules: Ruleset, layings: Layings
) -> tuple[SetWorth, ...]:
    """Return the likeliest wrong scores: of other sets, or with doubles miscounted."""
    code = question.tiles[0]
    sets = (
        *(((code,) * len(laying.shape), laying) for laying in layings[rules.name]),
        (("DR",) * PAIR_TILES, None),
    )
    other_questions = (replace(question, tiles=tiles, laying=laying) for tiles, laying in sets)
    points = {score(as_hand(other), rules).base for other in other_questions} | {right.points, 0}
    doubles = {max(right.doubles - 1, 0), right.doubles, right.doubles + 1}
    worths = {SetWorth(p, d) for p in points for d in doubles if p or not d} - {right}
    nearest_worths = sorted(worths, key=lambda worth: (abs(worth.points - right.points), worth))
    return tuple(nearest_worths[: 2 * (CHOICES_PER_QUESTION - 1)])


_QUESTION_MAKERS: Mapping[_SetAsked, Callable[[Random, Ruleset, Layings], SetQuestion]] = {
    "kind": _ask_kind,
    "laid": _ask_laid,
    "worth": _ask_worth,
    "named": _ask_by_ruleset,
}


UNLAID_ANSWER = "unlaid"
"""The answer when a ruleset lays no set like this."""

LAID_ANSWERS = ("exposed-pung", "concealed-pung", "exposed-kong", "concealed-kong", UNLAID_ANSWER)


def name_laid_set(layout: Laying) -> str:
    """Return the kind of a set laid like this: one of `LAID_ANSWERS`."""
    return f"{'concealed' if layout.concealed else 'exposed'}-{layout.kind}"


Layings = Mapping[str, tuple[Laying, ...]]
"""The layings of each ruleset by its name."""


def find_laying(shape: str, layings: tuple[Laying, ...]) -> Laying | None:
    """Return the laying with this shape; None when there is none."""
    return next((each for each in layings if each.shape == shape), None)


def usual_shapes(layings: Layings) -> tuple[str, ...]:
    """Return the usual shape of every set in every ruleset, in a fixed order.

    A shape with all tiles face up is left out unless every ruleset has it.
    """
    usual = {
        next(each.shape for each in own if name_laid_set(each) == answer)
        for own in layings.values()
        for answer in {name_laid_set(each) for each in own}
    }
    return tuple(
        shape
        for shape in sorted(usual)
        if "?" in shape or all(find_laying(shape, own) for own in layings.values())
    )


def _suit(rng: Random) -> str:
    return rng.choice(list(SUITS))


def _gap(rng: Random) -> Codes:
    suit, first = _suit(rng), rng.randint(1, 6)
    return f"{suit}{first}", f"{suit}{first + 1}", f"{suit}{first + 3}"


def _wrap(rng: Random) -> Codes:
    suit = _suit(rng)
    return f"{suit}8", f"{suit}9", f"{suit}1"


def _mixed_run(rng: Random) -> Codes:
    first = rng.randint(1, 7)
    return tuple(f"{suit}{first + step}" for step, suit in enumerate(rng.sample(list(SUITS), 3)))


def _one_rank(rng: Random) -> Codes:
    rank = rng.randint(1, 9)
    return tuple(f"{suit}{rank}" for suit in SUITS)


def _winds(rng: Random) -> Codes:
    return tuple(f"W{wind}" for wind in list(WINDS)[:3])


def _dragons(rng: Random) -> Codes:
    return tuple(f"D{colour}" for colour in DRAGONS)


def _odd_one(rng: Random) -> Codes:
    suit, rank = _suit(rng), rng.randint(1, 8)
    return f"{suit}{rank}", f"{suit}{rank}", f"{suit}{rank + 1}"


TRAPS: Mapping[str, Callable[[Random], Codes]] = MappingProxyType(
    {
        "gap": _gap,
        "wrap": _wrap,
        "mixed-run": _mixed_run,
        "one-rank": _one_rank,
        "winds": _winds,
        "dragons": _dragons,
        "odd-one": _odd_one,
    }
)
"""Functions that draw such a group, by the reason why it is no set."""
