"""The sample photographs of `tongbox serve --demo`, made by the project's own renderer."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from scorer.message import Message, rule_text

SAMPLES_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Sample:
    """One photograph to try the box with."""

    name: str
    title: Message
    line: Message
    """One sentence about the hand."""
    hand: str
    """The hand text of a perfect reading."""
    path: Path


def load_samples(folder: Path = SAMPLES_FOLDER) -> tuple[Sample, ...]:
    """Return the samples of the folder's list that have a picture; none without a list."""
    listing = folder / "samples.toml"
    if not listing.exists():
        return ()
    entries = tomllib.loads(listing.read_text("utf-8")).get("sample", [])
    samples = (
        Sample(
            name=e["name"],
            title=rule_text(e["title"]),
            line=rule_text(e["line"]),
            hand=e["hand"],
            path=folder / f"{e['name']}.jpg",
        )
        for e in entries
    )
    return tuple(sample for sample in samples if sample.path.exists())
