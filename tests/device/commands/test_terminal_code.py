"""The QR code of the greeting, as a phone sees it on terminals of either colour."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

URL = "http://192.168.1.20:8080/"

PROGRAM = """
import sys
from pathlib import Path
from device.commands.serve import format_greeting
sys.stdout.write(format_greeting("192.168.1.20", 8080, 8080, Path("box")))
"""

Colours = tuple[int, int]
"""Text and ground, as grey values."""

TERMINALS: list[tuple[Colours, str]] = [
    ((229, 30), "light text on dark"),
    ((40, 255), "dark text on light"),
    ((115, 246), "a theme that swaps the first sixteen colours"),
]

SET_COLOURS: dict[str, Colours] = {"38;5;231;48;5;16": (255, 0)}
"""What is asked for in numbers above 15, which have one meaning in every theme (xterm's)."""

HALVES = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0)}
"""Upper and lower half of a character: 0 is the text's colour, 1 the ground's."""

COLUMNS, MODULE_PX = 60, 8


def screen(text: str, default_colours: Colours) -> np.ndarray:
    """Draw a text as a terminal of these colours shows it, around the QR code."""
    rows: list[list[int]] = []
    for line in text.replace("\r", "").split("\n"):
        halves: list[tuple[int, int]] = []
        colours = default_colours
        for sequence, sign in re.findall(r"\x1b\[([\d;]*)m|(.)", line):
            if sequence:
                colours = default_colours if sequence == "0" else SET_COLOURS[sequence]
            else:
                upper, lower = HALVES.get(sign, (1, 1))
                halves.append((colours[upper], colours[lower]))
        halves += [(default_colours[1], default_colours[1])] * (COLUMNS - len(halves))
        rows += [[half[part] for half in halves[:COLUMNS]] for part in (0, 1)]
    return np.kron(np.array(rows, np.uint8), np.ones((MODULE_PX, MODULE_PX), np.uint8))


@pytest.fixture(scope="module")
def greeting() -> str:
    """Return what is written to a terminal."""
    reader_end, terminal_end = os.openpty()
    output = b""
    with subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=terminal_end):
        os.close(terminal_end)
        while chunk := _read(reader_end):
            output += chunk
    os.close(reader_end)
    return output.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # Linux says so where nobody holds the other end
        return b""


@pytest.mark.parametrize(("colours", "reason"), TERMINALS)
def test_a_phone_reads_the_code(greeting: str, colours: Colours, reason: str) -> None:
    screenshot = screen(greeting, colours)
    for reader in (cv2.QRCodeDetector(), cv2.QRCodeDetectorAruco()):
        assert reader.detectAndDecode(screenshot)[0] == URL, reason


def test_a_file_holds_no_colours(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with log.open("wb") as file:
        subprocess.run([sys.executable, "-c", PROGRAM], stdout=file, check=True, timeout=60)
    assert "\x1b" not in log.read_text("utf-8")
    assert "█" in log.read_text("utf-8")
