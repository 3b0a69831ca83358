"""What runs for every change elsewhere (.github) is `make test`, as here."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import yaml

from tests.real.clean_room import PACKAGES

ROOT = Path(__file__).parents[1]
WORKFLOW = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")


def test_the_workflow_calls_make_test_on_two_pythons() -> None:
    job: dict[str, Any] = yaml.safe_load(WORKFLOW)["jobs"]["test"]
    commands = [step["run"] for step in job["steps"] if "run" in step]
    assert commands[-1] == "make test"
    pythons = [each["python"] for each in job["strategy"]["matrix"]["include"]]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert pythons[0] == project["requires-python"].removeprefix(">="), "the oldest"
    assert len(pythons) == 2
    packages = {*PACKAGES} - {"sudo"}  # it runs as root
    assert packages <= {*commands[0].split()}


def test_every_action_is_pinned_to_a_commit() -> None:
    actions = re.findall(r"uses: (\S+)  # v\d", WORKFLOW)
    assert len(actions) == WORKFLOW.count("uses:") > 0
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", action) for action in actions)
