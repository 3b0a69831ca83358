"""What apps share of what they compile is what each would have compiled for itself."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from flask import Flask
from jinja2 import Environment, FileSystemLoader
from werkzeug.routing import AnyConverter, BaseConverter, Map, Rule, UnicodeConverter
from werkzeug.routing.converters import NumberConverter

from device.services import Services
from device.web import Box, create_app
from tests.device import compiling


def fits(converter: BaseConverter) -> object:
    """Return something that may stand in an address at such a place."""
    if isinstance(converter, AnyConverter):
        return min(converter.items)
    if isinstance(converter, NumberConverter):
        return 7
    return "x 7é" if isinstance(converter, UnicodeConverter) else "x-7"


@pytest.fixture
def separate_app(monkeypatch: pytest.MonkeyPatch, services: Services) -> Flask:
    """Return an app that shares nothing with any other."""
    monkeypatch.setattr(Flask, "url_rule_class", Rule)
    monkeypatch.setattr(Flask, "url_map_class", Map)
    return create_app(Box(services))


def test_every_address_is_what_it_is_in_an_app_of_its_own(app: Flask, separate_app: Flask) -> None:
    shared_rules, own_rules = (
        list(app.url_map.iter_rules()),
        list(separate_app.url_map.iter_rules()),
    )
    assert [each.rule for each in shared_rules] == [each.rule for each in own_rules]
    assert len(own_rules) > 150
    for shared_rule, other in zip(shared_rules, own_rules, strict=True):
        values = {name: fits(at) for name, at in other._converters.items()} | {"more": "a&b"}
        for more in (True, False):
            assert shared_rule.build(values, more) == other.build(values, more)
        url = other.build(values)
        assert url
        address = unquote(url[1].partition("?")[0])
        method = min(other.methods or ())
        matches = [it.url_map.bind("box").match(address, method) for it in (app, separate_app)]
        assert matches[0] == matches[1], address


def test_an_address_that_one_app_adds_is_in_no_other(app: Flask, services: Services) -> None:
    other = create_app(Box(services))
    assert other.url_map._matcher is not app.url_map._matcher, "nothing was asked for yet"
    app.add_url_rule("/more/", view_func=lambda: "more", endpoint="more")
    for each, status in ((app, 200), (other, 404), (create_app(Box(services)), 404)):
        assert each.test_client().get("/more/").status_code == status


def test_a_template_that_has_changed_is_compiled_again(tmp_path: Path) -> None:
    cache = compiling.SharedBytecode()
    page = tmp_path / "page.html"
    for words in ("before", "after", "before"):
        page.write_text(words)
        pages = Environment(
            loader=FileSystemLoader(tmp_path), bytecode_cache=cache, autoescape=True
        )
        assert pages.get_template("page.html").render() == words
    assert len(cache._codes) == 2
