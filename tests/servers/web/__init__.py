"""Browsers, and the console as people see it."""
