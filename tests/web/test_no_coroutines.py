"""``App.ensure_sync`` passes every function on as it is, so none may be a coroutine."""

from __future__ import annotations

from inspect import iscoroutinefunction

from flask import Flask


def test_no_function_that_a_request_calls_is_a_coroutine(app: Flask) -> None:
    called = [*app.view_functions.values()]
    for by_blueprint in (
        app.before_request_funcs,
        app.after_request_funcs,
        app.template_context_processors,
    ):
        called += [function for several in by_blueprint.values() for function in several]
    for handlers in app.error_handler_spec.values():
        called += [handler for kinds in handlers.values() for handler in kinds.values()]
    assert len(called) > 100
    coroutines = [function.__name__ for function in called if iscoroutinefunction(function)]
    assert not coroutines, f"make them plain functions: {coroutines}"
