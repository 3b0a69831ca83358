"""What a tile is, by what is printed on it and what it looks like.

Every sign is a witness: it may be trusted in so many cases of a hundred, and in the others it says
nothing. So what is printed can make a tile sure, two that contradict each other leave it in doubt,
and a witness who says nothing changes nothing.
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
"""A numeral or character in a corner that could be read is right in so many cases."""

ALONE = 0.997
"""And a word, or a character that is read on the middle in both sizes: of 291 none was false."""

ONE = 0.93
"""And a 1 in so many: any straight stroke looks like it."""

PICTURE = 0.7
"""How much less the picture of a flower or season counts where a numeral or character is read:
makers draw what they like."""

LEAST = 0.35
"""Below this a character says nothing: most are then bits of a picture."""

LEGIBLE, CLEAR = 0.6, 0.95
"""What is surer than this could be read, in a corner and on the middle, where strokes of birds and
honours look like characters, too. Being surer still makes nothing truer, but for a 1."""

LIKELY = 0.5
"""From this trust on in a character or word it could be read; a tile upside down spells the half
of a word, too."""

PLAIN, OWN, OWN_ONE = 0.7, 0.999, 0.99
"""A numeral surer than this stands on no honour, no back and no tile of another number: of 1,700 in
photographs on three. A 1 may be a stroke of theirs."""

UNSAID, BY_PRINT = 1e-4, 1e-3
"""What the picture hardly looks like is no less likely than this: print may still name it."""

CUSTOM, RATHER = 0.97, 0.9
"""Where a numeral stands tells flowers from seasons in so many sets; where it stands alone."""

WRITTEN, RED, BLUE = 0.12, 0.3, 0.3
"""From these shares of ink on something stands in a corner, in that colour."""

_CHARACTERS = [(SIGNS.index(sign), code) for sign, code in NAMED_BY.items()]

_TRUST = {"1": ONE, "2": TRUSTED, "3": TRUSTED, "4": TRUSTED}

_OWN = {"1": OWN_ONE, "2": OWN, "3": OWN, "4": OWN}

_ANY = "--"
"""Any name that is not told of."""

Chances = dict[str, float]


@dataclass(frozen=True, slots=True)
class Numeral:
    """The numeral of a flower or season, and where it stands."""

    chances: tuple[float, ...]
    """Of 1 to 4; they sum up to 1 or less."""
    own: Corner
    other: Corner
    is_left: bool
    is_chinese: bool


def weighed(said: Mapping[str, float], printed: Printed) -> Chances:
    """Return the chances of all names, from what the picture `said` and what is printed."""
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
    """Say whether anything on a tile could be read."""
    named = max(_characters(printed).values(), default=0.0)
    return named >= LIKELY or max(_numeral(printed).chances) >= LEGIBLE


def _by_numeral(numeral: Numeral, of_characters: float, pictures: Chances) -> Chances:
    """Return the chances of flowers and seasons by picture and numeral, as great in all.

    `of_characters` is how much is told by characters: the picture then counts for less, too.
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
    """Return how far each numeral may be trusted to be the tile's; together 1 or less."""
    seen = dict(zip(_TRUST, numeral.chances, strict=True))
    n = max(seen, key=lambda each: seen[each])
    sure = seen[n] if n == "1" else _surely(seen[n], LEGIBLE)
    rest = (1 - sure) / max(1 - seen[n], 1e-9)
    return {
        each: _TRUST[each] * (sure if each == n else chance * rest) for each, chance in seen.items()
    }


def _least(said: Mapping[str, float], named: Chances, numeral: Numeral) -> Chances:
    """Return how likely at least what print may name is by its picture.

    A plain numeral names a flower and a season where the picture hardly looks like either.
    """
    least = dict.fromkeys(BONUS, UNSAID)
    sure, n = max(zip(numeral.chances, _TRUST, strict=True))
    if sure >= PLAIN:
        other = 1 - sum(said.get(code, 0.0) for code in BONUS)
        least |= dict.fromkeys((f"F{n}", f"S{n}"), max(UNSAID, BY_PRINT * other))
    return least | dict.fromkeys(named, BY_PRINT)


def _misfits(code: str, numeral: Numeral) -> float:
    """Return what a numeral leaves of a name: honours and backs have none, suits their own."""
    sure, n = max(zip(numeral.chances, _OWN, strict=True))
    is_own = code in BONUS or (code[0] in "BCO" and code[1] == n)
    return 1.0 if is_own or sure < PLAIN else 1 - _OWN[n]


def _characters(printed: Printed) -> Chances:
    """Return the names that characters and words give, each with the trust in it."""
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
    """Return the likeliest numeral; a Chinese one may stand beside a character."""
    return max(_numerals(printed), key=lambda numeral: max(numeral.chances))


def _numerals(printed: Printed) -> Iterator[Numeral]:
    both = ((printed.left, printed.right, True), (printed.right, printed.left, False))
    for own, other, is_left in both:
        for is_chinese, chances in enumerate(np.split(own.numerals, 2)):
            told = tuple(float(chance) for chance in chances)
            yield Numeral(told, own, other, is_left, bool(is_chinese))


def _kinds(numeral: Numeral) -> dict[str, float]:
    """Return how much place and ink of a numeral speak for flowers (F) and for seasons (S)."""
    kind, trust = _custom(numeral)
    trust *= max(numeral.chances)
    return {each: 1 - trust + 2 * trust * (each == kind) for each in "FS"}


def _custom(numeral: Numeral) -> tuple[str, float]:
    """Return what makers mostly mean by a numeral there, and how far that may be trusted.

    Beside a character the numeral of a flower stands at the right, that of a season at the left;
    alone, a flower has a blue one at the left and a season a Chinese one at the right. Of some
    twenty sets in photographs and five in drawings none does otherwise.
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
