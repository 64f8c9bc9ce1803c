"""Parses mail in isolated child processes that may die; `reader` is the entry point."""
