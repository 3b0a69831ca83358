"""Kajongg as a peer: the one other program that scores by the British rules, where it is installed.

Debian has it (`apt-get install --no-install-recommends kajongg`). It is run as a program of its
own, by the system's Python.
"""

from __future__ import annotations

from pathlib import Path

from scorer.hand import Hand

FOLDER = Path("/usr/share/kajongg")

COMMAND = ("/usr/bin/python3", "tests/bench/kajongg_scores.py", str(FOLDER))

SUITS = {"B": "b", "C": "c", "O": "s"}
DRAGONS = {"R": "r", "G": "g", "W": "b"}
BONUS = {"F": "f", "S": "y"}
WINDS = "eswn"

SOURCES = {
    "wall": "w",
    "last-tile": "z",
    "discard": "d",
    "last-discard": "Z",
    "loose": "e",
    "heaven": "1",
}
"""Ways of winning that both know, and Kajongg's letters for where the tile came from."""


def is_installed() -> bool:
    """Return whether there is a Kajongg to ask."""
    return FOLDER.is_dir()


def is_known(hand: Hand) -> bool:
    """Return whether Kajongg can score a hand: no goulash, and a winner's tile and source."""
    usual = not (hand.goulash or hand.house or hand.original_call)
    same_table = hand.ruleset == "bmja" and hand.players == 4 and hand.limit == 1000
    is_known_win = (
        hand.winning_tile is not None and len(hand.won_by) == 1 and hand.won_by[0] in SOURCES
    )
    return usual and same_table and (is_known_win or not hand.winner)


def line_of(hand: Hand) -> str:
    """Return the line that `kajongg_scores` reads."""
    parts = ["".join(map(tile_text, codes)) for codes in hand.exposed]
    parts += [_declared_code(codes[0]) for codes in hand.declared_kongs]
    if hand.concealed:
        parts.append("R" + "".join(_concealed(code) for code in hand.concealed))
    parts += map(tile_text, hand.bonus)
    if hand.winner and hand.winning_tile:
        parts.append(f"m{SOURCES[hand.won_by[0]]}")
        is_concealed = hand.winning_tile in hand.concealed
        parts.append(f"L{(_concealed if is_concealed else tile_text)(hand.winning_tile)}")
    return "\t".join((hand.seat_wind, hand.prevailing_wind, " ".join(parts)))


def tile_text(code: str) -> str:
    """Return a tile as Kajongg writes it, exposed: b1, s9, we, db, fe, yn."""
    family, rank = code[0], code[1]
    if family in SUITS:
        return SUITS[family] + rank
    if family in BONUS:
        return BONUS[family] + WINDS[int(rank) - 1]
    return family.lower() + (DRAGONS[rank] if family == "D" else rank.lower())


def _concealed(code: str) -> str:
    return tile_text(code).capitalize()


def _declared_code(code: str) -> str:
    """Return a kong that was declared: its outer tiles lie face down."""
    return tile_text(code) + _concealed(code) * 2 + tile_text(code)
