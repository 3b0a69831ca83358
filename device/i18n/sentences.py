"""The scorer's English in another language: names, and sentences with figures and names in them.

A language's file has what the scorer says whole under `phrases`, single words within its sentences
under `parts`, and sentences with holes under `sentences`:

    "{set} is no kong." = "{set} n’est pas un kong."

What fills a hole is put into the language in its turn; where that cannot be done, the row is not
the right one. `HOLES` has the other kinds: `{payer:who} pays {payee:who} {score:n}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorer.tiles import FACE_DOWN, JOKER, TILES, WINDS
from scorer.wording import sentence

_WITHIN = r"(?:(?![.?!] [A-Z]).)+?"
"""What is translated in its turn is one sentence at the most: else there are too many ways."""

HOLES = {
    "": _WITHIN,
    "n": r"-?\d+",
    "run": r"\d-\d-\d",
    "sum": r"[\d +=·×]+",
    "list": _WITHIN,
    "sets": _WITHIN,
    "word": r"\S+",
    "codes": r"[\w, -]+",
    "tiles": r"[A-Z0-9? ]+",
    "any": r".+?",
    "quoted": r"'.*?'|\".*?\"",
    "who": r"(?:(?![:;] ).)+?",
    "players": r".+?",
}
"""Kinds of holes: something to translate, a figure, a chow's ranks, a sum, "A, B and C", "A; B",
what stays as it is (quoted: without its quotation marks), tile codes, and whoever it is about, one
or several: a player's name stays, a wind is translated."""

_HOLE = re.compile(r"\{(\w+)(?::(\w+))?\}")
_SENTENCE_ENDS = re.compile(r"(?<=[.?!]) (?=[A-Z])")

_CODES = {FACE_DOWN: "tile.face-down", JOKER: "tile.wild"}
_TILES = {name: tile.code for tile in TILES for name in (tile.name, tile.plural)}

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Row:
    """One sentence of the scorer's, and what is said instead."""

    english: str
    """With its holes."""
    most: str
    """Its longest piece without a hole, by which other texts are soon told apart."""
    pattern: re.Pattern[str]
    kinds: Mapping[str, str]
    """Hole to its kind, a key of `HOLES`."""
    said: str


class Phrasebook:
    """What the scorer says, in one language; English needs none of it."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self._words = words
        rows = (key.partition(".") for key in words if key.startswith("sentences."))
        self.rows = tuple(_row(english, words[f"sentences.{english}"]) for _, _, english in rows)

    def said(self, text: str, names: frozenset[str] = NOBODY) -> str | None:
        """Return a text of the scorer's in this language; None where it is not in the book.

        Several sentences behind one another are put together from what each is in the book.
        `names` are the players' who may be named in it; they stay, though one may be a wind's.
        """
        return self._in_turn(text, names, {})

    def _in_turn(
        self, text: str, names: frozenset[str], known: dict[str, str | None]
    ) -> str | None:
        """Return the same; `known` are the ends of the whole text that were tried, each once."""
        if text not in known:
            known[text] = self._put_together(text, names, known)
        return known[text]

    def _put_together(
        self, text: str, names: frozenset[str], known: dict[str, str | None]
    ) -> str | None:
        for end in (*(end.start() for end in _SENTENCE_ENDS.finditer(text)), len(text)):
            first = self._whole(text[:end], names)
            more = first and end < len(text)
            rest = self._in_turn(text[end + 1 :], names, known) if more else ""
            if first and rest is not None:
                return f"{first}{self._words['listing.next']}{rest}" if rest else first
        return None

    def _whole(self, text: str, names: frozenset[str]) -> str | None:
        return self._exact(text) or next((said for _, said in self.matches(text, names)), None)

    def matches(self, text: str, names: frozenset[str] = NOBODY) -> Iterator[tuple[Row, str]]:
        """Yield each row that the text is a sentence of, and what it then says."""
        for row in self.rows:
            found = row.pattern.fullmatch(text) if row.most in text else None
            filled = found and self._filled(row, found.groupdict(), names)
            if filled:
                said = row.said.format_map(filled)
                yield row, sentence(said) if text[0].isupper() else said

    def _exact(self, text: str) -> str | None:
        words = self._words
        return words.get(f"phrases.{text}") or words.get(f"tile.{_TILES.get(text)}")

    def _filled(
        self, row: Row, holes: Mapping[str, str], names: frozenset[str]
    ) -> dict[str, str] | None:
        """Return what stands in the holes, in this language; None where something cannot."""
        filled: dict[str, str] = {}
        for hole, text in holes.items():
            said = self._in_hole(row.kinds[hole], text, names)
            if said is None:
                return None
            filled[hole] = said
        return filled

    def _in_hole(self, kind: str, text: str, names: frozenset[str]) -> str | None:
        match kind:
            case "":
                return self._part(text)
            case "who":
                is_wind = text in WINDS.values() and text not in names
                return self._exact(text) if is_wind else text
            case "players":
                each = (self._in_hole("who", name, names) for name in text.split(", "))
                return self._words["listing.comma"].join(map(str, each))
            case "list":
                return self._joined(re.split(", | and ", text), "comma", "and")
            case "sets":
                return self._joined(text.split("; "), "between", "between")
            case "tiles":
                faces = (self._words[_CODES.get(code, f"tile.{code}")] for code in text.split())
                return self._words["listing.comma"].join(faces)
            case "quoted":
                return text[1:-1]
            case _:
                return text

    def _joined(self, texts: list[str], comma: str, last: str) -> str | None:
        parts = [part for part in map(self._part, texts) if part]
        if len(parts) < len(texts):
            return None
        begun = self._words[f"listing.{comma}"].join(parts[:-1])
        return self._words[f"listing.{last}"].join(filter(None, [begun, parts[-1]]))

    def _part(self, text: str) -> str | None:
        """Return what stands within a sentence: a tile, a set, a sum, a rule's label or sentence.

        Labels stand there with a small letter and sentences without their stop, and so does what
        is said instead.
        """
        if not re.search("[A-Za-z]", text):
            return text
        said = self._words.get(f"parts.{text}") or self._words.get(f"how.{text}") or self.said(text)
        if said:
            return said
        whole = self.said(f"{text}.")
        if whole:
            return whole.rstrip(".。")
        other = text[0].swapcase() + text[1:]
        found = self._words.get(f"parts.{other}") or self.said(other)
        return found[0].lower() + found[1:] if found else None


def _row(english: str, said: str) -> Row:
    kinds = dict(_HOLE.findall(english))
    literal = _HOLE.split(english)  # text, hole, kind, text, hole, kind, … text
    pattern = "".join(
        re.escape(piece) if place % 3 == 0
        else f"(?P<{piece}>{HOLES[kinds[piece]]})" if place % 3 == 1 else ""
        for place, piece in enumerate(literal)
    )  # fmt: skip
    return Row(english, max(literal[::3], key=len), re.compile(pattern), kinds, said)
