"""Combine the marks printed on a tile with the classifier's answer.

Each mark is right with a known precision, and otherwise says nothing. A mark can make a tile
certain, contradicting marks leave it in doubt, and a missing mark changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from scorer.tiles import CODES
from vision.networks.printed import Corner, Printed
from vision.networks.signs import NAMED_BY, SIGNS

BONUS = tuple(code for code in CODES if code[0] in "FS")

TRUSTED = 0.99
"""Share of legible corner marks that are right."""

ALONE = 0.997
"""The same for words, and for characters in the middle read in both sizes: none of 291 was
wrong."""

ONE = 0.93
"""The same for a 1: any straight stroke looks like it."""

PICTURE = 0.7
"""How much less the picture of a flower or season counts where a mark is read: its art varies."""

LEAST = 0.35
"""Below this confidence a character says nothing: most are then bits of a picture."""

LEGIBLE, CLEAR = 0.6, 0.95
"""Confidence from which a mark is legible, in a corner and in the middle. There, strokes of birds
and honours look like characters. More confidence does not make it more precise, except for a 1."""

LIKELY = 0.5
"""Trust in a character or word from which the tile is legible. An upside-down tile can still spell
half of a word."""

PLAIN, OWN, OWN_ONE = 0.7, 0.999, 0.99
"""A numeral clearer than the first does not stand on an honour, a back or a tile of another number.
Of 1,700 tiles in photographs three were exceptions. A 1 may be one of their strokes."""

UNSAID, BY_PRINT = 1e-4, 1e-3
"""Lower limits for a name that the picture hardly suggests, because print may still name it."""

CUSTOM, RATHER = 0.97, 0.9
"""Share of sets in which the place of a numeral tells flowers from seasons, and where it stands
alone."""

WRITTEN, RED, BLUE = 0.12, 0.3, 0.3
"""Ink shares from which a corner has print, and has it in red or blue."""

_CHARACTERS = [(SIGNS.index(sign), code) for sign, code in NAMED_BY.items()]

_TRUST = {"1": ONE, "2": TRUSTED, "3": TRUSTED, "4": TRUSTED}

_OWN = {"1": OWN_ONE, "2": OWN, "3": OWN, "4": OWN}

_ANY = "--"
"""Stands for any code without a stated chance."""

Chances = dict[str, float]


@dataclass(frozen=True, slots=True)
class Numeral:
    """The numeral of a flower or season, and where it stands."""

    chances: tuple[float, ...]
    """Chances of 1 to 4; their sum is at most 1."""
    own: Corner
    other: Corner
    is_left: bool
    is_chinese: bool


def weighed(said: Mapping[str, float], printed: Printed) -> Chances:
    """Return the chances of all codes from the classifier (`said`) and the print."""
    named = _characters(printed)
    of_all = sum(named.values())
    numeral = _numeral(printed)
    least = _least(said, named, numeral)
    chances = {code: max(said.get(code, 0.0), least.get(code, 0.0)) for code in {**said, **least}}
    rest = max(1 - sum(chances.values()), 0.0) * _misfits(_ANY, numeral)
    chances = {code: chance * _misfits(code, numeral) for code, chance in chances.items()}
    chances |= _by_numeral(numeral, of_all, {code: chances[code] for code in BONUS})
    told = {
        code: chance * (1 - of_all + len(CODES) * named.get(code, 0.0))
        for code, chance in chances.items()
    }
    whole = sum(told.values()) + rest * (1 - of_all)
    return {code: chance / whole for code, chance in told.items()}


def is_legible(printed: Printed) -> bool:
    """Return whether any print on a tile could be read."""
    named = max(_characters(printed).values(), default=0.0)
    return named >= LIKELY or max(_numeral(printed).chances) >= LEGIBLE


def _by_numeral(numeral: Numeral, of_characters: float, pictures: Chances) -> Chances:
    """Return the chances of bonus tiles by picture and numeral; their total does not change.

    `of_characters` is the trust in characters; the picture counts for less because of it.
    """
    trust = 1 - PICTURE * max(of_characters, sum(numeral.chances))
    kinds = _kinds(numeral)
    told = _told(numeral)
    nothing = 1 - sum(told.values())
    weights = {
        code: chance**trust * (nothing + 4 * told[code[1]]) * kinds[code[0]]
        for code, chance in pictures.items()
    }
    scale = sum(pictures.values()) / sum(weights.values())
    return {code: weight * scale for code, weight in weights.items()}


def _told(numeral: Numeral) -> Chances:
    """Return the trust in each numeral; the total is at most 1."""
    seen = dict(zip(_TRUST, numeral.chances, strict=True))
    n = max(seen, key=lambda each: seen[each])
    sure = seen[n] if n == "1" else _surely(seen[n], LEGIBLE)
    rest = (1 - sure) / max(1 - seen[n], 1e-9)
    return {
        each: _TRUST[each] * (sure if each == n else chance * rest) for each, chance in seen.items()
    }


def _least(said: Mapping[str, float], named: Chances, numeral: Numeral) -> Chances:
    """Return the lower limit of the chance of each code that print may name.

    A clear numeral can name a flower and a season even if the picture looks like neither.
    """
    least = dict.fromkeys(BONUS, UNSAID)
    sure, n = max(zip(numeral.chances, _TRUST, strict=True))
    if sure >= PLAIN:
        other = 1 - sum(said.get(code, 0.0) for code in BONUS)
        least |= dict.fromkeys((f"F{n}", f"S{n}"), max(UNSAID, BY_PRINT * other))
    return least | dict.fromkeys(named, BY_PRINT)


def _misfits(code: str, numeral: Numeral) -> float:
    """Return the factor by which a numeral reduces the chance of a code that does not have it."""
    sure, n = max(zip(numeral.chances, _OWN, strict=True))
    is_own = code in BONUS or (code[0] in "BCO" and code[1] == n)
    return 1.0 if is_own or sure < PLAIN else 1 - _OWN[n]


def _characters(printed: Printed) -> Chances:
    """Return the codes that characters and words name, each with its trust."""
    found = {code: ALONE * chance for code, chance in printed.words.items() if chance > LEAST}
    for sign, code in _CHARACTERS:
        corners = (printed.left.signs, printed.right.signs) if code in BONUS else ()
        claims = [(printed.middle, ALONE, CLEAR), *((each, TRUSTED, LEGIBLE) for each in corners)]
        for place, trust, sure in claims:
            if place[sign] > LEAST:
                seen = trust * _surely(float(place[sign]), sure)
                found[code] = max(found.get(code, 0.0), seen)
    whole = max(1.0, sum(found.values()) / ALONE)
    return {code: trust / whole for code, trust in found.items()}


def _surely(chance: float, sure: float) -> float:
    return min(chance / sure, 1.0)


def _numeral(printed: Printed) -> Numeral:
    """Return the most likely numeral; a Chinese one may stand beside a character."""
    return max(_numerals(printed), key=lambda numeral: max(numeral.chances))


def _numerals(printed: Printed) -> Iterator[Numeral]:
    both = ((printed.left, printed.right, True), (printed.right, printed.left, False))
    for own, other, is_left in both:
        for is_chinese, chances in enumerate(np.split(own.numerals, 2)):
            told = tuple(float(chance) for chance in chances)
            yield Numeral(told, own, other, is_left, bool(is_chinese))


def _kinds(numeral: Numeral) -> dict[str, float]:
    """Return how much place and ink of a numeral speak for flowers (F) and seasons (S)."""
    kind, trust = _custom(numeral)
    trust *= max(numeral.chances)
    return {each: 1 - trust + 2 * trust * (each == kind) for each in "FS"}


def _custom(numeral: Numeral) -> tuple[str, float]:
    """Return whether makers use such a numeral for flowers or seasons, and with what trust.

    Beside a character, a flower's numeral stands at the right and a season's at the left. Alone, a
    flower has a blue numeral at the left and a season a Chinese one at the right. None of about
    twenty photographed and five drawn sets differs.
    """
    other = numeral.other.ink
    is_written = other.covered >= WRITTEN
    if not numeral.is_left:
        if numeral.is_chinese:
            return "S", CUSTOM
        return "F", CUSTOM if is_written else RATHER
    if is_written and other.red >= RED:
        return "S", CUSTOM
    if not numeral.is_chinese and numeral.own.ink.blue >= BLUE:
        return "F", CUSTOM
    return "", 0.0
