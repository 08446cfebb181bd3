"""Every test has an app of its own; work that all apps share is done for the first one only.

Templates and routes are compiled, and bundles joined, once per process.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import CodeType
from typing import Any, ClassVar

from flask import Flask
from jinja2 import StrictUndefined
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule

from referee import app as apps
from referee.http import assets


class Compiled(BytecodeCache):
    """The templates of this process, by name, file and content."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._known[bucket.key, bucket.checksum] = bucket.code


class Remembering(apps.Templates):
    """The app's own loader, with a cache of what has been compiled.

    A value that a template reads and nobody gave it is an error here; a page leaves it out.
    """

    compiled = Compiled()

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, bytecode_cache=self.compiled, undefined=StrictUndefined, **options)


class Route(Rule):
    """Werkzeug's own, which writes and compiles two functions for every route of every app."""

    _known: ClassVar[dict[str, Callable[..., tuple[str, str]]]] = {}

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        of = repr((self._trace, self.defaults, append_unknown))
        if of not in self._known:
            self._known[of] = super()._compile_builder(append_unknown)
        return self._known[of]


def once() -> None:
    """Let all apps of this process share compiled templates, routes and bundles."""
    apps.Templates = Remembering  # type: ignore[misc]
    Flask.url_rule_class = Route
    assets.together = cache(assets.together)
