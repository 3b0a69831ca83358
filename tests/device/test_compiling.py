"""What apps share of what they compile is what each would have compiled for itself."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from jinja2 import Environment, FileSystemLoader
from werkzeug.routing import AnyConverter, BaseConverter
from werkzeug.routing.converters import NumberConverter

from tests.device import compiling


def fits(converter: BaseConverter) -> object:
    """Return something that may stand in an address at such a place."""
    if isinstance(converter, AnyConverter):
        return min(converter.items)
    return 7 if isinstance(converter, NumberConverter) else "x 7/é"


def test_every_address_is_built_as_its_own_rule_builds_it(app: Flask) -> None:
    rules = list(app.url_map.iter_rules())
    assert len(rules) > 150
    for rule in rules:
        values = {name: fits(at) for name, at in rule._converters.items()} | {"more": "a&b"}
        for more in (True, False):
            own = compiling._compile(rule, more).__get__(rule)
            assert rule.build(values, more) == own(**values)


def test_a_template_that_has_changed_is_compiled_again(tmp_path: Path) -> None:
    kept = compiling.Kept()
    page = tmp_path / "page.html"
    for words in ("before", "after", "before"):
        page.write_text(words)
        pages = Environment(loader=FileSystemLoader(tmp_path), bytecode_cache=kept, autoescape=True)
        assert pages.get_template("page.html").render() == words
    assert len(kept._codes) == 2
