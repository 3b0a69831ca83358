"""A backup whose log makes no sense is refused before it takes the place of anything."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from device.cli import main
from device.damage import cut_back
from device.hands.repository import HandRepository
from device.matches.repository import MatchRepository, open_hands
from device.settings.settings import SettingsLog
from device.store import Store
from device.store.backup import back_up
from tests.device.events import write_raw
from tests.device.played import AGREED, settle

BAD: list[tuple[str, str, dict[str, object], str]] = [
    ("box", "setting-changed", {"name": "colour", "value": "red"}, "a setting of another program"),
    ("box", "setting-changed", {"name": "pin", "value": True}, "a PIN that is none"),
    ("MATCH", "deal-settled", {"winner": "Eve", "scores": {}}, "a player of another table"),
    ("MATCH", "hand-melted", {}, "a kind of a newer program"),
    ("HAND", "tile-corrected", {"tile": 99, "code": "B1"}, "a tile that is not there"),
    ("new", "match-begun", {"players": ["Ann"], "ruleset": "bmja"}, "a match of one"),
]


@pytest.fixture
def match(hands: HandRepository) -> str:
    match = MatchRepository(hands.store).begin(AGREED)
    settle(MatchRepository(hands.store), match, "Cy")
    return match


@pytest.mark.parametrize(("stream", "kind", "data", "why"), BAD)
def test_what_makes_no_sense_is_refused_before_the_swap(
    store: Store, match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    stream: str, kind: str, data: dict[str, object], why: str,
) -> None:  # fmt: skip
    hand = open_hands(store).begin_by_hand("bmja")
    seq = write_raw(store, {"MATCH": match, "HAND": hand}.get(stream, stream), kind, data)
    back_up(store.folder, tmp_path / "all.tar")
    here = tmp_path / "here"
    with closing(Store(here)) as there:
        SettingsLog(there).change("camera_turned", True)
    before = (here / "events.sqlite3").read_bytes()

    restore = ["restore", str(tmp_path / "all.tar"), "--replace", "--data", str(here)]
    assert main(restore) == 1, why
    assert f"Event {seq} ({kind})" in capsys.readouterr().err
    assert (here / "events.sqlite3").read_bytes() == before

    assert main([*restore, "--damaged"]) == 0, "it is all that there is"
    with closing(Store(here)) as there:
        assert len(MatchRepository(there).so_far(match).record.past) == 1  # type: ignore[union-attr]


def test_a_match_that_was_cut_back_comes_back(
    store: Store, hands: HandRepository, match: str, tmp_path: Path
) -> None:
    torn = write_raw(store, match, "match-won", {})
    cut_back(store, match, torn)
    back_up(store.folder, tmp_path / "all.tar")
    assert main(["restore", str(tmp_path / "all.tar"), "--data", str(tmp_path / "here")]) == 0
    with closing(Store(tmp_path / "here")) as there:
        assert MatchRepository(there).get(match) == MatchRepository(hands.store).get(match)
