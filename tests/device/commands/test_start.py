"""A command loads what it needs and no more: a start takes as long as its imports do."""

from __future__ import annotations

import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from device.cli import COMMANDS, main
from tests.device.outside import Outside, greeting_of, port_of

HAND = "B222 O9999 | C345 DRRR WEE | F1 seat=E round=E won=wall"

PAGE = {"flask", "waitress", "jinja2", "device.web"}
PHOTOS = {"numpy", "cv2", "PIL", "onnxruntime", "vision"}
PAPER = {"reportlab", "segno", "device.paper"}
LANGUAGES = {"device.i18n"}
BOX = {"sqlite3", "device.store", "device.doctor", "device.hands", "device.matches"}
RULES = {"scorer", "tomllib"}
CORES = {"multiprocessing", "concurrent"}

NOT_OF_THE_LOG = (
    PAGE
    | (PHOTOS - {"vision"})
    | {"vision.networks", "vision.geometry", "vision.hand", "vision.merging", "vision.photo"}
    | PAPER
    | LANGUAGES
    | {"multiprocessing", "scorer.score"}
)
"""The log's events have the types of `vision.reading`, which read nothing."""

NOT_OF_A_SCORE = PAGE | PHOTOS | PAPER | LANGUAGES | BOX | CORES

UNLOADED_MODULES: dict[tuple[str, ...], set[str]] = {
    # only the table of the commands is shown
    ("--help",): NOT_OF_A_SCORE | RULES | {"dataclasses", "json", "importlib.metadata"},
    ("--version",): NOT_OF_A_SCORE | RULES,
    ("score", HAND): NOT_OF_A_SCORE | {"scorer.match", "scorer.teach", "scorer.table_setup"},
    ("explain", HAND): NOT_OF_A_SCORE | {"scorer.match", "scorer.teach", "scorer.table_setup"},
    # the ruleset says which scores there are, and no hand is scored
    ("settle", "80", "84", "208", "416", "--winner", "S"): NOT_OF_A_SCORE
    | {"scorer.score", "scorer.explain", "scorer.validate"},
    # the square is drawn with characters, and the ruleset says how many tiles are set apart
    ("wall", "5", "8"): NOT_OF_A_SCORE | {"scorer.score"},
    ("rules",): NOT_OF_A_SCORE | {"scorer.score", "scorer.explain", "scorer.match"},
    # a look into the log, no photo; what SQLAlchemy loads is needed for that
    ("pin", "--help"): NOT_OF_THE_LOG,
    ("backup", "--help"): NOT_OF_THE_LOG,
    # reading needs no page
    ("read", "--help"): PAGE | PAPER,
}
"""What is typed, and modules that it has no use for, with all that is inside them."""

NOT_LOADED_BY_A_FRESH_BOX = {
    "psycopg": "the log is its own",
    "minisign": "no update has come",
    "cryptography": "the same",
    "pillow_heif": "pictures are opened in another process",
    "device.host.https": "nobody asked for HTTPS",
    "reportlab": "nothing is printed",
    "device.paper": "the same",
    "multiprocessing": "one process reads",
}
"""Modules that a box has no use for which was just begun and asked for its first page, and why."""

PROBE = """\
import sys
from device.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
sys.stderr.write(" ".join(sys.modules))
"""


def loaded_by(words: tuple[str, ...]) -> set[str]:
    """Return every module that is loaded once a command has run, and the packages they are in."""
    process = subprocess.run(
        [sys.executable, "-c", PROBE, *words], capture_output=True, text=True, check=True
    )
    return with_packages(process.stderr.split())


def with_packages(modules: list[str]) -> set[str]:
    """Return modules with the packages they are in."""
    return {name.rsplit(".", cut)[0] for name in modules for cut in range(name.count(".") + 1)}


@pytest.mark.parametrize("words", UNLOADED_MODULES, ids=" ".join)
def test_a_command_loads_nothing_that_it_has_no_use_for(words: tuple[str, ...]) -> None:
    loaded_modules = loaded_by(words)
    assert "device.cli" in loaded_modules
    assert not loaded_modules & UNLOADED_MODULES[words]
    commands = {name for name in COMMANDS if f"device.commands.{name}" in loaded_modules}
    assert commands == {words[0]} & COMMANDS.keys(), "its own module and no other command's"


@pytest.mark.slow
def test_a_fresh_box_loads_nothing_that_it_has_no_use_for(tmp_path: Path) -> None:
    options = ["--demo", "--host", "127.0.0.1", "--port", "28380", "--data", str(tmp_path)]
    command = [sys.executable, "-c", PROBE, "serve", *options]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as box:
        try:
            outside = Outside(port_of(greeting_of(box)), box.pid)
            assert outside.ask("127.0.0.1", "/", timeout=60).status == 200
        finally:
            box.send_signal(signal.SIGINT)
            _, module_list = box.communicate(timeout=60)
    loaded_modules = with_packages(module_list.split())
    assert "device.web" in loaded_modules
    assert not loaded_modules & NOT_LOADED_BY_A_FRESH_BOX.keys()


def test_the_version_is_that_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    project_file = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text("utf-8"))
    with pytest.raises(SystemExit) as exit_info:
        main(["--version"])
    assert exit_info.value.code == 0
    assert capsys.readouterr().out == f"tongbox {project_file['project']['version']}\n"
