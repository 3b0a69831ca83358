"""Odd words, numbers and JSON on the command line: a sentence, and never a fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from device.commands.console import MAX_JOBS
from scorer.errors import HandError
from scorer.score_json import hand_from_json
from tests.device.command import output_of, refusal_of, run_command, usage_error_of

LONG, LONGER = "9" * 4300, "9" * 5000
"""As many digits as Python makes a number of, and more."""

SETTLE = '{{"scores": {{"E": {}, "W": 84}}, "winner": "W"}}'


def answer_line(command: str, line: bytes) -> str:
    """Return what a command that takes JSON lines says of this one."""
    (answer_text,) = output_of(command, "--jsonl", stdin=line + b"\n").splitlines()
    return answer_text


@pytest.mark.parametrize(
    ("command", "line", "says"),
    [
        ("settle", SETTLE.format(LONGER), "each with a number"),
        ("settle", SETTLE.format(10**17), "more than any hand can score"),
        ("settle", SETTLE.format(-2), "no hand scores below 0"),
        ("settle", SETTLE.format("NaN"), "each with a number"),
        ("settle", SETTLE.format("80.0"), "each with a number"),
        ("settle", SETTLE.format("true"), "each with a number"),
        ("settle", SETTLE.format('"80"'), "each with a number"),
        ("settle", '{"scores": [], "winner": "W"}', "must be an object"),
        ("settle", SETTLE.format(80)[:-1] + f', "players": {LONG}}}', "must be a number"),
        ("settle", SETTLE.format(80)[:-1] + ', "double": {}}', "must be E, S, W or N"),
        ("settle", SETTLE.format(80)[:-1] + ', "east": 5}', "must be a name"),
        ("settle", LONGER, "is a JSON object"),
        ("settle", "[" * 100_000, "nested too deeply"),
        ("settle", "", "is not JSON"),
        ("score", '{"hand": "| B1 | limit=' + LONGER + '"}', "a limit is a number above 0"),
        ("score", '{"hand": "| B1 | limit=٣"}', "has no meaning"),
        ("score", '{"hand": 5}', "must be a line of hand text"),
        ("score", '{"hand": "\\ud800"}', "has no meaning"),
        ("score", '{"hand": "| B1\\u0000 |"}', "there is no tile"),
        ("score", '{"concealed": ["B1"], "limit": ' + LONGER + "}", "must be a number or null"),
        ("score", '{"concealed": ["B1"], "limit": NaN}', "must be a number or null"),
        ("score", '{"concealed": ["B1"], "players": true}', "must be a number"),
        ("score", '{"concealed": [["B1"]]}', "must be a list of tile codes"),
        ("score", '{"concealed": ' + json.dumps(["B1"] * 20_000) + "}", "there are only four"),
        ("score", "[" * 100_000, "nested too deeply"),
        ("score", "\0", "is not JSON"),
    ],
)
def test_a_line_that_makes_no_sense_is_answered_in_a_sentence(
    command: str, line: str, says: str
) -> None:
    answer_text = answer_line(command, line.encode())
    assert len(answer_text) < 700, "it does not repeat what was too long"
    assert says in json.loads(answer_text)["problems"][0]["message"]


@pytest.mark.parametrize("command", ["settle", "score"])
def test_bytes_that_are_no_text_are_no_json(command: str) -> None:
    assert "is not JSON" in answer_line(command, b'{"hand": "\xff"}')


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["settle", f"E={LONGER}", "W=5", "--winner", "E"], "is no score"),
        (["settle", f"E={10**17}", "W=5", "--winner", "E"], "more than any hand can score"),
        (["settle", "E=٣", "W=5", "--winner", "E"], "is no score"),
        (["settle", "²", "5", "--winner", "E"], "is no score"),
        (["score", f"| B1 | limit={LONGER}"], "a limit is a number above 0"),
        (["explain", f"| B1 | limit={LONGER}"], "a limit is a number above 0"),
        (["wall", LONGER], "is no throw"),
        (["wall", "٣"], "is no throw"),
        (["wall", "7", "--players", "99"], "players"),
    ],
)
def test_a_word_that_makes_no_sense_is_refused_in_a_sentence(words: list[str], says: str) -> None:
    error_output = refusal_of(*words)
    assert says in error_output
    assert len(error_output) < 400
    assert "went wrong" not in error_output


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["score"], "either a hand or --jsonl"),
        (["score", "--jsonl", "B222 | |"], "either a hand or --jsonl"),
        (["score", "--jsonl", "--against", "B222 | |"], "go with one hand"),
        (["score", "--jsonl", "--what-if"], "go with one hand"),
        (["score", "--brief", "B222 | |"], "go with --jsonl"),
        (["score", "--jobs", "2", "B222 | |"], "go with --jsonl"),
        (["score", "--jsonl", "--jobs", "0"], "1 is the least"),
        (["score", "--jsonl", "--jobs", LONGER], f"1 is the least, {MAX_JOBS} the most"),
        (["score", "--jsonl", "--jobs", "9999999"], f"1 is the least, {MAX_JOBS} the most"),
        (["score", "--jsonl", "--jobs", "²"], f"1 is the least, {MAX_JOBS} the most"),
        (["storage", "--older", "-5"], "is no number from 0 on"),
        (["storage", "--older", "nan"], "is no number from 0 on"),
        (["storage", "--older", "1e30"], "is no number from 0 on"),
        (["storage", "--most", "1e400"], "is no number from 0 on"),
        (["storage", "--most", "-1"], "is no number from 0 on"),
        (["storage", "--most", "٣"], "is no number from 0 on"),
        (["export", "--json", "--match", "\udcff"], "is no id of a match"),
        (["export", "--json", "--match", "a" * 41], "is no id of a match"),
        (["practise", "--seed", LONGER], "from 0 to 999999"),
        (["practise", "--seed", "٣"], "from 0 to 999999"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(words: list[str], says: str) -> None:
    assert says in usage_error_of(*words)


ANSWERS = b"\xff\xfe\n" + LONGER.encode() + "\n²\n٣\n\0\n1e5\n-1\nNaN\n".encode()


def test_an_odd_answer_is_asked_for_again() -> None:
    """The input is read strictly, as on most machines."""
    output = output_of("practise", "--seed", "3", stdin=ANSWERS)
    assert output.count("Please answer with a whole number") == 8


@pytest.mark.parametrize("players", [10**18, -(10**18)])
def test_json_has_numbers_beyond_all_tables(players: int) -> None:
    with pytest.raises(HandError, match="must be a number"):
        hand_from_json({"players": players})


FILES_AND_PORTS = [
    ("score --rules nothere.toml B222", ["nothere.toml", "`tongbox rules` lists"], "no such rules"),
    ("evaluate nothere.jsonl", ["There is no file nothere.jsonl. Please check the name."],
     "labels"),
    ("evaluate photo.jpg", ["photo.jpg is no text, so it has no labels."], "a photo"),
    ("evaluate .", [". cannot be used: Is a directory."], "a folder"),
    ("restore photo.jpg --data new/box", ["photo.jpg is not a backup.", "`tongbox backup`"],
     "a photo"),
    ("serve --port 99999 --data new/box", ["'99999' is no port", "1 to 65535"], "too high"),
    ("serve --https -1 --data new/box", ["'-1' is no port"], "below all"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "says", "reason"), FILES_AND_PORTS)
def test_a_wrong_file_or_port_is_said_in_a_sentence(
    words: str,
    says: list[str],
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "photo.jpg").write_bytes(b"\xff\xd8\xff no backup")
    outcome = run_command(*words.split())
    assert outcome.status > 0
    assert all(each in outcome.err for each in says), outcome.err
    assert "Errno" not in outcome.err
    assert [path.name for path in tmp_path.iterdir()] == ["photo.jpg"], f"{reason}: nothing is left"
