"""What a box compiles is compiled once in a test run: addresses, templates and SQL statements.

Thousands of tests make a box of their own, each of the same 250 addresses, the same templates and
the same statements: to compile these took more of the processor than what the tests ask of it.
"""

from __future__ import annotations

from types import CodeType, MethodType

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
from sqlalchemy import Engine
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from werkzeug.routing import Rule


class Kept(BytecodeCache):
    """Templates compiled, in memory: by name, and by what stands in them."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key, bucket.checksum] = bucket.code


_TEMPLATES = Kept()
_compile = Rule.compile
_rules: dict[tuple[object, ...], Rule] = {}
_begin_engine = Engine.__init__
_statements: dict[str, object] = {}


def _compiled(rule: Rule) -> None:
    """Compile a rule, or take over what an equal one of an earlier app has."""
    assert rule.map, "it is compiled when an app takes it"
    if rule.defaults or rule.subdomain or rule.host:
        _compile(rule)
        return
    key = (rule.rule, rule.merge_slashes, *rule.map.converters.values())
    if key not in _rules:
        _compile(rule)
        _rules[key] = rule
        return
    same = _rules[key]
    rule._parts, rule._trace, rule._converters = same._parts, same._trace, same._converters
    rule.arguments |= same.arguments
    for build in ("_build", "_build_unknown"):
        setattr(rule, build, MethodType(getattr(same, build).__func__, rule))


def _begun(engine: Engine, *args: object, **options: object) -> None:
    """Begin an engine that shares the compiled statements of all engines of SQLite.

    A statement is known by its dialect and what it asks; all dialects of SQLite here are equal.
    """
    _begin_engine(engine, *args, **options)  # type: ignore[arg-type]
    if engine.dialect.name == "sqlite":
        kept = _statements.setdefault("sqlite", engine._compiled_cache)
        engine._compiled_cache = kept  # type: ignore[assignment]


def compile_once() -> None:
    """Let all boxes of this process share what they compile."""
    Engine.__init__ = _begun  # type: ignore[assignment,method-assign]
    SQLiteDialect_pysqlite.__eq__ = lambda one, other: type(one) is type(other)  # type: ignore[method-assign]
    SQLiteDialect_pysqlite.__hash__ = lambda self: hash(type(self))  # type: ignore[method-assign]
    Rule.compile = _compiled  # type: ignore[assignment,method-assign]
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _TEMPLATES}
