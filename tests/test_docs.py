"""What pages for people and programs say is so: examples run, links and paths lead somewhere."""

from __future__ import annotations

import io
import json
import re
import subprocess
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from device.cli import main
from device.i18n.words import load
from device.store.log_schema import LAST_MIGRATING_RELEASE

ROOT = Path(__file__).parents[1]

PAGES = sorted(
    page
    for pattern in (
        "docs/*.md", "README.md", "CONTRIBUTING.md", "SECURITY.md", "models/*.md",
        "models/train/README.md", "models/train/drawing/README.md", "deploy/README.md",
        "findings/README.md", "tests/README.md", "tests/prove/rendered/README.md",
    )
    for page in ROOT.glob(pattern)
)  # fmt: skip
each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))

CONTRACTS = (ROOT / "docs" / "contracts.md").read_text("utf-8")


def section(command: str) -> str:
    """Return what the contracts say under the heading that begins with a command."""
    (part,) = [part for part in CONTRACTS.split("\n## ") if part.startswith(f"`{command}")]
    return part


def example(command: str) -> dict[str, Any]:
    (block,) = re.findall(r"^```json\n(.*?)^```$", section(command), re.DOTALL | re.MULTILINE)
    data: dict[str, Any] = json.loads(block)
    return data


def fields(command: str) -> dict[str, set[str]]:
    """Return each field that the table names, and the fields that what stands in it has.

    Words in brackets are what a field may say.
    """
    rows = re.findall(r"^\| (`.*?) \| (.*) \|$", section(command), re.MULTILINE)
    return {
        name: set(re.findall(r"`(\w+)`", re.sub(r"\(.*?\)", "", says)))
        for names, says in rows
        for name in re.findall(r"`(\w+)`", names)
    }


def answer(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *words: str,
    input_fields: object = None,
) -> dict[str, Any]:
    """Run a command as a program does; return its answer, the one line that it prints."""
    line = f"{json.dumps(input_fields)}\n".encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(line)))
    assert main(words) == 0
    response: dict[str, Any] = json.loads(capsys.readouterr().out)
    return response


def has_fields(fields_found: Mapping[str, Any], wanted_fields: Mapping[str, set[str]]) -> None:
    assert wanted_fields, "the search itself works"
    for name, inner in wanted_fields.items():
        assert name in fields_found
        rows = fields_found[name] if isinstance(fields_found[name], list) else []
        for row in rows:
            assert inner <= set(row), name


HANDS = (
    "| C222 C333 C444 DGGG B7 | F1",  # waits, and is near a special hand
    "| B222 C345 O777 B888 WNN | won=wall",
)


def test_the_example_of_score_scores_what_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    response = answer(
        monkeypatch, capsys, "score", "--jsonl", input_fields=example("tongbox score")
    )
    (total,) = re.findall(r"this hand: `total` (\d+)", section("tongbox score"))
    assert response["total"] == int(total)


@pytest.mark.parametrize("hand", HANDS)
def test_score_answers_with_the_fields_of_the_contract(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], hand: str
) -> None:
    wanted_fields = fields("tongbox score")
    del wanted_fields["problems"]  # of a sound hand there are none to look into
    has_fields(answer(monkeypatch, capsys, "score", hand, "--json"), wanted_fields)


def test_brief_leaves_out_what_the_contract_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    input_fields = example("tongbox score")
    full_answer = answer(monkeypatch, capsys, "score", "--jsonl", input_fields=input_fields)
    brief = answer(monkeypatch, capsys, "score", "--jsonl", "--brief", input_fields=input_fields)
    (field_list,) = re.findall(
        r"With `--brief` the fields (.*?) are left out", section("tongbox score")
    )
    left_out = set(re.findall(r"`(\w+)`", field_list))
    assert brief == {name: value for name, value in full_answer.items() if name not in left_out}
    assert left_out <= set(full_answer)


def test_settle_answers_with_the_fields_of_the_contract(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    response = answer(
        monkeypatch, capsys, "settle", "--jsonl", input_fields=example("tongbox settle")
    )
    has_fields(response, fields("tongbox settle"))
    assert response["payments"]
    assert sum(response["net"].values()) == 0


def test_what_is_no_hand_or_no_deal_has_problems_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    inner = fields("tongbox score")["problems"] - {"warning", "error"}
    for command, input_fields in (("score", {"hand": "no hand"}), ("settle", {"scores": {}})):
        response = answer(monkeypatch, capsys, command, "--jsonl", input_fields=input_fields)
        assert set(response) == {"problems"}
        assert all(inner <= set(problem) for problem in response["problems"])


FENCED_BLOCK = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)


def prose(page: Path) -> str:
    """Return a page without what is to be typed."""
    return FENCED_BLOCK.sub("", page.read_text("utf-8"))


LINK = re.compile(r"\]\((?!\w+:)([^)#\s]+)(#[^)\s]*)?\)|(?:src|href)=\"(?!\w+:)([^\"#]+)\"")


@each_page
def test_every_link_leads_to_a_file(page: Path) -> None:
    links = [found[1] or found[3] for found in LINK.finditer(prose(page))]
    assert [link for link in links if not (page.parent / link).exists()] == []


PATH = re.compile(r"(?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:py|toml|md|html|css|js|sh|onnx)")
BRACES = re.compile(r"\{([\w,-]+)\}")
TO_BE_MADE = re.compile(r"\bnew (?:file|folder) `[^`]+`")
"""How a page names what its reader is to make."""

NOT_IN_TREE = ("../", "var/", ".venv/", "wrong/", "device/i18n/strings/LANGUAGE/")
"""The beginnings of paths that lie outside, that commands make, and of one for several."""


@cache
def endings() -> frozenset[str]:
    """Return each file of the repository and each folder, by every ending of its path.

    A page may speak of `scoring/lines` or `cases/` where it is clear in which room that is.
    """
    files_output = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    files = [Path(line) for line in files_output]
    known_paths = {*files, *(file.with_suffix("") for file in files)}
    known_paths |= {above for file in files for above in file.parents}
    return frozenset(
        "/".join(path.parts[at:]) for path in known_paths for at in range(len(path.parts))
    )


def paths_in(text: str) -> set[str]:
    """Return what looks like a path of the repository among the words in backticks."""
    paths = set()
    for word in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", TO_BE_MADE.sub("", text)):
        choice = BRACES.search(word)
        for part in choice[1].split(",") if choice else [""]:
            paths.add(word.replace(choice[0], part) if choice else word)
    return {word for word in paths if PATH.fullmatch(word) and not word.startswith(NOT_IN_TREE)}


@pytest.mark.parametrize(
    ("text", "expected_paths"),
    [
        (
            "`scorer/score.py`, `{cases,rules}/x.md`",
            {"scorer/score.py", "cases/x.md", "rules/x.md"},
        ),
        ("a new file `scorer/none.py`; `var/a.py`", set()),
        ("`B222 C345`, `GET /health`, `tongbox read`", set()),
        ("`scoring/` and `none.toml`", {"scoring/", "none.toml"}),
    ],
)
def test_what_looks_like_a_path(text: str, expected_paths: set[str]) -> None:
    assert paths_in(text) == expected_paths


@each_page
def test_every_path_that_a_page_names_is_there(page: Path) -> None:
    paths = paths_in(prose(page))
    assert {path for path in paths if path.rstrip("/") not in endings()} == set()


def test_every_part_of_the_long_proofs_that_a_page_names_is_there() -> None:
    pages = [*PAGES, ROOT / "tests" / "real" / "README.md"]
    parts = {part for page in pages for part in re.findall(r"PART=([a-z_]+)", page.read_text())}
    assert len(parts) > 10, "the search itself works"
    files = [*(ROOT / "tests").rglob("test_*.py"), ROOT / "tests" / "real" / "trials.py"]
    texts = [file.stem + file.read_text("utf-8") for file in files if file.name != "test_record.py"]
    proofs = [text for text in texts if "pytest.mark.prove" in text or "TRIALS = {" in text]
    assert {part for part in parts if not any(part in text for text in proofs)} == set()


def test_every_page_is_on_the_list_of_pages() -> None:
    page_list = (ROOT / "docs" / "README.md").read_text("utf-8")
    pages = {page.name for page in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages == set(re.findall(r"\]\((\w[\w-]*\.md)\)", page_list))


def test_the_words_of_an_evening_are_those_of_the_pages() -> None:
    guide = " ".join((ROOT / "docs" / "club-evening.md").read_text("utf-8").split())
    quoted_words = re.findall(r"(?<![*\w])\*([^*]+)\*(?![*\w])", guide)
    pages = {re.sub(r"\{\w+\}", "N", str(words)) for words in load().values()}
    assert len(quoted_words) > 30, "the search itself works"
    assert {re.sub(r"\d+", "N", each) for each in quoted_words} - pages == set()


def test_the_changelog_tells_of_this_release_and_of_the_last_that_migrates() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    releases = re.findall(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert releases[:2] == ["Unreleased", project["version"]]
    assert LAST_MIGRATING_RELEASE in releases[2:], "this release refuses what that one brings on"
