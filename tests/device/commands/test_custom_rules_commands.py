"""The commands know the rulesets that a box keeps: they list, print and score by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from device.commands.serve import _keep_rules
from device.rulesets.repository import CustomRulesets
from device.store.store_url import open_store
from scorer.hand import RULESETS
from scorer.rulesets.files import SAMPLES, load_builtin_text
from scorer.rulesets.reader import RulesetError
from tests.device.command import output_of, refusal_of

HAND = "B222 O666 | C555 WNNN B88 | seat=S won=discard with=B8"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return the data folder of a box that keeps a ruleset in two versions.

    The second lies there as a file, too.
    """
    store = open_store(tmp_path, "", None)
    rulesets = CustomRulesets(store)
    custom_key = rulesets.copy("bmja", "Our rules")
    text = rulesets.get(custom_key).newest.text.replace("points = 20", "points = 120", 1)
    rulesets.keep_version(custom_key, text, rulesets.get(custom_key).seen)
    store.close()
    (tmp_path / "second.toml").write_text(text)
    return tmp_path


def test_the_rulesets_of_a_box_are_listed(data: Path) -> None:
    assert (
        output_of("rules", "--data", str(data)).splitlines()[-1] == "ours-1    Our rules, version 2"
    )


def test_their_files_are_printed(data: Path) -> None:
    assert "version = 1\n" in output_of("rules", "ours-1@1", "--data", str(data))
    assert (
        refusal_of("rules", "ours-7", "--data", str(data))
        == "tongbox: The box keeps no ruleset ours-7.\n"
    )


@pytest.mark.parametrize(
    ("rules", "total"),
    [("bmja", 72), ("ours-1@1", 72), ("ours-1@2", 272), ("ours-1", 272), ("second.toml", 272)],
)
def test_hands_are_scored_by_them(
    data: Path, monkeypatch: pytest.MonkeyPatch, rules: str, total: int
) -> None:
    monkeypatch.chdir(data)
    words = ("--rules", rules, "--data", str(data), HAND)
    assert f"{total}  " in output_of("score", *words)
    assert f"The hand scores {total}." in output_of("explain", *words)


@pytest.mark.parametrize(
    ("folder", "rules", "says"),
    [("", "ours-3", "The box keeps no ruleset ours-3."), ("none", "ours-1", "No box keeps")],
)
def test_what_no_box_keeps_is_said(data: Path, folder: str, rules: str, says: str) -> None:
    assert says in refusal_of("score", "--rules", rules, "--data", str(data / folder), HAND)


def test_the_box_keeps_the_file_that_it_is_to_propose(data: Path, tmp_path: Path) -> None:
    store = open_store(data, "", None)
    file = tmp_path / "theirs.toml"
    file.write_text(load_builtin_text("bmja").replace("British Mah-Jong (BMJA)", "Theirs", 1))
    assert _keep_rules(None, store) == "bmja"
    assert _keep_rules("ours-1", store) == "ours-1"
    assert [_keep_rules(str(file), store) for _ in range(2)] == ["ours-2", "ours-2"]
    file.write_text("nonsense")
    with pytest.raises(RulesetError, match="Line 1"):
        _keep_rules(str(file), store)
    store.close()


@pytest.mark.parametrize("name", ["nosuch", "thirty-hands"])
def test_whoever_names_no_rules_is_told_which_there_are(name: str) -> None:
    refusal = refusal_of("score", "--rules", name, HAND)
    assert all(each in refusal for each in (*RULESETS, *SAMPLES, "ours-1", "tongbox rules"))
