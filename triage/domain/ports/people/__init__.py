"""Ports about people: accounts, calendars, and the channels on which they hear of things."""
