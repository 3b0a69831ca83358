"""TONGBOX_STORE names the store of every command: none looks at what the old box left behind."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from device import doctor
from device.cli import COMMANDS, build_parser, main
from device.commands import doctor as doctor_command
from device.doctor.log_checks import check_copies, check_log, check_photographs
from device.matches.repository import open_hands
from device.rulesets.repository import CustomRulesets
from device.settings import SettingsLog
from device.store import Store
from device.store.log import NewRow
from device.store.store_url import open_store
from tests.device.command import output_of, refusal_of, run_command, usage_error_of
from tests.device.fake_reader import FakeReader, picture
from vision.photo import open_photo

HAND = "B222 O666 | C555 WNNN B88 | seat=S won=discard with=B8"

COMMANDS_WITHOUT_A_STORE = {"evaluate", "practise", "read", "settle"}


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str) -> Path:
    """Return the folder of a box that was moved to a database, in which play has gone on."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with closing(Store(tmp_path / "tongbox")) as store:
        fill(store, "Old rules", "7391", points=20)
    with closing(open_store(tmp_path / "own", database)) as store:
        fill(store, "New rules", "2222", points=120)
        data = picture(FakeReader().reading)
        open_hands(store).begin(open_photo(data, "hand.jpg"), data, "bmja")
    monkeypatch.setenv("TONGBOX_STORE", database)
    return tmp_path / "tongbox"


def fill(store: Store, title: str, pin: str, *, points: int) -> None:
    SettingsLog(store).change("pin", pin)
    rulesets = CustomRulesets(store)
    ruleset_key = rulesets.copy("bmja", title)
    text = rulesets.get(ruleset_key).newest.text.replace("points = 20", f"points = {points}", 1)
    if points != 20:
        rulesets.keep_version(ruleset_key, text, rulesets.get(ruleset_key).seen)


OUTPUTS = (
    (["pin"], "2222"),
    (["rules"], "New rules"),
    (["rules", "ours-1"], "New rules"),
    (["score", "--rules", "ours-1", HAND], "272  "),
    (["explain", "--rules", "ours-1", HAND], "The hand scores 272."),
    (["export", "--json"], "hand"),
    (["print", "label"], "PDF"),
    (["storage"], "The log lies in postgresql://"),
    (["storage", "--older", "0"], "The log lies in postgresql://"),
)


def test_a_command_reads_the_store_that_the_environment_names(old: Path) -> None:
    for words, shows in OUTPUTS:
        output = output_of(*words)
        assert shows in output, words
        assert not any(left in output for left in ("Old rules", "PIN is 7391")), words


def test_a_backup_is_that_of_the_database(old: Path, database: str, tmp_path: Path) -> None:
    archive, new = tmp_path / "all.tar", tmp_path / "new"
    assert "3 pictures from postgresql://" in output_of("backup", str(archive))
    assert "is a database, and a backup is restored to a folder" in refusal_of(
        "restore", str(archive)
    )
    assert main(["restore", str(archive), "--store", f"sqlite:///{new}/events.sqlite3"]) == 0
    with (
        closing(Store(new)) as restored_store,
        closing(open_store(tmp_path / "own", database)) as store,
    ):
        assert restored_store.events_after(0, 100) == store.events_after(0, 100)
        assert set(restored_store.pictures.places()) == set(store.pictures.places())
    with closing(Store(old)) as store:
        assert SettingsLog(store).read().pin == "7391", "the old box's folder is as it was"


@pytest.mark.parametrize("room", ["--most", "--full"])
def test_what_only_a_folder_can_do_is_refused(old: Path, room: str) -> None:
    assert "The photos lie in the database" in refusal_of(
        "storage", room, *(["1"] if room == "--most" else [])
    )


def test_the_doctor_examines_the_database(
    old: Path,
    database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checks = (check_log, check_photographs, check_copies)
    monkeypatch.setattr(doctor_command, "examine", lambda machine: doctor.examine(machine, checks))

    def states(store: str) -> dict[str, str]:
        outcome = run_command("doctor", "--json", "--store", store)
        findings = map(json.loads, outcome.output.splitlines())
        return {each["check"]: each["state"] for each in findings}

    assert states(database) == {"log": "ok", "photographs": "ok", "copies": "database"}
    with closing(open_store(tmp_path / "own", database)) as store:
        store.log.add(NewRow("hand", "no-such-kind", "{}", "2026-11-21"), news=False)
        for place in store.pictures.places():
            store.pictures.delete(place)
    assert states(database) == {"log": "torn", "photographs": "missing", "copies": "database"}
    assert states(f"{database}-that-is-gone")["log"] == "away"
    assert states("")["log"] == "ok"


def test_a_folder_with_a_log_beside_another_store_is_asked_about(old: Path) -> None:
    for command in ("backup", "storage", "rules", "pin", "export", "doctor"):
        error_output = " ".join(usage_error_of(command, "--data", str(old)).split())
        assert "has a log, and TONGBOX_STORE names another store." in error_output
        assert f"say --store sqlite:///{old}/events.sqlite3 instead of --data" in error_output


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - COMMANDS_WITHOUT_A_STORE))
def test_every_command_that_knows_a_box_takes_its_store(command: str) -> None:
    parser = build_parser(command)
    (commands,) = (each for each in parser._actions if each.choices and command in each.choices)
    options = commands.choices[command].format_help()  # type: ignore[index]
    assert "--store URL" in options or (command == "move" and "--from URL" in options)


@pytest.mark.parametrize("command", sorted(COMMANDS_WITHOUT_A_STORE))
def test_the_others_know_no_box(command: str) -> None:
    parser = build_parser(command)
    (commands,) = (each for each in parser._actions if each.choices and command in each.choices)
    assert "--data" not in commands.choices[command].format_help()  # type: ignore[index]
