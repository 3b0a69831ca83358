"""A result or a hand as one picture to share, drawn as SVG by the template.

The phone turns it into a PNG with its own letters. The box has none for every language.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal

from device.i18n.words import day_of, describe_rules, say, say_count
from device.matches.match import Match
from device.matches.summary import final_result
from device.views.hand_page import HandView
from device.views.score import ScoreSheet
from device.views.table.history import describe_winners
from device.views.table.match_graph import MatchGraph, describe_totals, match_graph

PICTURE_WIDTH = 540
"""Width in CSS pixels; the phone draws it twice as large."""

_MARGIN_PX = 28
_RIGHT_EDGE_PX = PICTURE_WIDTH - _MARGIN_PX

_LETTER_WIDTH_SHARE, _BOLD_LETTER_WIDTH_SHARE = 0.6, 0.7
"""Width of a Latin letter as a share of the text's size, on the safe side (that of DejaVu Sans, the
widest font tried); a Chinese one has 1."""

_TILE_WIDTH, _TILE_HEIGHT = 33, 44
_SET_GAP = 10

TextAnchor = Literal["start", "end"]
TextColour = Literal["ink", "soft", "brass"]


@dataclass(frozen=True, slots=True)
class PictureText:
    """One line of text; `y` is its baseline."""

    x: float
    y: float
    words: str
    size: int
    bold: bool = False
    anchor: TextAnchor = "start"
    colour: TextColour = "ink"


@dataclass(frozen=True, slots=True)
class PictureTile:
    """A tile's drawing, by its name in the sprite."""

    x: float
    y: float
    symbol: str


@dataclass(slots=True)
class Picture:
    """What a picture shows, from top to bottom."""

    says: str
    """What it shows, for those who cannot see it."""
    texts: list[PictureText] = field(default_factory=list)
    tiles: list[PictureTile] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)
    """Heights of the lines across."""
    graph: MatchGraph | None = None
    graph_y: float = 0
    height: float = _MARGIN_PX
    """Height so far; what is added next begins there."""
    width: int = PICTURE_WIDTH
    tile_size: tuple[int, int] = (_TILE_WIDTH, _TILE_HEIGHT)

    @property
    def drawings(self) -> tuple[str, ...]:
        """The drawings of its tiles, each once, as SVG symbols."""
        return tuple(load_symbols()[each] for each in dict.fromkeys(t.symbol for t in self.tiles))

    def add_lines(
        self, words: str, size: int, *, bold: bool = False, colour: TextColour = "ink",
        left: float = _MARGIN_PX, right: float = _RIGHT_EDGE_PX,
    ) -> None:  # fmt: skip
        """Add a text in as many lines as it needs; a word that is wider than a line is smaller."""
        for line in wrap_text(words, (right - left) / size, bold=bold):
            self.height += size * 1.35
            fits = min(size, int((right - left) / text_width(line, bold=bold)))
            self.texts.append(PictureText(left, self.height, line, fits, bold, colour=colour))

    def add_sum(self, words: str, amount: str, size: int, *, bold: bool = False) -> None:
        """Add a text with an amount at the right, in its first line."""
        top = self.height + size * 1.35
        width = text_width(amount, bold=bold) * size
        self.add_lines(words, size, bold=bold, right=_RIGHT_EDGE_PX - width - 12)
        self.texts.append(PictureText(_RIGHT_EDGE_PX, top, amount, size, bold, "end"))

    def add_rule(self) -> None:
        """Add a line across."""
        self.height += 14
        self.rules.append(self.height)
        self.height += 4

    def add_tiles(self, sets: Iterator[tuple[str, ...]]) -> None:
        """Add a row of tiles, set by set, in as many lines as it needs."""
        x: float = _MARGIN_PX
        y = self.height + 8
        for symbols in sets:
            if x > _MARGIN_PX and x + len(symbols) * _TILE_WIDTH > _RIGHT_EDGE_PX:
                x, y = _MARGIN_PX, y + _TILE_HEIGHT + 6
            for symbol in symbols:
                self.tiles.append(PictureTile(x, y, symbol))
                x += _TILE_WIDTH
            x += _SET_GAP
        self.height = y + _TILE_HEIGHT


def match_picture(match: Match) -> Picture:
    """Return the picture of a match: its places and totals, its day and its graph."""
    final = final_result(match)
    headline = describe_winners(final)
    picture = Picture(says=f"{headline} {describe_totals(match)}")
    _add_head(
        picture,
        day_of(match.begun_at) if match.begun_at else "",
        describe_rules(match.agreement.rules),
    )
    picture.add_lines(headline, 30, bold=True)
    picture.add_rule()
    for line in final.placings:
        suffix = f" ({say('final.shared')})" if line.shared else ""
        picture.add_sum(f"{line.place}.\u00a0{line.player}{suffix}", str(line.total), 24, bold=True)
    picture.add_rule()
    picture.graph = match_graph(match)
    if picture.graph:
        picture.add_lines(say("graph.title"), 20, colour="soft")
        picture.graph_y = picture.height + 10
        picture.height += 10 + picture.graph.height * _graph_scale(picture.graph)
    picture.add_lines(say_count("final.deals", final.deals), 18, colour="soft")
    picture.height += _MARGIN_PX
    return picture


def hand_picture(view: HandView, score: ScoreSheet, player: str) -> Picture:
    """Return the picture of a scored hand: its tiles, its score, and each line of the sum."""
    special = say(score.special.name) if score.special else ""
    title = " · ".join(filter(None, (player, special)))
    picture = Picture(says=say("picture.hand-says", count=view.count, total=score.total))
    _add_head(picture, day_of(view.record.taken_at), view.count)
    if title:
        picture.add_lines(title, 26, bold=True)
    for row, groups in view.strip.items():
        if groups:
            picture.add_lines(say(f"tiles.{row}"), 18, colour="soft")
            picture.add_tiles(tuple(piece.symbol for piece in group.pieces) for group in groups)
            picture.height += 6
    picture.add_rule()
    for line in (*score.points, *score.doubles, *score.separate_lines):
        picture.add_sum(line.label, line.amount, 20)
    picture.add_rule()
    picture.add_sum(say("score.sum"), str(score.total), 30, bold=True)
    for part in score.working:
        picture.add_lines(part, 18, colour="soft")
    if score.cut:
        picture.add_lines(score.cut, 18, colour="soft")
    picture.height += _MARGIN_PX
    return picture


def wrap_text(words: str, ems: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines of this width, in ems: at plain spaces, between Chinese letters."""
    lines = [""]
    for token in re.findall(r"[\u2e80-\uffef]|(?:\u00a0|[^\u2e80-\uffef\s])+|[^\S\u00a0]+", words):
        if lines[-1] and text_width(lines[-1] + token, bold=bold) > ems and not token.isspace():
            lines[-1] = lines[-1].rstrip()
            lines.append("")
        lines[-1] += token
    return [line.strip() for line in lines if line.strip()]


def text_width(words: str, *, bold: bool = False) -> float:
    """Return the width of a text in ems, on the safe side."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in words)
    share = _BOLD_LETTER_WIDTH_SHARE if bold else _LETTER_WIDTH_SHARE
    return wide + (len(words) - wide) * share


@cache
def load_symbols() -> dict[str, str]:
    """Return the drawings of all tiles as SVG symbols, by name."""
    sprite = (files("device.views") / "tiles.svg").read_text("utf-8")
    symbols = re.finditer(r'<symbol id="([\w-]+)".*?</symbol>', sprite, re.DOTALL)
    return {each[1]: each[0] for each in symbols}


def _add_head(picture: Picture, *lines: str) -> None:
    picture.add_lines(" · ".join(filter(None, (say("site.name"), *lines))), 18, colour="brass")
    picture.height += 6


def _graph_scale(graph: MatchGraph) -> float:
    return (PICTURE_WIDTH - 2 * _MARGIN_PX) / graph.width
