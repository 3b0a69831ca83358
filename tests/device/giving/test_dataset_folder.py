"""The folder is there whole or not at all, and whoever cannot have it is told why."""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from device.giving import folder
from device.giving.labelled_hand import HandLabeller, SharedHand
from device.hands.record import HandRecord
from device.store.files import UNFINISHED_PREFIX
from tests.device.command import refusal_of, usage_error_of
from tests.device.events import write_raw
from tests.device.giving.giving_box import GivingBox

FILES = 7
"""That are written for one hand: its picture, its labels, and what lists them."""

FAULTS: list[tuple[int, range, str]] = [
    (errno.ENOSPC, range(1, FILES + 1, 3), "There is no room for"),
    (errno.EIO, range(1, 2), "cannot be written: Input/output error"),
    (errno.EROFS, range(1, 2), "cannot be written: Read-only file system"),
]
"""What goes wrong, at which of the files, and what is said of it."""


def wrong(giving_box: GivingBox) -> str:
    """Run the command, which refuses; return what it says. It leaves nothing behind."""
    before = sorted(giving_box.folder.parent.rglob("*"))
    outcome = giving_box.export()
    assert sorted(giving_box.folder.parent.rglob("*")) == before
    assert (outcome.status, outcome.output) == (1, "")
    assert outcome.err.startswith("tongbox: ")
    return outcome.err


def test_nobody_was_asked(giving_box: GivingBox) -> None:
    giving_box.confirm()
    assert "have not agreed" in wrong(giving_box)
    giving_box.answer(False)
    assert "have not agreed" in wrong(giving_box)


def test_nothing_to_give(giving_box: GivingBox) -> None:
    giving_box.confirm()
    giving_box.answer(True)
    output = wrong(giving_box)
    assert "There is no hand to give. Left out: 1: confirmed while the players had not" in output


@pytest.mark.parametrize("kind", ["folder", "empty folder", "file", "link"])
def test_what_is_there_already_is_left_alone(giving_box: GivingBox, kind: str) -> None:
    giving_box.answer(True)
    giving_box.confirm()
    if kind.endswith("folder"):
        giving_box.folder.mkdir()
    if kind == "folder":
        (giving_box.folder / "mine.txt").write_text("mine")
    if kind == "file":
        giving_box.folder.write_text("mine")
    if kind == "link":
        giving_box.folder.symlink_to("/nowhere")
    assert "already. Please choose another name" in wrong(giving_box)


def test_a_folder_in_no_folder_is_told(giving_box: GivingBox) -> None:
    giving_box.answer(True)
    giving_box.confirm()
    giving_box.folder = giving_box.folder / "further" / "down"
    assert "cannot be written: No such file or directory" in wrong(giving_box)


def test_a_box_that_is_not_there_is_told() -> None:
    arguments = ["export", "--dataset", "given", "--licence", "cc0", "--data", "/no/such/box"]
    assert "No box keeps its data in /no/such/box" in refusal_of(*arguments)


def test_every_licence_is_said_where_none_was_chosen() -> None:
    error_output = usage_error_of("export", "--dataset", "given")
    assert all(f"{word}: " in error_output for word in ("cc0", "cc-by", "cc-by-sa", "cc-by-nc"))


@pytest.mark.parametrize(("fault", "files", "error_text"), FAULTS)
def test_a_fault_at_any_file_leaves_nothing(
    giving_box: GivingBox, monkeypatch: pytest.MonkeyPatch,
    fault: int, files: range, error_text: str,
) -> None:  # fmt: skip
    giving_box.answer(True)
    giving_box.confirm()
    written_count = 0
    good = io.open

    def open_failing(
        file: object, mode: str = "r", *arguments: object, **options: object
    ) -> object:
        nonlocal written_count
        if UNFINISHED_PREFIX in str(file) and "w" in mode:
            written_count += 1
            if written_count == at:
                raise OSError(fault, os.strerror(fault))
        return good(file, mode, *arguments, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(io, "open", open_failing)
    for at in files:
        written_count = 0
        assert error_text in wrong(giving_box), at
    written_count = at = 0
    assert giving_box.export().status == 0
    assert written_count == FILES


def test_a_box_that_is_stopped_half_way_leaves_no_folder_of_that_name(
    giving_box: GivingBox, tmp_path: Path
) -> None:
    giving_box.answer(True)
    for _ in range(3):
        giving_box.confirm()
    slow = (
        "import time, sys; from device.giving import folder; from device.cli import main\n"
        "was = folder.yolo_data\n"
        "def slow(): print('half', flush=True); time.sleep(60); return was()\n"
        "folder.yolo_data = slow\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    words = ["export", "--dataset", str(giving_box.folder), "--licence", "cc0"]
    words += ["--data", str(giving_box.hands.store.folder)]
    with subprocess.Popen(
        [sys.executable, "-c", slow, *words], stdout=subprocess.PIPE, env=os.environ
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"half\n"
        child.send_signal(signal.SIGKILL)
    assert not giving_box.folder.exists()
    (half,) = tmp_path.glob(f"{UNFINISHED_PREFIX}*")
    shutil.rmtree(half)
    assert giving_box.export().status == 0
    assert len(list(giving_box.folder.glob("images/*"))) == 3


CHANGES: list[tuple[str, Callable[[GivingBox], None]]] = [
    ("the players say no", lambda giving_box: giving_box.answer(False)),
    ("a player keeps theirs", lambda giving_box: giving_box.log.keep_out("Ann", is_kept_out=True)),
]


@pytest.mark.parametrize(("name", "change"), CHANGES, ids=[what for what, _ in CHANGES])
def test_an_answer_while_it_is_written_counts(
    giving_box: GivingBox, monkeypatch: pytest.MonkeyPatch,
    name: str, change: Callable[[GivingBox], None],
) -> None:  # fmt: skip
    giving_box.answer(True)
    giving_box.begin()
    giving_box.play("Ann")
    good = HandLabeller.label_hand

    def meanwhile(self: HandLabeller, hand: HandRecord) -> SharedHand:
        shared_hand = good(self, hand)
        change(giving_box)
        return shared_hand

    monkeypatch.setattr(HandLabeller, "label_hand", meanwhile)
    assert folder.CONSENT_CHANGED_MESSAGE in wrong(giving_box), name


def test_a_torn_hand_hides_no_other(giving_box: GivingBox) -> None:
    giving_box.answer(True)
    giving_box.confirm()
    write_raw(giving_box.hands.store, "torn", "photo-taken", {})
    assert len(giving_box.rows()) == 1
