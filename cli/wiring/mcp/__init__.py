"""Wiring of our own MCP servers."""
