"""Fixtures of the console's tests."""

from tests.servers.web.console import chrome, site

__all__ = ["chrome", "site"]
