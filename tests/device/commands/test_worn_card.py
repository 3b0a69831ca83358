"""A worn card turns read-only: all that is on it can be taken off, and is not called damaged."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from device.rulesets.repository import CustomRulesets
from device.store import Store
from tests.device import evening
from tests.device.command import Outcome, run_command
from tests.device.page import Page
from tests.device.read_only_disk import enter, run_commands
from tests.device.serving import serve_box

HAND = "B222 O666 | C555 WNNN B88 | seat=S won=discard with=B8"

READING = (
    ("export", "--csv"),
    ("export", "--json", "--match"),
    ("export", "--pdf"),
    ("storage",),
    ("rules",),
    ("rules", "ours-1"),
    ("score", "--rules", "ours-1", HAND),
    ("print", "label"),
    ("pin",),
)
"""Commands that only read. Each says on a worn card what it says of the same files elsewhere."""

WRITING = (("pin", "--new"), ("storage", "--older", "0"))

NOTHING_IS_DAMAGED = (
    "tongbox: Nothing is damaged, but nothing can be written to {}: Read-only file system. "
    "The card is worn or locked: if it is worn, copy it to a new one.\n"
)


@pytest.fixture(scope="module")
def played_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a box's data as a clean end left it, `clean`, and a kill, `killed`."""
    root = tmp_path_factory.mktemp("worn")
    if not enter(root):
        pytest.skip("nothing may be mounted here: no worn card can be had")
    evening.play(root / "clean", 1)
    with closing(Store(root / "clean")) as store:
        CustomRulesets(store).copy("bmja", "Our rules")
        shutil.copytree(root / "clean", root / "killed")
    assert (root / "killed" / "events.sqlite3-wal").stat().st_size
    return root


@pytest.fixture(scope="module", params=["clean", "killed"])
def worn_folder(request: pytest.FixtureRequest, played_folder: Path) -> Path:
    return played_folder / str(request.param)


def test_whatever_is_on_a_worn_card_can_be_taken_off_it(worn_folder: Path, tmp_path: Path) -> None:
    copied_folder, new = shutil.copytree(worn_folder, tmp_path / "elsewhere"), tmp_path / "new"
    archive, restored_folder = tmp_path / "all.tar", tmp_path / "restored"
    files = sorted(worn_folder.iterdir())
    data = ("--data", str(worn_folder))
    outcomes = run_commands(
        worn_folder,
        [
            *([*words, *data] for words in (*READING, *WRITING)),
            ["backup", str(archive), *data],
            ["move", "--from", url(worn_folder), "--to", url(new)],
            ["doctor", "--json", *data],
        ],
    )
    backup, move_outcome, doctor = outcomes[-3:]
    for words, outcome in zip(READING, outcomes, strict=False):
        expected = run_command(*words, "--data", str(copied_folder))
        assert outcome.status == expected.status == 0, (words, outcome.err)
        assert lasting(outcome) == lasting(expected) != [], words
        assert outcome.err == NOTHING_IS_DAMAGED.format(worn_folder), words
    for words, outcome in zip(WRITING, outcomes[len(READING) :], strict=False):
        assert (outcome.status, outcome.err) == (1, NOTHING_IS_DAMAGED.format(worn_folder)), words
    assert {(each.status, each.err) for each in (backup, move_outcome)} == {
        (0, NOTHING_IS_DAMAGED.format(worn_folder))
    }
    check_doctor(doctor)
    assert sorted(worn_folder.iterdir()) == files, "nothing was written, and no copy was left"
    assert run_command("restore", str(archive), "--data", str(restored_folder)).status == 0
    assert contents(restored_folder) == contents(new) == contents(copied_folder)


@pytest.mark.parametrize(
    "worn_folder",
    [pytest.param("clean", marks=pytest.mark.prove), "killed"],
    indirect=True,
)
def test_the_page_says_that_nothing_is_damaged(worn_folder: Path) -> None:
    with serve_box(worn_folder, outer_command=enter(worn_folder)) as box:
        status, page = box.get("/table/")
        assert status == 503
        assert "cannot write to its card" in Page(page).text
        assert (
            NOTHING_IS_DAMAGED.format(worn_folder).removeprefix("tongbox: ").strip()
            in Page(page).text
        )
        assert box.health()[1]["troubles"] == ["no write"]


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/events.sqlite3"


def lasting(outcome: Outcome) -> list[str]:
    """Return the lines that do not tell when a PDF was made, nor how full the disk is."""
    passing = ("Date", "/ID", "<", "MB are free", "  log ")
    return [
        line for line in outcome.output.splitlines() if not any(map(line.__contains__, passing))
    ]


def check_doctor(outcome: Outcome) -> None:
    """Check that nothing is called damaged, and that no earlier backup is advised."""
    findings = {each["check"]: each for each in map(json.loads, outcome.output.splitlines())}
    assert findings["log"]["state"] == "unwritable"
    assert findings["log"]["says"].startswith("Nothing is damaged")
    assert "copy it to a new one" in findings["log"]["do"]
    assert findings["photographs"]["state"] == "ok"


def contents(folder: Path) -> tuple[object, ...]:
    """Return all events and the names of all pictures of a box."""
    with closing(Store(folder)) as store:
        events = store.events_after(0, 10_000)
        assert events
        return events, sorted(store.pictures.places())
