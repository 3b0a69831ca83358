"""A file of what was derived from the log, so that it need not be derived at each request.

It may be thrown away at any time, and is made again. It is believed only by the program that wrote
it: another may come to something else.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from device.store import files

_Of = TypeVar("_Of")

_log = logging.getLogger(__name__)


class _Kept(Struct, Generic[_Of], frozen=True, forbid_unknown_fields=True):
    form: str
    matches: dict[str, _Of]


@dataclass(frozen=True, slots=True)
class DerivedFile(Generic[_Of]):
    """What is known of matches, by id."""

    name: str
    """Of the file in the data folder."""
    form: int
    """Grows when the fields change, or what they mean."""
    of: type[_Of]
    """What is known of one."""

    def read(self, folder: Path) -> Mapping[str, _Of]:
        """Return what is kept; nothing where it cannot be believed."""
        kind: Any = _Kept[self.of]  # type: ignore[name-defined]
        try:
            kept: _Kept[_Of] = msgspec.json.decode((folder / self.name).read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError):
            return {}  # never written, by a program of other fields, or torn: it is made again
        return kept.matches if kept.form == _written_by(self.form) else {}

    def write(self, folder: Path, found: Mapping[str, _Of]) -> None:
        """Keep what was found; a disk that takes nothing is told in the log file."""
        data = msgspec.json.encode(_Kept(_written_by(self.form), dict(found)))
        try:
            with files.whole(folder / self.name) as file:
                file.write(data)
        except OSError:
            _log.exception("%s cannot be kept, and is worked out anew each time", self.name)


@cache
def _written_by(form: int) -> str:
    try:
        return f"{form} of tongbox {metadata.version('tongbox')}"
    except metadata.PackageNotFoundError:
        return f"{form}"
