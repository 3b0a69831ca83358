"""List the texts that languages lack, in English: `python -m device.i18n.missing [LANGUAGE ...]`.

A page says them in English until somebody translates them. A release is made only without any.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from device.i18n.words import LANGUAGES, load, locale, own_texts

OWN_KEYS = {"fr": {"date.day.one"}}
"""What a language says that English does not: in French the first of a month."""


def wanted_keys(language: str) -> set[str]:
    """Return the keys that a language must have, with those plural forms that it knows."""
    has_one = "one" in locale(language).plural_form.tags
    keys = {key for key in load() if has_one or not key.endswith(".one")}
    return keys | OWN_KEYS.get(language, set())


def missing_texts(language: str) -> dict[str, str]:
    """Return the English texts, by key, that a language does not say yet."""
    lacking_keys = wanted_keys(language) - own_texts(language).keys()
    return {key: load().get(key, "") for key in sorted(lacking_keys)}


def main(languages: Sequence[str]) -> int:
    """Print what is missing, one line each; return 1 if anything is, 2 for an unknown language."""
    if unknown_languages := set(languages) - set(LANGUAGES):
        sys.stderr.write(
            f"No folder of device/i18n/strings is called {', '.join(unknown_languages)}.\n"
        )
        return 2
    lines = [
        f"{language}: {key} = {text}"
        for language in languages or LANGUAGES
        for key, text in missing_texts(language).items()
    ]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
