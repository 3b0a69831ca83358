"""What the appliance asks of a reader, and a reading as it comes back from the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from device.store.kept_words import kept, message_from
from vision.photo import Photo
from vision.preprocess import RGB
from vision.reading import LeftOut, Problem, Quad, Reading, SetReading, Side, TileReading, Timings

STAGES = ("locate", "classify", "arrange")
"""The stages of a reading, in the order in which a reader reports that it begins them."""


class PhotoReader(Protocol):
    """Reads photographs: `vision.read.Reader`, or a stand-in with the same methods."""

    def read(
        self, photo: Photo, rules: str = "bmja", progress: Callable[[str], None] | None = None
    ) -> Reading:
        """Read a photograph of a hand, telling `progress` each stage as it begins."""

    def read_table(self, photo: Photo, rules: str = "bmja") -> Mapping[Side, Reading]:
        """Read a photograph of the whole table: the hand on each of its sides where one lies."""

    def know(self, codes: Mapping[str, str], crop: Callable[[str], RGB]) -> None:
        """Know these crops of the table's set from now on: their codes by name, and the crops."""

    def read_set(self, photo: Photo) -> Sequence[TileReading]:
        """Read a photograph of a tile set: every tile by itself, in no hand and in no order."""

    def whose(
        self,
        photo: Photo,
        tiles: Sequence[TileReading],
        sets: Mapping[str, Mapping[str, str]],
        chosen: str,
        crop: Callable[[str], RGB],
    ) -> str | None:
        """Return which of the sets a photograph's tiles are of, if clearly not the chosen one."""

    def count(self, photo: Photo) -> int:
        """Return how many tiles are seen at a glance."""

    def read_crop(self, photo: Photo) -> Reading:
        """Read a picture of one upright tile."""


def load_reader() -> PhotoReader:
    """Return the reader with its models; raise ModelError when they are not what they should be."""
    from vision.read import Reader  # loads onnxruntime: only what reads needs it

    return Reader.load()


def kept_reading(reading: Reading) -> dict[str, Any]:
    """Return a reading as the log keeps it: its problems in no language."""
    return {**reading.to_json(), "problems": list(map(kept_problem, reading.problems))}


def kept_problem(problem: Problem) -> dict[str, Any]:
    """Return a problem as the log keeps it."""
    return {"code": problem.code, "message": kept(problem.message)}


def problem_from_json(data: Mapping[str, Any]) -> Problem:
    """Return the problem that an event has, also from before there were keys."""
    return Problem(data["code"], message_from(data["message"]))


def reading_from_json(data: Mapping[str, Any]) -> Reading:
    """Return the reading that an event has; raise KeyError, TypeError or ValueError."""
    return Reading(
        photo=data["photo"],
        width=data["width"],
        height=data["height"],
        tiles=tuple(tile_from_json(tile) for tile in data["tiles"]),
        sets=tuple(SetReading(tuple(s["tiles"]), s["row"], s["kind"]) for s in data["sets"]),
        hand_text=data["hand_text"],
        problems=tuple(map(problem_from_json, data["problems"])),
        ms=Timings(**data["ms"]),
        left_out=tuple(LeftOut(each["tile"], each["why"]) for each in data.get("left_out", ())),
        winning_tile=data.get("winning_tile"),
    )


def tile_from_json(data: Mapping[str, Any]) -> TileReading:
    """Return one tile of such a reading."""
    return TileReading(
        code=data["code"],
        confidence=data["confidence"],
        quad=_quad(data["quad"]),
        turn=data["turn"],
        alternatives=tuple((code, chance) for code, chance in data["alternatives"]),
        doubtful=data["doubtful"],
        seen=data.get("seen", ""),
    )


def _quad(points: list[list[float]]) -> Quad:
    first, second, third, fourth = ((float(x), float(y)) for x, y in points)
    return first, second, third, fourth
