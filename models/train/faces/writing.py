"""Chinese signs by whoever writes a set: a font of the machine's, or our own strokes."""

from __future__ import annotations

from .brush import Hand, character
from .fonts import Font, has, sign_outline
from .shapes import Ink, Path
from .strokes import CHARACTERS

_TRADITIONAL = {"东": "東", "发": "發", "発": "發", "兰": "蘭"}
_PLAIN_HAND = Hand(weight=11.5)


def can_write(sign: str, hand: Hand | Font) -> bool:
    """Say whether a hand has this very sign."""
    return has(hand, sign) if isinstance(hand, Font) else sign in CHARACTERS


def sign_shapes(sign: str, hand: Hand | Font, ink: Ink) -> tuple[Path, ...]:
    """Return one sign on a 100 x 100 grid, in plain strokes where a font lacks it.

    Raises KeyError for a sign that neither has.
    """
    if isinstance(hand, Font):
        if has(hand, sign):
            return sign_outline(sign, hand, ink)
        hand = _PLAIN_HAND
    return character(_TRADITIONAL.get(sign, sign), hand, ink)
