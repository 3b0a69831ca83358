"""Kajongg as a peer: the one other program that plays by the British rules, where it is installed.

Debian has it (`apt-get install --no-install-recommends kajongg`). It is run as a program of its
own, by the system's Python.
"""

from __future__ import annotations

from pathlib import Path

from scorer.hand import Hand

FOLDER = Path("/usr/share/kajongg")

COMMAND = ("/usr/bin/python3", "tests/bench/kajongg_player.py", str(FOLDER))

SUITS = {"B": "b", "C": "c", "O": "s"}
DRAGONS = {"R": "r", "G": "g", "W": "b"}
BONUS = {"F": "f", "S": "y"}
WINDS = "eswn"


def is_installed() -> bool:
    """Return whether there is a Kajongg to ask."""
    return FOLDER.is_dir()


def line_of(hand: Hand) -> str:
    """Return who sits where, and the hand: how the line begins that `kajongg_player` reads."""
    parts = ["".join(map(tile_text, codes)) for codes in hand.exposed]
    parts += [_declared_code(codes[0]) for codes in hand.declared_kongs]
    if hand.concealed:
        parts.append("R" + "".join(_concealed(code) for code in hand.concealed))
    parts += map(tile_text, hand.bonus)
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
