"""Fixtures of the demo's tests."""

from tests.servers.web.console import chrome

__all__ = ["chrome"]
