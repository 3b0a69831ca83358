"""The licences that players may choose; there is no default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Licence:
    """A licence for pictures and labels."""

    spdx: str
    """Its SPDX identifier."""
    name: str
    url: str
    """The address of its full text."""
    means: str
    """A summary in one sentence, without legal force."""

    def page(self) -> str:
        """Return the LICENSE file."""
        return (
            f"SPDX-License-Identifier: {self.spdx}\n\n"
            "The pictures and labels in this folder are given by the players whose tiles they "
            f"show,\nunder: {self.name}\n{self.url}\n\nIn short, and not in place of that text:\n"
            f"{self.means}\n"
        )


_CC = "https://creativecommons.org"

LICENCES: Mapping[str, Licence] = MappingProxyType(
    {
        "cc0": Licence(
            "CC0-1.0",
            "Creative Commons Zero 1.0 Universal",
            f"{_CC}/publicdomain/zero/1.0/legalcode",
            "Anybody may use them for anything and need not say where they are from.",
        ),
        "cc-by": Licence(
            "CC-BY-4.0",
            "Creative Commons Attribution 4.0 International",
            f"{_CC}/licenses/by/4.0/legalcode",
            "Anybody may use them for anything who says where they are from.",
        ),
        "cc-by-sa": Licence(
            "CC-BY-SA-4.0",
            "Creative Commons Attribution-ShareAlike 4.0 International",
            f"{_CC}/licenses/by-sa/4.0/legalcode",
            "Anybody may use them for anything who says where they are from, and who gives on what "
            "is made of them\nunder the same licence.",
        ),
        "cc-by-nc": Licence(
            "CC-BY-NC-4.0",
            "Creative Commons Attribution-NonCommercial 4.0 International",
            f"{_CC}/licenses/by-nc/4.0/legalcode",
            "Anybody may use them who says where they are from, but not to earn money.",
        ),
    }
)
"""The licences by their word on the command line."""
