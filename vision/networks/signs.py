"""Signs and words printed on tiles, and the tiles that they name."""

from __future__ import annotations

BLANK, OTHER = "", "·"
"""Classes of the network for no sign, and for any sign that is not listed here."""

NUMERALS = ("1", "2", "3", "4")
CHINESE = ("一", "二", "三", "四")

NAMED_BY: dict[str, str] = {
    "梅": "F1", "蘭": "F2", "菊": "F3", "竹": "F4",
    "春": "S1", "夏": "S2", "秋": "S3", "冬": "S4",
    "東": "WE", "南": "WS", "西": "WW", "北": "WN",
    "中": "DR", "發": "DG",
}  # fmt: skip
"""Characters that name a tile. Winds and dragons have theirs in the middle."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Letters of words; small letters are read as capitals."""

_FORMS = {"蘭": "蘭兰", "東": "東东", "發": "發発发", "O": "Oo0"} | {
    letter: letter + letter.lower() for letter in LETTERS if letter != "O"
}

WRITTEN: dict[str, str] = {
    sign: _FORMS.get(sign, sign) for sign in (*NUMERALS, *CHINESE, *NAMED_BY, *LETTERS)
}
"""Every sign with its written forms."""

SIGNS: tuple[str, ...] = (*WRITTEN, OTHER, BLANK)
"""The network's classes in order."""
