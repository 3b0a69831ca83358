"""Judge the settings in tongbox.txt on the card, written with any editor, and take them over.

    python3 settings.py take CARD STORE    prints the errors, a line each
    python3 settings.py get STORE NAME     prints a setting; nothing for one that is not set

setup.sh runs it with the system's own Python. Once a password is kept in STORE, which root alone
may read, it is blanked on the card.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

TAKEN_OVER_TEXT = "(taken over)"
"""Replaces a password on the card."""

DEFAULT_COUNTRY = "GB"

COUNTRIES_PATH = Path("/usr/share/zoneinfo/iso3166.tab")
"""The codes of all countries; some systems lack it."""

COUNTRY_ALIASES = {"UK": "GB"}

SETTING_BY_LINE_NAME = {
    "wificountry": "country",
    "homewifiname": "home_name",
    "homewifipassword": "home_password",
    "boxwifipassword": "box_password",
}
"""The names of lines on the card, by their letters alone, and of the settings."""

PASSWORD_SETTINGS = ("home_password", "box_password")

ENCODING_BY_BOM = ((codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF8, "utf-8"), (b"", "utf-8"), (b"", "cp1252"))  # fmt: skip
"""Byte order marks of editors, each with its encoding; the first that fits is used."""

SETTING_LINE = re.compile(r"^([^#=\n]*)=([^\n]*)$", re.M)


@dataclass(frozen=True)
class TextFile:
    """A text file, with the encoding in which it is written again."""

    text: str
    bom: bytes
    encoding: str

    @classmethod
    def read(cls, path: Path) -> TextFile:
        """Read a file; raise OSError."""
        raw = path.read_bytes()
        for bom, encoding in ENCODING_BY_BOM:
            if raw.startswith(bom):
                try:
                    return cls(raw.removeprefix(bom).decode(encoding), bom, encoding)
                except UnicodeDecodeError:
                    continue
        return cls(raw.decode("latin-1"), b"", "latin-1")

    def write(self, path: Path, text: str) -> None:
        """Replace the file's text, wholly or not at all; raise OSError."""
        write_safely(path, self.bom + text.encode(self.encoding), 0o600)


def write_safely(path: Path, data: bytes, mode: int) -> None:
    """Write a file so that a power cut leaves the old or the new one; raise OSError."""
    new = path.with_name(f"{path.name}.new")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


class InvalidSettingError(ValueError):
    """A setting cannot be used; the message tells its author why."""


def parse_country(text: str) -> str:
    """Return a country's code of two letters.

    >>> parse_country("uk")
    'GB'
    """
    code = COUNTRY_ALIASES.get(text.upper(), text.upper())
    countries = COUNTRIES_PATH.read_text("utf-8") if COUNTRIES_PATH.exists() else f"\n{code}\t"
    if not re.fullmatch("[A-Z]{2}", code) or f"\n{code}\t" not in countries:
        raise InvalidSettingError(
            f"Wi-Fi country: “{text}” is not a country's code of two letters (GB, IE, FR, HK ...). "
            f"{DEFAULT_COUNTRY} was taken."
        )
    return code


def parse_network_name(text: str) -> str:
    """Return a Wi-Fi's name."""
    if len(text.encode()) > 32:
        raise InvalidSettingError(
            "Home Wi-Fi name: no Wi-Fi has a name as long as that. It was left out."
        )
    return text


def parse_home_password(text: str) -> str:
    """Return a Wi-Fi's password, in any letters."""
    if not 8 <= len(text.encode()) <= 63 and not re.fullmatch("[0-9A-Fa-f]{64}", text):
        raise InvalidSettingError(
            "Home Wi-Fi password: a Wi-Fi's password has 8 to 63 letters. That Wi-Fi was left out."
        )
    return text


def parse_box_password(text: str) -> str:
    r"""Return a password for the box's own Wi-Fi, which any phone can type.

    >>> parse_box_password("four winds")
    'four winds'
    """
    if not re.fullmatch(r"[ -~]{8,63}", text) or re.search(r'["\\]', text):
        raise InvalidSettingError(
            "Box Wi-Fi password: it needs 8 to 63 letters, digits or signs, without accents, "
            "quotation marks or backslashes. The box made one of its own."
        )
    return text


PARSER_BY_SETTING = {
    "country": parse_country,
    "home_name": parse_network_name,
    "home_password": parse_home_password,
    "box_password": parse_box_password,
}


def parse_settings(
    text: str, saved_settings: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Return the settings of a text, and its errors.

    Args:
        text: the content of tongbox.txt.
        kept: the earlier settings, with the passwords that were taken over.

    """
    settings: dict[str, str] = {"country": DEFAULT_COUNTRY}
    wrong: list[str] = []
    refused_names: set[str] = set()
    for line in text.splitlines():
        name, is_setting, value = (part.strip() for part in line.partition("="))
        if name.startswith("#") or not line.strip():
            continue
        setting = SETTING_BY_LINE_NAME.get("".join(filter(str.isalpha, name.casefold())))
        if setting is None or not is_setting:
            wrong.append(f"tongbox.txt: “{name[:40]}” is not a line that the box knows.")
        elif value == TAKEN_OVER_TEXT and setting in PASSWORD_SETTINGS:
            settings[setting] = saved_settings.get(setting, "")
        elif value:
            try:
                settings[setting] = PARSER_BY_SETTING[setting](value)
            except InvalidSettingError as error:
                wrong.append(str(error))
                refused_names.add(setting)
    return settings, wrong + list(check_home_wifi(settings, refused_names))


def check_home_wifi(settings: dict[str, str], refused_names: set[str]) -> Iterator[str]:
    """Yield errors of the home Wi-Fi as a whole, and drop it if only half is set."""
    if refused_names & {"home_name", "home_password"}:
        settings.pop("home_name", None)
        settings.pop("home_password", None)
    elif settings.get("home_password") and not settings.get("home_name"):
        del settings["home_password"]
        yield "Home Wi-Fi: it has a password and no name. It was left out."
    elif settings.get("home_name") and not settings.get("home_password"):
        yield "Home Wi-Fi: it has no password, so it was taken for one that is open to everybody."


def blank_passwords(text: str, settings: Mapping[str, str]) -> str:
    r"""Return the text without the passwords that were taken over.

    >>> blank_passwords("# a = b\r\nBox Wi-Fi password = x\r\n", {"box_password": "x"})
    '# a = b\r\nBox Wi-Fi password = (taken over)\r\n'
    """

    def blank(line: re.Match[str]) -> str:
        setting = SETTING_BY_LINE_NAME.get("".join(filter(str.isalpha, line[1].casefold())))
        if (
            setting not in PASSWORD_SETTINGS
            or settings.get(setting) != line[2].strip()
            or not line[2].strip()
        ):
            return line[0]
        return f"{line[1]}= {TAKEN_OVER_TEXT}" + "\r" * line[2].endswith("\r")

    return SETTING_LINE.sub(blank, text)


def take_over(card: Path, store: Path) -> list[str]:
    """Take over the settings on the card; return their errors."""
    saved_settings = json.loads(store.read_bytes()) if store.exists() else {}
    try:
        read = TextFile.read(card)
    except OSError:
        write_safely(
            store, json.dumps(saved_settings or {"country": DEFAULT_COUNTRY}).encode(), 0o600
        )
        return ["tongbox.txt could not be read; the box did without it."]
    settings, wrong = parse_settings(read.text, saved_settings)
    write_safely(store, json.dumps(settings).encode(), 0o600)
    blank_text = blank_passwords(read.text, settings)
    if blank_text != read.text:
        try:
            read.write(card, blank_text)
        except OSError:
            wrong.append("The card could not be written: passwords in tongbox.txt stay readable.")
    return wrong


def main(arguments: list[str]) -> None:
    """Take over, or print one setting."""
    match arguments:
        case "take", card, store:
            sys.stdout.writelines(f"- {line}\n" for line in take_over(Path(card), Path(store)))
        case "get", store, name:
            sys.stdout.write(json.loads(Path(store).read_bytes()).get(name, ""))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
