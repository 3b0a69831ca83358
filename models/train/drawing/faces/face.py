"""One tile face: the picture of its code in a style, and the index in its corner."""

from __future__ import annotations

from models.train.drawing.faces.bamboo import bamboos
from models.train.drawing.faces.birds import bird
from models.train.drawing.faces.bonus import bonus_picture
from models.train.drawing.faces.circles import circles
from models.train.drawing.faces.honours import characters, dragon, fortune_ink, wind, write_sign
from models.train.drawing.faces.lettering import text_shapes, text_width
from models.train.drawing.faces.shapes import (
    FACE_HEIGHT,
    FACE_WIDTH,
    Box,
    Colour,
    Drawing,
    Group,
    Ink,
    Shape,
    fit,
    move,
    place,
)
from models.train.drawing.faces.style import IndexPlace, Style

_BONUS_SIGNS = {"F": "梅蘭菊竹", "S": "春夏秋冬"}
_BONUS_WORDS = {
    "F": ("PLUM", "ORCHID", "MUM", "BAMBOO"),
    "S": ("SPRING", "SUMMER", "AUTUMN", "WINTER"),
}
_WORDS = {
    "pairs": {"WE": "EA", "WS": "SO", "WW": "WE", "WN": "NO", "DR": "RD", "DG": "GD", "DW": "WD"},
    "words": {"WE": "EAST", "WS": "SOUTH", "WW": "WEST", "WN": "NORTH",
              "DR": "RED", "DG": "GREEN", "DW": "WHITE"},
}  # fmt: skip
_TOP_INDICES = ("left", "right", "both", "twin", "gap")
"""Where an index keeps a corner at the top, in which no second number is drawn."""
_PLACES: dict[IndexPlace, tuple[tuple[str, bool], ...]] = {
    "none": (),
    "left": (("left", True),),
    "right": (("right", True),),
    "both": (("left", True), ("left", False)),
    "twin": (("left", True), ("right", True)),
    "foot": (("foot", True),),
    "gap": (("gap", True),),
}
"""Corner of each index, and whether it stands upright; else it lies at the opposite corner."""
_GAPS = {
    "O4": (0.5, 0.5), "O6": (0.5, 0.34), "O7": (0.16, 0.72), "O8": (0.5, 0.25), "B3": (0.2, 0.25),
    "B4": (0.5, 0.5), "B7": (0.2, 0.16), "B8": (0.5, 0.5),
}  # fmt: skip
"""Where some makers put an index among the dots or sticks, as parts of the face; it stands a little
below the left corner on their other tiles."""
_GAP_INDEX_DROP = 5.0
_MAX_INDEX_WIDTH = 30.0
_INDEX_MARGIN = 3.5
_CORNERS: tuple[Box, Box] = ((3.8, 3.5, 20.8, 20.5), (39.2, 3.5, 56.2, 20.5))
"""Room for a bonus tile's number or character at the top left and the top right."""


def draw_face(code: str, style: Style) -> Drawing:
    """Return the face of one of the 42 codes: groups `picture` and `index` (empty without one)."""
    picture = Group("picture", _picture(code, style))
    return Drawing((picture, Group("index", index_shapes(code, style))))


def picture_box(style: Style, margin: float = 5.0) -> Box:
    """Return left, top, right, bottom of the picture; an index moves it `margin`."""
    shift = {"left": margin, "right": -margin}.get(style.index, 0.0)
    wide = FACE_WIDTH - (12.0 if style.index == "none" else 17.0)
    half_wide, half_high = wide / 2 * style.fill, (FACE_HEIGHT - 13.0) / 2 * style.fill
    # What is pushed aside stays on the face.
    x = min(max(FACE_WIDTH / 2 + shift, 3.0 + half_wide), FACE_WIDTH - 3.0 - half_wide)
    y = FACE_HEIGHT / 2 + 0.5
    return x - half_wide, y - half_high, x + half_wide, y + half_high


def _picture(code: str, style: Style) -> tuple[Shape, ...]:
    family, rank = code[0], code[1]
    # Only dots and sticks reach into the index's corner; the rest stays near the middle.
    box = picture_box(style, margin=2.0)
    match family:
        case "B" if rank == "1":
            return bird((4.0, 7.0, FACE_WIDTH - 4.0, FACE_HEIGHT - 5.0), style)
        case "B":
            return bamboos(int(rank), _squeeze(picture_box(style), style), style)
        case "O" if rank == "1":
            return circles(1, box, style)
        case "O":
            return circles(int(rank), _squeeze(picture_box(style), style), style)
        case "C":
            return characters(int(rank), box, style)
        case "W":
            return wind(rank, box, style)
        case "D":
            return dragon(rank, _below_index(box, style) if rank == "W" else box, style)
        case _:
            return _bonus(code, picture_box(style, margin=0.0), style)


def _squeeze(box: Box, style: Style) -> Box:
    """Return a narrower box where the style leaves an index at a side more room."""
    left, top, right, bottom = box
    new_width = (right - left) * (1.0 - style.squeeze)
    match style.index:
        case "left" | "gap":
            return left + new_width, top, right, bottom
        case "right":
            return left, top, right - new_width, bottom
        case _:
            return box


def _below_index(box: Box, style: Style) -> Box:
    """Return the room under the index, for frames that would run through its letters."""
    if style.index == "none" or not index_text("DW", style):
        return box
    room = _INDEX_MARGIN + style.index_height + 4.5
    top = 7.0 if style.index == "foot" else room
    foot = room if style.index in ("both", "foot") else 7.0
    return 8.0, top, FACE_WIDTH - 8.0, FACE_HEIGHT - foot


def _bonus(code: str, box: Box, style: Style) -> tuple[Shape, ...]:
    """Return a flower or season: its picture below, its number and character above."""
    left, top, right, bottom = box
    has_caption = style.bonus_number or style.bonus_character or style.index in _TOP_INDICES
    upper = top + (13 if has_caption else 2)
    picture = move(bonus_picture(code, style), fit((left, upper, right, bottom)))
    # Seasons have their number on the other side, as most sets do; an index keeps its own corner.
    number_left = style.index != "right" if style.index in _TOP_INDICES else code[0] == "S"
    corners = _CORNERS if number_left else _CORNERS[::-1]
    caption: tuple[Shape, ...] = ()
    if style.bonus_words:
        caption += _word(code, style)
    if style.bonus_number and style.index not in _TOP_INDICES:
        caption += _number(code, corners[0], style)
    if style.bonus_character and style.index != "twin":
        sign = style.orchid if code == "F2" else _BONUS_SIGNS[code[0]][int(code[1]) - 1]
        caption += write_sign(sign, corners[1], style, _bonus_ink(code, style))
    return (*picture, *caption)


def _number(code: str, corner: Box, style: Style) -> tuple[Shape, ...]:
    """Return a bonus tile's own number in a corner."""
    ink = _bonus_ink(code, style)
    if style.bonus_digits == "chinese":
        return write_sign("一二三四"[int(code[1]) - 1], corner, style, ink)
    wide = text_width(code[1], 12, style.index_type)
    left = corner[0] + 1 if corner[0] < FACE_WIDTH / 2 else corner[2] - 1 - wide
    return move(text_shapes(code[1], 12, style.index_type, ink), place(left, 4.5))


def _word(code: str, style: Style) -> tuple[Shape, ...]:
    """Return a bonus tile's name in English along its foot."""
    word = _BONUS_WORDS[code[0]][int(code[1]) - 1]
    high = min(7.0, 7.0 * (FACE_WIDTH - 14) / text_width(word, 7.0, style.index_type))
    wide = text_width(word, high, style.index_type)
    mark = text_shapes(word, high, style.index_type, _bonus_ink(code, style))
    return move(mark, place((FACE_WIDTH - wide) / 2, FACE_HEIGHT - 4 - high))


def _bonus_ink(code: str, style: Style) -> Colour:
    return style.ink(style.flower_ink if code[0] == "F" else style.season_ink)


def index_text(code: str, style: Style) -> str:
    """Return what the corner says: a number, a wind's letter, or a dragon's if it has one."""
    family, rank = code[0], code[1]
    if style.index_words and family in "WD":
        return _WORDS[style.index_words][family + rank]
    if family == "D":
        letter = style.dragon_index["RGW".index(rank)].strip()
        return {"w": "Wh"}.get(letter, letter)
    if family in "FS" and style.bonus_index:
        return style.bonus_index["FS".index(family)] + rank
    return rank


def index_shapes(code: str, style: Style) -> tuple[Shape, ...]:
    """Return the index where the style has it; with `both` the second is upside down."""
    text = index_text(code, style)
    if style.index == "none" or not text:
        return ()
    height = style.index_height
    # A whole word is written as large as there is room beside a second one.
    height = min(height, height * _MAX_INDEX_WIDTH / text_width(text, height, style.index_type))
    wide = text_width(text, height, style.index_type)
    mark = text_shapes(text, height, style.index_type, index_ink(code, style))
    left_margin, right_margin = _INDEX_MARGIN, FACE_WIDTH - _INDEX_MARGIN - wide
    low = FACE_HEIGHT - _INDEX_MARGIN
    shapes: tuple[Shape, ...] = ()
    for left, upright in _PLACES[style.index]:
        x = right_margin if left == "right" else left_margin
        y = low - height if left == "foot" else _INDEX_MARGIN
        if left == "gap":
            y += _GAP_INDEX_DROP
            if code in _GAPS:
                x_gap, y_gap = _GAPS[code]
                x, y = x_gap * FACE_WIDTH - wide / 2, y_gap * FACE_HEIGHT - height / 2
        transform = place(x, y) if upright else place(FACE_WIDTH - left_margin, low, turn=180)
        shapes += move(mark, transform)
    return shapes


def index_ink(code: str, style: Style) -> Ink:
    """Return the colour of the index."""
    if style.index_ink != "suit":
        return style.ink(style.index_ink)
    match code[0]:
        case "B":
            return style.green
        case "C":
            return style.red
        case "O":
            return style.blue
        case "F" | "S":
            return _bonus_ink(code, style)
        case "D":
            return {"R": style.red, "G": fortune_ink(style)}.get(
                code[1], style.ink(style.white_ink)
            )
        case _:
            return style.ink(style.wind_ink)
