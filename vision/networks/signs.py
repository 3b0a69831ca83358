"""The signs that stand on tiles, how each may be written, and the tiles that they name."""

from __future__ import annotations

BLANK, OTHER = "", "·"
"""What the network answers where nothing stands, and for every sign that is none of ours."""

NUMERALS = ("1", "2", "3", "4")
CHINESE = ("一", "二", "三", "四")

NAMED_BY: dict[str, str] = {
    "梅": "F1", "蘭": "F2", "菊": "F3", "竹": "F4",
    "春": "S1", "夏": "S2", "秋": "S3", "冬": "S4",
    "東": "WE", "南": "WS", "西": "WW", "北": "WN",
    "中": "DR", "發": "DG",
}  # fmt: skip
"""The characters that name a tile by themselves. Winds and dragons have theirs on the middle."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Of words; a small letter is read as its capital."""

_FORMS = {"蘭": "蘭兰", "東": "東东", "發": "發発发", "O": "Oo0"} | {
    letter: letter + letter.lower() for letter in LETTERS if letter != "O"
}

WRITTEN: dict[str, str] = {
    sign: _FORMS.get(sign, sign) for sign in (*NUMERALS, *CHINESE, *NAMED_BY, *LETTERS)
}
"""Every sign with the forms in which it may be written."""

SIGNS: tuple[str, ...] = (*WRITTEN, OTHER, BLANK)
"""The network's answers in their order."""
