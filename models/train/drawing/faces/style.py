"""Everything that makes one set of tiles look unlike another; the style of the page's own set."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from models.train.drawing.faces.brush import Hand
from models.train.drawing.faces.lettering import Font, Typeface
from models.train.drawing.faces.shapes import Colour

CircleDesign = Literal["rings", "rosette", "wheel", "coin", "cross", "disc", "target", "invented"]
GreatCircle = Literal["rosette", "sunflower", "rings", "wheel", "medallion", "invented"]
BambooDesign = Literal[
    "stick", "jointed", "chain", "slit", "bone", "links", "bar", "knuckles", "rings"
]
Bird = Literal["crane", "sparrow", "peacock", "parrot", "heron", "invented", "cane"]
WhiteDragon = Literal[
    "double", "corners", "bars", "dashed", "plain", "blank", "letter", "bai",
    "cut", "scrolls", "meander", "card", "two inks", "oval", "beads",
]  # fmt: skip
Bonus = Literal["garden", "sprig", "pot", "bouquet", "basket", "figure", "landscape", "beast"]
IndexPlace = Literal["none", "left", "right", "both", "foot", "twin", "gap"]
InkName = Literal["red", "green", "blue", "dark"]


def _plan(letters: str) -> dict[int, str]:
    """Return a colour plan by rank: there is a letter for each dot or stick."""
    return {len(word): word for word in letters.split()}


CIRCLE_PLANS = {
    "three-colour": _plan("gb grb bggb bgrgb ggrrrr gggrrrr bbbbbbbb gggrrrbbb"),
    "blue-top": _plan("gb brg gbbg gbrbg ggrrrr gggrrrr bbbbbbbb bbbrrrggg"),
    "two-colour": _plan("bb brb bbbb bbrbb bbrrrr bbbrrrr bbbbbbbb bbbrrrbbb"),
    "red-top": _plan("gr grg gggg ggrgg rrgggg rrrgggg bbbbbbbb rrrgggbbb"),
    "green-red": _plan("gr grg gggg ggrgg ggrrrr gggrrrr bbbbbbbb gggrrrggg"),
    "one ink": _plan("bb bbb bbbb bbbbb bbbbbb bbbbbbb bbbbbbbb bbbbbbbbb"),
    "red heart": _plan("br brb bbrb bbrbb bbbrbb bbbrbbb bbbbrbbb bbbbrbbbb"),
    "in turn": _plan("rb rbg rbgr rbgrb rbgrbg rbgrbgr rbgrbgrb rbgrbgrbg"),
}
"""Colour of each dot in reading order: r, g, or b; b becomes dark where the style says so."""

BAMBOO_PLANS = {
    "common": _plan("ggrgg rgggggg grggrggrg"),
    "blue-seven": _plan("ggrgg rbgbbgb grggrggrg"),
    "seven-columns": _plan("ggrgg rgbggbg grggrggrg"),
    "blue-six": _plan("gb gbbg gbrbg gggbbb rgggbbb grbgrbgrb"),
    "one ink": _plan(""),
    "blue": _plan("bb bbb bbbb bbbbb bbbbbb bbbbbbb bbbbbbbb bbbbbbbbb"),
    "in turn": _plan("gr grb grbg grbgr grbgrb grbgrbg grbgrbgr grbgrbgrb"),
}
"""Colour of each stick in reading order, where it is not green."""


@dataclass(frozen=True, slots=True)
class Style:
    """One set's look. Sizes named as parts are of the design's own size."""

    red: Colour = (184, 28, 44)
    green: Colour = (18, 112, 62)
    blue: Colour = (30, 62, 150)
    dark: Colour = (28, 32, 44)

    fill: float = 1.0
    """Size of the picture: 1 leaves room for an index, 1.15 nearly fills the face."""

    circle: CircleDesign = "rosette"
    great_circle: GreatCircle = "rosette"
    circle_plan: str = "three-colour"
    circle_size: float = 0.95
    """Diameter of a dot as a part of the room it has: 1 touches its neighbours."""
    circles_even: bool = False
    """The dots of low numbers are no larger than those of high ones."""
    circle_gather: float = 1.0
    """How far the dots of low numbers keep from each other, from below to above: 1 is usual."""
    circles_rise: bool = False
    """Slanting dots rise to the right, not to the left."""
    dark_for_blue: bool = False
    """Circles and bamboos use the dark ink where the plan says blue."""

    bamboo: BambooDesign = "slit"
    bamboo_plan: str = "common"
    bamboo_size: float = 0.8
    """Width of a stick as a part of the room it has."""
    sixes_in_pairs: bool = False
    """Six sticks lie in three rows of two, not in two rows of three."""
    bird: Bird = "peacock"
    bird_mirror: bool = False
    bird_size: float = 1.0
    bird_inks: tuple[InkName, InkName, InkName, InkName] = ("red", "green", "blue", "dark")
    """What the bird's red, green, blue and dark are painted with."""
    bird_lines: float = 0.0
    """Line width of a bird in outline, in its own units (100 wide); 0 for a solid one."""

    hand: Hand | Font = field(default_factory=Hand)
    numeral_ink: InkName = "blue"
    wan_ink: InkName = "red"
    wind_ink: InkName = "dark"
    five: str = "伍"
    wan: str = "萬"
    east: str = "東"
    fortune: str = "發"
    """The green dragon's sign."""
    fortune_hand: Hand | Font | None = None
    """Who writes it, where it is not who writes all else: often a flowing hand."""
    fortune_ink: Colour | None = None
    """What it is printed in, where it is not the set's green: navy and black are common."""
    orchid: str = "蘭"

    white: WhiteDragon = "double"
    white_ink: InkName = "blue"
    white_size: float = 1.0
    white_sign: str = ""
    """What stands in the frame: a letter, a sign or nothing."""
    white_sign_ink: InkName = "red"
    beasts: bool = False
    """The red and green dragons are drawn as dragons."""
    red_fives: bool = False

    bonus: Bonus = "garden"
    season: Bonus | None = None
    """What the seasons show where it is not what the flowers show."""
    bonus_ink: InkName = "red"
    """Ink of the blossoms."""
    bonus_lines: float = 0.0
    """Line width of flowers and seasons in outline (of 100); 0 for solid ones."""
    bonus_character: bool = True
    bonus_number: bool = True
    bonus_words: bool = False
    """Flowers and seasons bear their English names."""
    """A number drawn with the picture, where there is no index."""
    bonus_digits: Literal["western", "chinese"] = "western"
    flower_ink: InkName = "red"
    """Ink of the flowers' numbers and characters."""
    season_ink: InkName = "blue"

    index: IndexPlace = "left"
    squeeze: float = 1.0
    """Width of dots and sticks as a part of the usual, to leave an index at a side more room."""
    index_height: float = 11.0
    index_ink: InkName | Literal["suit"] = "suit"
    """`suit`: each family in its own colour."""
    index_type: Typeface | Font = field(default_factory=Typeface)
    index_words: Literal["", "pairs", "words"] = ""
    """Winds and dragons are marked by two letters or by a whole word."""
    dragon_index: str = "CFP"
    """Letters for red, green and white; a blank leaves the dragon without."""
    bonus_index: str = ""
    """`FS` writes F1 and S1; an empty string writes only the number."""

    bend: float = 0.0
    """How far birds, flowers and beasts are bent away from the way they are drawn here."""
    boldness: float = 1.0
    """Factor on line widths other than the characters'."""
    wear: float = 0.0
    """Age of the set: 0 is new, 1 much worn."""
    seed: int = 0

    @property
    def has_one_ink(self) -> bool:
        """Whether the whole set is printed in one ink."""
        return len({self.red, self.green, self.blue, self.dark}) == 1

    def ink(self, name: InkName) -> Colour:
        """Return one of the four inks by its name."""
        return {"red": self.red, "green": self.green, "blue": self.blue, "dark": self.dark}[name]

    def plan_ink(self, letter: str) -> Colour:
        """Return the ink of a letter of a colour plan."""
        blue = self.dark if self.dark_for_blue else self.blue
        return {"r": self.red, "g": self.green, "b": blue}[letter]


HOUSE_STYLE = Style(
    hand=Hand(weight=11.5),
    bamboo_size=0.92,
    circle_size=0.96,
    index_height=14.0,
    index_type=Typeface(weight=2.1, stretch=0.86),
    dragon_index="RGw",
    bonus_index="FS",
)
"""For older eyes at 44 x 58 pixels: strong ink, little detail, large indices."""
