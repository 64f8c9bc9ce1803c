"""Ports about people: accounts, calendars, and channels."""
