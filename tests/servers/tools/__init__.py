"""Servers of tools, for tests."""
