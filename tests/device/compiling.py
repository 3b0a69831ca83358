"""What a box compiles is compiled once in a test run: addresses, templates and SQL statements.

Thousands of tests make a box of their own, each of the same 250 addresses, the same templates and
the same statements: to compile these took more of the processor than what the tests ask of it.
"""

from __future__ import annotations

from types import CodeType
from typing import Any

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from werkzeug.routing import BaseConverter, Map, Rule


class SharedBytecode(BytecodeCache):
    """Templates compiled, in memory: by name, and by what stands in them."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key, bucket.checksum] = bucket.code


class Address:
    """What an app says of one address, which becomes a rule if no app has said the same before."""

    def __init__(self, path: str, **options: Any) -> None:  # noqa: ANN401 - werkzeug's own
        self.path, self.options = path, options
        self.provide_automatic_options = False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and vars(self) == vars(other)

    def rule(self) -> Rule:
        """Return the rule."""
        rule = Rule(self.path, **self.options)
        rule.provide_automatic_options = self.provide_automatic_options  # type: ignore[attr-defined]
        return rule


class SharedMap(Map):
    """The addresses of an app. Apps with the same ones share what is made of them."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401 - werkzeug's own
        super().__init__(**options)
        self._addresses: list[Address] = []

    def add(self, address: Address) -> None:  # type: ignore[override]
        """Note an address; nothing is made of it before it is asked for."""
        self._addresses.append(address)
        self._remap = True

    def update(self) -> None:
        """Take over what equal addresses have become, or make it."""
        if not self._remap:
            return
        url_map = self._find_equal() or self._make()
        self._matcher = url_map._matcher
        self._rules_by_endpoint = url_map._rules_by_endpoint
        self._remap = False

    def _find_equal(self) -> Map | None:
        contents = (self.converters, self._addresses)
        return next((url_map for *others, url_map in _maps if tuple(others) == contents), None)

    def _make(self) -> Map:
        url_map = Map(host_matching=self.host_matching, converters=self.converters)
        for address in self._addresses:
            url_map.add(address.rule())
        url_map.update()
        _maps.append((dict(self.converters), [*self._addresses], url_map))
        return url_map


_TEMPLATES = SharedBytecode()
_maps: list[tuple[dict[str, type[BaseConverter]], list[Address], Map]] = []
_begin_engine = Engine.__init__
_statements: dict[str, object] = {}


def _begin_with_cache(engine: Engine, *args: object, **options: object) -> None:
    """Begin an engine that shares the compiled statements of all engines of SQLite.

    A statement is known by its dialect and what it asks; all dialects of SQLite here are equal.
    """
    _begin_engine(engine, *args, **options)  # type: ignore[arg-type]
    if engine.dialect.name == "sqlite":
        compiled_cache = _statements.setdefault("sqlite", engine._compiled_cache)
        engine._compiled_cache = compiled_cache  # type: ignore[assignment]


def compile_once() -> None:
    """Let all boxes of this process share what they compile."""
    Engine.__init__ = _begin_with_cache  # type: ignore[assignment,method-assign]
    SQLiteDialect_pysqlite.__eq__ = lambda dialect, other: type(dialect) is type(other)  # type: ignore[method-assign]
    SQLiteDialect_pysqlite.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    Flask.url_rule_class = Address  # type: ignore[assignment]
    Flask.url_map_class = SharedMap  # type: ignore[assignment]
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _TEMPLATES}
