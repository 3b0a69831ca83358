"""`tongbox evaluate`, with a reader that says what it is told to."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from device.cli import main
from device.commands import evaluate
from tests.device.command import output_of, refusal_of, run_command
from tests.vision.measure.test_evaluate import box, read
from vision.photo import Photo
from vision.reading import Reading, TileReading, Timings


class ToldReader:
    """Reads in every photograph what it was told."""

    def __init__(self, *tiles: TileReading) -> None:
        self.tiles = tiles
        self.paths: list[str] = []

    def read(self, photo: Photo, rules: str = "bmja", progress: object = None) -> Reading:
        """Return what was told."""
        self.paths.append(photo.name)
        ms = Timings(load=0, locate=1, classify=1, arrange=1, total=3)
        return Reading(photo.name, photo.width, photo.height, self.tiles, (), "", (), ms)

    read_crop = read


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> ToldReader:
    told_reader = ToldReader(read("B1", 101), read("B3", 131), read("WE", 200, doubtful=True))
    monkeypatch.setattr(evaluate, "load_reader", lambda: told_reader)
    return told_reader


@pytest.fixture
def labels(tmp_path: Path) -> Path:
    """Return a label file of two photographs and a single tile, which lie in `photos`."""
    (tmp_path / "photos").mkdir()
    marked_tiles = [{"code": c, "quad": box(x)} for c, x in (("B1", 100), ("B2", 130), ("B3", 230))]
    size = {"w": 300, "h": 200}
    rows: list[dict[str, object]] = [
        {"file": "a.jpg", **size, "group": "felt", "tiles": marked_tiles},
        {"file": "b.jpg", **size, "group": "cloth", "tiles": marked_tiles[:1], "complete": True},
        {"file": "c.jpg", **size, "kind": "crop", "tiles": marked_tiles[:1]},
    ]
    for row in rows:
        buffer = io.BytesIO()
        Image.new("RGB", (300, 200), "white").save(buffer, "JPEG")
        (tmp_path / "photos" / str(row["file"])).write_bytes(buffer.getvalue())
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def arguments(labels: Path, *options: str) -> list[str]:
    return ["evaluate", str(labels), "--photos", str(labels.parent / "photos"), *options]


def test_the_figures_are_printed(labels: Path, reader: ToldReader) -> None:
    output = output_of(*arguments(labels, "--worst", "1"))
    assert "photographs, felt: 1, with 3 labelled tiles" in output
    assert "tiles found               75.00 % [30.1–95.4] (3 of 4)" in output
    assert "single tiles, all: 1, with 1 labelled tiles" in output
    assert output.endswith("a.jpg: 3 labelled, 2 found, 1 right, 1 invented\n")
    assert reader.paths == ["a.jpg", "b.jpg", "c.jpg"]


def test_json_is_one_object(labels: Path, reader: ToldReader) -> None:
    report_json = json.loads(output_of(*arguments(labels, "--json", "--worst", "1")))
    assert report_json["photographs"]["all"]["right"]["part"] == 2
    assert report_json["single_tiles"]["all"]["named_right"]["share"] == 1
    assert report_json["worst"] == [str(labels.parent / "photos" / "a.jpg")]


def test_pictures_are_written(labels: Path, reader: ToldReader, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "montage"
    assert main(arguments(labels, "--montage", str(folder))) == 0
    file_names = {path.name for path in folder.iterdir()}
    assert file_names == {"wrong.png", "missed.png", "invented.png", "reliability.svg"}


def test_nothing_is_measured_before_every_photograph_opens(
    labels: Path, reader: ToldReader
) -> None:
    photos = labels.parent / "photos"
    (photos / "b.jpg").unlink()
    (photos / "c.jpg").write_text("no picture")
    err = refusal_of(*arguments(labels))
    assert reader.paths == []
    assert "2 of the 3 labelled photographs cannot be opened" in err
    assert f"{photos / 'b.jpg'}: The file cannot be opened: No such file" in err
    assert f"{photos / 'c.jpg'}: Tongbox cannot open that file as a photo" in err
    assert "a.jpg" not in err


def test_of_many_photographs_that_fail_alike_a_few_are_named(
    labels: Path, reader: ToldReader
) -> None:
    line = json.loads(labels.read_text(encoding="utf-8").splitlines()[0])
    lines = [json.dumps({**line, "file": f"photos/{n}.png"}) for n in range(300)]
    labels.write_text("\n".join(lines), encoding="utf-8")
    err = refusal_of(*arguments(labels))
    assert "300 of the 300" in err
    assert err.rstrip().endswith("… and 290 more")


@pytest.mark.parametrize(
    ("text", "error_text"),
    [("", "names no photographs"), ("{}", "line 1: not a label"), ("[", "line 1: not a label")],
)
def test_labels_that_are_none_are_refused(
    text: str, error_text: str, labels: Path, reader: ToldReader
) -> None:
    labels.write_text(text)
    assert error_text in refusal_of(*arguments(labels))


def test_a_folder_that_cannot_be_made_is_refused_before_reading(
    labels: Path, reader: ToldReader
) -> None:
    assert "labels.jsonl" in refusal_of(*arguments(labels, "--montage", str(labels / "inside")))
    assert reader.paths == []


def test_stopped_it_prints_the_figures_so_far(
    labels: Path,
    reader: ToldReader,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop_at_the_second(photo: Photo, rules: str = "bmja", progress: object = None) -> Reading:
        if reader.paths:
            raise KeyboardInterrupt
        return ToldReader.read(reader, photo)

    monkeypatch.setattr(reader, "read", stop_at_the_second)
    outcome = run_command(*arguments(labels))
    assert (outcome.status, "Stopped after 1 of 3 photographs." in outcome.err) == (130, True)
    assert "photographs, all: 1, with 3 labelled tiles" in outcome.output
    assert "cloth" not in outcome.output
