"""Progress of long commands: on a terminal, and nowhere else. Examples that `--help` shows."""

from __future__ import annotations

import fcntl
import os
import pty
import shlex
import struct
import sys
import termios

import pytest

from device.cli import COMMANDS, EXAMPLES, build_parser, main
from device.commands.console import progress_bar

FILES = ["a", "b", "c"]


def terminal_output(monkeypatch: pytest.MonkeyPatch, term: str) -> str:
    """Return what a terminal shows while the files are worked on."""
    monkeypatch.setenv("TERM", term)
    reading_end, writing_end = pty.openpty()
    fcntl.ioctl(writing_end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    with os.fdopen(writing_end, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert list(progress_bar("Read", "photos")(FILES)) == FILES
        terminal.write("end")
        terminal.flush()
        text = os.read(reading_end, 10_000).decode()
    os.close(reading_end)
    return text


def test_a_terminal_shows_how_much_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    text = terminal_output(monkeypatch, "xterm")
    assert "Read:" in text
    assert "/3 [" in text, "with the time"


def test_a_plain_terminal_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal_output(monkeypatch, "dumb") == "end"


def test_a_pipe_gets_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    assert list(progress_bar("Read", "photos")(FILES)) == FILES
    assert capfd.readouterr() == ("", "")


EXAMPLE_LINES = [(name, line) for name, lines in EXAMPLES.items() for line in lines]


@pytest.mark.parametrize(("name", "line"), EXAMPLE_LINES)
def test_an_example_is_a_line_that_the_command_takes(name: str, line: str) -> None:
    words = shlex.split(line.replace("\\\n", "").partition(" > ")[0].partition(" < ")[0])
    assert build_parser(name).parse_args(words).command == name


def test_help_shows_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert EXAMPLES.keys() <= COMMANDS.keys()
    with pytest.raises(SystemExit):
        build_parser("score").parse_args(["score", "--help"])
    assert f"tongbox {EXAMPLES['score'][0]}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("is_terminal", "environment", "is_bold", "reason"),
    [
        (True, {}, True, "the total stands out"),
        (False, {}, False, "a pipe has the words alone"),
        (True, {"NO_COLOR": "1"}, False, "somebody wants none (no-color.org)"),
        (True, {"TERM": "dumb"}, False, "it would show the codes"),
    ],
)
def test_the_total_is_bold_on_a_terminal_alone(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    is_terminal: bool,
    environment: dict[str, str],
    is_bold: bool,
    reason: str,
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal)
    assert main(["score", "| B222 C333 O777 DRRR WEE | seat=E won=wall"]) == 0
    assert ("\033[1m     368  20" in capsys.readouterr().out) == is_bold, reason
