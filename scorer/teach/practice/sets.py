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
from scorer.sets import chow_from
from scorer.teach.practice.layings import (
    LAID,
    UNLAID,
    Layings,
    answer_of,
    laying_of,
    usual_shapes,
)
from scorer.teach.practice.tiles import CHOICES, ROUND
from scorer.teach.practice.traps import TRAPS
from scorer.tiles import BY_CODE, CODES, FACE_DOWN, SUITS, WINDS

_Asked = Literal["kind", "laid", "worth", "named"]
"""What is asked: the kind; also exposed or concealed; the score; the kind under a named ruleset."""

KINDS: tuple[SetKind, ...] = ("chow", "pung", "kong", "pair", "loose")


class Worth(NamedTuple):
    """The points and doubles of a set."""

    points: int
    doubles: int


@dataclass(frozen=True, slots=True)
class SetQuestion:
    """One group of tiles on the table, and some answers, one of them right."""

    asked: _Asked
    ruleset: str
    picture: Codes
    """The tiles as shown; `??` is face down."""
    tiles: Codes
    """The real tiles."""
    choices: tuple[str | Worth, ...]
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


PAIR = 2
"""The number of tiles of a pair."""

_CHOW, _CHOW_OR_PAIR = 0.1, 0.3
"""The shares of chows, and of chows and pairs of honours, among sets to score."""

SET_LEVELS: Mapping[str, _Asked] = MappingProxyType(
    {"kinds": "kind", "laid": "laid", "worth": "worth", "both": "named"}
)
"""What each level asks; the easiest comes first."""


def set_round(level: str, seed: int, rules: Ruleset, layings: Layings) -> tuple[SetQuestion, ...]:
    """Return a round, the same for the same seed; raise KeyError for an unknown level."""
    make = _MAKERS[SET_LEVELS[level]]
    rng = Random(f"set {level} {seed}")
    found: list[SetQuestion] = []
    while len(found) < ROUND:
        question = make(rng, rules, layings)
        if not found or question.tiles != found[-1].tiles:
            found.append(question)
    return tuple(found)


def as_hand(question: SetQuestion) -> Hand:
    """Return the losing hand that has only this set."""
    hand = Hand(
        ruleset=question.ruleset,
        seat_wind=question.seat_wind or "E",
        prevailing_wind=question.prevailing_wind or "E",
    )
    laying = question.laying
    if len(question.tiles) == PAIR:  # a pair scores the same in either row
        return replace(hand, concealed=question.tiles)
    if laying is None or not laying.concealed:
        return replace(hand, exposed=(question.tiles,))
    if laying.kind == "kong":
        return replace(hand, declared_kongs=(question.tiles,))
    return replace(hand, concealed=question.tiles)


def _worth(breakdown: Breakdown) -> Worth:
    return Worth(breakdown.base, breakdown.doubles)


def _playing(rng: Random) -> str:
    """Return a random playing tile; half of the time an honour, which has more rules."""
    honours = rng.random() < 0.5
    fit = [c for c in CODES if not BY_CODE[c].is_bonus and BY_CODE[c].is_honour == honours]
    return rng.choice(fit)


def _chow(rng: Random) -> Codes:
    chow = chow_from(BY_CODE[f"{rng.choice(list(SUITS))}{rng.randint(1, 7)}"])
    return tuple(tile.code for tile in chow or ())


def _picture(code: str, shape: str) -> Codes:
    return tuple(FACE_DOWN if mark == "?" else code for mark in shape)


def _some(choices: tuple[str, ...], right: str, rng: Random) -> tuple[str, ...]:
    """Return the right answer and some others, in the usual order."""
    others = rng.sample([each for each in choices if each != right], CHOICES - 1)
    return tuple(each for each in choices if each in (right, *others))


def _kind(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    right = rng.choice(KINDS)
    laying, trap = None, ""
    if right == "loose":
        trap = rng.choice(list(TRAPS))
        tiles = picture = TRAPS[trap](rng)
    elif right == "chow":
        tiles = picture = _chow(rng)
    elif right == "pair":
        tiles = picture = (_playing(rng),) * 2
    else:
        own = layings[rules.name]
        laying = next(each for each in own if each.kind == right and not each.concealed)
        code = _playing(rng)
        tiles, picture = (code,) * len(laying.shape), _picture(code, laying.shape)
    choices = _some(KINDS, right, rng)
    place = choices.index(right)
    return SetQuestion("kind", rules.name, picture, tiles, choices, place, laying, trap)


def _laid(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    right = rng.choice(LAID[:-1])
    laying = rng.choice([each for each in layings[rules.name] if answer_of(each) == right])
    return _of(rng, laying, "laid", rules.name, LAID[:-1])


def _named(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    """Ask about a picture under one ruleset; another may read it differently (BMJA-V12)."""
    drawn = rng.choice(usual_shapes(layings))
    named = rng.choice(sorted(layings))
    laying = laying_of(drawn, layings[named])
    other = {answer_of(got) for own in layings.values() if (got := laying_of(drawn, own))}
    right = answer_of(laying) if laying else UNLAID
    rest = [each for each in LAID if each not in other and each != right]
    out = rng.choice(rest)  # the answer of the other ruleset is always offered
    choices = tuple(each for each in LAID if each != out)
    if laying:
        return _of(rng, laying, "named", named, choices)
    code = _playing(rng)
    tiles = (code,) * len(drawn)
    return SetQuestion("named", named, _picture(code, drawn), tiles, choices, choices.index(right))


def _of(
    rng: Random, laying: Laying, asked: _Asked, ruleset: str, choices: tuple[str, ...]
) -> SetQuestion:
    code = _playing(rng)
    return SetQuestion(
        asked=asked,
        ruleset=ruleset,
        picture=_picture(code, laying.shape),
        tiles=(code,) * len(laying.shape),
        choices=choices,
        right=choices.index(answer_of(laying)),
        laying=laying,
    )


def _scored(rng: Random, rules: Ruleset, layings: Layings) -> SetQuestion:
    winds, drawn = list(WINDS), rng.random()
    question = _laid(rng, rules, layings)
    if drawn < _CHOW_OR_PAIR:
        honour = rng.choice([code for code in CODES if BY_CODE[code].is_honour])
        tiles = _chow(rng) if drawn < _CHOW else (honour,) * PAIR
        question = replace(question, picture=tiles, tiles=tiles, laying=None)
    question = replace(
        question,
        asked="worth",
        seat_wind=rng.choice(winds),
        prevailing_wind=rng.choice(winds) if rules.prevailing_wind else "",
    )
    right = _worth(score(as_hand(question), rules))
    others = _mistakes(question, right, rules, layings)
    choices = tuple(sorted({right, *rng.sample(others, CHOICES - 1)}))
    return replace(question, choices=choices, right=choices.index(right))


def _mistakes(
    question: SetQuestion, right: Worth, rules: Ruleset, layings: Layings
) -> tuple[Worth, ...]:
    """Return the likeliest wrong scores: of other sets, or with doubles miscounted."""
    code = question.tiles[0]
    sets = (
        *(((code,) * len(laying.shape), laying) for laying in layings[rules.name]),
        (("DR",) * PAIR, None),
    )
    others = (replace(question, tiles=tiles, laying=laying) for tiles, laying in sets)
    points = {score(as_hand(other), rules).base for other in others} | {right.points, 0}
    doubles = {max(right.doubles - 1, 0), right.doubles, right.doubles + 1}
    found = {Worth(p, d) for p in points for d in doubles if p or not d} - {right}
    near = sorted(found, key=lambda each: (abs(each.points - right.points), each))
    return tuple(near[: 2 * (CHOICES - 1)])


_MAKERS: Mapping[_Asked, Callable[[Random, Ruleset, Layings], SetQuestion]] = {
    "kind": _kind,
    "laid": _laid,
    "worth": _scored,
    "named": _named,
}
