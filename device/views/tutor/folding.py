"""Normalise words for the search: case, accents and endings do not matter."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from device.i18n.languages import catalogue

_PLURAL = 4
"""Shortest word that may lose a plural s: not `his`, not `plus`."""

_STEM = 3
"""Letters that must remain when a word loses its ending."""

_CHINESE = re.compile(r"[\u3400-\u9fff]")
_WORD = re.compile(r"[\u3400-\u9fff]+|[^\W_\u3400-\u9fff]+")


def is_chinese(word: str) -> bool:
    """Return whether a word has Chinese characters."""
    return bool(_CHINESE.search(word))


@lru_cache(maxsize=2048)
def stems(text: str, tag: str) -> frozenset[str]:
    """Return the stems of a text's words; `tag` is the language in use."""
    return frozenset(stem(word, tag) for word in fold(text))


@lru_cache(maxsize=8192)
def stem(word: str, tag: str) -> str:
    """Return a word without its language's ending: `swap` for swapping.

    `tag` is the language in use.
    """
    for ending in catalogue(tag).sentences["lesson-search.endings"].split():
        if word.endswith(ending) and len(word) - len(ending) >= _STEM:
            word = word.removesuffix(ending)
            break
    return word[:-1] if len(word) > _STEM and word[-1] == word[-2] else word


@lru_cache(maxsize=2048)
def fold(text: str) -> tuple[str, ...]:
    """Return the words of a text without case, accents and plural s.

    >>> fold("Pungs & Kongs: où, BMJA-B03?")
    ('pung', 'kong', 'ou', 'bmja', 'b03')
    """
    plain = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return tuple(_singular(word) for word in _WORD.findall(kept))


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= _PLURAL and word.endswith("s") and word[-2] != "s" else word
