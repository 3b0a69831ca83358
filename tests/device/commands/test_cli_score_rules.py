"""`tongbox score --rules FILE`: hands scored by a table's own ruleset."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from device.cli import main
from scorer.rulesets.builtin import load_builtin_text

HAND = "| DRRR B222 B333 B444 WEE | won=wall rules=safalra"
PUNG = 'id = "SAF-R03"\nof = "set"\nkinds = ["pung"]\nwhen = "honour"\nlabel = "pung of honours"\n'


def own_file(tmp_path: Path, old: str, new: str) -> str:
    text = load_builtin_text("safalra")
    assert old in text
    path = tmp_path / "ours.toml"
    path.write_text(text.replace(old, new), "utf-8")
    return str(path)


def total(args: list[str], capsys: pytest.CaptureFixture[str]) -> int:
    assert main(["score", "--json", *args]) == 0
    return int(json.loads(capsys.readouterr().out)["total"])


def test_an_edited_figure_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own_file(
        tmp_path, PUNG + "exposed = 4\nconcealed = 8", PUNG + "exposed = 4\nconcealed = 18"
    )
    # (20 + 10 + 2 + 3 × 4 + 8 + 2) × 2 for the dragons, or with 18 in place of 8
    assert total([HAND], capsys) == 108
    assert total(["--rules", path, HAND], capsys) == 128


def test_many_hands_by_the_same_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = own_file(tmp_path, "points = 20", "points = 0")
    lines = io.BytesIO(json.dumps({"hand": HAND}).encode() + b"\n[]\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(lines))
    assert main(["score", "--jsonl", "--rules", path]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["total"] == 68
    assert second["problems"][0]["code"] == "bad-json"


def test_a_faulty_file_is_refused_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_file(tmp_path, "points = 20", "points = -20")
    assert main(["score", "--rules", path, HAND]) == 1
    assert "Line " in capsys.readouterr().err
