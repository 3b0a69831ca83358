"""List the texts that languages lack, in English: `python -m device.i18n.missing [LANGUAGE ...]`.

The output is TOML, for a file of the language's folder. A page says these texts in English until
somebody translates them. A release is made only without any.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence

from device.i18n.words import LANGUAGES, load, locale, own_texts

OWN_KEYS = {"fr": {"date.day.one"}}
"""What a language says that English does not: in French the first of a month."""


_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
"""A part of a key that TOML takes without quotes."""

MAX_USUAL_COUNT = 200
"""French has a plural form for millions, which nobody counts here."""


def wanted_keys(language: str) -> set[str]:
    """Return the keys that a language must have, with those plural forms that it knows."""
    plural_forms = {locale(language).plural_form(count) for count in range(MAX_USUAL_COUNT)}
    counted_texts = {key.removesuffix(".one") for key in load() if key.endswith(".one")}
    keys = {key for key in load() if not key.endswith(".one")}
    keys |= {f"{text}.{form}" for text in counted_texts for form in plural_forms}
    return keys | OWN_KEYS.get(language, set())


def english_text(key: str) -> str:
    """Return the English of a key, of a plural form that English lacks its usual plural."""
    return load().get(key) or load().get(f"{key.rpartition('.')[0]}.other", "")


def missing_texts(language: str) -> dict[str, str]:
    """Return the English texts, by key, that a language does not say yet."""
    lacking_keys = wanted_keys(language) - own_texts(language).keys()
    return {key: english_text(key) for key in sorted(lacking_keys)}


def main(languages: Sequence[str]) -> int:
    """Print what is missing, one line each; return 1 if anything is, 2 for an unknown language."""
    if unknown_languages := set(languages) - set(LANGUAGES):
        sys.stderr.write(
            f"No folder of device/i18n/strings is called {', '.join(unknown_languages)}.\n"
        )
        return 2
    texts_by_language = {each: missing_texts(each) for each in languages or LANGUAGES}
    for language, texts in texts_by_language.items():
        lines = [f"{_quote_parts(key)} = {_quote(text)}\n" for key, text in texts.items()]
        sys.stdout.writelines([f"# {language}\n", *lines] if lines else [])
    return int(any(texts_by_language.values()))


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _quote_parts(key: str) -> str:
    return ".".join(part if _BARE_KEY.fullmatch(part) else _quote(part) for part in key.split("."))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
