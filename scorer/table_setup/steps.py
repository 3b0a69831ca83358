"""What is to be done at the table, in sentences that can be filled in and translated.

Every sentence about the wall, the deal and East stands here once, in English; the page's languages
have each under this English text, with the same names in braces.

>>> step("BMJA-P05", "which", throw=8, wall="North").text
"East throws 8: counted anti-clockwise from East, this is North's wall."
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

Value = str | int | tuple[str, ...]
"""What fills a name in braces: a wind or a player, a number, or several players in a row."""

SENTENCES: Mapping[str, str] = MappingProxyType({
    "build": "Each wall is {pairs} pairs long; the four form a square.",
    "which": "East throws {throw}: counted anti-clockwise from East, this is {wall}'s wall.",
    "where": "Count {count} pairs from the right end: the wall breaks at pair {pair} of {broken}'s "
    "wall.",
    "where-past": "Count {count} pairs from the right end, past the end of {wall}'s wall: the wall "
    "breaks at pair {pair} of {broken}'s wall.",
    "where-adding": "{wall} throws {second}, {first} + {second} = {count}: count {count} pairs "
    "from the right end: the wall breaks at pair {pair} of {broken}'s wall.",
    "where-adding-past": "{wall} throws {second}, {first} + {second} = {count}: count {count} "
    "pairs from the right end, past the end of {wall}'s wall: the wall breaks at pair {pair} of "
    "{broken}'s wall.",
    "loose": "This pair is put on top, on pairs {near} and {far} right of the break; the tile "
    "further from the break is taken first.",
    "box": "It and the {pairs} pairs right of the break are the kong box: {tiles} tiles, of which "
    "the next pair is put up when both loose tiles are gone.",
    "deal": "From the left of the break, going clockwise, {seats} take {packet} tiles each, "
    "{times} times; then one each; then East one more.",
    "bonus": "In turn from East, each lays out flowers and seasons and takes loose tiles for them.",
    "east-drawn": "{player} drew East's wind and is East in the first deal.",
    "east-threw": "{player} threw the highest number and is East in the first deal.",
    "east-won": "{player} was East and won, so East stays.",
    "east-washed": "Nobody won the last deal, so {player} stays East.",
    "east-passed": "{before} was East and did not win, so the winds passed on: {player}, who was "
    "{wind}, is East.",
    "east-winner": "{player} won the last deal, and the winner is East.",
    "east-dead": "The last deal had no winner, so {player} stays East.",
    "if-east-wins": "If {east} wins: {east} stays East.",
    "if-other-wins": "If somebody else wins: the winds pass on, and {new} becomes East.",
    "if-winner": "If somebody else wins: the winner becomes East.",
    "if-nobody": "If nobody wins: wash-out. Nobody pays, {east} stays East, and a goulash follows.",
    "if-dead": "If nobody wins: nothing is scored, and {east} stays East.",
    "then-prevailing": "East is then back with {new}, the first East: the prevailing wind becomes "
    "{wind}.",
    "then-over": "East is then back with {new} after the last prevailing wind: the match is over.",
    "then-dreamer": "{east} then sits a deal out, and {dreamer} comes in as {wind}.",
})  # fmt: skip
"""The English sentences by a short name."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do or to know at the table, in a sentence, with its rule."""

    rule: str
    says: str
    """The English sentence with names in braces: one of `SENTENCES`."""
    values: Mapping[str, Value]
    """What the names stand for; winds by their English names."""

    @property
    def text(self) -> str:
        """The English sentence, filled in."""
        return self.says.format_map(
            {
                name: ", ".join(value) if isinstance(value, tuple) else value
                for name, value in self.values.items()
            }
        )


def step(rule: str, sentence: str, **values: Value) -> Step:
    """Return a step; KeyError for a sentence that is not there."""
    return Step(rule, SENTENCES[sentence], values)
