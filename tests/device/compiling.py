"""What an app compiles when it is made is compiled once in a test run: addresses and templates.

Hundreds of tests make an app of their own, each of the same 190 addresses and the same templates:
to compile these took more of the processor than what the tests ask of the app.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket
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
Build = Callable[..., tuple[str, str]]

_compile: Callable[[Rule, bool], Build] = Rule._compile_builder
_builders: dict[object, Build] = {}


def _builder(rule: Rule, append_unknown: bool = True) -> Build:
    """Return what builds a rule's addresses: a function of its parts, which takes the rule."""
    if rule.defaults:
        return _compile(rule, append_unknown)
    parts = rule.rule, tuple(rule._trace), append_unknown
    if parts not in _builders:
        _builders[parts] = _compile(rule, append_unknown)
    return _builders[parts]


def compile_once() -> None:
    """Let all apps of this process share what they compile."""
    Rule._compile_builder = _builder  # type: ignore[assignment,method-assign]
    Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": _TEMPLATES}
