"""Reading a ruleset's file, and refusing one with every fault, its line and what would be right."""

from __future__ import annotations

from typing import Literal, NamedTuple

import pytest

from scorer.errors import HandProblem
from scorer.rulesets.files import load_builtin_text
from scorer.rulesets.reader import RulesetError, read_ruleset

Position = Literal["here", "last", "heading", "top"]


class Edit(NamedTuple):
    """One line of a shipped file made faulty: the first `old` from the heading above `block`."""

    reason: str
    block: str
    old: str
    new: str
    words: str
    at: Position = "here"
    """Which line is to blame: that of the edit, its last, the heading above it, or the first."""
    rules: str = "bmja"

    def lines(self) -> list[str]:
        return load_builtin_text(self.rules).splitlines()

    def heading(self) -> int:
        lines = self.lines()
        start = lines.index(self.block)
        return next((n for n in range(start, -1, -1) if lines[n].startswith("[")), 0)

    def place(self) -> int:
        return self.lines().index(self.old, self.heading())

    def text(self) -> str:
        lines, place = self.lines(), self.place()
        return "\n".join([*lines[:place], *self.new.splitlines(), *lines[place + 1 :]]) + "\n"

    def line(self) -> int:
        offset = {
            "here": self.place(),
            "last": self.place() + self.new.count("\n"),
            "heading": self.heading(),
            "top": 0,
        }
        return offset[self.at] + 1


KONG, PUNG, CHOW = 'id = "BMJA-B05"', 'id = "BMJA-B03"', 'id = "BMJA-B01"'
BONUS, CLEAN, LOOSE = 'id = "BMJA-B10"', 'id = "BMJA-D10"', 'id = "BMJA-D11"'
IN_PURITY, S04_ROW = 'id = "BMJA-S30"', 'id = "BMJA-S04"'
TREASURE, SNAKE, HEAVEN = 'id = "BMJA-S15"', 'id = "BMJA-S17"', 'id = "BMJA-S25"'
PURITY, CHOICE = 'name = "Purity"', 'name = "jade_chows"'
LAST_PUNG = 'option = "buried_treasure_last_pung_claimable"'
OPTION_ROW, PAIRS = 'name = "heaven_after_bonus_tiles"', 'id = "BMJA-S12"'
SPREAD = 'rule = "BMJA-V04"'
TOP = 'name = "bmja"'

SYNTAX = [
    Edit("a key alone", KONG, "exposed = 16", "exposed", "an equals sign"),
    Edit("a colon for =", KONG, "exposed = 16", "exposed: 16", "an equals sign"),
    Edit("a number in letters", KONG, "exposed = 16", "exposed = sixteen", "must be a number"),
    Edit("curly quotation marks", KONG, 'when = "major"', "when = “major”", "straight quotation"),
    Edit("a unit", KONG, "exposed = 16", "exposed = 16 points", "Nothing may follow"),
    Edit("a leading 0", KONG, "exposed = 16", "exposed = 016", "begin with 0"),
    Edit("an end forgotten", KONG, 'when = "major"', 'when = "major', "same line"),
    Edit("single quotes do likewise", KONG, 'when = "major"', "when = 'major", "same line"),
    Edit("a long text without end", KONG, 'when = "major"', 'when = """major', "same line"),
    Edit("a list without end", KONG, 'kinds = ["kong"]', 'kinds = ["kong"', "with its bracket"),
    Edit("a list without commas", LOOSE, 'ways = ["loose", "kong-of-kong"]',
         'ways = [\n"loose"\n"kong-of-kong"]', "with commas"),
    Edit("a key twice", KONG, "exposed = 16", "exposed = 16\nexposed = 8", "keep one", "last"),
    Edit("a table twice", "[two_players]", "[two_players]", "[chows]", "keep one"),
    Edit("a key twice in a line", KONG, "exposed = 16", "x = {a = 1, a = 2}", "keep one"),
    Edit("a heading with one bracket", PURITY, "[[special]]", "[[special]", "in brackets"),
    Edit("anything else, in the reader's words", KONG, "exposed = 16", "= 16", "Invalid statement"),
    Edit("a control character", KONG, 'when = "major"', 'when = "\x01"', "Illegal character"),
    Edit("the last line", 'name = "two_player_minimum"', "default = true", "default =", "a number"),
    Edit("too many brackets", KONG, "exposed = 16", "exposed = " + "[" * 9999, "brackets"),
    Edit("a number too long", KONG, "exposed = 16", "exposed = " + "9" * 9999, "long a number"),
]  # fmt: skip

KEYS = [
    Edit("a slip in a key", CLEAN, 'option = "clean_hand"', 'opton = "clean_hand"',
         'Did you mean "option"?'),
    Edit("nothing like a key", KONG, "exposed = 16", "exposed = 16\nzzz = 1", '"zzz" is no key of '
         "this rule.", "last"),
    Edit("at the end, not at the top", CHOICE, "default = false", "default = false\nlimit = 500",
         "belongs at the top of the file", "last"),
    Edit("unknown at the top", TOP, "goulash = true", "golash = true", 'mean "goulash"?'),
    Edit("six players", "[chows]", "5 = 1", "5 = 1\n6 = 1", '"6" is no key of this table', "last"),
    Edit("an unknown block", SNAKE, "[[special]]", "[[especial]]", 'mean "special"?'),
    Edit("no label", KONG, 'label = "kong of a major tile"', "", 'This rule needs "label"',
         "heading"),
    Edit("whose points", KONG, 'who = "everyone"', "", '"everyone" and "winner"', "heading"),
    Edit("no title", TOP, 'title = "British Mah-Jong (BMJA)"', "", 'needs "title"', "top"),
    Edit("nobody plays", TOP, "players = [2, 3, 4, 5]", "", 'needs "players" here: a list', "top"),
    Edit("no name for a hand", PURITY, 'name = "Purity"', "", 'special hand needs "name"',
         "heading"),
    Edit("no default", CHOICE, "default = false", "", "true or false", "heading"),
    Edit("half of a table", "[two_players]", "points = 500", "", 'needs "points"', "heading"),
    Edit("no chows of four", "[chows]", "4 = 1", "", "when 4 may play", "heading"),
    Edit("no chows of a goulash", "[chows]", "goulash = 0", "", "goulash is played", "heading"),
    Edit("no chows of three", "[chows]", "3 = 4", "", "add a line such as 3 = 1", "heading",
         "safalra"),
    Edit("no test of the set", KONG, 'when = "major"', "", 'needs "when"', "heading"),
    Edit("no kinds of set", KONG, 'kinds = ["kong"]', "", 'needs "kinds"', "heading"),
    Edit("no limit to what it goes with", S04_ROW, "below = 1000", "", 'needs "below"', "heading"),
    Edit("gives nothing, unsaid", CHOW, "points = 0", "", "does not say what it gives", "heading"),
    Edit("an empty special hand", SNAKE, "value = 1000", "", 'needs "value"', "heading"),
]  # fmt: skip

VALUES = [
    Edit("another sign", SPREAD, 'shape = "?XX?"', 'shape = "?XO?"', "X for a tile face up and ?"),
    Edit("nothing to see", SPREAD, 'shape = "?XX?"', 'shape = "????"', "three or four signs"),
    Edit("below 0", CHOW, "points = 0", "points = -4", '"points" is -4, but must be a whole'),
    Edit("a number as text", CHOW, "points = 0", 'points = "0"', '"points" is "0", but must be'),
    Edit("half a point", CHOW, "points = 0", "points = 0.5", '"points" is 0.5'),
    Edit("true is no 1", CHOW, "points = 0", "points = true", '"points" is true'),
    Edit("false is no 0", CHOW, "points = 0", "points = false", '"points" is false'),
    Edit("too much", CHOW, "points = 0", "points = 1000001", "to 1,000,000"),
    Edit("too much to write", CHOW, "points = 0", "points = 0x" + "f" * 9999, "is a huge number"),
    Edit("a score without end", LOOSE, "doubles = 1", "doubles = 400", "from 0 to 20"),
    Edit("limit 0", TOP, "limit = 1000", "limit = 0", '"limit" is 0, but must be a whole number '
         "from 1"),
    Edit("a limit of ordinary hands alone", TOP, "limit = 1000", "ordinary_limit = 500",
         'it needs a "limit" beside it'),
    Edit("a higher limit for ordinary hands", TOP, "limit = 1000",
         "ordinary_limit = 1001\nlimit = 1000", "cannot be above that"),
    Edit("no such number of players", TOP, "players = [2, 3, 4, 5]", "players = [2, 3, 4, 5, 6]",
         '"players" has 6, but each must be'),
    Edit("players not as a list", TOP, "players = [2, 3, 4, 5]", "players = 4", "in [brackets]"),
    Edit("nobody may play", TOP, "players = [2, 3, 4, 5]", "players = []", "an empty list"),
    Edit("five chows", "[chows]", "4 = 1", "4 = 5", "from 0 to 4"),
    Edit("text for a switch", TOP, "goulash = true", 'goulash = "yes"', "must be true or false"),
    Edit("a date for a switch", TOP, "goulash = true", "goulash = 2001-01-01", "is 2001-01-01"),
    Edit("a number for a switch", CHOICE, "default = false", "default = 0", "true or false"),
    Edit("an empty title", TOP, 'title = "British Mah-Jong (BMJA)"', 'title = " "', 'is " "'),
    Edit("a title on two lines", TOP, 'title = "British Mah-Jong (BMJA)"', r'title = "a\nb"',
         "on one line"),
    Edit("a number for a label", CHOW, 'label = "Chow"', "label = 3", "in quotation marks"),
    Edit("a table for a label", CHOW, 'label = "Chow"', "label = {}", "an empty table"),
    Edit("a list for a label", CHOW, 'label = "Chow"', "label = [1]", '"label" is a list'),
    Edit("a number for the notice", TOP, "limit = 1000", "notice = 1", "words in quotation"),
    Edit("a choice that no hand text can name", OPTION_ROW, OPTION_ROW, 'name = "a+b"',
         "small letters, digits and underscores"),
    Edit("a long text is cut short", CHOW, 'who = "everyone"', f'who = "{"x" * 99}"', "x…"),
    Edit("an unknown subject", CHOW, 'of = "set"', 'of = "sett"', 'Did you mean "set"?'),
    Edit("an unknown kind", CHOW, 'kinds = ["chow"]', 'kinds = ["chi"]', '"kinds" has "chi"'),
    Edit("loose tiles are no kind of set", CHOW, 'kinds = ["chow"]', 'kinds = ["loose"]', "pair"),
    Edit("kinds not as a list", CHOW, 'kinds = ["chow"]', 'kinds = "chow"', "in [brackets]"),
    Edit("an unknown way of winning", LOOSE, 'ways = ["loose", "kong-of-kong"]',
         'ways = ["loose", "last-tiles"]', 'Did you mean "last-tile"?'),
    Edit("an unknown claim", TREASURE, 'claim = "pair"', 'claim = "pairs"', 'Did you mean "pair"?'),
    Edit("chows in one number", "[two_players]", "[two_players]", "[[two_players]]",
         "under the heading [two_players]"),
    Edit("text for a choice", CHOICE, "default = false", 'default = "off"', "true or false"),
]  # fmt: skip

AGREEMENT = [
    Edit("a choice that nothing asks about", OPTION_ROW, OPTION_ROW, 'name = "heaven_after_bonus"',
         'decides nothing. Did you mean "heaven_after_bonus_tiles"?'),
    Edit("an unknown test of a set", KONG, 'when = "major"', 'when = "majr"',
         'the tests for a rule of "set" are "any", "major"'),
    Edit("and the nearest one", KONG, 'when = "major"', 'when = "majr"', 'Did you mean "major"?'),
    Edit("a set's test of bonus tiles", BONUS, 'when = "each"', 'when = "any"', '"own-flower"'),
    Edit("a set's test of a hand", CLEAN, 'when = "one-suit-with-honours"', 'when = "major"',
         '"all-major"'),
    Edit("no pattern and no event", SNAKE, 'pattern = "x11, x2-9, each wind"', "",
         'special hand needs "pattern"', "heading"),
    Edit("a pattern of 13 tiles", SNAKE, 'pattern = "x11, x2-9, each wind"',
         'pattern = "x1-9, each wind"', "The pattern has 13 tiles; a hand has 14"),
    Edit("a word misspelt", SNAKE, 'pattern = "x11, x2-9, each wind"',
         'pattern = "x11, x2-9, each winds, pare y"', 'Did you mean "pair"?'),
    Edit("five of a tile", SNAKE, 'pattern = "x11, x2-9, each wind"',
         'pattern = "x11111, x1-9"', "there are four of each tile"),
    Edit("another option's variant", LAST_PUNG, LAST_PUNG, 'option = "buried_treasure"',
         "the file has no [[option]] of that name"),
    Edit("a variant that changes nothing", LAST_PUNG, 'claim = "any"', "", "but each must be",
         "heading"),
    Edit("only a pair of tiles in a row", SNAKE, "value = 1000",
         'value = 1000\nclaim = "pair"', '"claim" is "pair", which means nothing', "last"),
    Edit("only a 1 or 9 of sets", TREASURE, 'claim = "pair"', 'claim = "terminal"',
         '"claim" is "terminal", which means nothing'),
    Edit("a pattern beside an event", HEAVEN, "value = 1000", 'value = 1000\npattern = "7 couples"',
         'means nothing beside "when"', "last"),
    Edit("a hand like another", PAIRS, 'pattern = "7 pairs major"',
         'pattern = "x1, x1-9, WESWN"', 'the same hands as that of "The wriggling snake"'),
    Edit("an unknown event", HEAVEN, 'when = "heaven"', 'when = "heven"', 'Did you mean "heaven"?'),
    Edit("ways of a set", CHOW, "points = 0", 'points = 0\nways = ["wall"]', '"ways" means nothing '
         'for a rule of "set"', "last"),
    Edit("bonus tiles below a value", BONUS, "points = 4", "points = 4\nbelow = 1000",
         '"below" means nothing', "last"),
    Edit("points that no sum of bonus tiles has", S04_ROW, "doubles = 1", "points = 1",
         '"points" means nothing for a rule of "apart"'),
    Edit("a set for the winner alone", CHOW, 'who = "everyone"', 'who = "winner"',
         'must be "everyone" in a rule of "set"'),
    Edit("a loser's whole hand", CLEAN, 'who = "winner"', 'who = "everyone"',
         'must be "winner" in a rule of "hand"'),
    Edit("points beside both", KONG, "exposed = 16", "exposed = 16\npoints = 4",
         'beside "exposed" and "concealed"', "last"),
    Edit("points beside one", KONG, "exposed = 16", "points = 16", 'stands beside "concealed"'),
    Edit("only concealed", KONG, "exposed = 16", "", '"concealed" stands alone'),
    Edit("an option that is not there", CLEAN, 'option = "clean_hand"', 'option = "clean_hnd"',
         'no [[option]] of that name. Did you mean "clean_hand"?'),
    Edit("a special hand that is not there", IN_PURITY, 'special = "BMJA-S11"',
         'special = "BMJA-S99"', "no [[special]] of that name"),
    Edit("a special hand with a value", IN_PURITY, 'special = "BMJA-S11"', 'special = "BMJA-S15"',
         '"BMJA-S15", which has a value'),
    Edit("an option twice", OPTION_ROW, OPTION_ROW, 'name = "knitting_two_suits"',
         '"name" is "knitting_two_suits" a second time'),
    Edit("a special hand twice", SNAKE, SNAKE, TREASURE, '"id" is "BMJA-S15" a second time'),
    Edit("a value and doubles", TREASURE, "value = 1000", "value = 1000\ndoubles = 3", "leave one",
         "last"),
    Edit("fishing and doubles", PURITY, "doubles = 3", "doubles = 3\nfishing = 4",
         'leave "fishing" out', "last"),
    Edit("a worthless hand", TREASURE, "value = 1000", "value = 0", '"value" is 0'),
    Edit("doubles of a pattern", SNAKE, "value = 1000", "doubles = 3", '"doubles" means nothing'),
    Edit("fishing for an event", HEAVEN, "value = 1000", "value = 1000\nfishing = 400",
         '"fishing" means nothing beside "when", an event', "last"),
]  # fmt: skip


def faults_of(text: str) -> tuple[HandProblem, ...]:
    with pytest.raises(RulesetError) as failure:
        read_ruleset(text)
    return failure.value.problems


@pytest.mark.parametrize("edit", [*SYNTAX, *KEYS, *VALUES, *AGREEMENT], ids=lambda e: e.reason)
def test_a_fault_is_refused_with_its_line_and_what_would_be_right(edit: Edit) -> None:
    (problem,) = faults_of(edit.text())
    assert problem.text.startswith(f"Line {edit.line()}: ")
    assert edit.words in problem.text
    assert problem.level == "error"


WRONG_BLOCKS = [
    ("rule = 3", '"rule" must be a block of keys and values under the heading [[rule]].'),
    ("rule = [3]", '"rule" must be a block of keys and values under the heading [[rule]].'),
    ("rule = []", "The file has no [[rule]], and it needs one."),
    ("[rule]", '"rule" must be a block of keys and values under the heading [[rule]].'),
    ("chows = 3", '"chows" must be a block of keys and values under the heading [chows].'),
    ("chows = []", '"chows" must be a block of keys and values under the heading [chows].'),
    (
        "special = 'x'",
        '"special" must be a block of keys and values under the heading [[special]].',
    ),
]


@pytest.mark.parametrize(("line", "message"), WRONG_BLOCKS)
def test_a_block_that_is_none_is_refused_where_it_stands(line: str, message: str) -> None:
    assert f"Line 2: {message}" in [each.text for each in faults_of(f"\n{line}\n")]


def test_every_fault_is_told_at_once_in_the_order_of_the_lines() -> None:
    lines = load_builtin_text("bmja").splitlines()
    new = {
        "limit = 1000": "limit = 0",
        "exposed = 16": "exposed = -1",
        'who = "winner"': 'who = "winer"',
        'when = "moon"': 'when = "sun"',
        OPTION_ROW: 'name = "clean_hand"',
    }
    faulty = sorted(lines.index(line) for line in new)
    text = "\n".join(new[line] if n in faulty else line for n, line in enumerate(lines))
    line_texts = [problem.text.partition(":")[0] for problem in faults_of(text)]
    assert line_texts == [f"Line {place + 1}" for place in faulty]


def test_an_empty_file_lacks_everything_that_a_ruleset_needs() -> None:
    problems = faults_of("")
    assert all(problem.text.startswith("Line 1: ") for problem in problems)
    words = " ".join(problem.text for problem in problems)
    assert all(
        needed in words for needed in ('"name"', '"title"', '"players"', "[chows]", "[[rule]]")
    )
