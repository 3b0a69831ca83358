"""From the tiles of one hand to a pattern: what may differ in another hand of the same kind.

With no answers the pattern is the most specific one for the tiles; each answer opens it.

>>> from scorer.patterns.groupings import find_groupings
>>> tiles = ("B1", "B2", "B3", "B4", "B5", "B6", "B7", "B8", "B9", "O8", "O8", "O8", "C7", "C7")
>>> hand = find_groupings(tiles)[0]
>>> write_pattern(hand, TappedAnswers())
'B1-9, pung O8, pair C7'
>>> write_pattern(hand, TappedAnswers(suits="same", ranks="any", sets="kongs"))
'x1-9, pung/kong y, pair z'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple

from scorer.hand import Codes
from scorer.patterns.groupings import Grouping, Unit, UnitKind
from scorer.patterns.notation import SUIT_VARIABLES, TILE_CLASSES
from scorer.tiles import RANKS, SUITS

CHOICES: Mapping[str, tuple[str, ...]] = {
    "suits": ("these", "same", "any"),
    "ranks": ("these", "steps", "ends", "minors", "any"),
    "honours": ("these", "kind", "any", "either"),
    "sets": ("these", "kongs", "any"),
}
"""What may be answered to each question; `these` is as the tiles are.

Of suits: other suits instead of these, the same throughout; or each group in any suit. Of ranks:
others at the same distance; 1s and 9s; 2s to 8s; any. Of honours: others of the kind, winds for
winds; any; or suits and honours alike. Of sets: a pung may be a kong; a set may be of any kind.
"""

MAX_RANK_GAP = 8
"""Between a 1 and a 9: with both in the hand no other ranks lie at the same distance."""

MIN_SHORT_RANKS = 3
"""Fewer ranks in a row are written one by one."""

WRITTEN_KINDS: tuple[UnitKind, ...] = ("run", "four")
KNITTED_KINDS: tuple[UnitKind, ...] = ("couple", "triplet")

RANKS_BY_ANSWER = {"ends": "19", "minors": "2-8", "any": ""}
CLASS_BY_RANKS = {"ends": "terminal", "minors": "minor", "any": "suit"}


@dataclass(frozen=True, slots=True)
class TappedAnswers:
    """What may differ from the tiles of the example."""

    suits: str = "these"
    ranks: str = "these"
    honours: str = "these"
    sets: str = "these"


class TappedQuestion(NamedTuple):
    """A question about a hand, with the answers that make a difference."""

    name: str
    choices: tuple[str, ...]
    answer: str


def find_questions(grouping: Grouping, answers: TappedAnswers) -> tuple[TappedQuestion, ...]:
    """Return the questions of a hand that have more than one answer, the others as they are."""
    current, questions = fit_answers(grouping, answers), []
    for name in CHOICES:
        patterns: dict[str, str] = {}
        for choice in SENSIBLE_CHOICES[name](grouping, current):
            variant = fit_answers(grouping, replace(current, **{name: choice}))
            patterns.setdefault(write_pattern(grouping, variant), choice)
        if len(patterns) > 1:
            answer = patterns[write_pattern(grouping, current)]
            questions.append(TappedQuestion(name, tuple(patterns.values()), answer))
    return tuple(questions)


def fit_answers(grouping: Grouping, answers: TappedAnswers) -> TappedAnswers:
    """Return answers without those that the tiles, or an earlier answer, leave no room for."""
    for name, find in SENSIBLE_CHOICES.items():
        if getattr(answers, name) not in find(grouping, answers):
            answers = replace(answers, **{name: "these"})
    return answers


def _suit_choices(grouping: Grouping, answers: TappedAnswers) -> Iterator[str]:
    of_suit = [unit for unit in grouping if _is_of_suit(unit)]
    if of_suit:
        yield from ("these", "same")
    if len(of_suit) > 1 and any(unit.kind not in WRITTEN_KINDS for unit in of_suit):
        yield "any"


def _rank_choices(grouping: Grouping, answers: TappedAnswers) -> Iterator[str]:
    of_suit = [unit for unit in grouping if _is_of_suit(unit)]
    ranks = [int(code[1]) for unit in of_suit for code in unit.codes]
    if not ranks:
        return
    yield "these"
    if max(ranks) - min(ranks) < MAX_RANK_GAP and answers.suits != "any":
        yield "steps"
    groups = [unit for unit in of_suit if unit.kind in ("pung", "pair", "tile")]
    if groups and len(groups) == len(of_suit):
        codes = {code for unit in groups for code in unit.codes}
        for choice in ("ends", "minors"):
            if codes <= {*TILE_CLASSES[CLASS_BY_RANKS[choice]]}:
                yield choice
    yield "any"


def _honour_choices(grouping: Grouping, answers: TappedAnswers) -> Iterator[str]:
    kinds: tuple[UnitKind, ...] = ("pung", "pair", "tile")
    yield "these"
    if any(unit.codes[0] in TILE_CLASSES["honour"] for unit in grouping if unit.kind in kinds):
        yield from ("kind", "any")
    if answers.ranks in RANKS_BY_ANSWER and any(
        _is_of_suit(unit) for unit in grouping if unit.kind in kinds
    ):
        yield "either"


def _set_choices(grouping: Grouping, answers: TappedAnswers) -> Iterator[str]:
    kinds = {unit.kind for unit in grouping}
    yield "these"
    if "pung" in kinds:
        yield "kongs"
    sets = [unit for unit in grouping if unit.kind in ("chow", "pung") and _is_of_suit(unit)]
    if sets and answers.ranks == "any":
        yield "any"


def _is_of_suit(unit: Unit) -> bool:
    return unit.kind != "each" and unit.codes[0][0] in SUITS


SENSIBLE_CHOICES: Mapping[str, Callable[[Grouping, TappedAnswers], Iterator[str]]] = {
    "suits": _suit_choices,
    "ranks": _rank_choices,
    "honours": _honour_choices,
    "sets": _set_choices,
}
"""For each question, what finds the answers that the tiles and the earlier answers leave."""


def write_pattern(grouping: Grouping, answers: TappedAnswers) -> str:
    """Return the pattern of a hand in which this may differ."""
    writer = _Writer(grouping, answers)
    return ", ".join(_join(map(writer.write, grouping)))


class _Part(NamedTuple):
    """One unit as the notation has it."""

    kind: str
    """What the group may be; empty for tiles that are all needed."""
    tiles: str
    ranks: str = ""
    """The ranks behind the tiles' letter, where several such parts may be written as one."""


class _Writer:
    """Writes the units of one hand, with the same letters for suits and ranks in all of them."""

    def __init__(self, grouping: Grouping, answers: TappedAnswers) -> None:
        self._answers = answers
        of_suit = [unit for unit in grouping if _is_of_suit(unit)]
        suits = dict.fromkeys(code[0] for unit in of_suit for code in unit.codes)
        letters = suits if answers.suits == "these" else SUIT_VARIABLES
        self._letters = dict(zip(suits, letters, strict=False))
        lines = [unit for unit in of_suit if unit.kind in WRITTEN_KINDS]
        pattern_lines = lines if answers.ranks == "any" else of_suit
        self._lowest = min(
            (int(code[1]) for unit in pattern_lines for code in unit.codes), default=1
        )

    def write(self, unit: Unit) -> _Part:
        """Return a unit as a part of the pattern."""
        if unit.kind == "each":
            return _Part("", f"each {unit.of}")
        if unit.kind in KNITTED_KINDS and self._answers.ranks == "any":
            return self._write_knitted(unit)
        if unit.kind in (*WRITTEN_KINDS, *KNITTED_KINDS) or self._is_certain_tile(unit):
            return self._write_tiles(unit.codes)
        return self._write_group(unit)

    def _is_certain_tile(self, unit: Unit) -> bool:
        """Return whether a unit is a single tile that no answer opens."""
        answer = self._answers.ranks if _is_of_suit(unit) else self._answers.honours
        return unit.kind == "tile" and answer in ("these", "steps")

    def _write_tiles(self, codes: Codes) -> _Part:
        """Return tiles that are all needed."""
        if codes[0][0] not in SUITS:
            return _Part("", codes[0][0], "".join(code[1] for code in codes))
        ranks = "".join(code[1] for code in codes)
        is_open = self._answers.ranks in ("steps", "any") and len({*ranks}) < len(RANKS["B"])
        if is_open or len({code[0] for code in codes}) > 1:
            words = [self._letters[code[0]] + self._rank(code, is_open) for code in codes]
            return _Part("", " ".join(words))
        return _Part("", self._letters[codes[0][0]], ranks)

    def _rank(self, code: str, is_open: bool) -> str:
        if not is_open:
            return code[1]
        step = int(code[1]) - self._lowest
        return f"n+{step}" if step else "n"

    def _write_knitted(self, unit: Unit) -> _Part:
        if unit.kind == "triplet" or self._answers.suits == "any":
            return _Part(unit.kind, "")
        return _Part(unit.kind, "/".join(self._letters[code[0]] for code in unit.codes))

    def _write_group(self, unit: Unit) -> _Part:
        kind: str = unit.kind
        if unit.kind == "pung" and self._answers.sets != "these":
            kind = "pung/kong"
        if unit.kind in ("chow", "pung") and _is_of_suit(unit) and self._answers.sets == "any":
            kind = "chow/pung/kong"
        if self._answers.honours == "either" and unit.kind != "chow":
            return _Part(kind, self._either_tiles(unit))
        if _is_of_suit(unit):
            return self._write_of_suit(kind, unit)
        code = unit.codes[0]
        if self._answers.honours == "these":
            return _Part(kind, code[0], code[1])
        its_kind = "wind" if code in TILE_CLASSES["wind"] else "dragon"
        return _Part(kind, its_kind if self._answers.honours == "kind" else "honour")

    def _either_tiles(self, unit: Unit) -> str:
        """Return the tiles of a group that may be of suits and of honours alike."""
        if self._answers.suits == "any":
            name = CLASS_BY_RANKS[self._answers.ranks]
            return "any" if name == "suit" else f"{name}/honour"
        suits = unit.codes[0][0] if _is_of_suit(unit) else "".join(self._letters)
        ranks = RANKS_BY_ANSWER[self._answers.ranks]
        return "/".join((*(self._letters[suit] + ranks for suit in suits), "honour"))

    def _write_of_suit(self, kind: str, unit: Unit) -> _Part:
        answers, codes = self._answers, tuple(dict.fromkeys(unit.codes))
        letter = self._letters[codes[0][0]]
        if answers.ranks in RANKS_BY_ANSWER:
            if answers.suits == "any":
                return _Part(kind, CLASS_BY_RANKS[answers.ranks])
            return _Part(kind, letter + RANKS_BY_ANSWER[answers.ranks])
        letters = SUITS if answers.suits == "any" else (letter,)
        if answers.ranks == "steps":
            words = [f"{each}{self._rank(code, True)}" for each in letters for code in codes]
            return _Part(kind, "/".join(words))
        ranks = "".join(code[1] for code in codes)
        if len(letters) == 1 and len(ranks) == 1:
            return _Part(kind, letter, ranks)
        return _Part(kind, "/".join(each + ranks for each in letters))


def _join(parts: Iterable[_Part]) -> Iterator[str]:
    """Yield the parts in words, equal ones and those of one letter together."""
    for (kind, tiles, has_ranks), row in groupby(parts, lambda e: (e.kind, e.tiles, bool(e.ranks))):
        equals = list(row)
        ranks = "".join(part.ranks for part in equals)
        if has_ranks and len(equals) > 1 and kind:
            yield f"{kind} each {tiles}{_shorten(ranks)}"
        elif has_ranks or len(equals) == 1:
            yield f"{kind} {tiles}{_shorten(ranks)}".strip()
        elif kind:
            yield f"{len(equals)} {kind.replace('/', 's/')}s {tiles}".strip()
        else:
            yield from (part.tiles for part in equals)


def _shorten(ranks: str) -> str:
    """Return ranks, those of a whole run by its ends: `1-9`."""
    is_run = len(ranks) >= MIN_SHORT_RANKS and ranks in RANKS["B"]
    return f"{ranks[0]}-{ranks[-1]}" if is_run else ranks
