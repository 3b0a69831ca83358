"""What axe finds on a page: names, roles, contrast, the size of what is tapped."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from tests.e2e.engines import Browser

AXE = (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")

RUN = """
const [options, parts, done] = arguments;
document.body.style.backgroundImage = "none"; // its colour alone: axe judges no text on a gradient
const find = (part) => [...document.querySelectorAll(part)].find((each) => each.checkVisibility());
const include = parts.map(find);
const context = include.length ? {include} : document;
axe.run(context, {...options, resultTypes: ["violations"]}).then((found) => done(found.violations));
"""

Rules = dict[str, object]

EVERY_RULE: Rules = {"preload": {"assets": ["media"]}}
"""Only rules that axe leaves out by itself look at style sheets, which it would load again."""
COLOURS: Rules = {"runOnly": ["color-contrast", "link-in-text-block"]}
"""The rules that look at colours. Nothing else is another by lamplight (`test_style.py`)."""

PAGE: Rules = {
    "runOnly": [
        "document-title",
        "html-has-lang",
        "landmark-one-main",
        "page-has-heading-one",
        "region",
    ]
}
"""The rules that look at a page as a whole, and so find nothing in parts of it."""


def run_axe(phone: Browser) -> list[str]:
    """Return what axe finds on the page that is open."""
    phone.execute_script(AXE)
    return list_violations(phone, EVERY_RULE)


def list_violations(phone: Browser, rules: Rules, parts: Sequence[str] = ()) -> list[str]:
    """Return what breaks these rules on the page that is open, which has loaded axe.

    With `parts` only the first visible element is looked at that each of them selects.
    """
    return [_say(each) for each in phone.execute_async_script(RUN, rules, list(parts))]


def _say(violation: dict[str, Any]) -> str:
    elements = [node["html"][:120] for node in violation["nodes"][:3]]
    return f"{violation['id']}: {violation['help']} {elements}"
