"""Combine the marks printed on a tile with the classifier's answer.

Each mark is right with a known precision, and otherwise says nothing. A mark can make a tile
certain, contradicting marks leave it in doubt, and a missing mark changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.tiles import CODES, SUITS
from vision.networks.print_reader import CornerPrint, TilePrint
from vision.networks.print_signs import CHINESE_NUMERALS, CODE_BY_CHARACTER, NUMERALS, SIGNS

BONUS_CODES = tuple(code for code in CODES if code[0] in "FS")

CORNER_MARK_PRECISION = 0.99
"""Share of legible corner marks that are right."""

WORD_PRECISION = 0.997
"""The same for words, and for characters in the middle read in both sizes: none of 291 was
wrong."""

NUMERAL_ONE_PRECISION = 0.93
"""The same for a 1: any straight stroke looks like it."""

MIN_SUIT_CHANCE = 0.8
"""The look leaves no doubt about a suit from this chance."""

MAX_BONUS_NUMERAL = 4
"""Highest numeral of flowers and seasons."""

PICTURE_DISCOUNT = 0.7
"""How much less the picture of a flower or season counts where a mark is read: its art varies."""

MIN_CHARACTER_CONFIDENCE = 0.35
"""Below this confidence a character says nothing: most are then bits of a picture."""

MIN_LEGIBLE_CORNER, MIN_LEGIBLE_MIDDLE = 0.6, 0.95
"""Confidence from which a mark is legible, in a corner and in the middle. There, strokes of birds
and honours look like characters. More confidence does not make it more precise, except for a 1."""

MIN_LEGIBLE_NAME_TRUST = 0.5
"""Trust in a character or word from which the tile is legible. An upside-down tile can still spell
half of a word."""

MIN_CLEAR_NUMERAL, NUMERAL_FITS_PRECISION, NUMERAL_ONE_FITS_PRECISION = 0.7, 0.999, 0.99
"""A numeral clearer than the first does not stand on an honour, a back or a tile of another number.
Of 1,700 tiles in photographs three were exceptions. A 1 may be one of their strokes."""

MAX_STRANGE_CHANCE = 0.7
"""A tile that looks less than this like any may be a flower or season of a maker never seen."""

MIN_BONUS_CHANCE, MIN_PRINTED_CHANCE, MIN_CLEAR_CHANCE = 1e-4, 1e-3, 0.02
"""Lower limits for a name that the picture hardly suggests, because print may still name it: any
bonus tile, one that print names, and one that pips name, or print beyond
`CORNER_MARK_PRECISION` or on a tile that looks strange."""

NUMERAL_PLACE_PRECISION, LONE_NUMERAL_PLACE_PRECISION = 0.97, 0.9
"""Share of sets in which the place of a numeral tells flowers from seasons, and where it stands
alone."""

MIN_WRITTEN_INK_SHARE, MIN_RED_INK_SHARE, MIN_BLUE_INK_SHARE = 0.12, 0.3, 0.3
"""Ink shares from which a corner has print, and has it in red or blue."""

TOP_PRECISION, MIN_LEGIBLE_TOP = 0.99, 0.6
"""Share of the numerals of characters that are right, and the confidence from which one is
legible."""

_TOP_CODES = [(SIGNS.index(sign), f"C{n}") for n, sign in enumerate(CHINESE_NUMERALS, 1)]
_CODE_BY_SIGN_INDEX = [(SIGNS.index(sign), code) for sign, code in CODE_BY_CHARACTER.items()]

_NUMERAL_PRECISION = dict.fromkeys(NUMERALS, CORNER_MARK_PRECISION) | {"1": NUMERAL_ONE_PRECISION}

_NUMERAL_FITS_PRECISION = dict.fromkeys(NUMERALS, NUMERAL_FITS_PRECISION) | {
    "1": NUMERAL_ONE_FITS_PRECISION
}

_TILES_LIKE_NUMERAL = {"1": ("B", "C7", "O7"), "5": ("WS",), "8": ("B",)}
"""Tiles that may seem to have a numeral which they do not have: canes look like a 1 or 8, a thin 7
like a 1, and the S of South like a 5."""

_ALIKE_FACTOR = 0.1
"""How much less likely a clear numeral makes a tile that may seem to have it."""

_MISLEADING_AT_RIGHT = [NUMERALS.index(n) for n in "78"]
"""At the right, bamboos look like an 8 and strokes of honours like a 7."""

PIPS_PRECISION = 0.998
"""Share of the tiles with clear pips that are one of those which have them so."""

_OTHER_CODE = "--"
"""Stands for any code without a stated chance."""

Chances = dict[str, float]


@dataclass(frozen=True, slots=True)
class PrintedNumeral:
    """The numeral in a corner of a tile."""

    chances: tuple[float, ...]
    """Chances of 1, 2 and so on; their sum is at most 1."""
    print_here: CornerPrint
    other: CornerPrint
    is_left: bool
    is_chinese: bool

    @property
    def likeliest(self) -> tuple[float, str]:
        """Return the chance of the most likely numeral, and that numeral."""
        return max(zip(self.chances, NUMERALS, strict=False))

    @property
    def clear(self) -> str:
        """Return the numeral if it is clear, or nothing."""
        sure, n = self.likeliest
        return n if sure >= MIN_CLEAR_NUMERAL else ""


def weigh_evidence(look_chances: Mapping[str, float], tile_print: TilePrint) -> Chances:
    """Return the chances of all codes from the classifier (`look_chances`) and the print."""
    named_chances = _named_by_print(look_chances, tile_print)
    of_all = sum(named_chances.values())
    numeral = _likeliest_numeral(tile_print)
    of_bonus = _likeliest_numeral(tile_print, MAX_BONUS_NUMERAL)
    min_chances = _minimum_chances(look_chances, named_chances, numeral)
    min_chances |= _minimum_of_pips(look_chances, tile_print.pips)
    chances = {
        code: max(look_chances.get(code, 0.0), min_chances.get(code, 0.0))
        for code in {**look_chances, **min_chances}
    }
    chances[_OTHER_CODE] = max(1 - sum(chances.values()), 0.0)
    chances = {
        code: chance * _numeral_factor(code, numeral) * _pips_factor(code, tile_print.pips)
        for code, chance in chances.items()
    }
    rest = chances.pop(_OTHER_CODE)
    chances |= _weigh_bonus_tiles(of_bonus, of_all, {code: chances[code] for code in BONUS_CODES})
    weighted_chances = {
        code: chance * (1 - of_all + len(CODES) * named_chances.get(code, 0.0))
        for code, chance in chances.items()
    }
    total = sum(weighted_chances.values()) + rest * (1 - of_all)
    return {code: chance / total for code, chance in weighted_chances.items()}


def is_legible(look_chances: Mapping[str, float], tile_print: TilePrint) -> bool:
    """Return whether any print could be read on a tile with these chances by its look."""
    best_chance = max(_named_by_print(look_chances, tile_print).values(), default=0.0)
    return (
        bool(tile_print.pips)
        or best_chance >= MIN_LEGIBLE_NAME_TRUST
        or max(_likeliest_numeral(tile_print).chances) >= MIN_LEGIBLE_CORNER
    )


def is_spelt(code: str, look_chances: Mapping[str, float], tile_print: TilePrint) -> bool:
    """Return whether a character or word that names this code could be read.

    Where the look leaves no doubt about the suit, its pips will do, or a numeral that no other tile
    seems to have.
    """
    if code[0] in SUITS and kind_chance(look_chances, code[0]) >= MIN_SUIT_CHANCE:
        n = _likeliest_numeral(tile_print).clear
        if code in tile_print.pips or (n == code[1] and not _is_like_numeral(code, n)):
            return True
    return _named_by_print(look_chances, tile_print).get(code, 0.0) >= MIN_LEGIBLE_NAME_TRUST


def is_denied(code: str, numeral: str) -> bool:
    """Return whether a clear numeral speaks against the name of a suit or honour.

    A 1 denies none: any straight stroke looks like it.
    """
    return numeral not in ("1", code[1]) and not _is_like_numeral(code, numeral)


def _is_like_numeral(code: str, numeral: str) -> bool:
    return code.startswith(_TILES_LIKE_NUMERAL.get(numeral, ()))


def _weigh_bonus_tiles(numeral: PrintedNumeral, of_characters: float, pictures: Chances) -> Chances:
    """Return the chances of bonus tiles by picture and numeral; their total does not change.

    `of_characters` is the trust in characters; the picture counts for less because of it.
    """
    trust = 1 - PICTURE_DISCOUNT * max(of_characters, sum(numeral.chances))
    kinds = _kind_factors(numeral)
    numeral_trust = _trust_numerals(numeral)
    no_numeral_chance = 1 - sum(numeral_trust.values())
    weights = {
        code: chance**trust * (no_numeral_chance + 4 * numeral_trust[code[1]]) * kinds[code[0]]
        for code, chance in pictures.items()
    }
    scale = sum(pictures.values()) / sum(weights.values())
    return {code: weight * scale for code, weight in weights.items()}


def _trust_numerals(numeral: PrintedNumeral) -> Chances:
    """Return the trust in each numeral; the total is at most 1."""
    chance_by_numeral = dict(zip(NUMERALS, numeral.chances, strict=False))
    n = max(chance_by_numeral, key=lambda numeral: chance_by_numeral[numeral])
    best = chance_by_numeral[n]
    sure = best if n == "1" else _relative_confidence(best, MIN_LEGIBLE_CORNER)
    rest = (1 - sure) / max(1 - best, 1e-9)
    return {
        numeral: _NUMERAL_PRECISION[numeral] * (sure if numeral == n else chance * rest)
        for numeral, chance in chance_by_numeral.items()
    }


def _minimum_chances(
    look_chances: Mapping[str, float], named_chances: Chances, numeral: PrintedNumeral
) -> Chances:
    """Return the lower limit of the chance of each code that print may name.

    A clear numeral can name a flower, a season and a tile of each likely suit, even if the picture
    looks like none of them.
    """
    min_chances = dict.fromkeys(BONUS_CODES, MIN_BONUS_CHANCE)
    if n := numeral.clear:
        by_kind = {kind: kind_chance(look_chances, kind) for kind in SUITS}
        by_kind |= dict.fromkeys("FS", 1 - kind_chance(look_chances, "FS"))
        min_chances |= {
            f"{kind}{n}": max(MIN_BONUS_CHANCE, MIN_PRINTED_CHANCE * chance)
            for kind, chance in by_kind.items()
            if f"{kind}{n}" in CODES
        }
    is_strange = max(look_chances.values(), default=0.0) < MAX_STRANGE_CHANCE
    for code, trust in named_chances.items():
        is_clear = is_strange or trust > CORNER_MARK_PRECISION
        min_chances[code] = MIN_CLEAR_CHANCE if is_clear else MIN_PRINTED_CHANCE
    return min_chances


def _minimum_of_pips(look_chances: Mapping[str, float], pips: frozenset[str]) -> Chances:
    """Return the lower limit of the chance of each tile that has these pips."""
    return {
        code: max(MIN_BONUS_CHANCE, MIN_CLEAR_CHANCE * kind_chance(look_chances, code[0]))
        for code in pips
    }


def _pips_factor(code: str, pips: frozenset[str]) -> float:
    """Return the factor by which clear pips reduce the chance of a code that does not have them."""
    return 1.0 if not pips or code in pips else 1 - PIPS_PRECISION


def kind_chance(look_chances: Mapping[str, float], kinds: str) -> float:
    """Return the chance that a tile is of one of these kinds, such as `FS`."""
    return sum(chance for code, chance in look_chances.items() if code[0] in kinds)


def _numeral_factor(code: str, numeral: PrintedNumeral) -> float:
    """Return the factor by which a numeral reduces the chance of a code that does not have it."""
    n = numeral.clear
    if not n or code in BONUS_CODES or (code[0] in SUITS and code[1] == n):
        return 1.0
    return _ALIKE_FACTOR if _is_like_numeral(code, n) else 1 - _NUMERAL_FITS_PRECISION[n]


def _named_by_print(look_chances: Mapping[str, float], tile_print: TilePrint) -> Chances:
    """Return the codes that characters and words name, each with its trust.

    A numeral at the top counts as far as the tile looks like characters.
    """
    code_chances = {
        code: WORD_PRECISION * chance
        for code, chance in tile_print.words.items()
        if chance > MIN_CHARACTER_CONFIDENCE
    }
    for sign, code in _CODE_BY_SIGN_INDEX:
        corners = (tile_print.left.signs, tile_print.right.signs) if code in BONUS_CODES else ()
        claims = [
            (tile_print.middle, WORD_PRECISION, MIN_LEGIBLE_MIDDLE),
            *((each, CORNER_MARK_PRECISION, MIN_LEGIBLE_CORNER) for each in corners),
        ]
        for place, trust, sure in claims:
            if place[sign] > MIN_CHARACTER_CONFIDENCE:
                sign_trust = trust * _relative_confidence(float(place[sign]), sure)
                code_chances[code] = max(code_chances.get(code, 0.0), sign_trust)
    characters = kind_chance(look_chances, "C")
    for sign, code in _TOP_CODES:
        if tile_print.top[sign] >= MIN_LEGIBLE_TOP:
            code_chances[code] = TOP_PRECISION * characters
    total = max(1.0, sum(code_chances.values()) / WORD_PRECISION)
    return {code: trust / total for code, trust in code_chances.items()}


def _relative_confidence(chance: float, sure: float) -> float:
    return min(chance / sure, 1.0)


def _likeliest_numeral(tile_print: TilePrint, highest: int = len(NUMERALS)) -> PrintedNumeral:
    """Return the most likely numeral; a Chinese one may stand beside a character."""
    return max(_corner_numerals(tile_print, highest), key=lambda numeral: numeral.likeliest)


def _corner_numerals(tile_print: TilePrint, highest: int) -> Iterator[PrintedNumeral]:
    left, right = tile_print.left, tile_print.right
    for corner, other, is_left in ((left, right, True), (right, left, False)):
        for is_chinese, chances in enumerate(corner.numerals.reshape(2, -1).copy()):
            if not is_left:
                chances[_MISLEADING_AT_RIGHT] = 0
            first = tuple(chances[:highest].tolist())
            yield PrintedNumeral(first, corner, other, is_left, bool(is_chinese))


def _kind_factors(numeral: PrintedNumeral) -> dict[str, float]:
    """Return how much place and ink of a numeral speak for flowers (F) and seasons (S)."""
    kind, trust = _usual_kind(numeral)
    trust *= max(numeral.chances)
    return {each: 1 - trust + 2 * trust * (each == kind) for each in "FS"}


def _usual_kind(numeral: PrintedNumeral) -> tuple[str, float]:
    """Return whether makers use such a numeral for flowers or seasons, and with what trust.

    Beside a character, a flower's numeral stands at the right and a season's at the left. Alone, a
    flower has a blue numeral at the left and a season a Chinese one at the right. None of about
    twenty photographed and five drawn sets differs.
    """
    other = numeral.other.ink
    is_written = other.ink_share >= MIN_WRITTEN_INK_SHARE
    if not numeral.is_left:
        if numeral.is_chinese:
            return "S", NUMERAL_PLACE_PRECISION
        return "F", NUMERAL_PLACE_PRECISION if is_written else LONE_NUMERAL_PLACE_PRECISION
    if is_written and other.red >= MIN_RED_INK_SHARE:
        return "S", NUMERAL_PLACE_PRECISION
    if not numeral.is_chinese and numeral.print_here.ink.blue >= MIN_BLUE_INK_SHARE:
        return "F", NUMERAL_PLACE_PRECISION
    return "", 0.0
